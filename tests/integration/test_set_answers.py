"""Questions about whole sets on a part of the demo catalogue: answers must be what plain SQL says."""

import json
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from uuid import UUID, uuid4

import asyncpg
import pytest
from agent_core.bootstrap import build_orchestrator
from agent_core.evidence import QueryResultEvidence
from agent_core.orchestrator import Orchestrator
from agent_core.orchestrator.outcomes import violations
from agent_core.schemas import AgentRequest, AgentResponse, AnswerStatus
from datastore.postgres.engine import ReadOnlyEngine, ReadWriteEngine
from fixtures.postgres import seeded
from ingestion.demo import demo_catalogue_files
from ingestion.importing import import_path

_PARTS = (
    "castle_in_the_sky",
    "cowboy_bebop",
    "evangelion",
    "fullmetal_alchemist",
    "howls_moving_castle",
    "kikis_delivery_service",
    "my_neighbor_totoro",
    "princess_mononoke",
    "samurai_champloo",
    "spirited_away",
)
_OF_PERSON = """
    SELECT s.work_id FROM staff_credits s JOIN entities p ON p.id = s.person_id
    WHERE p.name = '{}' AND s.role = '{}'
"""
_OF_STUDIO = "SELECT c.work_id FROM studio_credits c JOIN entities s ON s.id = c.studio_id WHERE s.name = '{}'"
_ACTS_IN = "SELECT v.work_id FROM voices v JOIN entities p ON p.id = v.person_id WHERE p.name = '{}'"
_VOICES_IN = "SELECT v.person_id FROM voices v JOIN entities w ON w.id = v.work_id WHERE w.name = '{}'"
_MIYAZAKI = _OF_PERSON.format("Hayao Miyazaki", "director")
_GHIBLI = _OF_STUDIO.format("Studio Ghibli")
_BONES = _OF_STUDIO.format("Bones")


@dataclass(frozen=True, slots=True)
class Asked:
    """A question and the SQL whose first column are the ids of its answer."""

    question: str
    sql: str


