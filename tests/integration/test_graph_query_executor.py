"""Graph queries on PostgreSQL: what they return, what is refused, and that no text can do harm."""

from pathlib import Path
from uuid import UUID

import pytest
from agent_core.budget import QueryLimits
from agent_core.evidence import QueryResultEvidence
from agent_core.query_results import GraphQueryResult
from agent_core.retrieval.graph_query_executor import PostgresGraphQueryExecutor
from agent_core.retrieval.graph_schema import catalogue_graph
from agent_core.schemas import GraphQueryIntent, StepStatus
from datastore.edges import EdgeType
from datastore.postgres.engine import ReadOnlyEngine, ReadWriteEngine
from datastore.vocabulary import AppearanceRole, EntityType, StaffRole, WorkFormat
from factories import CatalogueFactory
from fixtures.postgres import seeded
from ingestion.documents.importing import DocumentImporter
from pydantic import JsonValue

type Made = dict[str, UUID]
TIMEOUT = 30.0


async def write_world(read_write: ReadWriteEngine) -> Made:
    """A series with its film, a manga, two characters with one voice, a director and a studio."""
    async with read_write.begin(30) as conn:
        make = CatalogueFactory(conn)
        made = {
            "zorblax": await make.make_anime(
                "Zorblax", genres=["Action", "Drama"], episode_count=64, start="2009-04-05"
            ),
            "nights": await make.make_anime("Zorblax Nights", form=WorkFormat.MOVIE, start="2011-07"),
            "bare": await make.make_anime("Bare", start="2011"),
            "quindle": await make.make_manga("Quindle Vortex", start="2001"),
            "tavrik": await make.make_character("Tavrik"),
            "nemmi": await make.make_character("Nemmi"),
            "yuna": await make.make_person("Yuna Brask"),
            "mirelle": await make.make_person("Mirelle Ostrander"),
            "plimf": await make.make_studio("Plimf"),
        }
        await make.relates(made["zorblax"], EdgeType.SEQUEL, made["nights"])
        for name in ("tavrik", "nemmi"):
            await make.appears(made[name], made["zorblax"], AppearanceRole.MAIN)
            await make.appears(made[name], made["nights"], AppearanceRole.MAIN)
        await make.voices(made["yuna"], made["tavrik"], work=made["zorblax"])
        await make.voices(made["yuna"], made["nemmi"])
        await make.worked(made["mirelle"], made["zorblax"], StaffRole.DIRECTOR)
        await make.produced(made["plimf"], made["zorblax"])
    return made


template, made = seeded(write_world)


async def run(engine: ReadOnlyEngine, text: str, **parameters: JsonValue) -> GraphQueryResult:
    intent = GraphQueryIntent(text=text, parameters=parameters, reason="a test")
    return await PostgresGraphQueryExecutor(engine).execute(intent, timeout=TIMEOUT)


async def evidence_of(engine: ReadOnlyEngine, text: str, limits: QueryLimits | None = None) -> QueryResultEvidence:
    """What a query leaves as evidence."""
    intent = GraphQueryIntent(text=text, reason="a test")
    (evidence,) = (await PostgresGraphQueryExecutor(engine, limits).execute(intent, timeout=TIMEOUT)).evidence
    assert isinstance(evidence, QueryResultEvidence)
    return evidence


async def test_rows_carry_names_and_entities(read_only: ReadOnlyEngine, made: Made) -> None:
    text = "MATCH (w:Anime)-[:PRODUCED_BY]->(s:Studio {id: $studio}) RETURN w.id AS id, w.name AS name, w.episodes AS n"
    result = await run(read_only, text, studio=str(made["plimf"]))
    assert result.status is StepStatus.OK
    assert result.columns == ("id", "name", "n")
    assert result.rows == ((str(made["zorblax"]), "Zorblax", 64),)
    assert (result.row_count, result.truncated) == (1, False)
    (evidence,) = result.evidence
    assert isinstance(evidence, QueryResultEvidence)
    assert [(ref.entity_type, ref.id, ref.name) for ref in evidence.entities] == [
        (EntityType.STUDIO, made["plimf"], "Plimf"),
        (EntityType.ANIME, made["zorblax"], "Zorblax"),
    ]
    assert "with studio = Plimf" in evidence.text
    assert "id: Zorblax; name: Zorblax; n: 64" in evidence.text
    assert evidence.data_date is not None


