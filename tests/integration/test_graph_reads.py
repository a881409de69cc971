"""Neighbours, k-hop and shortest chains of small catalogues: their order, hubs, caps, and links of many at once."""

from uuid import UUID

from datastore.edges import STORED_EDGES, EdgeType
from datastore.postgres.engine import ReadOnlyEngine, ReadWriteEngine
from datastore.postgres.graph_paths import paths_by_level, shortest_paths
from datastore.postgres.graph_reads import LocatedNode, k_hop, locate, neighbours, read_links
from datastore.postgres.graph_values import EdgeScope
from datastore.vocabulary import AppearanceRole, CharacterRelationKind, EntityType, StaffRole
from factories import CatalogueFactory
from sqlalchemy.ext.asyncio import AsyncConnection

UNCAPPED = 1_000


async def located(conn: AsyncConnection, entity: UUID) -> LocatedNode:
    return (await locate(conn, [entity]))[entity]


async def test_an_edge_with_two_mirrors_is_read_from_both_ends(
    read_write: ReadWriteEngine, read_only: ReadOnlyEngine
) -> None:
    async with read_write.begin() as conn:
        make = CatalogueFactory(conn, searchable=False)
        one, two, three = [await make.make_anime(name) for name in ("One", "Two", "Three")]
        await make.relates(two, EdgeType.SPIN_OFF, one)
        await make.relates(three, EdgeType.SPIN_OFF, two)
    for scope in (EdgeScope(), EdgeScope(edges=(EdgeType.PARENT_STORY,)), EdgeScope(edges=(EdgeType.SPIN_OFF,))):
        async with read_only.connect() as conn:
            nodes = await locate(conn, [one, three])
            up = await shortest_paths(conn, nodes[one], nodes[three], scope, max_hops=2, fanout=9, limit=9)
            down = await shortest_paths(conn, nodes[three], nodes[one], scope, max_hops=2, fanout=9, limit=9)
        found = [[[hop.edge for hop in chain] for chain in way.chains] for way in (up, down)]
        wanted = [[[EdgeType.PARENT_STORY] * 2], [[EdgeType.SPIN_OFF] * 2]]
        assert found == [want if not scope.edges or want[0][0] in scope.edges else [] for want in wanted]


async def test_derived_neighbours_name_each_hub(read_write: ReadWriteEngine, read_only: ReadOnlyEngine) -> None:
    async with read_write.begin() as conn:
        make = CatalogueFactory(conn, searchable=False)
        one, two, three = [await make.make_anime(name) for name in ("One", "Two", "Three")]
        bones, sunrise = await make.make_studio("Bones"), await make.make_studio("Sunrise")
        for studio, work in ((bones, one), (bones, two), (sunrise, one), (sunrise, two), (sunrise, three)):
            await make.produced(studio, work)
    async with read_only.connect() as conn:
        found = await neighbours(
            conn, await located(conn, one), EdgeScope(edges=(EdgeType.SAME_STUDIO,)), limit=50, fanout=50
        )
    assert {(hop.edge, hop.hub.id if hop.hub else None, hop.to.id) for hop in found.hops} == {
        (EdgeType.SAME_STUDIO, bones, two),
        (EdgeType.SAME_STUDIO, sunrise, two),
        (EdgeType.SAME_STUDIO, sunrise, three),
    }
    assert {hop.length for hop in found.hops} == {2}


async def test_the_specific_chain_comes_before_the_generic_one(
    read_write: ReadWriteEngine, read_only: ReadOnlyEngine
) -> None:
    async with read_write.begin() as conn:
        make = CatalogueFactory(conn, searchable=False)
        show = await make.make_anime("One Piece", popularity=1.0)
        zoro, luffy, usopp = [await make.make_character(name, popularity=0.1) for name in ("Zoro", "Luffy", "Usopp")]
        for character in (zoro, luffy, usopp):
            await make.appears(character, show, AppearanceRole.MAIN)
        await make.knows(zoro, CharacterRelationKind.CAPTAIN, luffy)
        await make.knows(luffy, CharacterRelationKind.FRIEND, usopp)
        await make.knows(luffy, CharacterRelationKind.TEAMMATE, usopp)
    async with read_only.connect() as conn:
        nodes = await locate(conn, [zoro, luffy, usopp])
        far = await shortest_paths(conn, nodes[zoro], nodes[usopp], EdgeScope(), max_hops=4, fanout=50, limit=50)
        near = await shortest_paths(conn, nodes[luffy], nodes[usopp], EdgeScope(), max_hops=4, fanout=50, limit=50)
        one = await shortest_paths(conn, nodes[zoro], nodes[usopp], EdgeScope(), max_hops=4, fanout=50, limit=1)
    assert [[hop.edge for hop in chain] for chain in far.chains] == [
        [EdgeType.CHARACTER_RELATION, EdgeType.CHARACTER_RELATION],
        [EdgeType.APPEARS_IN, EdgeType.FEATURES],
    ]
    assert [chain[0].links[0].qualifier for chain in near.chains] == ["friend", "teammate"]
    assert (one.chains, one.truncated) == (far.chains[:1], True)


