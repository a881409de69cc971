"""What mentions mean: classes of match, context, ambiguity, near misses, neighbours of the vector index."""

from collections.abc import Sequence
from uuid import UUID

import pytest
from agent_core.errors import SourceUnavailable
from agent_core.evidence import EntityRef
from agent_core.retrieval.resolver import NameResolver
from agent_core.schemas import (
    Hit,
    MatchKind,
    Mention,
    ResolvedMention,
    RetrievalResult,
    SearchIntent,
    StepStatus,
)
from datastore.edges import EdgeType
from datastore.postgres.engine import PostgresOptions, ReadOnlyEngine, ReadWriteEngine, open_read_only
from datastore.vocabulary import AppearanceRole, EntityType, NameKind, WorkFormat
from factories import CatalogueFactory, aliases
from fixtures.postgres import seeded

WORKS = (EntityType.ANIME, EntityType.MANGA)


async def resolve(engine: ReadOnlyEngine, text: str, **context: object) -> ResolvedMention:
    """One mention, resolved without a vector index."""
    mention = Mention.model_validate({"text": text, **context})
    (resolved,) = await NameResolver(engine).resolve([mention], timeout=5)
    assert resolved.mention == mention
    return resolved


def chosen(resolved: ResolvedMention) -> tuple[UUID, MatchKind]:
    """The entity chosen, and by what match."""
    assert resolved.chosen is not None, resolved
    assert resolved.chosen == resolved.candidates[0]
    return resolved.chosen.entity.id, resolved.chosen.match


class Shelf:
    """The ids of the test catalogue, by a short name."""

    def __init__(self) -> None:
        self.ids: dict[str, UUID] = {}

    def __getitem__(self, key: str) -> UUID:
        return self.ids[key]


async def write_shelf(read_write: ReadWriteEngine) -> Shelf:
    """Namesakes, franchises, aliases and first names."""
    async with read_write.begin() as conn:
        make, found = CatalogueFactory(conn), Shelf()
        ids = found.ids
        ids["hxh99"] = await make.make_anime(
            "Hunter × Hunter", names=[(NameKind.ENGLISH, "Hunter x Hunter"), (NameKind.ABBREVIATION, "HxH")],
            start="1999-10-16", popularity=0.7,
        )  # fmt: skip
        ids["hxh11"] = await make.make_anime(
            "Hunter × Hunter (2011)", names=[(NameKind.ABBREVIATION, "HxH"), (NameKind.ALIAS, "Hunter x Hunter")],
            start="2011-10-02", popularity=0.97,
        )  # fmt: skip
        ids["hxh_manga"] = await make.make_manga("Hunter × Hunter", start="1998", popularity=0.9)
        await make.relates(ids["hxh99"], EdgeType.ALTERNATIVE, ids["hxh11"])
        ids["fma03"] = await make.make_anime(
            "Fullmetal Alchemist", names=[(NameKind.ALIAS, "FMA"), (NameKind.NATIVE, "鋼の錬金術師")],
            start="2003-10-04", popularity=0.8,
        )  # fmt: skip
        ids["fma09"] = await make.make_anime(
            "Fullmetal Alchemist: Brotherhood",
            names=aliases("FMAB", "Fullmetal Alchemist (2009)"),
            start="2009-04-05",
            popularity=0.99,
        )
        ids["fma_manga"] = await make.make_manga("Fullmetal Alchemist", start="2001", popularity=0.95)
        ids["plim"] = await make.make_anime(
            "Plim!", names=[(NameKind.NATIVE, "プリム!")], start="2009", popularity=0.6
        )  # fmt: skip
        ids["plim2"] = await make.make_anime(
            "Plim!! Season 2", names=[(NameKind.ROMAJI, "PLIM!!")], start="2010", popularity=0.8
        )  # fmt: skip
        await make.relates(ids["plim"], EdgeType.SEQUEL, ids["plim2"])
        ids["naruto"] = await make.make_anime("Naruto", start="2002", popularity=0.9)
        ids["naruto_manga"] = await make.make_manga("Naruto", start="1999", popularity=0.99)
        ids["shippuden"] = await make.make_anime("Naruto: Shippuden", start="2007", popularity=0.95)
        ids["slayer"] = await make.make_anime("Demon Slayer: Kimetsu no Yaiba", start="2019", popularity=0.9)
        ids["train"] = await make.make_anime(
            "Demon Slayer: Mugen Train", start="2020", form=WorkFormat.MOVIE, popularity=0.95
        )
        await make.relates(ids["slayer"], EdgeType.SEQUEL, ids["train"])
        ids["one_piece"] = await make.make_anime("One Piece", names=[(NameKind.NATIVE, "ワンピース")], start="1999")
        ids["luffy"] = await make.make_character("Monkey D. Luffy", popularity=0.9)
        await make.appears(ids["luffy"], ids["one_piece"], AppearanceRole.MAIN)
        ids["edward"] = await make.make_character("Edward Elric", popularity=0.95)
        ids["ed_bebop"] = await make.make_character("Edward Wong", popularity=0.4)
        ids["alphonse"] = await make.make_character("Alphonse Elric", popularity=0.9)
        for name, home, popularity in (
            ("saber_arturia", "fma03", 0.8), ("saber_nero", "naruto", 0.75), ("saber_of_one_piece", "one_piece", 0.1)
        ):  # fmt: skip
            ids[name] = await make.make_character("Saber", key=name, popularity=popularity)
            await make.appears(ids[name], ids[home])
        await make.appears(ids["edward"], ids["fma03"])
        ids["monster"] = await make.make_anime("Monster", start="2004", popularity=0.6)
        ids["monster_person"] = await make.make_person("Monster", popularity=0.9)
        ids["gorwen"] = await make.make_anime("Gorwen", start="2003", popularity=0.5)
        ids["gorwen_film"] = await make.make_anime(
            "Gorwen", key="gorwen_film", start="2003", form=WorkFormat.MOVIE, popularity=0.4
        )
        ids["k"] = await make.make_anime("K", start="2012", popularity=0.5)
    return found