async def test_nothing_found_is_a_result(read_only: ReadOnlyEngine, made: Made) -> None:
    result = await run(read_only, "MATCH (w:Anime) WHERE w.year = 1950 RETURN w.name AS name")
    assert (result.status, result.row_count, result.refusal) == (StepStatus.EMPTY, 0, None)
    assert len(result.evidence) == 1


async def test_an_unknown_genre_is_not_denied(read_only: ReadOnlyEngine, made: Made) -> None:
    result = await run(read_only, "MATCH (w:Anime) WHERE NOT 'Horror' IN w.themes RETURN w.name AS name ORDER BY name")
    assert result.rows == (("Zorblax",),)


@pytest.mark.parametrize("value", ["coalesce(w.score, 99)", "1.5", "avg(w.episodes)", "date('2020-01-01')", "w.genres"])
async def test_one_column_of_any_type_comes_back(read_only: ReadOnlyEngine, made: Made, value: str) -> None:
    assert (await run(read_only, f"MATCH (w:Anime) RETURN {value} AS v")).status is StepStatus.OK


async def test_dates_keep_their_precision(read_only: ReadOnlyEngine, made: Made) -> None:
    result = await run(read_only, "MATCH (w:Work) RETURN w.start_date AS start, w.decade AS d ORDER BY start")
    assert result.rows == (("2001", 2000), ("2009-04-05", 2000), ("2011", 2010), ("2011-07", 2010))


async def test_a_voice_credit_without_a_work_counts_for_all_of_the_character(
    read_only: ReadOnlyEngine, made: Made
) -> None:
    text = "MATCH (p:Person)-[:ACTS_IN]->(w:Work) RETURN DISTINCT p.name AS person, w.name AS work ORDER BY work"
    result = await run(read_only, text)
    assert result.rows == (("Yuna Brask", "Zorblax"), ("Yuna Brask", "Zorblax Nights"))


async def test_edges_run_both_ways_with_their_roles(read_only: ReadOnlyEngine, made: Made) -> None:
    text = (
        "MATCH (a:Anime)-[:SEQUEL]->(b:Anime)-[:PREQUEL]->(a), (a)-[s:HAS_STAFF]->(p:Person), (b)-[f:FEATURES]->(c)"
        " RETURN s.role AS role, f.role AS part, c.name AS name ORDER BY name"
    )
    result = await run(read_only, text)
    assert result.rows == (("director", "main", "Nemmi"), ("director", "main", "Tavrik"))


async def test_all_rows_are_counted_though_only_the_first_come_back(read_only: ReadOnlyEngine) -> None:
    numbers: list[JsonValue] = list(range(105))
    result = await run(read_only, "UNWIND $numbers AS n RETURN n ORDER BY n", numbers=numbers)
    assert (len(result.rows), result.row_count, result.truncated) == (100, 105, True)
    assert [row[0] for row in result.rows] == list(range(100))


async def test_a_count_is_told_with_its_query_parameters_rows_and_date(read_only: ReadOnlyEngine, made: Made) -> None:
    text = "MATCH (w:Anime) WHERE w.year >= 2009 RETURN w.id AS id, w.name AS name ORDER BY name"
    evidence = await evidence_of(read_only, text, QueryLimits(rows=2))
    assert (evidence.query, evidence.parameters, evidence.row_count, evidence.has_more) == (text, {}, 3, False)
    assert evidence.sample == ((str(made["bare"]), "Bare"), (str(made["zorblax"]), "Zorblax"))
    assert evidence.truncated
    assert evidence.data_date is not None
    lines = evidence.text.splitlines()
    assert lines[1] == f"3 rows; data of {evidence.data_date.date().isoformat()}"
    assert lines[2:] == ["id: Bare; name: Bare", "id: Zorblax; name: Zorblax", "…"]


