"""Catalogue names inside questions: longest spans, scripts, everyday words, years."""

import pytest
from agent_core.errors import SourceUnavailable
from agent_core.retrieval.mention_finder import CatalogueMentionFinder
from datastore.postgres.engine import PostgresOptions, ReadOnlyEngine, ReadWriteEngine, open_read_only
from factories import CatalogueFactory, aliases
from fixtures.postgres import seeded
from fixtures.statements import StatementCounter

TITLES = (
    "Attack on Titan", "Attack on Titan Season 2", "Naruto", "Naruto: Shippuden", "Steins;Gate", "Your Name.",
    "Another", "Air", "K", "Monster", "Given", "It", "A Silent Voice", "Howl's Moving Castle", "Fullmetal Alchemist",
    "The Melancholy of Haruhi Suzumiya", "Re:ZERO -Starting Life in Another World-", "Hunter x Hunter 1999",
)  # fmt: skip

FOUND: list[tuple[str, list[tuple[str, int | None]]]] = [
    ("Who directed Attack on Titan?", [("Attack on Titan", None)]),
    ("who directed attack on titan season 2", [("attack on titan season 2", None)]),
    ("How is Luffy related to Nami?", [("Luffy", None), ("Nami", None)]),
    ("Compare Naruto and Naruto: Shippuden.", [("Naruto", None), ("Naruto: Shippuden", None)]),
    ("how many episodes does steins gate have", [("steins gate", None)]),
    ("Who voices Naruto's rival?", [("Naruto", None)]),
    ("Is Howl's Moving Castle a film?", [("Howl's Moving Castle", None)]),
    ("The Melancholy of Haruhi Suzumiya episodes", [("The Melancholy of Haruhi Suzumiya", None)]),
    ("Tell me about Re:ZERO -Starting Life in Another World-", [("Re:ZERO -Starting Life in Another World", None)]),
    ("「進撃の巨人」の監督は誰?", [("進撃の巨人", None)]),
    ("進撃の巨人の監督は誰ですか", [("進撃の巨人", None)]),
    ("ナルトの声優は", [("ナルト", None)]),
    ("When did ＮＡＲＵＴＯ start?", [("ＮＡＲＵＴＯ", None)]),
    ("Fullmetal Alchemist (2003)", [("Fullmetal Alchemist", 2003)]),
    ("the 2009 Fullmetal Alchemist", [("Fullmetal Alchemist", 2009)]),
    ("Compare the 2003 and 2009 Fullmetal Alchemist", [("Fullmetal Alchemist", 2003), ("Fullmetal Alchemist", 2009)]),
    ("Fullmetal Alchemist 2003 vs 2009", [("Fullmetal Alchemist", 2003), ("Fullmetal Alchemist", 2009)]),
    ("What came out in 2003 Fullmetal Alchemist aside?", [("Fullmetal Alchemist", None)]),
    ("Hunter x Hunter 1999 vs 2011 episodes", [("Hunter x Hunter 1999", None), ("Hunter x Hunter", 2011)]),
    ("who is k in naruto", [("k", None), ("naruto", None)]),
    ("how is k related to luffy", [("k", None), ("luffy", None)]),
    ("does luffy know k?", [("luffy", None), ("k", None)]),
    ("Hunter x Hunter 1999 episodes", [("Hunter x Hunter 1999", None)]),
    # Everyday words are names only where they are written or placed like one.
    ("Is there another anime like Naruto?", [("Naruto", None)]),
    ("Who is the main monster of the show?", []),
    ("What is given on the air date?", []),
    ("Given that it is late, what should I watch?", []),
    ("what is your name", []),
    ("it is like a silent film", []),
    ("Who directed Another?", [("Another", None)]),
    ("How many episodes does Air have?", [("Air", None)]),
    ("who wrote 'monster'?", [("monster", None)]),
    ("how many episodes does monster have", [("monster", None)]),
    ("who directed your name", [("your name", None)]),
    ("who directed k?", [("k", None)]),
    ("another", [("another", None)]),
    ("is monster finished?", [("monster", None)]),
    ("WHO IS THE MAIN MONSTER", []),
    ("WHO DIRECTED ANOTHER?", [("ANOTHER", None)]),
    ("Is It scary?", [("It", None)]),
    ("I like I and you", []),
    ("", []),
    ("?!", []),
    ("Who directed Naruto\x00\u200b?", [("Naruto", None)]),
    ("\ud800 Air \udfff", [("Air", None)]),
    ("x" * 2_000, []),
    ("No such title anywhere", []),
]  # fmt: skip


async def write_titles(read_write: ReadWriteEngine) -> None:
    """A few titles, everyday ones among them."""
    async with read_write.begin() as conn:
        make = CatalogueFactory(conn)
        for title in TITLES:
            native = {"Attack on Titan": "進撃の巨人", "Naruto": "ナルト"}.get(title)
            await make.make_anime(title, names=aliases(native) if native else ())
        for name in ("Luffy", "Nami", "I"):
            await make.make_character(name)


template, _ = seeded(write_titles)


@pytest.fixture
async def finder(read_only: ReadOnlyEngine) -> CatalogueMentionFinder:
    """A finder over those."""
    return CatalogueMentionFinder(read_only)


async def test_names_are_found_where_they_are_meant(finder: CatalogueMentionFinder) -> None:
    for question, expected in FOUND:
        mentions = await finder.find(question, timeout=5)
        assert [(mention.text, mention.year) for mention in mentions] == expected, question
        assert all(mention.entity_types == () for mention in mentions)


async def test_a_long_text_costs_one_statement(
    finder: CatalogueMentionFinder, statement_counter: StatementCounter
) -> None:
    for text in ("Naruto " + "word " * 390 + "Steins;Gate", "進撃の巨人" + "あいうえお漢字" * 280):
        with statement_counter.counting() as count:
            mentions = await finder.find(text, timeout=10)
        assert mentions
        assert sum("names" in statement for statement in count.statements) == 1


async def test_a_database_that_is_away_is_a_typed_error() -> None:
    engine = open_read_only(PostgresOptions(dsn="postgresql://nobody@127.0.0.1:9/none", acquire_timeout_ms=500))
    try:
        with pytest.raises(SourceUnavailable):
            await CatalogueMentionFinder(engine).find("Naruto", timeout=2)
    finally:
        await engine.close()
