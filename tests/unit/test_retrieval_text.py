"""The pure parts of retrieval: readings of mentions, likeness of names, sentences, prose, ranks of edges."""

from dataclasses import replace
from datetime import UTC, datetime
from uuid import UUID

import pytest
from agent_core.retrieval.candidates import NameCandidate, choose, deciding_lead
from agent_core.retrieval.graph_evidence import link_sentence
from agent_core.retrieval.name_likeness import (
    Reading,
    WorkKind,
    base_name,
    closest_name,
    is_of_whole_words,
    misspells,
    readings,
)
from agent_core.retrieval.rows import MAX_PROSE_CHARACTERS, shortened
from agent_core.schemas import MatchKind, Mention, ResolvedMention
from datastore.edges import EDGES, STORED_EDGES, EdgeType
from datastore.postgres.entity_cards import AnimeDetails, CardName, EntityCard, RawDate, StudioDetails
from datastore.postgres.graph_facts import TruthRow
from datastore.postgres.graph_values import DERIVED_RULES, EDGE_RANKS, EdgeScope, GraphNode, Link
from datastore.vocabulary import CharacterRelationKind, EntityType, NameKind, WorkFormat


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Naruto", [Reading("Naruto")]),
        ("  “Naruto” ", [Reading("Naruto")]),
        ("the anime Monster", [Reading("the anime Monster"), Reading("Monster", kind=WorkKind.ANIME)]),
        ("Monster manga", [Reading("Monster manga"), Reading("Monster", kind=WorkKind.PRINTED)]),
        ("the Monster film", [Reading("the Monster film"), Reading("Monster", kind=WorkKind.MOVIE)]),
        ("the series Monster", [Reading("the series Monster"), Reading("Monster")]),
        ("Another", [Reading("Another")]),
        ("Naruto's", [Reading("Naruto's"), Reading("Naruto")]),
        ("Hunter x Hunter (1999)", [Reading("Hunter x Hunter (1999)"), Reading("Hunter x Hunter", 1999)]),
        ("Fruits Basket 2019", [Reading("Fruits Basket 2019"), Reading("Fruits Basket", 2019)]),
        ("2001", [Reading("2001")]),
        ("A Silent Voice", [Reading("A Silent Voice"), Reading("Silent Voice")]),
        ("Yamato 2199", [Reading("Yamato 2199")]),
    ],
)
def test_a_mention_is_read_literally_first(text: str, expected: list[Reading]) -> None:
    assert list(readings(text)) == expected


def test_a_trailing_label_is_no_part_of_a_name() -> None:
    assert base_name("Hunter × Hunter (2011)") == base_name("Hunter x Hunter") == base_name("HUNTER×HUNTER (TV)")
    assert base_name("Blade Runner 2049") != base_name("Blade Runner")


def test_whole_words_are_told_from_broken_ones() -> None:
    assert is_of_whole_words("luffy", "Monkey D. Luffy")
    assert is_of_whole_words("Monkey D", "Monkey D. Luffy")
    assert not is_of_whole_words("Luf", "Monkey D. Luffy")
    assert not is_of_whole_words("Levi", "Leviathan")


def test_names_are_alike_when_most_words_are() -> None:
    names = [CardName("Attack on Titan", NameKind.MAIN, None), CardName("Shingeki no Kyojin", NameKind.ROMAJI, None)]
    assert closest_name("Attack of the Titans", names) == "Attack on Titan"
    assert closest_name("Atack the Titan", names) == "Attack on Titan"
    assert closest_name("Titan", names) is None
    assert closest_name("Attack Plan Delta", names) is None
    assert closest_name("Attack on Titan Season 9", names) is None
    assert closest_name("the of", names) is None


