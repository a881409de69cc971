"""The independent checker: sound answers pass, planted faults are found."""

from collections.abc import AsyncGenerator
from pathlib import Path
from uuid import UUID, uuid4

import asyncpg
import pytest
from agent_core.evidence import EntityRef, EntityRowEvidence, Evidence, FieldValue, GraphPath, PathEvidence, PathStep
from agent_core.schemas import AgentResponse, AnswerStatus, ConfidenceBand, SourceCitation, TerminationReason
from agent_evals.checker import Checker
from datastore.edges import EdgeType
from datastore.postgres.engine import ReadWriteEngine
from datastore.vocabulary import EntityType, NameKind, StaffRole
from ingestion.importing import import_path
from ingestion.records import AnimeRecord, NameRecord, PersonRecord, StaffRecord

BEBOP, CHAMPLOO, TRIGUN, WATANABE = "Cowboy Bebop", "Samurai Champloo", "Trigun", "Shinichiro Watanabe"
QUESTION = "How many episodes does Cowboy Bebop have?"

type Connection = asyncpg.Connection[asyncpg.Record]


class Stored:
    """The imported entities, as references, and the staff credits between them."""

    def __init__(self, refs: dict[str, EntityRef], credits: dict[str, int]) -> None:
        self._refs = refs
        self.credits = credits

    def ref(self, name: str) -> EntityRef:
        return self._refs[name]

    def row(self, *, version: int = 1, episodes: str = "26") -> EntityRowEvidence:
        return EntityRowEvidence(
            id="row",
            source="postgresql:anime",
            title=BEBOP,
            text=f"name: {BEBOP}\nepisodes: {episodes}\nstart date: 1998-04-03",
            row_version=version,
            entity=self.ref(BEBOP),
            fields=(FieldValue(name="episodes", value=episodes),),
        )

    def edge(self, from_: str, rel: EdgeType, to: str, *, hub: str | None = None, locator: str = "") -> PathEvidence:
        step = PathStep(
            from_=self.ref(from_),
            rel=rel,
            to=self.ref(to),
            evidence_id="edge",
            hub=self.ref(hub) if hub is not None else None,
        )
        return PathEvidence(
            id="edge",
            source="postgresql:staff_credits",
            title=f"{from_} – {to}",
            text=f"{from_} worked on {to}",
            row_version=1,
            locator=locator,
            path=GraphPath(steps=(step,)),
        )


@pytest.fixture
async def connection(database_url: str) -> AsyncGenerator[Connection]:
    connection = await asyncpg.connect(database_url)
    yield connection
    await connection.close()


def anime(ref: str, name: str, episodes: int) -> AnimeRecord:
    names = (NameRecord(name=name, kind=NameKind.MAIN),)
    return AnimeRecord(ref=f"enishi:anime:{ref}", names=names, episodes=episodes, start="1998-04-03")


@pytest.fixture
async def stored(read_write: ReadWriteEngine, connection: Connection, tmp_path: Path) -> Stored:
    person = PersonRecord(ref="enishi:person:w", names=(NameRecord(name=WATANABE, kind=NameKind.MAIN),))
    records = (
        anime("b", BEBOP, 26),
        anime("c", CHAMPLOO, 26),
        anime("t", TRIGUN, 26),
        person,
        StaffRecord(person=person.ref, work="enishi:anime:b", role=StaffRole.DIRECTOR),
        StaffRecord(person=person.ref, work="enishi:anime:c", role=StaffRole.DIRECTOR),
    )
    text = "\n".join(record.model_dump_json(exclude_none=True) for record in records)
    (tmp_path / "records.jsonl").write_text(text, encoding="utf-8")
    await import_path("interchange", tmp_path, read_write)
    entities = await connection.fetch("SELECT id, entity_type, name FROM entities")
    credited = await connection.fetch("SELECT s.id, e.name FROM staff_credits s JOIN entities e ON e.id = s.work_id")
    refs = {
        row["name"]: EntityRef(entity_type=EntityType(row["entity_type"]), id=row["id"], name=row["name"])
        for row in entities
    }
    return Stored(refs, {row["name"]: row["id"] for row in credited})


def response(answer: str, *evidence: Evidence, **changes: object) -> AgentResponse:
    sources = tuple(
        SourceCitation(
            marker=place,
            evidence_id=item.id,
            title=item.title,
            locator=item.locator,
            quote=item.text.splitlines()[0],
            row_version=item.row_version,
        )
        for place, item in enumerate(evidence, start=1)
    )
    fixed = {
        "answer": answer,
        "status": AnswerStatus.ANSWERED,
        "confidence": 1.0,
        "confidence_band": ConfidenceBand.HIGH,
        "evidence": evidence,
        "sources": sources,
        "trace_id": UUID(int=1),
        "termination_reason": TerminationReason.SUFFICIENT,
    }
    return AgentResponse.model_validate(fixed | changes)


async def faults(connection: Connection, answer: AgentResponse) -> list[str]:
    checker = await Checker.open(connection)
    return [str(violation) for violation in (await checker.check(QUESTION, answer)).violations]


