"""Relations in sentences against the edges they cite: which one it is, and which end is which, in four languages."""

from uuid import UUID

import pytest
from agent_core.evidence import EntityRef, Evidence, GraphPath, PathEvidence, PathStep
from agent_core.grounding import RemovalReason, ground
from datastore.edges import EdgeType
from datastore.vocabulary import EntityType

_E = EdgeType
BEBOP = EntityRef(entity_type=EntityType.ANIME, id=UUID(int=1), name="Cowboy Bebop")
CHAMPLOO = EntityRef(entity_type=EntityType.ANIME, id=UUID(int=2), name="Samurai Champloo")
SECOND = EntityRef(entity_type=EntityType.ANIME, id=UUID(int=3), name="Samurai Champloo Season 2")
WATANABE = EntityRef(entity_type=EntityType.PERSON, id=UUID(int=4), name="Shinichiro Watanabe")
KANNO = EntityRef(entity_type=EntityType.PERSON, id=UUID(int=5), name="Yoko Kanno")
SPIKE = EntityRef(entity_type=EntityType.CHARACTER, id=UUID(int=6), name="Spike Spiegel")
JET = EntityRef(entity_type=EntityType.CHARACTER, id=UUID(int=7), name="Jet Black")
YAMADERA = EntityRef(entity_type=EntityType.PERSON, id=UUID(int=8), name="Koichi Yamadera")
MANGA = EntityRef(entity_type=EntityType.MANGA, id=UUID(int=9), name="Bebop Shooting Star")
SUNRISE = EntityRef(entity_type=EntityType.STUDIO, id=UUID(int=10), name="Sunrise")


def edge(from_: EntityRef, rel: EdgeType, to: EntityRef, qualifier: str = "") -> PathEvidence:
    """An edge whose text says nothing but the names, so that its direction is all that is judged."""
    step = PathStep(from_=from_, rel=rel, to=to, qualifier=qualifier, evidence_id=f"edge:{from_.id.int}:{to.id.int}")
    title = f"{from_.name} – {to.name}"
    return PathEvidence(id=step.evidence_id, source="s", title=title, text=title, path=GraphPath(steps=(step,)))


DIRECTED = edge(BEBOP, _E.HAS_STAFF, WATANABE, "director")
VOICED = edge(SPIKE, _E.VOICED_BY, YAMADERA, "ja")
SEQUEL = edge(CHAMPLOO, _E.SEQUEL, SECOND)
ADAPTED = edge(MANGA, _E.ADAPTATION_OF, BEBOP)
PRODUCED = edge(BEBOP, _E.PRODUCED_BY, SUNRISE, "main")
SHOWN = edge(SPIKE, _E.APPEARS_IN, BEBOP, "main")
PARENT = edge(SPIKE, _E.CHARACTER_RELATION, JET, "parent")
MENTOR = edge(SPIKE, _E.CHARACTER_RELATION, JET, "mentor")
COMPOSED = edge(KANNO, _E.STAFF_OF, BEBOP, "composer")
WROTE = edge(KANNO, _E.STAFF_OF, MANGA, "author")


def reasons(sentence: str, *cited: Evidence) -> list[RemovalReason]:
    markers = "".join(f"[{number}]" for number in range(1, len(cited) + 1))
    shown = {item.id: item for item in cited}
    return [each.reason for each in ground(f"{sentence} {markers}.", tuple(shown), shown).removed]