def test_a_neighbour_is_chosen_only_when_its_name_has_every_word() -> None:
    studio = EntityCard(
        id=UUID(int=1),
        entity_type=EntityType.STUDIO,
        name="Science Saru",
        version=1,
        updated_at=datetime(2026, 1, 1, tzinfo=UTC),
        popularity=0.5,
        popularity_count=None,
        names=(CardName("Science Saru", NameKind.MAIN, None),),
        external_ids=(),
        extra={},
        details=StudioDetails(is_animation_studio=True),
    )
    mention = Mention(text="Saru Science")
    like = choose(mention, [NameCandidate(studio, "Science Saru", MatchKind.VECTOR)])
    mere = choose(mention, [NameCandidate(studio, "Science Saru", MatchKind.VECTOR, is_clean=False)])
    assert like.chosen is not None
    assert like.chosen.match is MatchKind.VECTOR
    assert (mere.chosen, mere.is_ambiguous, len(mere.candidates)) == (None, False, 1)
    assert choose(mention, []) == ResolvedMention(mention=mention)


def work(number: int, title: str, popularity: float, form: WorkFormat) -> EntityCard:
    return EntityCard(
        id=UUID(int=number),
        entity_type=EntityType.ANIME,
        name=title,
        version=1,
        updated_at=datetime(2026, 1, 1, tzinfo=UTC),
        popularity=popularity,
        popularity_count=None,
        names=(CardName(title, NameKind.MAIN, None), CardName("Vortex no Quindle", NameKind.ROMAJI, None)),
        external_ids=(),
        extra={},
        details=AnimeDetails(
            format=form,
            status=None,
            start=RawDate(None, None),
            end=RawDate(None, None),
            year=None,
            score=None,
            score_source=None,
            genres=(),
            tags=(),
            synopsis=None,
            country=None,
            episodes=None,
            duration_minutes=None,
            season=None,
            season_year=None,
            source=None,
        ),
    )


def test_a_film_of_the_title_of_its_series_is_no_rival_where_a_part_was_said() -> None:
    series, film = work(1, "Quindle Vortex", 0.5, WorkFormat.TV), work(2, "Quindle Vortex I", 0.4, WorkFormat.MOVIE)
    franchise, mention = UUID(int=9), Mention(text="Quindle")
    of_a_part = [NameCandidate(card, card.name, MatchKind.PREFIX, franchise=franchise) for card in (series, film)]
    assert choose(mention, of_a_part).chosen is not None
    assert deciding_lead(mention, of_a_part) is None
    of_an_alias = [NameCandidate(card, "QV", MatchKind.ALIAS, franchise=franchise) for card in (series, film)]
    assert choose(Mention(text="QV"), of_an_alias).chosen is None


def test_the_lead_of_the_best_decides_between_strangers() -> None:
    best, other = work(1, "Quindle Vortex", 0.5, WorkFormat.TV), work(2, "Quindle Road", 0.4, WorkFormat.TV)
    other = replace(other, names=(CardName("Quindle Road", NameKind.MAIN, None),))
    mention = Mention(text="Quindle")
    found = [NameCandidate(card, card.name, MatchKind.PREFIX) for card in (best, other)]
    assert deciding_lead(mention, found) == (best.id, pytest.approx(0.1))
    assert choose(mention, found, clear_lead=0.09).chosen is not None
    asked = choose(mention, found, clear_lead=0.11)
    assert (asked.chosen, asked.is_ambiguous, len(asked.candidates)) == (None, True, 2)


def test_short_words_and_numbers_are_never_misspelt() -> None:
    assert misspells("One Peace", "One Piece", whole=True)
    assert misspells("Cowboybebob", "Cowboy Bebop", whole=True)
    assert misspells("Alphonze", "Alphonse Elric", whole=False)
    assert not misspells("Dragon Ball Q", "Dragon Ball Z", whole=True)
    assert not misspells("Attack on Titan Season 3", "Attack on Titan Season 2", whole=True)
    assert not misspells("Attack on Titan Season 9", "Attack on Titan Season 2", whole=False)
    assert not misspells("Overlord III", "Overlord VIII", whole=True)
    assert not misspells("Steinsgate 2", "Steins;Gate 0", whole=True)


