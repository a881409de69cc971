"""CREATE statements of a file to nodes and relationships."""

import pytest
from agent_evals.cypher.create_statements import CreatedEdge, CreatedNode, CreateError, created_graph

TEXT = """CREATE CONSTRAINT IF NOT EXISTS FOR (p:Person) REQUIRE (p.name) IS UNIQUE;
CREATE INDEX IF NOT EXISTS FOR (p:Person) ON (p.born);

CREATE (Heat:Movie {title:'Heat', released:1995, tagline:"It's {hot}, \\"hot\\""})
CREATE (Al:Person {name:'Al'}), (Bo:Person)
CREATE
(Al)-[:ACTED_IN {roles:['Vincent', "V."]}]->(Heat),
(Bo)-[:FOLLOWS]->(Al)-[:REVIEWED {rating:-5, summary:''}]->(Heat);
"""


def test_nodes_and_relationships_come_in_the_order_of_the_text() -> None:
    graph = created_graph(TEXT)

    assert graph.nodes == [
        CreatedNode(1, "Movie", {"title": "Heat", "released": 1995, "tagline": 'It\'s {hot}, "hot"'}),
        CreatedNode(2, "Person", {"name": "Al"}),
        CreatedNode(3, "Person", {}),
    ]
    assert graph.edges == [
        CreatedEdge(1, 2, "ACTED_IN", 1, {"roles": ["Vincent", "V."]}),
        CreatedEdge(2, 3, "FOLLOWS", 2, {}),
        CreatedEdge(3, 2, "REVIEWED", 1, {"rating": -5, "summary": ""}),
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("MERGE (a:A)", "'MERGE' instead of 'CREATE'"),
        ("CREATE (a:A) SET a.x = 1", "'SET' instead of 'CREATE'|can't be read"),
        ("CREATE (a)-[:R]->(b:B)", "a is used before"),
        ("CREATE (a:A), (a:A)", "a is created twice"),
        ("CREATE (a:A {x: y})", "neither a number nor a text"),
        ("CREATE (a:A", "ends within"),
        ("CREATE (a:A {x: 'open})", "can't be read"),
        ("CREATE (a:A)<-[:R]-(b:B)", "can't be read"),
    ],
)
def test_anything_else_is_refused(text: str, said: str) -> None:
    with pytest.raises(CreateError, match=said):
        created_graph(text)
