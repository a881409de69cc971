"""Shapes that hurt graph stores: hubs, hubs beside hubs, everything at once, nothing at all; within caps and time."""

import time
from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass
from uuid import UUID, uuid4

import pytest
import sqlalchemy as sa
from agent_core.errors import IntentRefused
from agent_core.evidence import ComparisonEvidence, EntityRef, PathEvidence
from agent_core.retrieval.postgres_graph_executor import PostgresGraphExecutor
from agent_core.schemas import (
    MAX_FANOUT,
    MAX_RESULTS,
    GraphIntent,
    GraphQueryType,
    GraphResult,
    StepStatus,
    WarningCode,
)
from datastore.edges import DERIVED_EDGES, STORED_EDGES, EdgeType
from datastore.identity import entity_id
from datastore.postgres.catalogue import anime, appearances, characters, entities, people, staff_credits, studio_credits
from datastore.postgres.catalogue import studios as studios_table
from datastore.postgres.engine import PostgresOptions, ReadOnlyEngine, ReadWriteEngine
from datastore.postgres.hot import HotPool
from datastore.postgres.projection import rebuild_edges
from datastore.vocabulary import EntityType, StaffRole
from fixtures.postgres import READER_ROLE, TEMPLATE, TestServer
from sqlalchemy.ext.asyncio import AsyncConnection

WORKS, CAST, CREW = 300, 1_200, 400
STATEMENT_SECONDS = 2.0

_T = EntityType
_DETAILS = {_T.ANIME: anime, _T.CHARACTER: characters, _T.PERSON: people, _T.STUDIO: studios_table}


def ref(entity_type: EntityType, number: int) -> EntityRef:
    """An entity of the hostile catalogue."""
    return EntityRef(entity_type=entity_type, id=entity_id("hostile", entity_type, str(number)))


STUDIO, EPIC, OTHER_EPIC = ref(_T.STUDIO, 0), ref(_T.ANIME, 0), ref(_T.ANIME, 1)
DIRECTOR, LONER, EXTRA = ref(_T.PERSON, 0), ref(_T.STUDIO, 1), ref(_T.CHARACTER, CAST - 1)
GHOST = EntityRef(entity_type=_T.ANIME, id=uuid4())


@pytest.fixture(scope="module")
def database_url(postgres_server: TestServer) -> str:
    """A database for the module; its tests only read."""
    return postgres_server.dsn(postgres_server.create(TEMPLATE))


@pytest.fixture
async def executor(
    read_write: ReadWriteEngine, read_only: ReadOnlyEngine, database_url: str
) -> AsyncGenerator[PostgresGraphExecutor]:
    """The executor over the hostile catalogue, which the first test writes."""
    async with read_write.begin(timeout=60) as conn:
        if not (await conn.execute(sa.select(sa.func.count()).select_from(entities))).scalar_one():
            await _write_hostile(conn)
    pool = HotPool(PostgresOptions(dsn=database_url, pool_max_size=2, role=READER_ROLE))
    yield PostgresGraphExecutor(read_only, hot=pool)
    await pool.close()


async def _write_hostile(conn: AsyncConnection) -> None:
    """One studio behind every work, two works with every character, a director of everything; and one who is alone."""
    for entity_type, count in ((_T.ANIME, WORKS), (_T.CHARACTER, CAST), (_T.PERSON, CREW), (_T.STUDIO, 2)):
        await _write_entities(conn, entity_type, count)
    await _link(conn, studio_credits, [(STUDIO.id, ref(_T.ANIME, n).id) for n in range(WORKS)], is_main=True)
    casts = [(ref(_T.CHARACTER, n).id, epic.id) for n in range(CAST) for epic in (EPIC, OTHER_EPIC)]
    casts += [(ref(_T.CHARACTER, n).id, ref(_T.ANIME, 2 + n % (WORKS - 2)).id) for n in range(CAST)]
    await _link(conn, appearances, casts, names=("character_id", "work_id"))
    crew = [(DIRECTOR.id, ref(_T.ANIME, n).id) for n in range(WORKS)]
    crew += [(ref(_T.PERSON, 1 + n % (CREW - 1)).id, ref(_T.ANIME, n % 7).id) for n in range(CREW - 1)]
    await _link(conn, staff_credits, crew, names=("person_id", "work_id"), role=StaffRole.DIRECTOR)
    await rebuild_edges(conn)