ENTITIES = (
    Asked("movies directed by Hayao Miyazaki", f"SELECT id FROM anime WHERE format = 'movie' AND id IN ({_MIYAZAKI})"),
    Asked(
        "films by Hayao Miyazaki except Spirited Away",
        f"SELECT a.id FROM anime a JOIN entities e ON e.id = a.id WHERE format = 'movie' AND a.id IN ({_MIYAZAKI})"
        " AND e.name <> 'Spirited Away'",
    ),
    Asked(
        "How many movies did Studio Ghibli make?", f"SELECT id FROM anime WHERE format = 'movie' AND id IN ({_GHIBLI})"
    ),
    Asked(
        "How many films did Hayao Miyazaki make before 1990?",
        f"SELECT id FROM anime WHERE format = 'movie' AND year < 1990 AND id IN ({_MIYAZAKI})",
    ),
    Asked(
        "Which films did Hayao Miyazaki make after 16 April 1988 and before 18 July 1992?",
        f"SELECT id FROM anime WHERE format = 'movie' AND id IN ({_MIYAZAKI}) AND start_day IS NOT NULL"
        " AND make_date(start_year, start_month, start_day) BETWEEN '1988-04-17' AND '1992-07-17'",
    ),
    Asked(
        "How many anime started since April 1998?",
        "SELECT id FROM anime WHERE start_year > 1998 OR (start_year = 1998 AND start_month >= 4)",
    ),
    Asked(
        "three oldest works by Hayao Miyazaki",
        f"SELECT id FROM anime WHERE id IN ({_MIYAZAKI}) ORDER BY start_year, start_month, start_day LIMIT 3",
    ),
    Asked(
        "What is the longest movie by Studio Ghibli?",
        f"SELECT id FROM anime WHERE id IN ({_GHIBLI}) ORDER BY duration_minutes DESC LIMIT 1",
    ),
    Asked(
        "Which series by Bones has the fewest episodes?",
        f"SELECT id FROM anime WHERE format = 'tv' AND id IN ({_BONES}) ORDER BY episodes LIMIT 1",
    ),
    Asked(
        "Finished action series with more than 25 episodes and without horror",
        "SELECT id FROM anime WHERE format = 'tv' AND status = 'finished' AND episodes > 25 AND 'Action' = ANY (genres)"
        " AND NOT 'Horror' = ANY (genres)",
    ),
    Asked(
        "Which movies are not sequels and started before 1998?",
        "SELECT id FROM anime WHERE format = 'movie' AND year < 1998 AND id NOT IN"
        " (SELECT related_work_id FROM work_relations WHERE relation = 'sequel' UNION"
        " SELECT work_id FROM work_relations WHERE relation = 'prequel')",
    ),
    Asked(
        "Who directed the most films?",
        "SELECT person_id FROM staff_credits s JOIN anime a ON a.id = s.work_id AND a.format = 'movie'"
        " WHERE role = 'director' GROUP BY person_id ORDER BY count(DISTINCT work_id) DESC LIMIT 1",
    ),
    Asked(
        "Which studio made the most movies?",
        "SELECT studio_id FROM studio_credits c JOIN anime a ON a.id = c.work_id AND a.format = 'movie'"
        " GROUP BY studio_id ORDER BY count(DISTINCT work_id) DESC LIMIT 1",
    ),
    Asked(
        "In which anime do Megumi Hayashibara and Koichi Yamadera both have a role?",
        f"{_ACTS_IN.format('Megumi Hayashibara')} INTERSECT {_ACTS_IN.format('Koichi Yamadera')}",
    ),
    Asked(
        "Which actors have a role in both Cowboy Bebop and Neon Genesis Evangelion?",
        f"{_VOICES_IN.format('Cowboy Bebop')} INTERSECT {_VOICES_IN.format('Neon Genesis Evangelion')}",
    ),
    Asked(
        "How many characters does Megumi Hayashibara voice?",
        "SELECT v.character_id FROM voices v JOIN entities p ON p.id = v.person_id WHERE p.name = 'Megumi Hayashibara'",
    ),
    Asked(
        "What other movies did the director of Spirited Away make?",
        f"SELECT a.id FROM anime a JOIN entities e USING (id) WHERE format = 'movie' AND name <> 'Spirited Away'"
        f" AND id IN ({_MIYAZAKI})",
    ),
    Asked(
        "How many series did the studio behind Cowboy Bebop make?",
        f"SELECT id FROM anime WHERE format = 'tv' AND id IN ({_OF_STUDIO.format('Sunrise')})",
    ),
    Asked(
        "Who voices the most characters in Neon Genesis Evangelion?",
        "WITH counted AS (SELECT person_id, count(DISTINCT character_id) AS n FROM voices v JOIN entities w"
        " ON w.id = v.work_id WHERE w.name = 'Neon Genesis Evangelion' GROUP BY person_id)"
        " SELECT person_id FROM counted WHERE n = (SELECT max(n) FROM counted)",
    ),
    Asked(
        "Which manga has the most adaptations?",
        "WITH counted AS (SELECT related_work_id AS id, count(*) AS n FROM work_relations"
        " WHERE relation = 'adaptation_of' GROUP BY 1) SELECT id FROM counted WHERE n = (SELECT max(n) FROM counted)",
    ),
    Asked(
        "Who directed the longest movie by Studio Ghibli?",
        "SELECT person_id FROM staff_credits WHERE role = 'director' AND work_id ="
        f" (SELECT id FROM anime WHERE id IN ({_GHIBLI}) ORDER BY duration_minutes DESC LIMIT 1)",
    ),
)
FIGURES = (
    Asked("How many voice actors are in the catalogue?", "SELECT count(DISTINCT person_id)::text FROM voices"),
    Asked(
        "What is the average number of episodes of series by Bones?",
        f"SELECT round(avg(episodes), 2)::text FROM anime WHERE format = 'tv' AND id IN ({_BONES})",
    ),
    Asked(
        "How many episodes do Bones's series have in total?",
        f"SELECT sum(episodes)::text FROM anime WHERE format = 'tv' AND id IN ({_BONES})",
    ),
    Asked(
        "How many TV series started in 2009?", "SELECT count(*)::text FROM anime WHERE format = 'tv' AND year = 2009"
    ),
    Asked(
        "Which decade has the most movies?",
        "SELECT (year / 10 * 10)::text || 's' FROM anime WHERE format = 'movie'"
        " GROUP BY 1 ORDER BY count(*) DESC LIMIT 1",
    ),
)


