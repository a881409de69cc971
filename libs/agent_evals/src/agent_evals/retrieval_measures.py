"""What is measured of each collection, by which ways of searching, and what is wanted."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from agent_core.document_contracts import SearchMode

from agent_evals.kept_vectors import GivenVectors, read_unit_vectors
from agent_evals.retrieval import (
    Collection,
    Shares,
    Wanted,
    load_hotpot,
    load_musique,
    load_scifact,
    ndcg,
    recall,
)
from agent_evals.retrieval_report import Measured
from agent_evals.retrieval_run import Searcher, indexed_text

_DEPTH, _FIRST, _TURN = 100, 10, 5
_NDCG, _RECALL, _TURN_RECALL = f"ndcg@{_FIRST}", f"recall@{_DEPTH}", f"recall@{_TURN}"

LOADERS: Mapping[str, tuple[str, Callable[[Path], Collection]]] = {
    "scifact": ("scifact", load_scifact),
    "hotpot": ("multihop", load_hotpot),
    "musique": ("multihop", load_musique),
}
"""Each collection with its folder under `bench/`, and what reads it."""

_WAYS: Mapping[str, Mapping[str, float]] = {
    "hybrid": {_NDCG: 0.70, _RECALL: 0.95},
    "words alone": {_NDCG: 0.67},
    "meaning alone": {},
}
_GIVEN_GOALS = {_NDCG: 0.68}
_TURN_GOALS = {"hotpot": {_TURN_RECALL: 0.85}, "musique": {_TURN_RECALL: 0.58}}
_MODES = {"hybrid": SearchMode.HYBRID, "words alone": SearchMode.KEYWORD, "meaning alone": SearchMode.DENSE}


@dataclass(frozen=True, slots=True)
class _Turn:
    name: str
    mode: SearchMode
    expand: bool


async def measure(collection: Collection, searcher: Searcher) -> tuple[Measured, ...]:
    """Every way of searching that is measured with the model that answers use."""
    if collection.name == "scifact":
        return tuple([await _ranked(collection, searcher, way, _MODES[way], _WAYS[way]) for way in _WAYS])
    turns = (
        _Turn("one turn, expanded", SearchMode.HYBRID, True),
        _Turn("one turn", SearchMode.HYBRID, False),
        _Turn("words alone", SearchMode.KEYWORD, False),
    )
    return tuple([await _turned(collection, searcher, turn) for turn in turns])


async def measure_given(collection: Collection, searcher: Searcher) -> Measured:
    """The hybrid search with vectors that somebody else has made."""
    return await _ranked(collection, searcher, "hybrid, given vectors", SearchMode.HYBRID, _GIVEN_GOALS)


def given_vectors(collection: Collection, folder: Path) -> GivenVectors:
    """SciFact's vectors as its folder holds them."""
    stored = folder / "minilm_pca128"
    of_passages = read_unit_vectors(stored / "docs.f16.npy", stored / "doc_ids.txt")
    of_questions = read_unit_vectors(stored / "queries.f16.npy", stored / "query_ids.txt")
    vectors = {indexed_text(each): of_passages[each.key] for each in collection.passages}
    vectors |= {each.question: of_questions[each.key] for each in collection.questions}
    return GivenVectors("minilm_pca128", vectors, len(next(iter(vectors.values()))))


async def _ranked(
    collection: Collection, searcher: Searcher, way: str, mode: SearchMode, goals: Mapping[str, float]
) -> Measured:
    rankings = [await searcher.ranking(each, mode, _DEPTH) for each in collection.questions]
    measures = {
        _NDCG: _shares(collection.questions, rankings, ndcg, _FIRST),
        _RECALL: _shares(collection.questions, rankings, recall, _DEPTH),
    }
    return Measured(way, measures, goals)


async def _turned(collection: Collection, searcher: Searcher, turn: _Turn) -> Measured:
    rankings = [
        await searcher.turn(each, top_k=_TURN, mode=turn.mode, expand=turn.expand) for each in collection.questions
    ]
    goals = _TURN_GOALS[collection.name] if turn.expand else {}
    return Measured(turn.name, {_TURN_RECALL: _shares(collection.questions, rankings, recall, _TURN)}, goals)


def _shares(
    questions: Sequence[Wanted],
    rankings: Sequence[Sequence[str]],
    judge: Callable[[Sequence[str], frozenset[str], int], float],
    depth: int,
) -> Shares:
    values = [judge(ranking, each.relevant, depth) for each, ranking in zip(questions, rankings, strict=True)]
    return Shares.of(questions, values)