def test_prose_is_cut_after_a_sentence() -> None:
    assert shortened(None) == ""
    assert shortened("Short.") == "Short."
    sentences = "This is a sentence. " * 200
    cut = shortened(sentences)
    assert cut.endswith("sentence.")
    assert MAX_PROSE_CHARACTERS - 20 <= len(cut) <= MAX_PROSE_CHARACTERS
    words = shortened("word " * 1_000)
    assert words.endswith("word …")
    assert len(words) <= MAX_PROSE_CHARACTERS + 2


def test_halves_of_derived_edges_are_each_others_inverses() -> None:
    for rule in DERIVED_RULES.values():
        assert {EDGES[edge].inverse for edge in rule.to_hub} <= set(rule.from_hub)
        assert {EDGES[edge].inverse for edge in rule.from_hub} <= set(rule.to_hub)


def test_an_edge_and_its_inverse_are_equally_specific() -> None:
    assert all(EDGE_RANKS[edge] == EDGE_RANKS[EDGES[edge].inverse] for edge in EdgeType)
    order = [
        EdgeType.CHARACTER_RELATION,
        EdgeType.SEQUEL,
        EdgeType.FEATURES,
        EdgeType.VOICES,
        EdgeType.STAFF_OF,
        EdgeType.PRODUCED,
        EdgeType.SAME_STUDIO,
    ]
    assert [EDGE_RANKS[edge] for edge in order] == sorted({EDGE_RANKS[edge] for edge in order})
    assert EdgeScope().stored[0] is EdgeType.CHARACTER_RELATION
    assert set(EdgeScope().stored) == STORED_EDGES
    assert EdgeScope(edges=(EdgeType.SAME_STUDIO,)).stored == ()


def node(name: str) -> GraphNode:
    """A node without a row."""
    return GraphNode(UUID(int=1), EntityType.CHARACTER, name, 1, 0.0)


def sentence(edge: EdgeType, qualifier: str, **facts: str) -> str:
    """The sentence of an edge from A to B."""
    truth = TruthRow("t", 1, 1, UUID(int=1), UUID(int=2), edge, qualifier, **facts)
    return link_sentence(Link(node("A"), edge, node("B"), qualifier, "t", 1), truth)


def test_every_edge_and_every_relation_has_its_sentence() -> None:
    for edge in STORED_EDGES - {EdgeType.CHARACTER_RELATION}:
        assert {"A", "B"} <= set(sentence(edge, "").split()), edge
    assert sentence(EdgeType.CHARACTER_RELATION, "mentor") == "B is a mentor of A"
    for kind in CharacterRelationKind:
        assert sentence(EdgeType.CHARACTER_RELATION, kind).startswith("B is ")
    assert sentence(EdgeType.OTHER_RELATION, "", raw="CHARACTER_OVERLAP") == "B is related to A (character overlap)"
    assert sentence(EdgeType.STAFF_OF, "other", raw="Key Grip") == "A worked on B (Key Grip)"
    assert sentence(EdgeType.STAFF_OF, "art_director", raw="Art Director") == "A worked on B (art director)"


@pytest.mark.parametrize(
    ("text", "name", "is_slip"),
    [
        ("Ninjala", "Copy Ninja Kakashi", False),
        ("Naruot", "Naruto: Shippuden", True),
        ("onepnch man", "One-Punch Man", True),
        ("cowboy bebp", "Cowboy Bebop: The Movie", True),
        ("Full Metal Alchemst Brotherhod", "Fullmetal Alchemist: Brotherhood", True),
        ("Dragon Ball Q", "Dragon Ball Z", False),
    ],
)
def test_a_slip_is_in_whole_words_of_a_name(text: str, name: str, is_slip: bool) -> None:
    assert misspells(text, name, whole=False) is is_slip
