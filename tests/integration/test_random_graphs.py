"""Neighbours, k-hop and shortest chains of random catalogues against a plain search over the same edges."""

import random
from collections.abc import Generator
from itertools import pairwise
from uuid import UUID

import pytest
from datastore.edges import DERIVED_EDGES, EdgeType
from datastore.postgres.engine import ReadOnlyEngine, ReadWriteEngine
from datastore.postgres.graph_facts import read_truth_rows
from datastore.postgres.graph_paths import paths_by_level, shortest_paths
from datastore.postgres.graph_reads import LocatedNode, Reach, k_hop, k_hop_by_level, locate, neighbours
from datastore.postgres.graph_values import EDGE_RANKS, Chain, EdgeScope
from datastore.vocabulary import EntityType
from fixtures.postgres import Template, TestServer
from graph_oracle import Graph, Stop, read_graph, write_random_catalogue
from sqlalchemy.ext.asyncio import AsyncConnection

UNCAPPED = 1_000

SCOPES = [
    EdgeScope(),
    EdgeScope(edges=(EdgeType.SPIN_OFF, EdgeType.SEQUEL, EdgeType.FEATURES, EdgeType.APPEARS_IN)),
    EdgeScope(edges=(EdgeType.PARENT_STORY, EdgeType.FEATURES, EdgeType.VOICED_BY, EdgeType.VOICES)),
    EdgeScope(edges=(EdgeType.SAME_STUDIO, EdgeType.SHARED_STAFF, EdgeType.FEATURES, EdgeType.APPEARS_IN)),
    EdgeScope(edges=(*DERIVED_EDGES, EdgeType.CHARACTER_RELATION, EdgeType.FEATURES, EdgeType.APPEARS_IN)),
    EdgeScope(edges=(EdgeType.SHARES_FRANCHISE, EdgeType.HAS_STAFF, EdgeType.STAFF_OF)),
    EdgeScope(edges=(EdgeType.CHARACTER_RELATION,), qualifiers=("friend", "mentor", "student", "family")),
    EdgeScope(first_year=2000, last_year=2015),
    EdgeScope(entity_types=(EntityType.ANIME, EntityType.CHARACTER)),
]


def stops_of(chain: Chain) -> tuple[Stop, ...]:
    """The entities and hubs of a chain."""
    stops: list[Stop] = [(chain[0].from_.id, None)]
    for hop in chain:
        assert hop.from_.id == stops[-1][0]
        if hop.hub is not None:
            stops.append((hop.hub.id, hop.edge))
        stops.append((hop.to.id, None))
    return tuple(stops)


def allowed_by(graph: Graph, scope: EdgeScope, *, types: bool) -> set[UUID] | None:
    """The entities that the scope lets a chain pass through."""
    works = (EntityType.ANIME, EntityType.MANGA)
    allowed = set(graph.types)
    if scope.first_year is not None and scope.last_year is not None:
        years = range(scope.first_year, scope.last_year + 1)
        allowed = {e for e in allowed if graph.types[e] not in works or graph.years[e] in years}
    if types and scope.entity_types:
        allowed = {e for e in allowed if graph.types[e] in scope.entity_types}
    return allowed


type Drawn = tuple[Graph, random.Random]


@pytest.fixture(scope="module", params=range(4))
def template(request: pytest.FixtureRequest, postgres_server: TestServer) -> Generator[Template[Drawn]]:
    """Random catalogues, written once each."""
    seed: int = request.param

    async def write(read_write: ReadWriteEngine) -> Drawn:
        rng = random.Random(seed)
        async with read_write.begin() as conn:
            await write_random_catalogue(conn, rng, size=50 + 20 * seed, links=110 + 20 * seed)
            return await read_graph(conn), rng

    yield from postgres_server.kept(write)


@pytest.fixture
def random_graph(template: Template[Drawn]) -> Drawn:
    """The random catalogue of the test's database, and chance that begins in each test where its writing ended."""
    return template.copied()


async def located(conn: AsyncConnection, entity: UUID) -> LocatedNode:
    return (await locate(conn, [entity]))[entity]


async def test_k_hop_reaches_what_a_plain_search_reaches(random_graph: Drawn, read_only: ReadOnlyEngine) -> None:
    graph, rng = random_graph
    async with read_only.connect(timeout=30) as conn:
        for scope in SCOPES:
            for start in rng.sample(sorted(graph.types), 5):
                place = await located(conn, start)
                for hops in (1, 3):
                    reach = await k_hop(conn, place, scope, max_hops=hops, fanout=UNCAPPED, limit=UNCAPPED)
                    check_reach(graph, reach, start, scope, hops)