SENTENCES = [
    (DIRECTED, "{1} directed {2}", WATANABE, BEBOP),
    (DIRECTED, "{2} was directed by {1}", WATANABE, BEBOP),
    (DIRECTED, "{1} is the director of {2}", WATANABE, BEBOP),
    (DIRECTED, "The director of {2} is {1}", WATANABE, BEBOP),
    (DIRECTED, "Bei {2} führte {1} Regie", WATANABE, BEBOP),
    (DIRECTED, "{1} führte Regie bei {2}", WATANABE, BEBOP),
    (DIRECTED, "{2} fue dirigida por {1}", WATANABE, BEBOP),
    (DIRECTED, "{1} dirigió {2}", WATANABE, BEBOP),
    (DIRECTED, "{2}の監督は{1}です", WATANABE, BEBOP),
    (DIRECTED, "{1}は{2}を監督しました", WATANABE, BEBOP),
    (VOICED, "{2} is voiced by {1}", YAMADERA, SPIKE),
    (VOICED, "{1} voices {2}", YAMADERA, SPIKE),
    (VOICED, "{2} wird von {1} gesprochen", YAMADERA, SPIKE),
    (VOICED, "La voz de {2} es de {1}", YAMADERA, SPIKE),
    (VOICED, "{2}の声優は{1}です", YAMADERA, SPIKE),
    (VOICED, "{1}は{2}の声を担当しています", YAMADERA, SPIKE),
    (SEQUEL, "{1} is the sequel of {2}", SECOND, CHAMPLOO),
    (SEQUEL, "The sequel to {2} is {1}", SECOND, CHAMPLOO),
    (SEQUEL, "{2} is followed by {1}", SECOND, CHAMPLOO),
    (SEQUEL, "{2} is the prequel of {1}", SECOND, CHAMPLOO),
    (SEQUEL, "{1} ist die Fortsetzung von {2}", SECOND, CHAMPLOO),
    (SEQUEL, "{1} es la secuela de {2}", SECOND, CHAMPLOO),
    (SEQUEL, "{1}は{2}の続編です", SECOND, CHAMPLOO),
    (ADAPTED, "{1} is an adaptation of {2}", MANGA, BEBOP),
    (ADAPTED, "{1} ist eine Adaption von {2}", MANGA, BEBOP),
    (ADAPTED, "{1} es una adaptación de {2}", MANGA, BEBOP),
    (ADAPTED, "{1}の原作は{2}です", MANGA, BEBOP),
    (PRODUCED, "{2} was produced by {1}", SUNRISE, BEBOP),
    (PRODUCED, "{2} wurde von {1} produziert", SUNRISE, BEBOP),
    (PRODUCED, "{1} produjo {2}", SUNRISE, BEBOP),
    (SHOWN, "{1} appears as a main character in {2}", SPIKE, BEBOP),
    (SHOWN, "{2} features {1}", SPIKE, BEBOP),
    (SHOWN, "In {2} kommt {1} vor", SPIKE, BEBOP),
    (SHOWN, "{1}は{2}に登場します", SPIKE, BEBOP),
    (PARENT, "{1} is the father of {2}", JET, SPIKE),
    (PARENT, "{2} ist ein Kind von {1}", JET, SPIKE),
    (PARENT, "{1} es el padre de {2}", JET, SPIKE),
    (MENTOR, "{1} is a mentor of {2}", JET, SPIKE),
    (MENTOR, "{2} was trained by {1}", JET, SPIKE),
    (COMPOSED, "{1} composed the music of {2}", KANNO, BEBOP),
    (COMPOSED, "{1} komponierte die Musik von {2}", KANNO, BEBOP),
    (WROTE, "{1} schrieb {2}", KANNO, MANGA),
    (WROTE, "{1} es autora de {2}", KANNO, MANGA),
]


@pytest.mark.parametrize(("cited", "words", "first", "second"), SENTENCES, ids=[words for _, words, *_ in SENTENCES])
def test_the_ends_stand_in_the_order_of_the_edge(
    cited: PathEvidence, words: str, first: EntityRef, second: EntityRef
) -> None:
    def said(one: str | None, two: str | None) -> str:
        return words.replace("{1}", str(one)).replace("{2}", str(two))

    assert reasons(said(first.name, second.name), cited) == []
    assert reasons(said(second.name, first.name), cited) == [RemovalReason.OTHER_DIRECTION]


def test_a_part_of_a_name_is_an_end_too() -> None:
    assert reasons("Bebop directed Watanabe", DIRECTED) == [RemovalReason.OTHER_DIRECTION]
    assert reasons("Watanabe directed Bebop", DIRECTED) == []


@pytest.mark.parametrize(
    ("sentence", "cited"),
    [
        ("Cowboy Bebop was composed by Yoko Kanno and directed by Shinichiro Watanabe", (COMPOSED, DIRECTED)),
        ("Shinichiro Watanabe directed Cowboy Bebop and Yoko Kanno composed its music", (DIRECTED, COMPOSED)),
        ("Spike Spiegel appears in Cowboy Bebop and is voiced by Koichi Yamadera", (SHOWN, VOICED)),
        ("Cowboy Bebop features Spike Spiegel, who is voiced by Koichi Yamadera", (SHOWN, VOICED)),
        ("Spike Spiegel features in Cowboy Bebop", (SHOWN,)),
        ("Unter der Regie von Shinichiro Watanabe entstand Cowboy Bebop", (DIRECTED,)),
        ("Cowboy BebopはShinichiro Watanabeの監督作品です", (DIRECTED,)),
        ("Los autores de Bebop Shooting Star son Yoko Kanno", (WROTE,)),
        ("Jet Black is a kind of mentor of Spike Spiegel", (MENTOR,)),
    ],
)
def test_other_true_sentences_stay(sentence: str, cited: tuple[Evidence, ...]) -> None:
    assert reasons(sentence, *cited) == []


def test_what_two_edges_say_both_ways_is_right_both_ways() -> None:
    other = edge(JET, _E.CHARACTER_RELATION, SPIKE, "mentor")
    assert reasons("Spike Spiegel is a mentor of Jet Black", MENTOR) == [RemovalReason.OTHER_DIRECTION]
    assert reasons("Spike Spiegel is a mentor of Jet Black", MENTOR, other) == []


@pytest.mark.parametrize(
    "sentence",
    [
        "Koichi Yamadera ist der Vater von Spike Spiegel",
        "Koichi Yamadera führte bei Spike Spiegel Regie",
        "Koichi Yamadera es el hermano de Spike Spiegel",
        "Koichi Yamadera escribió Spike Spiegel",
        "Koichi YamaderaはSpike Spiegelの監督です",
        "Koichi YamaderaはSpike Spiegelの師匠です",
    ],
)
def test_a_relation_that_no_cited_edge_is_goes_in_every_language(sentence: str) -> None:
    assert reasons(sentence, VOICED) == [RemovalReason.UNSUPPORTED_RELATION]
