"""The rows that every prepared statement of the graph gives on one small catalogue, reviewed as rows."""

import random
from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import pytest
import sqlalchemy as sa
from datastore.edges import EDGES, STORED_EDGES
from datastore.postgres.catalogue import entities
from datastore.postgres.engine import PostgresOptions, ReadWriteEngine
from datastore.postgres.graph_masks import mask_of
from datastore.postgres.graph_meeting import ways_between
from datastore.postgres.graph_shortest import shortest_way
from datastore.postgres.graph_spread import counted_onward, onward, onward_from_one
from datastore.postgres.graph_statements import (
    NODES_BY_ID,
    NODES_BY_KEY,
    STEPS,
    EdgeConditions,
    edges_between,
    links_of_node,
)
from datastore.postgres.graph_values import ranked
from datastore.postgres.hot import HotPool, HotStatement
from datastore.postgres.shared_links import OWN_FAR_ENDS, SHARED_CAST, SHARED_FAR_ENDS
from fixtures.postgres import READER_ROLE
from graph_oracle import write_random_catalogue
from syrupy.assertion import SnapshotAssertion

RELS = [EDGES[edge].code for edge in ranked(STORED_EDGES)]
MASK = mask_of(STORED_EDGES)
WITH_AND_WITHOUT = [(name, f"{name}_restricted") for name in ("shortest_way", "ways_of_four_hops", "onward")]


@dataclass(frozen=True)
class Small:
    """A pool over a small catalogue, with its keys and ids in order."""

    pool: HotPool
    nodes: list[int]
    ids: list[UUID]


@pytest.fixture
async def small(read_write: ReadWriteEngine, database_url: str) -> AsyncGenerator[Small]:
    """Sixteen entities with some fifty links."""
    async with read_write.begin() as conn:
        await write_random_catalogue(conn, random.Random(5), size=16, links=90)
        rows = (await conn.execute(sa.select(entities.c.node, entities.c.id).order_by(entities.c.node))).all()
    pool = HotPool(PostgresOptions(dsn=database_url, pool_max_size=1, role=READER_ROLE))
    yield Small(pool, [row.node for row in rows], [row.id for row in rows])
    await pool.close()


def statements(small: Small) -> Mapping[str, tuple[HotStatement, dict[str, Any]]]:
    """Every statement with parameters that make it say something."""
    nodes, ids = small.nodes, small.ids
    near, far = ({"start_node": nodes[a], "end_node": nodes[b], "most": 5} for a, b in ((0, 1), (3, 7)))
    ends = {name: far[name] for name in ("start_node", "end_node")}
    masks = {"forth": MASK, "back": MASK}
    level = {"nodes": nodes[:3], "seen": nodes[:3], "room": 6}
    pair = {"left_id": ids[11], "right_id": ids[13], "row_limit": 3}
    anything: dict[str, object] = {"types": [], "qualifiers": []}
    return {
        "nodes_by_id": (HotStatement(NODES_BY_ID), {"ids": ids[:2]}),
        "nodes_by_key": (HotStatement(NODES_BY_KEY), {"nodes": nodes[3:5]}),
        "links_of_node": (
            links_of_node(EdgeConditions()),
            {"nodes": nodes[:1], "rels": RELS, "row_limit": 5, "row_offset": 0},
        ),
        "steps": (HotStatement(STEPS), {"nodes": nodes[:1] * len(nodes), "other_nodes": nodes, "forth": MASK}),
        "shortest_way": (shortest_way(max_hops=4, every_edge=True), ends),
        "shortest_way_restricted": (shortest_way(max_hops=4, every_edge=False), ends | masks),
        "ways_of_two_hops": (ways_between(length=2, every_edge=True), near),
        "ways_of_three_hops": (ways_between(length=3, every_edge=True), far),
        "ways_of_four_hops": (ways_between(length=4, every_edge=True), far),
        "ways_of_four_hops_restricted": (ways_between(length=4, every_edge=False), far | masks),
        "edges_between": (
            HotStatement(edges_between(qualified=False)),
            {"nodes": nodes[:1] * len(nodes), "other_nodes": nodes, "rels": RELS},
        ),
        "onward_from_one": (onward_from_one(every_edge=True), {"start_node": nodes[0], "seen": nodes[:1], "room": 3}),
        "onward": (onward(every_edge=True), level),
        "onward_restricted": (onward(every_edge=False), level | {"forth": MASK}),
        "counted_onward": (counted_onward(every_edge=True), level | {"fanout": 2}),
        "shared_far_ends": (SHARED_FAR_ENDS, pair | anything | {"rels": RELS}),
        "shared_cast": (SHARED_CAST, pair | anything),
        "own_far_ends": (OWN_FAR_ENDS, pair | {"rels": RELS}),
    }


async def test_rows_are_the_reviewed_ones(small: Small, snapshot: SnapshotAssertion) -> None:
    found: dict[str, list[str]] = {}
    for name, (statement, parameters) in statements(small).items():
        rows: list[Any] = list(await small.pool.fetch(statement, parameters))
        texts = [", ".join(f"{column}={value}" for column, value in row.items()) for row in rows]
        found[name] = texts
    assert all(found.values())
    assert found == snapshot


async def test_the_graph_without_restrictions_is_read_alike(small: Small) -> None:
    asked = statements(small)
    for whole, restricted in WITH_AND_WITHOUT:
        rows = [await small.pool.fetch(*asked[name]) for name in (whole, restricted)]
        assert rows[0] == rows[1]
