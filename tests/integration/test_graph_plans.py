"""The graph statements keep to their index, and the top of a hub doesn't cost the whole hub."""

import json
from collections.abc import AsyncGenerator, Iterator, Mapping
from itertools import count
from typing import Any

import asyncpg
import pytest
import sqlalchemy as sa
from datastore.edges import EDGES, STORED_EDGES, EdgeType
from datastore.identity import entity_id
from datastore.postgres.catalogue import edges, entities
from datastore.postgres.engine import ReadWriteEngine
from datastore.postgres.graph_meeting import ways_between
from datastore.postgres.graph_shortest import shortest_way
from datastore.postgres.graph_spread import counted_onward, onward, onward_from_one
from datastore.postgres.graph_statements import (
    NODES_BY_ID,
    NODES_BY_KEY,
    STEPS,
    EdgeConditions,
    Statement,
    edges_between,
    expansion,
    joining_edges,
    links_of_node,
)
from datastore.postgres.graph_values import ranked
from datastore.postgres.shared_links import OWN_FAR_ENDS, SHARED_CAST, SHARED_FAR_ENDS
from datastore.vocabulary import EntityType
from sqlalchemy.dialects import postgresql

HUB_EDGES = 3_000
OTHER_EDGES = 6_000

_NUMBERS = count()

type Plan = Mapping[str, Any]

ALL_RELS = [EDGES[edge].code for edge in ranked(STORED_EDGES)]
FEATURES = [EDGES[EdgeType.FEATURES].code]


@pytest.fixture
async def big_graph(read_write: ReadWriteEngine, database_url: str) -> AsyncGenerator[asyncpg.Connection]:
    """A connection to a graph with one hub, vacuumed and analysed."""
    async with read_write.begin(timeout=30) as conn:
        rows = [
            {
                "id": entity_id("plan", "character", str(n)),
                "entity_type": EntityType.CHARACTER,
                "name": f"Character {n}",
                "popularity": n / HUB_EDGES,
                "content_hash": "",
            }
            for n in range(HUB_EDGES + 1)
        ]
        inserted = await conn.execute(sa.insert(entities).returning(entities.c.node), rows)
        nodes = sorted(inserted.scalars())
        hub, others = nodes[0], nodes[1:]
        pairs = [(hub, node, "features") for node in others]
        pairs += [(node, hub, "appears_in") for node in others]
        pairs += [(others[n % 1_500], others[(n * 7 + 1) % 1_500], "voices") for n in range(OTHER_EDGES)]
        popularity = {node: n / HUB_EDGES for n, node in enumerate(nodes)}
        values = [
            {
                "src": a,
                "dst": b,
                "rel": EDGES[EdgeType(rel)].code,
                "origin": 2,
                "origin_id": n,
                "dst_popularity": popularity[b],
            }
            for n, (a, b, rel) in enumerate(pairs)
        ]
        await conn.execute(sa.insert(edges), values)
    connection = await asyncpg.connect(database_url)
    await connection.execute("VACUUM ANALYZE edges")
    await connection.execute("VACUUM ANALYZE entities")
    yield connection
    await connection.close()


async def explain(connection: asyncpg.Connection, statement: Statement, **parameters: object) -> Plan:
    """The plan that was run, with the rows that each node read."""
    compiled = statement.compile(dialect=postgresql.asyncpg.dialect())
    bound: dict[str, object] = {**compiled.params, **parameters}
    values = [bound[name] for name in compiled.positiontup or ()]
    text = await connection.fetchval(f"EXPLAIN (ANALYZE, FORMAT JSON) {compiled}", *values)
    plan: Plan = json.loads(text)[0]["Plan"]
    return plan


async def explain_prepared(connection: asyncpg.Connection, statement: Statement, **parameters: object) -> Plan:
    """The same of the plan that serves all parameters, as a pool of prepared statements runs it."""
    compiled = statement.compile(dialect=postgresql.asyncpg.dialect())
    bound: dict[str, object] = {**compiled.params, **parameters}
    literals = [_literal(bound[name]) for name in compiled.positiontup or ()]
    await connection.execute("SET plan_cache_mode = force_generic_plan")
    name = f"asked_{next(_NUMBERS)}"
    await connection.execute(f"PREPARE {name} AS {compiled}")
    text = await connection.fetchval(f"EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE {name} ({', '.join(literals)})")
    plan: Plan = json.loads(text)[0]["Plan"]
    return plan


def _literal(value: object) -> str:
    return f"'{{{', '.join(map(str, value))}}}'" if isinstance(value, list) else str(value)  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType] any list