SAMPLES = (
    ("MATCH (w:Anime) RETURN w.name AS name LIMIT 2", 2, True),
    ("MATCH (w:Anime) RETURN w.name AS name LIMIT 4", 3, False),
    ("MATCH (w:Anime) RETURN w.name AS name SKIP 1", 2, True),
    ("MATCH (w:Anime) WITH w LIMIT 1 RETURN count(w) AS n", 1, False),
    ("MATCH (w:Anime) RETURN w.name AS n LIMIT 1 UNION MATCH (c:Character) RETURN c.name AS n", 3, True),
    ("UNWIND range(1, 150) AS x UNWIND range(1, 150) AS y RETURN x, y", 20_000, True),
    ("UNWIND range(1, 100) AS x UNWIND range(1, 200) AS y RETURN x, y", 20_000, False),
)


@pytest.mark.parametrize(("text", "rows", "has_more"), SAMPLES)
async def test_rows_that_were_cut_are_no_total(
    read_only: ReadOnlyEngine, made: Made, text: str, rows: int, has_more: bool
) -> None:
    evidence = await evidence_of(read_only, text)
    assert (evidence.row_count, evidence.has_more) == (rows, has_more)
    assert evidence.text.splitlines()[1].startswith(f"{'at least ' if has_more else ''}{rows} row")


WRITTEN = (
    "MATCH (w:Anime) RETURN 9000 AS episodes",
    "MATCH (w:Anime) RETURN w.episodes + 1 AS episodes",
    "MATCH (w:Anime) WITH w, 'Bleach' AS name RETURN name",
    "MATCH (w:Anime) WITH *, 'Bleach' AS name RETURN *",
    "UNWIND ['Bleach'] AS name RETURN name",
    "UNWIND range(1, 9000) AS x MATCH (w:Anime) RETURN count(*) AS works",
    "MATCH (w:Anime) RETURN coalesce(w.score, 99) AS score",
    "MATCH (w:Anime) RETURN CASE WHEN w.score > 1 THEN 'good' ELSE w.name END AS name",
    "MATCH (w:Anime) RETURN [g IN w.genres | g + 'x'] AS genres",
    "MATCH (w:Anime) RETURN [(w)--(x) | 'Bleach'] AS names, {name: 'Bleach'}.name AS name",
    "MATCH (w:Anime) RETURN w.name AS name UNION RETURN 'Bleach' AS name",
)
READ = (
    "MATCH (w:Anime {format: 'movie'}) WHERE w.year > 2000 RETURN w.name AS name, count(*) AS n ORDER BY n LIMIT 3",
    "MATCH (w:Anime) WITH w, 'x' AS unused RETURN w.name AS name, count(DISTINCT w) AS n",
    "UNWIND $names AS name MATCH (w:Anime {name: name}) RETURN w.year AS year, count(w) AS n",
    "MATCH (w:Anime) RETURN w.year > 2000 AS is_new, size(w.genres) AS n, left(w.name, 3) AS start, true AS yes",
    "MATCH (w:Anime) RETURN [g IN w.genres WHERE g <> 'Drama'][0] AS genre, COUNT { (w)--() } AS links",
)


@pytest.mark.parametrize("text", WRITTEN)
async def test_a_model_may_return_nothing_that_it_wrote_itself(
    read_only: ReadOnlyEngine, made: Made, text: str
) -> None:
    intent = GraphQueryIntent(text=text, reason="a test", by_model=True)
    result = await PostgresGraphQueryExecutor(read_only).execute(intent, timeout=TIMEOUT)
    assert result.refusal is not None
    assert result.refusal.message == "A returned column holds a value that the query writes itself."
    assert (await run(read_only, text)).refusal is None


@pytest.mark.parametrize("text", READ)
async def test_a_model_may_compare_with_values_and_count(read_only: ReadOnlyEngine, made: Made, text: str) -> None:
    intent = GraphQueryIntent(text=text, parameters={"names": ["Zorblax"]}, reason="a test", by_model=True)
    result = await PostgresGraphQueryExecutor(read_only).execute(intent, timeout=TIMEOUT)
    assert (result.status, result.refusal) == (StepStatus.OK, None)