template, shelf = seeded(write_shelf)


MEANT: list[tuple[str, str, MatchKind]] = [
    ("Naruto", "naruto", MatchKind.EXACT),
    ("naruto", "naruto", MatchKind.EXACT),
    ("one-piece", "one_piece", MatchKind.FOLDED),
    ("ワンピース", "one_piece", MatchKind.EXACT),
    ("わんぴーす", "one_piece", MatchKind.FOLDED),
    ("鋼の錬金術師", "fma03", MatchKind.EXACT),
    ("FMAB", "fma09", MatchKind.ALIAS),
    ("the anime Naruto", "naruto", MatchKind.EXACT),
    ("“Naruto”", "naruto", MatchKind.EXACT),
    ("Naruto's", "naruto", MatchKind.EXACT),
    ("Monkey", "luffy", MatchKind.PREFIX),
    ("Luffy", "luffy", MatchKind.WORD_PREFIX),
    ("Kimetsu no Yaiba", "slayer", MatchKind.WORD_PREFIX),
    ("Edward", "edward", MatchKind.PREFIX),
    ("K", "k", MatchKind.EXACT),
    ("Naruko", "naruto", MatchKind.TYPO),
    ("One Peace", "one_piece", MatchKind.TYPO),
    ("Alphonze", "alphonse", MatchKind.TYPO),
    ("Hunter x Hunter 1999", "hxh99", MatchKind.EXACT),
    ("Hunter x Hunter (2011)", "hxh11", MatchKind.FOLDED),
    ("Fullmetal Alchemist 2009", "fma09", MatchKind.ALIAS),
]


async def test_a_mention_means_the_entity_it_names(shelf: Shelf, read_only: ReadOnlyEngine) -> None:
    for text, expected, match in MEANT:
        resolved = await resolve(read_only, text)
        assert chosen(resolved) == (shelf[expected], match), text
        assert not resolved.is_ambiguous