async def test_ways_are_counted_once_however_many_edges_link_two_nodes(
    read_write: ReadWriteEngine, read_only: ReadOnlyEngine
) -> None:
    async with read_write.begin() as conn:
        make = CatalogueFactory(conn, searchable=False)
        shows = [await make.make_anime(f"Show {n}") for n in range(6)]
        roles = [await make.make_character(f"Role {n}") for n in range(4)]
        own = await make.make_character("A role of their own")
        first, second, third = [await make.make_person(name) for name in ("First", "Second", "Third")]
        cast = [(first, role) for role in roles] + [(second, role) for role in (*roles, own)] + [(third, own)]
        for person, role in cast:
            for show in shows:
                await make.voices(person, role, work=show)
    async with read_only.connect() as conn:
        nodes = await locate(conn, [first, second, own, third])
        for end, hops in ((second, 2), (own, 3), (third, 4)):
            for limit, cut in ((3, True), (4, False), (5, False)):
                found = await shortest_paths(
                    conn, nodes[first], nodes[end], EdgeScope(), max_hops=4, fanout=50, limit=limit
                )
                assert [len(chain) for chain in found.chains] == [hops] * min(limit, len(roles))
                assert found.truncated is cut


async def test_hubs_are_capped_and_say_so(read_write: ReadWriteEngine, read_only: ReadOnlyEngine) -> None:
    async with read_write.begin() as conn:
        make = CatalogueFactory(conn, searchable=False)
        hub = await make.make_anime("Hub")
        cast = [await make.make_character(f"Character {n}", popularity=n / 100) for n in range(60)]
        for character in cast:
            await make.appears(character, hub)
        studio = await make.make_studio("Studio", popularity=0.0)
        await make.produced(studio, hub)
    async with read_only.connect() as conn:
        place = await located(conn, hub)
        some = await neighbours(conn, place, EdgeScope(), limit=10, fanout=50)
        assert some.truncated
        assert [hop.to.name for hop in some.hops] == [*(f"Character {n}" for n in range(59, 50, -1)), "Studio"]
        every = await neighbours(conn, place, EdgeScope(), limit=61, fanout=50)
        assert (len(every.hops), every.truncated) == (61, False)
        narrow = await k_hop(conn, place, EdgeScope(), max_hops=1, fanout=5, limit=50)
        assert narrow.truncated
        assert [node.name for node in narrow.nodes] == [f"Character {n}" for n in range(59, 54, -1)]
        short = await k_hop(conn, place, EdgeScope(), max_hops=3, fanout=100, limit=20)
        assert (len(short.nodes), short.truncated) == (20, True)
        whole = await k_hop(conn, place, EdgeScope(), max_hops=3, fanout=100, limit=61)
        assert (len(whole.nodes), whole.truncated) == (61, False)
        typed = await k_hop(conn, place, EdgeScope(entity_types=(EntityType.STUDIO,)), max_hops=2, fanout=100, limit=5)
        assert ([node.name for node in typed.nodes], typed.truncated) == (["Studio"], False)


async def test_a_cap_never_hides_what_joins_the_two_ends(
    read_write: ReadWriteEngine, read_only: ReadOnlyEngine
) -> None:
    async with read_write.begin() as conn:
        make = CatalogueFactory(conn, searchable=False)
        first, second = await make.make_anime("First"), await make.make_anime("Second")
        for n in range(30):
            extra = await make.make_character(f"Extra {n}", popularity=0.9)
            await make.appears(extra, first)
        quiet = await make.make_character("Quiet", popularity=0.0)
        await make.appears(quiet, first)
        await make.appears(quiet, second)
        alone = await make.make_anime("Alone")
    async with read_only.connect() as conn:
        nodes = await locate(conn, [first, second, quiet, alone])
        direct = await shortest_paths(conn, nodes[first], nodes[quiet], EdgeScope(), max_hops=4, fanout=3, limit=5)
        across = await shortest_paths(conn, nodes[first], nodes[second], EdgeScope(), max_hops=4, fanout=3, limit=5)
        none = await shortest_paths(conn, nodes[first], nodes[alone], EdgeScope(), max_hops=4, fanout=50, limit=5)
    assert [[hop.to.name for hop in chain] for chain in direct.chains] == [["Quiet"]]
    assert [[hop.to.name for hop in chain] for chain in across.chains] == [["Quiet", "Second"]]
    assert (none.chains, none.truncated) == ((), False)