async def test_a_sound_answer_passes(connection: Connection, stored: Stored) -> None:
    answer = response(
        f"{BEBOP} has 26 episodes [1]. {WATANABE} directed it [2].",
        stored.row(),
        stored.edge(WATANABE, EdgeType.STAFF_OF, BEBOP, locator=f"staff_credits/{stored.credits[BEBOP]}"),
        result_entities=(stored.ref(BEBOP),),
    )
    assert await faults(connection, answer) == []


async def test_an_invented_entity_is_found(connection: Connection, stored: Stored) -> None:
    ghost = EntityRef(entity_type=EntityType.ANIME, id=uuid4(), name="Space Opera Nine")
    answer = response(f"{BEBOP} is followed by Space Opera Nine [1].", stored.row(), result_entities=(ghost,))
    checker = await Checker.open(connection)
    report = await checker.check(QUESTION, answer)
    assert report.invented == 2
    assert [str(violation) for violation in report.violations] == [
        f"missing_entity: anime {ghost.id} Space Opera Nine",
        "invented_name: Space Opera Nine",
    ]


async def test_an_entity_of_another_type_or_name_is_found(connection: Connection, stored: Stored) -> None:
    bebop = stored.ref(BEBOP)
    as_manga = bebop.model_copy(update={"entity_type": EntityType.MANGA})
    misnamed = bebop.model_copy(update={"name": "Bebop"})
    nameless = bebop.model_copy(update={"name": None})
    found = await faults(connection, response("", result_entities=(as_manga, misnamed, nameless)))
    assert sorted(found) == [
        f"missing_entity: manga {bebop.id} {BEBOP}",
        f"wrong_name: 'Bebop' is called '{BEBOP}'",
        f"wrong_name: {bebop.id} carries no name",
    ]


async def test_a_wrong_number_or_date_is_found(connection: Connection, stored: Stored) -> None:
    answer = response(f"{BEBOP} has 27 episodes since 1998-04-04 [1].", stored.row())
    assert await faults(connection, answer) == ["unsupported_number: 1998-04-04", "unsupported_number: 27"]


async def test_a_field_that_the_row_does_not_have_is_found(connection: Connection, stored: Stored) -> None:
    answer = response("", stored.row(episodes="27"))
    assert await faults(connection, answer) == [f"wrong_field: episodes of {BEBOP} is 26"]


async def test_a_name_without_cited_evidence_is_found(connection: Connection, stored: Stored) -> None:
    answer = response(f"{BEBOP} and {TRIGUN} have 26 episodes [1].", stored.row())
    assert await faults(connection, answer) == [f"unsupported_name: {TRIGUN}"]


async def test_a_stale_version_is_found(connection: Connection, stored: Stored) -> None:
    row = stored.edge(WATANABE, EdgeType.STAFF_OF, BEBOP, locator=f"staff_credits/{stored.credits[BEBOP]}")
    answer = response("", stored.row(), row)
    await connection.execute("UPDATE entities SET version = 2 WHERE id = $1", stored.ref(BEBOP).id)
    await connection.execute("UPDATE staff_credits SET version = 5")
    assert await faults(connection, answer) == ["stale_version: row: 1, but 2", "stale_version: edge: 1, but 5"]


async def test_a_missing_edge_is_found(connection: Connection, stored: Stored) -> None:
    good = stored.edge(BEBOP, EdgeType.HAS_STAFF, WATANABE)
    assert await faults(connection, response("", good)) == []
    bad = stored.edge(WATANABE, EdgeType.STAFF_OF, TRIGUN)
    assert await faults(connection, response("", bad)) == [f"missing_edge: ({WATANABE})-[staff_of]->({TRIGUN})"]


async def test_a_derived_edge_needs_its_hub(connection: Connection, stored: Stored) -> None:
    good = stored.edge(BEBOP, EdgeType.SHARED_STAFF, CHAMPLOO, hub=WATANABE)
    assert await faults(connection, response("", good)) == []
    expected = [f"missing_edge: ({BEBOP})-[shared_staff]->({CHAMPLOO})"]
    assert await faults(connection, response("", stored.edge(BEBOP, EdgeType.SHARED_STAFF, CHAMPLOO))) == expected
    other = stored.edge(BEBOP, EdgeType.SHARED_STAFF, TRIGUN, hub=WATANABE)
    assert await faults(connection, response("", other)) == [f"missing_edge: ({BEBOP})-[shared_staff]->({TRIGUN})"]


async def test_citations_must_point_at_evidence_and_quote_it(connection: Connection, stored: Stored) -> None:
    source = SourceCitation(marker=1, evidence_id="row", title="t", locator="", quote="episodes: 99", row_version=1)
    lost = source.model_copy(update={"marker": 2, "evidence_id": "elsewhere"})
    answer = response("One [1]. Two [3].", stored.row(), sources=(source, lost))
    assert await faults(connection, answer) == [
        "misquoted: row",
        "unknown_evidence: elsewhere",
        "unknown_evidence: [3]",
    ]