def nodes_of(plan: Plan) -> Iterator[Plan]:
    """Every node of the plan."""
    yield plan
    for child in plan.get("Plans", ()):
        yield from nodes_of(child)


def scans(plan: Plan) -> Iterator[Plan]:
    """Every node of the plan that reads the table `edges`."""
    if plan.get("Relation Name") == "edges" or "Index Name" in plan:
        yield plan
    for child in plan.get("Plans", ()):
        yield from scans(child)


def rows_read(plan: Plan) -> float:
    """How many rows of `edges` the plan read."""
    return sum(
        (scan["Actual Rows"] + scan.get("Rows Removed by Filter", 0)) * scan["Actual Loops"] for scan in scans(plan)
    )


async def hub_of(connection: asyncpg.Connection) -> int:
    hub: int = await connection.fetchval("SELECT min(node) FROM entities")
    return hub


async def test_the_top_of_a_hub_reads_no_more_than_it_shows(big_graph: asyncpg.Connection) -> None:
    hub = await hub_of(big_graph)
    common: dict[str, object] = {"nodes": [hub], "rels": ALL_RELS, "row_limit": 11}
    for plan in (
        await explain(big_graph, expansion(EdgeConditions()), seen=[hub], **common),
        await explain(big_graph, links_of_node(EdgeConditions()).statement, row_offset=0, **common),
    ):
        of_edges = [scan for scan in scans(plan) if scan["Relation Name"] == "edges"]
        assert {(scan["Node Type"], scan["Index Name"]) for scan in of_edges} == {("Index Only Scan", "ix_edges_cover")}
        assert sum(scan["Actual Rows"] * scan["Actual Loops"] for scan in of_edges) <= 12


async def test_a_level_of_many_nodes_uses_the_index(big_graph: asyncpg.Connection) -> None:
    hub = await hub_of(big_graph)
    level = list(range(hub + 1, hub + 101))
    plan = await explain(
        big_graph, expansion(EdgeConditions()), nodes=level, rels=ALL_RELS, seen=[hub, *level], row_limit=51
    )
    assert {scan["Index Name"] for scan in scans(plan)} == {"ix_edges_cover"}
    assert rows_read(plan) < 1_500


async def test_joining_two_levels_and_reading_pairs_use_indexes(big_graph: asyncpg.Connection) -> None:
    hub = await hub_of(big_graph)
    left, right = list(range(hub + 1, hub + 51)), list(range(hub + 200, hub + 230))
    join = await explain(
        big_graph, joining_edges(qualified=False), nodes=left, other_nodes=right, rels=ALL_RELS, row_limit=1_001
    )
    pairs = await explain(big_graph, edges_between(qualified=False), nodes=[hub] * 30, other_nodes=right, rels=FEATURES)
    for plan in (join, pairs):
        assert all(scan["Node Type"] != "Seq Scan" for scan in scans(plan))
        assert rows_read(plan) < 1_000


async def test_a_shortest_path_is_looked_up_in_one_index(big_graph: asyncpg.Connection) -> None:
    hub = await hub_of(big_graph)
    # An end's neighbours are read; what they meet in is found in the index.
    most_rows = {(hub, hub + 7): 3_010, (hub, hub + 2_900): 3_010, (hub + 1, hub + 2_900): 20}
    for (start, end), most in most_rows.items():
        for every_edge in (True, False):
            masks = {} if every_edge else {"forth": (1 << 62) - 1, "back": (1 << 62) - 1}
            statement = shortest_way(max_hops=4, every_edge=every_edge).statement
            plan = await explain_prepared(big_graph, statement, start_node=start, end_node=end, **masks)
            assert plan["Actual Rows"] == 1
            lookups = [scan for scan in scans(plan) if "Index Name" in scan]
            assert {scan["Index Name"] for scan in lookups} == {"ix_edges_ends"}
            assert sum(scan["Actual Rows"] * scan["Actual Loops"] for scan in lookups) <= most
            assert all(scan["Node Type"] == "Index Only Scan" for scan in lookups if "src + 0" in scan["Index Cond"])
            assert sum("src + 0" in scan["Index Cond"] for scan in lookups) == 4