async def test_an_exact_title_beats_a_longer_one_and_lists_it(shelf: Shelf, read_only: ReadOnlyEngine) -> None:
    resolved = await resolve(read_only, "Fullmetal Alchemist")
    assert chosen(resolved) == (shelf["fma03"], MatchKind.EXACT)
    assert [c.entity.id for c in resolved.candidates] == [shelf["fma03"], shelf["fma_manga"], shelf["fma09"]]
    assert [c.discriminators for c in resolved.candidates] == [("2003", "tv"), ("2001", "manga"), ("2009", "tv")]
    assert [c.entity.name for c in resolved.candidates][2] == "Fullmetal Alchemist: Brotherhood"


async def test_a_title_of_anime_and_manga_means_the_anime_unless_the_manga_is_asked(
    shelf: Shelf, read_only: ReadOnlyEngine
) -> None:
    open_mention = await resolve(read_only, "Naruto")
    assert [c.entity.id for c in open_mention.candidates][:2] == [shelf["naruto"], shelf["naruto_manga"]]
    manga = await resolve(read_only, "Naruto", entity_types=(EntityType.MANGA,))
    assert chosen(manga) == (shelf["naruto_manga"], MatchKind.EXACT)


async def test_works_of_one_name_are_ambiguous_until_the_year_tells_them_apart(
    shelf: Shelf, read_only: ReadOnlyEngine
) -> None:
    for text in ("Hunter x Hunter", "hunter × hunter", "HxH"):
        resolved = await resolve(read_only, text)
        assert (resolved.chosen, resolved.is_ambiguous) == (None, True)
        assert {c.entity.id for c in resolved.candidates[:2]} == {shelf["hxh99"], shelf["hxh11"]}
        assert {c.discriminators for c in resolved.candidates[:2]} == {("1999", "tv"), ("2011", "tv")}
        for year, expected in ((1999, "hxh99"), (2011, "hxh11"), (2012, "hxh11")):
            dated = await resolve(read_only, text, year=year)
            assert dated.chosen is not None
            assert dated.chosen.entity.id == shelf[expected]
        wrong = await resolve(read_only, text, year=2030)
        assert (wrong.chosen, wrong.is_ambiguous) == (None, False)
        assert wrong.candidates


@pytest.mark.parametrize(("text", "meant", "other"), [("Plim!", "plim", "plim2"), ("Plim!!", "plim2", "plim")])
async def test_signs_tell_names_apart_that_are_written_with_them(
    shelf: Shelf, read_only: ReadOnlyEngine, text: str, meant: str, other: str
) -> None:
    resolved = await resolve(read_only, text)
    assert chosen(resolved) == (shelf[meant], MatchKind.EXACT)
    assert resolved.is_ambiguous
    assert [candidate.entity.id for candidate in resolved.candidates] == [shelf[meant], shelf[other]]


async def test_a_work_called_a_film_is_the_film_of_that_name_if_there_is_one(
    shelf: Shelf, read_only: ReadOnlyEngine
) -> None:
    series_or_film = await resolve(read_only, "Gorwen", entity_types=(EntityType.ANIME,))
    assert (series_or_film.chosen, series_or_film.is_ambiguous) == (None, True)
    film = await resolve(read_only, "Gorwen", entity_types=(EntityType.ANIME,), is_film=True)
    assert chosen(film) == (shelf["gorwen_film"], MatchKind.EXACT)
    assert not film.is_ambiguous
    # A series is no film, but it is what bears the name.
    assert chosen(await resolve(read_only, "Monster", is_film=True)) == (shelf["monster"], MatchKind.EXACT)


async def test_without_their_signs_such_names_stay_open(shelf: Shelf, read_only: ReadOnlyEngine) -> None:
    resolved = await resolve(read_only, "plim")
    assert (resolved.chosen, resolved.is_ambiguous) == (None, True)