async def _write_entities(conn: AsyncConnection, entity_type: EntityType, count: int) -> None:
    ids = [ref(entity_type, n).id for n in range(count)]
    rows = [
        {
            "id": i,
            "entity_type": entity_type,
            "name": f"{entity_type} {n}",
            "popularity": 1 / (n + 1),
            "content_hash": "",
        }
        for n, i in enumerate(ids)
    ]
    await conn.execute(sa.insert(entities), rows)
    await conn.execute(sa.insert(_DETAILS[entity_type]), [{"id": i} for i in ids])


async def _link(
    conn: AsyncConnection,
    table: sa.Table,
    pairs: list[tuple[UUID, UUID]],
    *,
    names: tuple[str, str] = ("studio_id", "work_id"),
    **more: object,
) -> None:
    rows = [dict(zip(names, pair, strict=True)) | more for pair in dict.fromkeys(pairs)]
    await conn.execute(sa.insert(table).values(source="hostile"), rows)


@dataclass(frozen=True)
class Shape:
    """One request, and what its result has to be: a status, and how many paths where that is certain."""

    intent: Callable[[], GraphIntent]
    status: StepStatus
    paths: int | None = None


def shape(
    kind: GraphQueryType, start: EntityRef, status: StepStatus, *, paths: int | None = None, **more: object
) -> Shape:
    """A request, built when it is run."""
    values = {"rationale": "test", "query_type": kind, "start": start, **more}
    return Shape(lambda: GraphIntent.model_validate(values), status, paths)


_Q, _S = GraphQueryType, StepStatus
_HUGE = {"max_results": 1_000_000, "max_fanout_per_hop": 1_000_000}
_EVERY = tuple(sorted(STORED_EDGES | DERIVED_EDGES))

SHAPES: dict[str, Shape] = {
    "neighbours of the largest hub": shape(_Q.NEIGHBORS, EPIC, _S.TRUNCATED, paths=MAX_RESULTS, limits=_HUGE),
    "neighbours with every edge type": shape(
        _Q.NEIGHBORS, EPIC, _S.TRUNCATED, paths=MAX_RESULTS, limits=_HUGE, edge_types=_EVERY
    ),
    "neighbours over derived edges only": shape(
        _Q.NEIGHBORS, EPIC, _S.TRUNCATED, paths=MAX_RESULTS, limits=_HUGE, edge_types=tuple(sorted(DERIVED_EDGES))
    ),
    "neighbours of one who is alone": shape(_Q.NEIGHBORS, LONER, _S.EMPTY, paths=0),
    "neighbours that no filter lets through": shape(
        _Q.NEIGHBORS, EPIC, _S.EMPTY, paths=0, filters={"entity_types": ["manga"]}
    ),
    "neighbours with a role that nobody has": shape(
        _Q.NEIGHBORS, EPIC, _S.EMPTY, paths=0, filters={"qualifier": "%' OR 1=1 --"}
    ),
    "one result of thousands": shape(_Q.K_HOP, EPIC, _S.TRUNCATED, paths=1, limits={"max_results": 1}, max_hops=4),
    "four hops around the largest hub": shape(
        _Q.K_HOP, EPIC, _S.TRUNCATED, paths=MAX_RESULTS, limits=_HUGE, max_hops=4
    ),
    "a thousand hops": shape(_Q.K_HOP, EXTRA, _S.TRUNCATED, paths=MAX_RESULTS, limits=_HUGE, max_hops=1_000),
    "four hops with every edge type": shape(
        _Q.K_HOP, STUDIO, _S.TRUNCATED, limits=_HUGE, max_hops=4, edge_types=_EVERY
    ),
    "four hops in years that were not": shape(
        _Q.K_HOP, EPIC, _S.TRUNCATED, limits=_HUGE, max_hops=4, filters={"years": {"last_year": 1901}}
    ),
    "four hops to a type that is not there": shape(
        _Q.K_HOP, EPIC, _S.TRUNCATED, paths=0, limits=_HUGE, max_hops=4, filters={"entity_types": ["manga"]}
    ),
    "four hops from one who is alone": shape(_Q.K_HOP, LONER, _S.EMPTY, paths=0, max_hops=4),
    "all paths between two hubs": shape(
        _Q.PATH, EPIC, _S.TRUNCATED, end=OTHER_EPIC, paths=MAX_RESULTS, limits=_HUGE, max_hops=4
    ),
    "paths between two hubs with every edge type": shape(
        _Q.PATH, EPIC, _S.TRUNCATED, end=OTHER_EPIC, limits=_HUGE, max_hops=4, edge_types=_EVERY
    ),
    "four hops that lead through two hubs": shape(
        _Q.PATH, ref(_T.PERSON, 3), _S.OK, end=ref(_T.PERSON, 4), paths=2, limits=_HUGE, max_hops=4
    ),
    "paths from the hub of all works to the other": shape(
        _Q.PATH, STUDIO, _S.TRUNCATED, end=DIRECTOR, paths=MAX_RESULTS, limits=_HUGE, max_hops=4
    ),
    "no way to one who is alone": shape(_Q.PATH, EPIC, _S.EMPTY, end=LONER, paths=0, limits=_HUGE, max_hops=4),
    "no way over edges that nothing has": shape(
        _Q.PATH, EPIC, _S.EMPTY, end=OTHER_EPIC, paths=0, max_hops=4, edge_types=("references", "referenced_by")
    ),
    "no way through a type that is not there": shape(
        _Q.PATH, EPIC, _S.EMPTY, end=OTHER_EPIC, paths=0, max_hops=2, filters={"entity_types": ["manga"]}
    ),
    "hub compared with hub": shape(_Q.COMPARE, EPIC, _S.TRUNCATED, end=OTHER_EPIC, limits=_HUGE),
    "hub compared with hub over every edge type": shape(
        _Q.COMPARE, STUDIO, _S.TRUNCATED, end=DIRECTOR, limits=_HUGE, edge_types=_EVERY
    ),
    "hub compared with one who is alone": shape(_Q.COMPARE, STUDIO, _S.OK, end=LONER, limits=_HUGE),
}  # fmt: skip