async def test_ways_are_looked_up_by_pairs_and_joined_without_loops(big_graph: asyncpg.Connection) -> None:
    hub = await hub_of(big_graph)
    for length, lookups in ((2, 1), (3, 1), (4, 2)):
        for every_edge in (True, False):
            masks = {} if every_edge else {"forth": (1 << 62) - 1, "back": (1 << 62) - 1}
            statement = ways_between(length=length, every_edge=every_edge).statement
            values = {"start_node": hub + 1, "end_node": hub + 1_700, "most": 40}
            plan = await explain_prepared(big_graph, statement, **values, **masks)
            of_pairs = [scan for scan in scans(plan) if "src + 0" in scan.get("Index Cond", "")]
            assert [scan["Index Name"] for scan in of_pairs] == ["ix_edges_ends"] * lookups
            assert not {node["Node Type"] for node in nodes_of(plan)} & {"Seq Scan", "Nested Loop"}


async def test_a_level_of_a_spread_reads_what_nodes_pass_on(big_graph: asyncpg.Connection) -> None:
    hub = await hub_of(big_graph)
    common: dict[str, object] = {"seen": [hub, hub + 1], "room": 20}
    nodes = {"nodes": [hub, hub + 5, hub + 9]}
    levels = {
        onward_from_one(every_edge=True): {"start_node": hub},
        onward_from_one(every_edge=False): {"start_node": hub, "forth": (1 << 62) - 1},
        onward(every_edge=True): nodes,
        onward(every_edge=False): nodes | {"forth": (1 << 62) - 1},
        counted_onward(every_edge=True): nodes | {"fanout": 19},
        counted_onward(every_edge=False): nodes | {"fanout": 19, "forth": (1 << 62) - 1},
    }
    for statement, values in levels.items():
        plan = await explain_prepared(big_graph, statement.statement, **common, **values)
        assert plan["Actual Rows"] == 20
        assert {scan["Index Name"] for scan in scans(plan)} == {"ix_edges_src_dst_popularity"}
        assert rows_read(plan) <= (60 if "nodes" in values else 21)
        assert "hashed SubPlan" in "".join(scan["Filter"] for scan in scans(plan))


async def test_each_step_of_a_chain_is_one_descent_even_at_a_hub(big_graph: asyncpg.Connection) -> None:
    hub = await hub_of(big_graph)
    others = list(range(hub + 1, hub + 31))
    plan = await explain_prepared(big_graph, STEPS, nodes=[hub] * 30, other_nodes=others, forth=(1 << 62) - 1)
    assert plan["Actual Rows"] == 30
    of_edges = [scan for scan in scans(plan) if scan["Relation Name"] == "edges"]
    assert {scan["Index Name"] for scan in of_edges} == {"ix_edges_src_dst_popularity"}
    assert sum(scan["Actual Rows"] * scan["Actual Loops"] for scan in of_edges) == 30
    assert all(scan.get("Rows Removed by Filter", 0) == 0 for scan in of_edges)


async def test_what_two_entities_share_is_read_through_indexes(big_graph: asyncpg.Connection) -> None:
    hub, other = sorted(
        await big_graph.fetch("SELECT id, node FROM entities ORDER BY node LIMIT 2"), key=lambda r: r[1]
    )
    values = {"left_id": f"'{hub['id']}'", "right_id": f"'{other['id']}'", "row_limit": 4}
    anything: dict[str, object] = {"types": [], "qualifiers": []}
    for statement, more in ((SHARED_FAR_ENDS, anything), (OWN_FAR_ENDS, {})):
        plan = await explain_prepared(big_graph, statement.statement, rels=ALL_RELS, **values, **more)
        of_edges = [scan for scan in scans(plan) if scan["Relation Name"] == "edges"]
        assert {scan["Node Type"] for scan in of_edges} <= {"Index Only Scan", "Index Scan"}
        assert sum(scan["Actual Rows"] * scan["Actual Loops"] for scan in of_edges) <= HUB_EDGES + 20
    plan = await explain_prepared(big_graph, SHARED_CAST.statement, **values, **anything)
    assert all(scan["Node Type"] != "Seq Scan" for scan in scans(plan))


async def test_nodes_are_looked_up_by_key_and_by_id(big_graph: asyncpg.Connection) -> None:
    hub = await hub_of(big_graph)
    entity = await big_graph.fetchval("SELECT id FROM entities WHERE node = $1", hub)
    for statement, values in ((NODES_BY_KEY, {"nodes": [hub] * 3}), (NODES_BY_ID, {"ids": [str(entity)]})):
        plan = await explain_prepared(big_graph, statement, **values)
        of_entities = [node for node in nodes_of(plan) if node.get("Relation Name") == "entities"]
        assert [node["Node Type"] for node in of_entities] == ["Index Scan"]