async def test_a_year_reaches_past_the_exact_title(shelf: Shelf, read_only: ReadOnlyEngine) -> None:
    resolved = await resolve(read_only, "Fullmetal Alchemist", year=2009)
    assert resolved.chosen is not None
    assert resolved.chosen.entity.id == shelf["fma09"]


async def test_one_franchise_met_by_the_beginning_is_its_first_series(shelf: Shelf, read_only: ReadOnlyEngine) -> None:
    resolved = await resolve(read_only, "Demon Slayer")
    assert chosen(resolved) == (shelf["slayer"], MatchKind.PREFIX)
    assert [c.entity.id for c in resolved.candidates] == [shelf["slayer"], shelf["train"]]


async def test_characters_of_one_name_are_ambiguous_until_a_work_tells_them_apart(
    shelf: Shelf, read_only: ReadOnlyEngine
) -> None:
    resolved = await resolve(read_only, "Saber")
    assert (resolved.chosen, resolved.is_ambiguous) == (None, True)
    assert [c.discriminators for c in resolved.candidates] == [("Fullmetal Alchemist",), ("Naruto",), ("One Piece",)]
    within = await resolve(read_only, "Saber", within="ワンピース")
    assert chosen(within) == (shelf["saber_of_one_piece"], MatchKind.EXACT)
    elsewhere = await resolve(read_only, "Saber", within="Monster")
    assert (elsewhere.chosen, elsewhere.is_ambiguous) == (None, False)
    nowhere = await resolve(read_only, "Luffy", within="No Such Work")
    assert nowhere.chosen is None


async def test_a_shared_family_name_is_ambiguous_and_a_clear_lead_is_not(
    shelf: Shelf, read_only: ReadOnlyEngine
) -> None:
    family = await resolve(read_only, "Elric")
    assert (family.chosen, family.is_ambiguous) == (None, True)
    assert [c.entity.id for c in family.candidates] == [shelf["edward"], shelf["alphonse"]]
    first_name = await resolve(read_only, "Edward")
    assert [c.entity.id for c in first_name.candidates] == [shelf["edward"], shelf["ed_bebop"]]
    assert not first_name.is_ambiguous


async def test_the_one_meant_is_chosen_and_others_of_that_name_are_told(
    read_write: ReadWriteEngine, read_only: ReadOnlyEngine
) -> None:
    async with read_write.begin() as conn:
        make = CatalogueFactory(conn)
        pale = await make.make_character("Quorra", popularity=0.4)
        other = await make.make_character("Quorra Vantel", names=aliases("Quorra"), popularity=0.9)
        await make.make_character("Quorrana", popularity=0.9)

    resolved = await resolve(read_only, "Quorra")

    assert chosen(resolved) == (pale, MatchKind.EXACT)
    assert resolved.is_ambiguous
    assert [candidate.entity.id for candidate in resolved.candidates[:2]] == [pale, other]
    assert not (await resolve(read_only, "Quorra Vantel")).is_ambiguous


async def test_the_type_that_the_context_allows_decides(shelf: Shelf, read_only: ReadOnlyEngine) -> None:
    assert chosen(await resolve(read_only, "Monster"))[0] == shelf["monster"]
    person = await resolve(read_only, "Monster", entity_types=(EntityType.PERSON,))
    assert chosen(person)[0] == shelf["monster_person"]
    of_no_such_type = await resolve(read_only, "One Piece", entity_types=(EntityType.CHARACTER,))
    assert chosen(of_no_such_type)[0] == shelf["one_piece"]


async def test_what_is_not_in_the_catalogue_means_nothing(shelf: Shelf, read_only: ReadOnlyEngine) -> None:
    for text in ("Blorptaz", "Lufa", "Naruto Gaiden Special", "Na", "X", "Kx", "☆", "  ", "Sword Art Online"):
        resolved = await resolve(read_only, text)
        assert (resolved.chosen, resolved.candidates, resolved.is_ambiguous) == (None, (), False), text
    for text in ("Naruto movie", "Demon Slayer manga", "Fullmetal Alchemist Sisterhood", "Naruto 3"):
        assert (await resolve(read_only, text)).chosen is None, text