REFUSED = (
    ("MATCH (w:Anime) DELETE w", "line 1"),
    ("MATCH (w:Anime) SET w.name = 'x' RETURN w.name", "line 1"),
    ("CREATE (w:Anime) RETURN w", "line 1"),
    ("MATCH (w:Anime)\nRETURN w.naem AS name", "line 2"),
    ("MATCH (w:Film) RETURN w.name", "line 1"),
    ("MATCH (w:Anime)-[:MADE]->(s) RETURN s.name", "line 1"),
    ("SELECT * FROM entities", "line 1"),
    ("MATCH (w:Anime) RETURN w.name; DROP TABLE entities", "line 1"),
    ("CALL db.labels()", "line 1"),
    ("", "line 1"),
    ("MATCH (w:Anime) WHERE w.name = $missing RETURN w.name", "line 1"),
    ("MATCH (a)-[*]->(b) RETURN count(*)", "line 1"),
)


async def test_what_may_not_run_is_refused_with_its_place(read_only: ReadOnlyEngine) -> None:
    for text, place in REFUSED:
        result = await run(read_only, text)
        assert result.status is StepStatus.REFUSED, text
        assert result.refusal is not None, text
        assert result.refusal.message, text
        assert f"{place}, column {result.refusal.column}" in result.summary, text
        assert result.evidence == (), text


async def test_values_are_never_text_of_the_query(read_only: ReadOnlyEngine, made: Made) -> None:
    hostile = "x' RETURN 1 //\"; DROP TABLE entities; --"
    result = await run(read_only, "MATCH (w:Anime) WHERE w.name = $name RETURN w.name AS name", name=hostile)
    assert result.status is StepStatus.EMPTY
    assert (await run(read_only, "MATCH (w:Anime) RETURN count(w) AS n")).rows == ((3,),)


async def test_figures_that_cannot_be_computed_are_a_refusal(read_only: ReadOnlyEngine, made: Made) -> None:
    result = await run(read_only, "MATCH (w:Anime) WHERE w.episodes > 0 RETURN 1 / (w.episodes - w.episodes) AS n")
    assert result.status is StepStatus.REFUSED


async def test_what_would_cost_too_much_is_refused_before_it_runs(read_only: ReadOnlyEngine, made: Made) -> None:
    intent = GraphQueryIntent(text="MATCH (a:Anime), (b:Anime) RETURN count(*) AS n", reason="a test")
    result = await PostgresGraphQueryExecutor(read_only, QueryLimits(cost=0.01)).execute(intent, timeout=TIMEOUT)
    assert result.status is StepStatus.REFUSED
    assert result.refusal is not None
    assert "cost" in result.refusal.message


async def test_documents_and_what_they_say_of_each_other_can_be_asked(
    read_only: ReadOnlyEngine, read_write: ReadWriteEngine, tmp_path: Path
) -> None:
    (tmp_path / "old.md").write_text("---\ntitle: Rules of 2019\ndate: 2019-05\n---\nBorrow one cel.\n")
    (tmp_path / "new.md").write_text(
        "---\ntitle: Rules of 2021\ndate: 2021\nsupersedes: Rules of 2019\n---\nBorrow two cels.\n"
    )
    await DocumentImporter(read_write).add(tmp_path, collection="rules")

    dated = "MATCH (d:Document {collection: 'rules'}) RETURN d.name AS name, d.date AS date ORDER BY date"
    assert (await run(read_only, dated)).rows == (("Rules of 2019", "2019-05"), ("Rules of 2021", "2021"))
    newer = "MATCH (a:Document)<-[:SUPERSEDES]-(b:Document) RETURN a.name AS old, b.name AS new"
    assert (await run(read_only, newer)).rows == (("Rules of 2019", "Rules of 2021"),)
    older = "MATCH (:Document {name: 'Rules of 2021'})-[:SUPERSEDES]->(d) RETURN labels(d) AS labels, d.name AS name"
    assert (await run(read_only, older)).rows == ((["Document"], "Rules of 2019"),)


async def test_every_label_and_relationship_can_be_asked(read_only: ReadOnlyEngine, made: Made) -> None:
    schema = catalogue_graph()
    for label in schema.labels:
        properties = ", ".join(f"n.{each.name} AS {each.name}" for each in label.source.properties)
        result = await run(read_only, f"MATCH (n:{label.name}) RETURN {properties} LIMIT 1")
        assert result.refusal is None, label.name
    for relationship in schema.relationships:
        text = f"MATCH (a)-[r:{relationship.name}]->(b) RETURN a.name AS a, b.name AS b LIMIT 1"
        assert (await run(read_only, text)).refusal is None, relationship.name