def check_reach(graph: Graph, reach: Reach, start: UUID, scope: EdgeScope, hops: int) -> None:
    """Hold a k-hop read to the plain search."""
    distances = graph.distances(start, scope, hops, allowed_by(graph, scope, types=False))
    expected = {
        entity: distance
        for (entity, half), distance in distances.items()
        if half is None and entity != start and (not scope.entity_types or graph.types[entity] in scope.entity_types)
    }
    found = {n.id: sum(h.length for h in c) for n, c in zip(reach.nodes, reach.chains, strict=True)}
    assert found == expected
    assert list(found.values()) == sorted(found.values())
    assert not reach.truncated
    for node, chain in zip(reach.nodes, reach.chains, strict=True):
        stops = stops_of(chain)
        assert (stops[0][0], stops[-1][0]) == (start, node.id)
        assert all(there in graph.steps(here, scope) for here, there in pairwise(stops))


async def test_paths_are_all_the_shortest_chains_of_a_plain_search(
    random_graph: Drawn, read_only: ReadOnlyEngine
) -> None:
    graph, rng = random_graph
    lengths: set[int] = set()
    async with read_only.connect(timeout=30) as conn:
        for scope in SCOPES:
            allowed = allowed_by(graph, scope, types=True)
            for n in range(12):
                start, end = rng.sample(sorted(graph.types), 2)
                if n == 0:
                    start, end = rng.choice([(a, edge.to) for a, edges in graph.edges.items() for edge in edges])
                nodes = await locate(conn, [start, end])
                found = await shortest_paths(
                    conn, nodes[start], nodes[end], scope, max_hops=4, fanout=UNCAPPED, limit=UNCAPPED
                )
                expected = graph.shortest(start, end, scope, 4, allowed)
                assert {stops_of(chain) for chain in found.chains} == expected
                assert not found.truncated
                lengths |= {len(stops) - 1 for stops in expected}
    assert lengths == {1, 2, 3, 4}


async def test_one_statement_finds_what_the_search_by_level_finds(
    random_graph: Drawn, read_only: ReadOnlyEngine
) -> None:
    graph, rng = random_graph
    scopes = [EdgeScope(), EdgeScope(edges=(EdgeType.FEATURES, EdgeType.APPEARS_IN, EdgeType.VOICES))]
    async with read_only.connect(timeout=30) as conn:
        for scope in scopes:
            for _ in range(25):
                start, end = rng.sample(sorted(graph.types), 2)
                nodes = await locate(conn, [start, end])
                ends, most = (nodes[start], nodes[end]), rng.choice([1, 2, 3, 4])
                at_once = await shortest_paths(conn, *ends, scope, max_hops=most, fanout=UNCAPPED, limit=UNCAPPED)
                by_level = await paths_by_level(conn, *ends, scope, max_hops=most, fanout=UNCAPPED, limit=UNCAPPED)
                assert set(at_once.chains) == set(by_level.chains)
                assert not at_once.truncated
                ranks = [sum(EDGE_RANKS[hop.edge] for hop in chain) for chain in at_once.chains]
                assert ranks == sorted(ranks) == [sum(EDGE_RANKS[h.edge] for h in chain) for chain in by_level.chains]


async def test_one_statement_reaches_what_the_spread_by_level_reaches(
    random_graph: Drawn, read_only: ReadOnlyEngine
) -> None:
    graph, rng = random_graph
    scopes = [EdgeScope(), EdgeScope(edges=(EdgeType.FEATURES, EdgeType.APPEARS_IN, EdgeType.VOICES))]
    cuts: set[bool] = set()
    async with read_only.connect(timeout=30) as conn:
        for scope in scopes:
            for _ in range(20):
                place = await located(conn, rng.choice(sorted(graph.types)))
                hops, fanout, limit = rng.choice([1, 2, 3, 4]), rng.choice([2, 5, 50]), rng.choice([1, 7, 200])
                at_once = await k_hop(conn, place, scope, max_hops=hops, fanout=fanout, limit=limit)
                by_level = await k_hop_by_level(conn, place, scope, max_hops=hops, fanout=fanout, limit=limit)
                assert at_once == by_level
                cuts.add(at_once.truncated)
    assert cuts == {False, True}


async def test_neighbours_are_the_edges_of_the_entity(random_graph: Drawn, read_only: ReadOnlyEngine) -> None:
    graph, rng = random_graph
    async with read_only.connect(timeout=30) as conn:
        for start in rng.sample(sorted(graph.types), 12):
            place = await located(conn, start)
            found = await neighbours(conn, place, EdgeScope(), limit=UNCAPPED, fanout=UNCAPPED)
            assert sorted((h.edge, h.to.id, h.links[0].qualifier) for h in found.hops) == sorted(
                (e.rel, e.to, e.qualifier) for e in graph.edges.get(start, [])
            )
            popularity = [hop.to.popularity for hop in found.hops]
            assert popularity == sorted(popularity, reverse=True)
            truths = await read_truth_rows(conn, [(link.table, link.row_id) for h in found.hops for link in h.links])
            for hop in found.hops:
                link = hop.links[0]
                truth = truths[(link.table, link.row_id)]
                assert truth.says(start, link.edge, link.to.id, link.qualifier)
                assert not truth.says(start, EdgeType.MENTIONS, link.to.id, link.qualifier)