def part_of_the_demo() -> bytes:
    """Some works of the demo catalogue, with the people and studios that they name."""
    files = demo_catalogue_files()
    works = b"".join(file.read_bytes() for file in files if file.name.startswith(_PARTS))
    makers = (
        line
        for file in files
        if file.name.startswith(("people", "studios"))
        for line in file.read_bytes().splitlines(keepends=True)
    )
    return works + b"".join(line for line in makers if json.loads(line)["ref"].encode() in works)


async def write_world(read_write: ReadWriteEngine) -> None:
    with TemporaryDirectory() as folder:
        (Path(folder) / "catalogue.jsonl").write_bytes(part_of_the_demo())
        await import_path("interchange", Path(folder), read_write)


template, _ = seeded(write_world)


@pytest.fixture
async def loop(read_only: ReadOnlyEngine) -> AsyncGenerator[Orchestrator]:
    built = build_orchestrator(read_only=read_only, vector_store=None, embedder=None)
    yield built
    await built.close()


async def ask(loop: Orchestrator, question: str) -> AgentResponse:
    response = await loop.run(AgentRequest(query=question, request_id=uuid4()))
    assert violations(response) == [], question
    return response


def query_of(response: AgentResponse) -> QueryResultEvidence:
    (found,) = response.evidence
    assert isinstance(found, QueryResultEvidence)
    return found


@pytest.mark.timeout(120)
async def test_sets_are_what_sql_says(loop: Orchestrator, database_url: str) -> None:
    connection = await asyncpg.connect(database_url)
    try:
        for asked in ENTITIES:
            wanted: set[UUID] = {row[0] for row in await connection.fetch(asked.sql)}
            response = await ask(loop, asked.question)
            assert {ref.id for ref in response.result_entities} == wanted, f"{asked.question} {response.answer}"
            assert wanted, asked.question
            assert response.status is AnswerStatus.ANSWERED, asked.question
        for asked in FIGURES:
            figure = str(await connection.fetchval(asked.sql))
            figure = figure.rstrip("0").rstrip(".") if "." in figure else figure
            response = await ask(loop, asked.question)
            assert figure in response.answer.replace("[1]", ""), f"{asked.question} {response.answer}"
        newest = await connection.fetchval("SELECT max(updated_at) FROM entities")
        counted = await ask(loop, "How many movies did Studio Ghibli make?")
    finally:
        await connection.close()
    evidence = query_of(counted)
    assert evidence.row_count == len(counted.result_entities)
    assert evidence.data_date == newest
    assert list(evidence.parameters) == ["studio", "format"]
    assert "studio = Studio Ghibli" in evidence.text
    assert f"holds {evidence.row_count} movies by Studio Ghibli [1]" in counted.answer
    await _nothing(loop)


async def _nothing(loop: Orchestrator) -> None:
    """None of them, a name that is no maker, a name that is nothing: each says so."""
    none = await ask(loop, "How many movies did Studio Ghibli make in the 1950s?")
    assert none.answer.startswith("The catalogue holds no movies by Studio Ghibli from the 1950s: the count is 0 [1].")
    assert none.status is AnswerStatus.ANSWERED
    unrated = await ask(loop, "What is the highest rated movie by Studio Ghibli?")
    assert unrated.answer == "The catalogue holds no movies by Studio Ghibli with a known score [1]."
    assert unrated.status is AnswerStatus.NOT_FOUND
    unknown = await ask(loop, "How many movies did Zorblax Pictures make?")
    assert unknown.status is AnswerStatus.NOT_FOUND
    assert unknown.sources == ()
    franchise = await ask(loop, "Which Cowboy Bebop movies are there?")
    assert not any(isinstance(item, QueryResultEvidence) for item in franchise.evidence)
