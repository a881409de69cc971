"""The evaluation of the search in documents, on a handful of passages, through database, index and executor."""

from pathlib import Path

from agent_evals.retrieval import Collection, Passage, Shares, Wanted
from agent_evals.retrieval_measures import measure
from agent_evals.retrieval_run import load_passages, open_searcher
from embeddings.bundled import BundledEmbedder

PASSAGES = (
    Passage("almanac", "Almanac of winds", "The almanac of winds was printed by Osvald Brenn in a cellar."),
    Passage("printer", "Osvald Brenn (printer)", "He learned his trade in Lund and died in 1871."),
    *(
        Passage(f"chart {place}", f"Cloud chart {place}", f"Chart {place} of clouds over a harbour.")
        for place in range(6)
    ),
)
QUESTIONS = (
    Wanted("0", "Where was the maker of the almanac of winds taught?", frozenset({"almanac", "printer"}), is_even=True),
    Wanted("1", "Which almanac was printed in a cellar?", frozenset({"almanac"}), is_even=False),
)


async def test_a_turn_that_is_expanded_reaches_what_the_first_find_names(
    database_url: str, short_folder: Path, embedder: BundledEmbedder
) -> None:
    collection = Collection("hotpot", PASSAGES, QUESTIONS, are_named=True)
    await load_passages(collection, database_url)
    indexed: list[int] = []
    async with open_searcher(
        collection, database_url, short_folder / "store", embedder, on_points=indexed.append
    ) as searcher:
        measured = {each.search: each.measures["recall@5"] for each in await measure(collection, searcher)}
    assert indexed == [8]
    assert measured["one turn, expanded"] == Shares(even=1.0, odd=1.0, all=1.0)
    assert measured["words alone"] == Shares(even=0.5, odd=1.0, all=0.75)