async def test_a_typo_scores_below_a_part_of_a_name_and_that_below_a_name(
    shelf: Shelf, read_only: ReadOnlyEngine
) -> None:
    scores = [
        resolved.chosen.score
        for text in ("Naruto", "FMAB", "Monkey", "Naruko")
        if (resolved := await resolve(read_only, text)).chosen is not None
    ]
    assert len(scores) == 4
    assert scores == sorted(scores, reverse=True)
    assert scores[0] == pytest.approx(0.97 + 0.03 * 0.9)


class CannedSearch:
    """A search that always finds the same entities."""

    def __init__(self, found: Sequence[EntityRef], *, is_away: bool = False) -> None:
        self.found = found
        self.is_away = is_away
        self.intents: list[SearchIntent] = []

    async def execute(self, intent: SearchIntent, *, timeout: float) -> RetrievalResult:
        """The canned hits."""
        assert timeout > 0
        self.intents.append(intent)
        if self.is_away:
            raise SourceUnavailable("qdrant")
        hits = tuple(Hit(entity=ref, score=0.5, evidence_id="x", row_version=1) for ref in self.found)
        return RetrievalResult(status=StepStatus.OK, summary="", hits=hits)


async def test_the_vector_index_is_asked_last_and_its_neighbours_are_only_shown(
    shelf: Shelf, read_only: ReadOnlyEngine
) -> None:
    search = CannedSearch([EntityRef(entity_type=EntityType.ANIME, id=shelf["train"])])
    resolver = NameResolver(read_only, search)
    mentions = [
        Mention(text="Naruto"),
        Mention(text="The Demon Slayer Infinity Train", entity_types=WORKS),
        Mention(text="Galactic Railroad"),
    ]
    named, near, unlike = await resolver.resolve(mentions, timeout=5)
    assert named.chosen is not None
    assert named.chosen.entity.id == shelf["naruto"]
    assert [intent.query for intent in search.intents] == [mentions[1].text, mentions[2].text]
    assert search.intents[0].entity_types == WORKS
    assert (near.chosen, near.is_ambiguous) == (None, False)
    assert [(c.entity.id, c.match) for c in near.candidates] == [(shelf["train"], MatchKind.VECTOR)]
    assert (unlike.chosen, unlike.candidates) == (None, ())
    quoted, short = await resolver.resolve(
        [Mention(text="Galactic Railroad", is_quoted=True), Mention(text="Raily")], timeout=5
    )
    assert (quoted.candidates, short.candidates, len(search.intents)) == ((), (), 2)
    away = NameResolver(read_only, CannedSearch([], is_away=True))
    (unresolved,) = await away.resolve([mentions[2]], timeout=5)
    assert unresolved.candidates == ()


async def test_results_keep_the_order_of_the_mentions(shelf: Shelf, read_only: ReadOnlyEngine) -> None:
    resolver = NameResolver(read_only)
    mentions = [Mention(text=text) for text in ("Luffy", "Nobody At All", "Naruto", "Luffy")]
    found = await resolver.resolve(mentions, timeout=5)
    assert [r.chosen.entity.id if r.chosen else None for r in found] == [
        shelf["luffy"],
        None,
        shelf["naruto"],
        shelf["luffy"],
    ]
    assert await resolver.resolve([], timeout=5) == ()


async def test_a_database_that_is_away_is_a_typed_error() -> None:
    engine = open_read_only(PostgresOptions(dsn="postgresql://nobody@127.0.0.1:9/none", acquire_timeout_ms=500))
    try:
        with pytest.raises(SourceUnavailable) as failure:
            await NameResolver(engine).resolve([Mention(text="Naruto")], timeout=2)
        assert failure.value.source == "postgresql"
    finally:
        await engine.close()