async def test_a_cap_at_one_end_is_gone_round_from_the_other(
    read_write: ReadWriteEngine, read_only: ReadOnlyEngine
) -> None:
    async with read_write.begin() as conn:
        make = CatalogueFactory(conn, searchable=False)
        studio = await make.make_studio("Studio")
        works = [await make.make_anime(f"Work {n}", popularity=n / 10) for n in range(6)]
        sequel = await make.make_anime("Sequel of the least known")
        for work in works:
            await make.produced(studio, work)
        await make.relates(works[0], EdgeType.SEQUEL, sequel)
    scope = EdgeScope(entity_types=(EntityType.ANIME,))
    async with read_only.connect() as conn:
        nodes = await locate(conn, [studio, sequel])
        for start, end in ((studio, sequel), (sequel, studio)):
            found = await shortest_paths(conn, nodes[start], nodes[end], scope, max_hops=3, fanout=3, limit=5)
            assert [[hop.to.id for hop in chain] for chain in found.chains] == [[works[0], end]]
            assert not found.truncated


async def test_nothing_found_under_a_cap_is_no_proof(read_write: ReadWriteEngine, read_only: ReadOnlyEngine) -> None:
    async with read_write.begin() as conn:
        make = CatalogueFactory(conn, searchable=False)
        left, right = await make.make_anime("Left"), await make.make_anime("Right")
        middle = await make.make_person("Middle", popularity=0.0)
        ends: list[UUID] = []
        for side in (left, right):
            for n in range(8):
                loud = await make.make_character(f"Loud {n} of {side}", popularity=0.9)
                await make.appears(loud, side)
            soft = await make.make_character(f"Soft of {side}", popularity=0.1)
            ends.append(soft)
            await make.appears(soft, side)
            await make.voices(middle, soft)
    async with read_only.connect() as conn:
        nodes = await locate(conn, [left, right])
        capped = await paths_by_level(conn, nodes[left], nodes[right], EdgeScope(), max_hops=4, fanout=4, limit=5)
        free = await shortest_paths(conn, nodes[left], nodes[right], EdgeScope(), max_hops=4, fanout=4, limit=5)
        whole = await shortest_paths(conn, nodes[left], nodes[right], EdgeScope(), max_hops=4, fanout=50, limit=5)
        near = await shortest_paths(conn, nodes[left], nodes[right], EdgeScope(), max_hops=3, fanout=50, limit=5)
    assert (capped.chains, capped.truncated) == ((), True)
    assert free == whole
    assert [[hop.to.id for hop in chain] for chain in whole.chains] == [[ends[0], middle, ends[1], right]]
    assert (near.chains, near.truncated) == ((), False)


async def test_links_of_many_entities_come_in_one_read(read_write: ReadWriteEngine, read_only: ReadOnlyEngine) -> None:
    old = UUID(int=7)
    async with read_write.begin() as conn:
        make = CatalogueFactory(conn, searchable=False)
        first, second, empty = [await make.make_anime(name) for name in ("First", "Second", "Empty")]
        people = [await make.make_person(f"Person {n}", popularity=n / 10) for n in range(5)]
        for n, person in enumerate(people):
            await make.worked(person, first, StaffRole.DIRECTOR if n % 2 else StaffRole.WRITER)
        await make.worked(people[0], second, StaffRole.COMPOSER)
        studio = await make.make_studio("Studio", popularity=0.2)
        await make.produced(studio, first)
        await make.redirect(old, second)
    async with read_only.connect() as conn:
        links = await read_links(conn, [first, old, empty], [EdgeType.HAS_STAFF], per_source=2)
        assert {k: [link.target_name for link in v] for k, v in links.items()} == {
            first: ["Person 4", "Person 3"],
            old: ["Person 0"],
            empty: [],
        }
        rest = await read_links(conn, [first], [EdgeType.HAS_STAFF], per_source=2, offset=2)
        assert [link.target_name for link in rest[first]] == ["Person 2", "Person 1"]
        directors = await read_links(conn, [first], [EdgeType.HAS_STAFF], per_source=9, qualifier="director")
        assert [(link.target_name, link.qualifier) for link in directors[first]] == [
            ("Person 3", "director"),
            ("Person 1", "director"),
        ]
        mixed = await read_links(conn, [first], sorted(STORED_EDGES), per_source=9, entity_types=[EntityType.STUDIO])
        assert [(link.edge, link.target_id, link.target_type) for link in mixed[first]] == [
            (EdgeType.PRODUCED_BY, studio, EntityType.STUDIO)
        ]
        assert await read_links(conn, [first], [EdgeType.SAME_STUDIO], per_source=9) == {first: ()}