@pytest.mark.parametrize("name", SHAPES)
async def test_hostile_shapes_stay_within_caps_and_time(name: str, executor: PostgresGraphExecutor) -> None:
    case = SHAPES[name]
    intent = case.intent()
    began = time.perf_counter()
    result = await executor.execute(intent, timeout=5)
    assert time.perf_counter() - began < 2 * STATEMENT_SECONDS
    assert result.status is case.status
    assert case.paths is None or len(result.paths) == case.paths
    check_caps(intent, result)


def check_caps(intent: GraphIntent, result: GraphResult) -> None:
    """What holds of every result, whatever was asked."""
    assert len(result.paths) <= min(intent.limits.max_results, MAX_RESULTS)
    assert result.truncated is (result.status is StepStatus.TRUNCATED)
    assert {warning.code for warning in result.warnings} == (
        {WarningCode.GRAPH_TRUNCATED} if result.truncated else set()
    )
    found: dict[UUID, int] = {}
    for item in result.evidence:
        if isinstance(item, ComparisonEvidence):
            assert len(item.shared) <= MAX_RESULTS
            continue
        assert isinstance(item, PathEvidence)
        assert 1 <= sum(2 if step.rel in DERIVED_EDGES else 1 for step in item.path.steps) <= 4
        for step in item.path.steps:
            assert step.evidence_id.startswith("path:" if step.rel in DERIVED_EDGES else "edge:")
            assert (step.hub is not None) is (step.rel in DERIVED_EDGES)
        if intent.query_type is GraphQueryType.K_HOP:
            last = item.path.steps[-1]
            found[last.from_.id] = found.get(last.from_.id, 0) + 1
    assert max(found.values(), default=0) <= min(intent.limits.max_fanout_per_hop, MAX_FANOUT)


@pytest.mark.parametrize(
    ("kind", "start", "end"),
    [
        (GraphQueryType.NEIGHBORS, GHOST, None),
        (GraphQueryType.PATH, EPIC, GHOST),
        (GraphQueryType.PATH, EPIC, EPIC),
        (GraphQueryType.COMPARE, STUDIO, STUDIO),
    ],
    ids=["unknown start", "unknown end", "path to itself", "compared with itself"],
)
async def test_what_is_not_there_or_is_the_same_is_refused(
    executor: PostgresGraphExecutor, kind: GraphQueryType, start: EntityRef, end: EntityRef | None
) -> None:
    intent = GraphIntent(rationale="test", query_type=kind, start=start, end=end)
    with pytest.raises(IntentRefused):
        await executor.execute(intent, timeout=5)


def test_there_are_twenty_shapes_or_more() -> None:
    assert len(SHAPES) >= 20
    assert EdgeType.CO_APPEARS in _EVERY
