"""The graph over gRPC and GraphQL on PostgreSQL: described, checked, asked, and refused in place."""

from collections.abc import AsyncGenerator
from uuid import UUID, uuid4

import pytest
from agent_api.client import AgentClient, Caller
from agent_api.errors import InvalidQuestion
from agent_api.v1 import graph_pb2
from agent_api.values import from_list
from agent_core.bootstrap import build_graph_access
from agent_core.events import EventListener
from agent_core.schemas import AgentRequest, AgentResponse
from agent_service.graph_converters import description_from_proto
from agent_service.server import AgentServer
from agent_service.settings import Settings
from datastore.edges import EdgeType
from datastore.postgres.engine import ReadOnlyEngine, ReadWriteEngine
from datastore.vocabulary import AppearanceRole, WorkFormat
from factories import CatalogueFactory
from fixtures.graphql import NO_DATABASE, serving_graphql
from fixtures.postgres import seeded

type Made = dict[str, UUID]
WORKS = "MATCH (w:Anime) RETURN w.id AS id, w.name AS name, w.episodes AS episodes ORDER BY w.name"


class _NoAnswers:
    async def run(self, request: AgentRequest, *, listener: EventListener | None = None) -> AgentResponse:
        raise NotImplementedError


async def _ready() -> None:
    return None


async def write_world(read_write: ReadWriteEngine) -> Made:
    """Two works, one the sequel of the other, and a character of both."""
    async with read_write.begin(30) as conn:
        make = CatalogueFactory(conn)
        made = {
            "zorblax": await make.make_anime("Zorblax", genres=["Action"], episode_count=64, start="2009-04-05"),
            "nights": await make.make_anime("Zorblax Nights", form=WorkFormat.MOVIE, start="2011"),
            "tavrik": await make.make_character("Tavrik"),
        }
        await make.relates(made["zorblax"], EdgeType.SEQUEL, made["nights"])
        for work in ("zorblax", "nights"):
            await make.appears(made["tavrik"], made[work], AppearanceRole.MAIN)
    return made


template, made = seeded(write_world)


@pytest.fixture
async def target(read_only: ReadOnlyEngine, made: Made) -> AsyncGenerator[str]:
    """Where a server answers about the graph."""
    settings = Settings.model_validate({"agent_port": 0, "max_message_bytes": 1_000_000})
    server = AgentServer(_NoAnswers(), settings, is_ready=_ready, graph=build_graph_access(read_only))
    await server.start()
    try:
        yield f"127.0.0.1:{server.port}"
    finally:
        await server.stop()


@pytest.fixture
async def client(target: str) -> AsyncGenerator[AgentClient]:
    client = AgentClient(target)
    try:
        yield client
    finally:
        await client.close()


def _caller() -> Caller:
    return Caller(request_id=uuid4())


def _asked(text: str, max_rows: int | None = None, **parameters: str | float) -> graph_pb2.RunGraphQueryRequest:
    request = graph_pb2.RunGraphQueryRequest(query=graph_pb2.GraphQuery(text=text), max_rows=max_rows)
    request.query.parameters.update(parameters)
    return request


async def test_the_description_counts_and_shows_what_is_there(client: AgentClient) -> None:
    description = description_from_proto(await client.describe_graph(caller=_caller(), timeout=20))

    counts = {label.name: label.count for label in description.labels}
    assert counts == {
        "Anime": 2,
        "Manga": 0,
        "Work": 2,
        "Character": 1,
        "Person": 0,
        "Studio": 0,
        "Episode": 0,
        "Document": 0,
    }
    [anime] = [label for label in description.labels if label.name == "Anime"]
    properties = {each.name: (each.type, each.samples) for each in anime.properties}
    assert properties["episodes"] == ("integer", (64,))
    assert isinstance(properties["episodes"][1][0], int)
    assert properties["genres"] == ("list of string", (["Action"],))
    assert sorted(map(str, properties["name"][1])) == ["Zorblax", "Zorblax Nights"]
    types = {each.name: (each.starts, each.ends, each.count) for each in description.relationships}
    assert types["APPEARS_IN"] == (("Character",), ("Work", "Anime", "Manga"), 2)
    assert types["FEATURES"][2] == 2
    assert (types["SEQUEL"][2], types["PREQUEL"][2], types["VOICED_BY"][2]) == (1, 1, 0)
    assert description.data_date is not None


async def test_rows_come_with_the_names_of_their_ids(client: AgentClient, made: Made) -> None:
    response = await client.run_graph_query(_asked(WORKS), caller=_caller(), timeout=20)

    assert list(response.columns) == ["id", "name", "episodes"]
    rows = [from_list(row) for row in response.rows]
    assert rows == [[str(made["zorblax"]), "Zorblax", 64], [str(made["nights"]), "Zorblax Nights", None]]
    assert isinstance(rows[0][2], int)
    assert (response.row_count, response.truncated) == (2, False)
    assert [(ref.id, ref.name) for ref in response.entities] == [
        (str(made["zorblax"]), "Zorblax"),
        (str(made["nights"]), "Zorblax Nights"),
    ]


