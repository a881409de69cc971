"""What a writer of queries is shown of the graph: the part that the question is about, within a size."""

from datetime import UTC, datetime

import pytest
from agent_core.context.cards import estimate_tokens
from agent_core.context.graph_card import graph_card
from agent_core.graph_description import (
    GraphDescription,
    LabelDescription,
    PropertyDescription,
    RelationshipDescription,
)

_NAME = PropertyDescription(name="name", type="string")
GRAPH = GraphDescription(
    labels=(
        LabelDescription(
            name="Anime",
            description="animated works",
            count=50,
            properties=(
                _NAME,
                PropertyDescription(name="format", type="string", samples=("tv", "movie")),
                PropertyDescription(name="genres", type="list of string", samples=(["Action", "Mecha"],)),
                PropertyDescription(name="start_date", type="string", samples=("2009-04-05",)),
                PropertyDescription(name="score", type="float", samples=(88.5,)),
            ),
        ),
        LabelDescription(name="Person", description="staff and voice actors", count=20, properties=(_NAME,)),
        LabelDescription(name="Studio", description="studios and companies", count=5, properties=(_NAME,)),
    ),
    relationships=(
        RelationshipDescription(
            name="STAFF_OF",
            description="role is director, author, …",
            starts=("Person",),
            ends=("Work", "Anime"),
            count=30,
            properties=(PropertyDescription(name="role", type="string"),),
        ),
        RelationshipDescription(
            name="SEQUEL", description="to the sequel", starts=("Anime",), ends=("Anime",), count=10
        ),
    ),
    data_date=None,
    read_at=datetime(2026, 1, 1, tzinfo=UTC),
)
WHOLE = """\
(:Anime) 50 nodes: animated works
  .name string
  .format string, such as 'tv', 'movie'
  .genres list of string, such as ['Action', 'Mecha']
  .start_date string, such as '2009-04-05'
  .score float, such as 88.5
(:Person) 20 nodes: staff and voice actors
  .name string
(:Studio) 5 nodes: studios and companies
  .name string
(:Person)-[:STAFF_OF {role}]->(:Work|Anime) 30: role is director, author, …
(:Anime)-[:SEQUEL]->(:Anime) 10: to the sequel"""


def test_a_graph_that_fits_is_shown_whole() -> None:
    assert graph_card(GRAPH, "anything", 500) == WHOLE


def test_what_the_question_is_about_stays() -> None:
    assert graph_card(GRAPH, "Which movies did that person direct?", 75).splitlines() == [
        "(:Anime) 50 nodes: animated works",
        "  .format string, such as 'tv', 'movie'",
        "(:Person) 20 nodes: staff and voice actors",
        "(:Person)-[:STAFF_OF {role}]->(:Work|Anime) 30: role is director, author, …",
        "(:Anime)-[:SEQUEL]->(:Anime) 10: to the sequel",
        "… and more that is not shown",
    ]
    assert "'Mecha'" in graph_card(GRAPH, "the best mecha", 45)
    assert "SEQUEL" in graph_card(GRAPH, "which have sequels", 40)


@pytest.mark.parametrize("cap", [12, 20, 40, 60, 90, 100])
def test_no_card_is_larger_than_its_cap_and_no_property_without_its_label(cap: int) -> None:
    card = graph_card(GRAPH, "How many mecha anime did each studio make?", cap)
    assert estimate_tokens(card) <= cap
    lines = card.splitlines()
    assert all(not line.startswith("  .") or index > 0 for index, line in enumerate(lines))
    assert lines[-1] == "… and more that is not shown"