async def test_rows_are_cut_and_all_are_counted(client: AgentClient) -> None:
    response = await client.run_graph_query(_asked(WORKS, 1), caller=_caller(), timeout=20)
    assert (len(response.rows), response.row_count, response.truncated) == (1, 2, True)


async def test_rows_that_no_message_holds_are_cut_too(client: AgentClient) -> None:
    text = "UNWIND range(1, 300) AS n RETURN n, $filler AS filler"
    response = await client.run_graph_query(_asked(text, 1_000, filler="x" * 6_000), caller=_caller(), timeout=20)
    assert response.row_count == 300
    assert 0 < len(response.rows) < 300
    assert response.truncated


async def test_parameters_are_values(client: AgentClient, made: Made) -> None:
    text = "MATCH (c:Character)-[:APPEARS_IN]->(w:Anime) WHERE w.year >= $year RETURN w.name AS name"
    response = await client.run_graph_query(_asked(text, year=2010), caller=_caller(), timeout=20)
    assert [from_list(row) for row in response.rows] == [["Zorblax Nights"]]


async def test_a_write_is_refused_with_its_place(client: AgentClient) -> None:
    asked = _asked("MATCH (a:Anime)\nDELETE a")
    response = await client.run_graph_query(asked, caller=_caller(), timeout=20)
    check = await client.check_graph_query(asked.query, caller=_caller(), timeout=20)

    for refusal in (response.refusal, check.refusal):
        assert (refusal.line, refusal.column) == (2, 1)
        assert refusal.message
    assert not response.rows
    assert not check.HasField("cost")


async def test_a_check_names_columns_and_cost_and_runs_nothing(client: AgentClient) -> None:
    query = graph_pb2.GraphQuery(text="MATCH (w:Anime) RETURN w.name AS name, 1 / (w.episodes - 64) AS never")
    check = await client.check_graph_query(query, caller=_caller(), timeout=20)
    assert [(column.name, column.type) for column in check.columns] == [("name", "string"), ("never", "integer")]
    assert check.cost > 0
    assert not check.HasField("refusal")


async def test_a_text_beyond_its_limit_names_its_field(client: AgentClient) -> None:
    with pytest.raises(InvalidQuestion) as caught:
        await client.run_graph_query(_asked("x" * 8_001), caller=_caller(), timeout=20)
    assert caught.value.field == "text"


_GRAPHQL = """query($text: String!, $parameters: JSON) {
  graphSchema { labels { name count properties { name type samples } } relationships { name count starts ends } }
  checkGraphQuery(text: $text, parameters: $parameters) { columns { name type } cost refusal { line column } }
  graphQuery(text: $text, parameters: $parameters, first: 1) {
    columns rows rowCount truncated entities { id name } dataDate refusal { line column message hint }
  }
}"""


async def test_graphql_says_the_same(target: str, made: Made) -> None:
    text = "MATCH (w:Anime) WHERE w.year >= $year RETURN w.id AS id, w.genres AS genres ORDER BY w.year"
    async with serving_graphql(NO_DATABASE, agent_target=target) as graphql:
        data = await graphql.data(_GRAPHQL, text=text, parameters={"year": 2000})

    labels = {each["name"]: each for each in data["graphSchema"]["labels"]}
    assert (labels["Anime"]["count"], labels["Manga"]["count"]) == (2, 0)
    assert {"name": "episodes", "type": "integer", "samples": [64]} in labels["Anime"]["properties"]
    check = data["checkGraphQuery"]
    assert check["columns"] == [{"name": "id", "type": "string"}, {"name": "genres", "type": "list of string"}]
    assert (check["cost"] > 0, check["refusal"]) == (True, None)
    result = data["graphQuery"]
    assert result["rows"] == [[str(made["zorblax"]), ["Action"]]]
    assert (result["rowCount"], result["truncated"], result["refusal"]) == (2, True, None)
    assert result["entities"] == [{"id": str(made["zorblax"]), "name": "Zorblax"}]
    assert result["dataDate"] is not None


async def test_graphql_shows_the_place_of_a_refusal(target: str) -> None:
    async with serving_graphql(NO_DATABASE, agent_target=target) as graphql:
        data = await graphql.data(_GRAPHQL, text="MATCH (a:Anime)\nSET a.name = 'x' RETURN a")
        wrong = await graphql.error(_GRAPHQL, text="MATCH (a) RETURN a", parameters=[1])

    assert data["checkGraphQuery"]["refusal"] == {"line": 2, "column": 1}
    assert data["graphQuery"]["rows"] == []
    assert data["graphQuery"]["refusal"]["message"]
    assert wrong["field"] == "parameters"
