"""What every VectorStore must do, held against each implementation.

The client's in-memory engine keeps no payload indexes and nothing over a restart; it stands in for the server where
there is none, and only for the client's side of the work. `ENISHI_QDRANT_URL` names a server to run against.
"""

import asyncio
import os
from collections.abc import AsyncGenerator, Mapping, Sequence
from math import inf, nan
from pathlib import Path
from uuid import UUID, uuid4

import pytest
from datastore.errors import CollectionMissing, VectorStoreRefused, VectorStoreUnavailable
from datastore.vectors.edge import EdgeVectorStore
from datastore.vectors.filters import AllOf, AnyOf, AnyValue, EveryValue, NoValue, PayloadFilter, Within, matches
from datastore.vectors.owned import OwnedVectorStore
from datastore.vectors.owner import VectorStoreOwner
from datastore.vectors.protocol import (
    Boost,
    CollectionSpec,
    DensePrefetch,
    DenseVector,
    FieldKind,
    PayloadIndex,
    PayloadValue,
    Point,
    PointStamp,
    Query,
    SparsePrefetch,
    SparseValues,
    Tombstone,
    VectorStore,
)
from datastore.vectors.query_plan import with_quotas
from datastore.vectors.server import QdrantVectorStore, open_qdrant_store
from msgspec.structs import replace
from qdrant_client import AsyncQdrantClient

SECONDS = 10.0

INDEXES = (
    PayloadIndex("genres", FieldKind.KEYWORD),
    PayloadIndex("season", FieldKind.KEYWORD),
    PayloadIndex("year", FieldKind.INTEGER),
    PayloadIndex("score", FieldKind.FLOAT),
    PayloadIndex("anime_id", FieldKind.UUID),
)


@pytest.fixture(params=["edge", "owner", "memory", "server"])
async def store(
    request: pytest.FixtureRequest, edge_store: EdgeVectorStore, owned_store: OwnedVectorStore
) -> AsyncGenerator[VectorStore]:
    match request.param:
        case "edge":
            yield edge_store
        case "owner":
            yield owned_store
        case "memory":
            memory = QdrantVectorStore(AsyncQdrantClient(":memory:"), keeps_indexes=False)
            yield memory
            await memory.close()
        case _:
            url = os.environ.get("ENISHI_QDRANT_URL")
            if not url:
                pytest.skip("[docker] ENISHI_QDRANT_URL names no Qdrant server")
            server = open_qdrant_store(url, api_key=os.environ.get("ENISHI_QDRANT_API_KEY"))
            yield server
            await server.close()


def spec_of(name: str, *, dimensions: int = 4, model: str = "") -> CollectionSpec:
    return CollectionSpec(name, (DenseVector("text", dimensions),), ("lexical",), INDEXES, model)


@pytest.fixture
async def collection(store: VectorStore) -> AsyncGenerator[str]:
    name = f"test_{uuid4().hex[:12]}"
    await store.ensure_collection(spec_of(name), timeout=SECONDS)
    yield name
    if name not in (await store.aliases(timeout=SECONDS)).values():
        await store.drop_collection(name, timeout=SECONDS)


def number(value: int) -> UUID:
    return UUID(int=value)


def point(
    value: int,
    *,
    version: int = 1,
    sequence: int = 0,
    payload: Mapping[str, PayloadValue] | None = None,
    text: Sequence[float] = (1.0, 0.0, 0.0, 0.0),
    lexical: tuple[int, ...] = (7,),
) -> Point:
    sparse = SparseValues(lexical, tuple(1.0 for _ in lexical))
    return Point(
        number(value), version, f"hash-{version}", payload or {}, {"text": list(text)}, {"lexical": sparse}, sequence
    )


def dense(text: Sequence[float], *, limit: int = 10, min_score: float | None = None) -> DensePrefetch:
    return DensePrefetch("text", list(text), limit, min_score)


def lexical(*terms: int, limit: int = 10) -> SparsePrefetch:
    return SparsePrefetch("lexical", SparseValues(terms, tuple(1.0 for _ in terms)), limit)


async def found(store: VectorStore, collection: str, query: Query) -> list[int]:
    return [each.point.id.int for each in await store.query(collection, query, timeout=SECONDS)]


async def matching(store: VectorStore, collection: str, condition: PayloadFilter) -> set[int]:
    query = Query((dense((1, 0, 0, 0), limit=50),), 50, condition)
    matched = set(await found(store, collection, query))
    assert await store.count(collection, filter=condition, timeout=SECONDS) == len(matched)
    return matched


# --- points ----------------------------------------------------------------------------------------------------


async def test_points_come_back_in_the_order_asked_with_their_payload(store: VectorStore, collection: str) -> None:
    payload: dict[str, PayloadValue] = {"genres": ("Drama", "Comedy"), "year": 1999, "score": 82.5, "name": "縁"}
    await store.upsert(collection, [point(1), point(2, version=3, payload=payload)], timeout=SECONDS)
    read = await store.retrieve(collection, [number(2), number(9), number(1)], timeout=SECONDS)
    assert [each.id.int for each in read] == [2, 1]
    assert (read[0].version, read[0].content_hash, dict(read[0].payload)) == (3, "hash-3", payload)


async def test_vectors_come_back_when_asked_for(store: VectorStore, collection: str) -> None:
    await store.upsert(collection, [point(1, text=(0, 2, 0, 0))], timeout=SECONDS)
    without, with_text = [
        (await store.retrieve(collection, [number(1)], with_vectors=names, timeout=SECONDS))[0]
        for names in ((), ("text",))
    ]
    assert without.dense == {}
    assert list(with_text.dense["text"]) == pytest.approx([0, 1, 0, 0])


async def test_an_older_version_never_replaces_a_newer(store: VectorStore, collection: str) -> None:
    await store.upsert(collection, [point(1, version=5), point(2, version=1)], timeout=SECONDS)
    await store.upsert(collection, [point(1, version=4), point(2, version=2), point(3, version=1)], timeout=SECONDS)
    read = await store.retrieve(collection, [number(1), number(2), number(3)], timeout=SECONDS)
    assert [(each.id.int, each.version) for each in read] == [(1, 5), (2, 2), (3, 1)]


async def test_the_same_version_replaces_itself(store: VectorStore, collection: str) -> None:
    await store.upsert(collection, [point(1, payload={"name": "damaged"})], timeout=SECONDS)
    await store.upsert(collection, [point(1, payload={"name": "right"})], timeout=SECONDS)
    read = await store.retrieve(collection, [number(1)], timeout=SECONDS)
    assert read[0].payload == {"name": "right"}


async def test_the_newest_of_one_batch_wins(store: VectorStore, collection: str) -> None:
    await store.upsert(collection, [point(1, version=2), point(1, version=3), point(1, version=1)], timeout=SECONDS)
    assert [each.version for each in await store.retrieve(collection, [number(1)], timeout=SECONDS)] == [3]


async def test_the_sequence_orders_before_the_version(store: VectorStore, collection: str) -> None:
    await store.upsert(collection, [point(1, version=9, sequence=10)], timeout=SECONDS)
    await store.upsert(collection, [point(1, version=12, sequence=9)], timeout=SECONDS)
    assert (await store.retrieve(collection, [number(1)], timeout=SECONDS))[0].version == 9
    await store.upsert(collection, [point(1, version=1, sequence=11)], timeout=SECONDS)
    assert (await store.retrieve(collection, [number(1)], timeout=SECONDS))[0].version == 1


async def test_a_deleted_point_is_in_no_answer(store: VectorStore, collection: str) -> None:
    await store.upsert(collection, [point(1), point(2)], timeout=SECONDS)
    await store.delete(collection, [Tombstone(number(1), 2), Tombstone(number(5), 1)], timeout=SECONDS)
    assert [p.id.int for p in await store.retrieve(collection, [number(1), number(2)], timeout=SECONDS)] == [2]
    assert await store.count(collection, timeout=SECONDS) == 1
    assert (await store.describe(collection, timeout=SECONDS)).points == 1
    assert await found(store, collection, Query((dense((1, 0, 0, 0)), lexical(7)), 10)) == [2]
    page = await store.scroll(collection, start=None, limit=10, timeout=SECONDS)
    assert [stamp.id.int for stamp in page.stamps] == [2]


async def test_a_late_write_does_not_bring_a_deleted_point_back(store: VectorStore, collection: str) -> None:
    await store.delete(collection, [Tombstone(number(1), 3, 30)], timeout=SECONDS)
    await store.upsert(collection, [point(1, version=2, sequence=29)], timeout=SECONDS)
    assert await store.retrieve(collection, [number(1)], timeout=SECONDS) == []
    await store.upsert(collection, [point(1, version=1, sequence=31)], timeout=SECONDS)
    assert [each.version for each in await store.retrieve(collection, [number(1)], timeout=SECONDS)] == [1]


async def test_a_late_delete_does_not_remove_a_newer_point(store: VectorStore, collection: str) -> None:
    await store.upsert(collection, [point(1, version=3)], timeout=SECONDS)
    await store.delete(collection, [Tombstone(number(1), 2)], timeout=SECONDS)
    assert await store.count(collection, timeout=SECONDS) == 1


async def test_empty_batches_do_nothing(store: VectorStore, collection: str) -> None:
    await store.upsert(collection, [], timeout=SECONDS)
    await store.delete(collection, [], timeout=SECONDS)
    assert await store.retrieve(collection, [], timeout=SECONDS) == []
    assert await store.count(collection, timeout=SECONDS) == 0


async def test_pages_of_stamps_are_in_order_of_id_and_complete(store: VectorStore, collection: str) -> None:
    high = UUID("ffffffff-0000-4000-8000-000000000001").int
    ids = [3, 1, high, 2, 1 << 64]
    await store.upsert(collection, [point(each, version=each % 5 + 1) for each in ids], timeout=SECONDS)
    first = await store.scroll(collection, start=None, limit=3, timeout=SECONDS)
    assert first.next_id is not None
    second = await store.scroll(collection, start=first.next_id, limit=3, timeout=SECONDS)
    assert second.next_id is None
    stamps = first.stamps + second.stamps
    assert stamps == tuple(PointStamp(number(i), i % 5 + 1, f"hash-{i % 5 + 1}") for i in sorted(ids))


async def test_pages_of_stamps_may_be_of_what_matches_alone(store: VectorStore, collection: str) -> None:
    await store.upsert(
        collection, [point(each, payload={"year": 1990 + each}) for each in range(1, 6)], timeout=SECONDS
    )
    await store.delete(collection, [Tombstone(number(3), 9, 90)], timeout=SECONDS)
    late = Within("year", at_least=1992)
    first = await store.scroll(collection, start=None, limit=2, timeout=SECONDS, filter=late)
    assert [stamp.id.int for stamp in first.stamps] == [2, 4]
    second = await store.scroll(collection, start=first.next_id, limit=2, timeout=SECONDS, filter=late)
    assert ([stamp.id.int for stamp in second.stamps], second.next_id) == ([5], None)
    nothing = await store.scroll(collection, start=None, limit=2, timeout=SECONDS, filter=AnyValue("year", ()))
    assert (nothing.stamps, nothing.next_id) == ((), None)


# --- search ----------------------------------------------------------------------------------------------------


async def test_one_prefetch_keeps_its_own_scores_and_floor(store: VectorStore, collection: str) -> None:
    await store.upsert(
        collection,
        [point(1, text=(1, 0, 0, 0)), point(2, text=(0.8, 0.6, 0, 0)), point(3, text=(0, 1, 0, 0))],
        timeout=SECONDS,
    )
    scored = await store.query(collection, Query((dense((1, 0, 0, 0), min_score=0.5),), 10), timeout=SECONDS)
    assert [(each.point.id.int, round(each.score, 3)) for each in scored] == [(1, 1.0), (2, 0.8)]


async def test_rare_terms_weigh_more_than_common_ones(store: VectorStore, collection: str) -> None:
    common = [point(each, lexical=(1,)) for each in range(10, 30)]
    await store.upsert(collection, [*common, point(1, lexical=(1, 2)), point(2, lexical=(2,))], timeout=SECONDS)
    assert await found(store, collection, Query((lexical(2, limit=5),), 5)) in ([1, 2], [2, 1])
    assert (await found(store, collection, Query((lexical(1, 2, limit=5),), 5)))[:2] == [1, 2]


async def test_several_prefetches_are_fused_by_rank(store: VectorStore, collection: str) -> None:
    await store.upsert(
        collection,
        [
            point(1, text=(1, 0, 0, 0), lexical=(5,)),
            point(2, text=(0.9, 0.1, 0, 0), lexical=(7, 8)),
            point(3, text=(0.8, 0.6, 0, 0), lexical=(7,)),
        ],
        timeout=SECONDS,
    )
    scored = await store.query(collection, Query((dense((1, 0, 0, 0)), lexical(7, 8)), 2), timeout=SECONDS)
    assert [each.point.id.int for each in scored] == [2, 3]
    assert scored[0].score > scored[1].score > 0


async def test_the_asked_vectors_come_with_matches(store: VectorStore, collection: str) -> None:
    await store.upsert(collection, [point(1, text=(0, 1, 0, 0))], timeout=SECONDS)
    query = Query((dense((0, 1, 0, 0)), lexical(7)), 5, with_vectors=("text",))
    scored = await store.query(collection, query, timeout=SECONDS)
    assert list(scored[0].point.dense["text"]) == pytest.approx([0, 1, 0, 0])
    assert scored[0].point.sparse == {}
    both = Query((dense((0, 1, 0, 0)),), 5, with_vectors=("text", "lexical"))
    (match,) = await store.query(collection, both, timeout=SECONDS)
    assert match.point.sparse == {"lexical": SparseValues((7,), (1.0,))}


async def test_only_the_asked_payload_fields_come_with_matches(store: VectorStore, collection: str) -> None:
    payload: dict[str, PayloadValue] = {"name": "one", "year": 1999, "genres": ("drama",)}
    await store.upsert(collection, [point(1, version=3, payload=payload)], timeout=SECONDS)
    some = Query((dense((1, 0, 0, 0)), lexical(7)), 5, with_payload=("year", "genres", "season"))
    for query, wanted in ((some, {"year": 1999, "genres": ("drama",)}), (Query((dense((1, 0, 0, 0)),), 5), {})):
        (match,) = await store.query(collection, query, timeout=SECONDS)
        assert match.point.payload == wanted
        assert (match.point.version, match.point.content_hash) == (3, "hash-3")


async def test_a_query_that_can_find_nothing_returns_nothing(store: VectorStore, collection: str) -> None:
    await store.upsert(collection, [point(1)], timeout=SECONDS)
    assert await found(store, collection, Query((), 5)) == []
    assert await found(store, collection, Query((dense((1, 0, 0, 0)),), 0)) == []
    assert await found(store, collection, Query((dense((1, 0, 0, 0), min_score=1.1),), 5)) == []


# --- filters ---------------------------------------------------------------------------------------------------


@pytest.fixture
async def works(store: VectorStore, collection: str) -> str:
    payloads: dict[int, dict[str, PayloadValue]] = {
        1: {"genres": ("Drama",), "season": "spring", "year": 1999, "score": 80.0, "anime_id": (str(number(70)),)},
        2: {"genres": ("Drama", "Comedy"), "season": "fall", "year": 2009, "score": 60.5},
        3: {"genres": ("Comedy",), "year": 2019, "score": 90.0},
        4: {},
    }
    await store.upsert(collection, [point(key, payload=value) for key, value in payloads.items()], timeout=SECONDS)
    return collection


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        (AnyValue("genres", ("Drama", "Comedy")), {1, 2, 3}),
        (AnyValue("genres", ()), set[int]()),
        (AnyValue("year", (1999, 2019)), {1, 3}),
        (AnyValue("anime_id", (str(number(70)),)), {1}),
        (AnyValue("genres", ("drama",)), set[int]()),
        (AnyValue("studio", ("Gainax",)), set[int]()),
        (EveryValue("genres", ("Drama", "Comedy")), {2}),
        (EveryValue("genres", ()), {1, 2, 3, 4}),
        (NoValue("genres", ("Drama",)), {3}),
        (NoValue("genres", ()), {1, 2, 3}),
        (NoValue("season", ("winter",)), {1, 2}),
        (NoValue("studio", ("Gainax",)), set[int]()),
        (Within("year", 1999, 2009), {1, 2}),
        (Within("score", at_least=80), {1, 3}),
        (Within("year", at_most=2008), {1}),
        (Within("year", 2010, 2000), set[int]()),
        (AllOf(()), {1, 2, 3, 4}),
        (AnyOf(()), set[int]()),
        (AllOf((AnyValue("genres", ("Comedy",)), Within("year", at_least=2010))), {3}),
        (AllOf((AnyValue("genres", ("Comedy",)), AnyOf(()))), set[int]()),
        (AnyOf((AnyValue("season", ("fall",)), AllOf((NoValue("genres", ("Comedy",)),)))), {1, 2}),
        (AnyOf((AnyValue("genres", ()), AnyValue("season", ("fall",)))), {2}),
    ],
)
async def test_filters(store: VectorStore, works: str, condition: PayloadFilter, expected: set[int]) -> None:
    assert await matching(store, works, condition) == expected
    read = await store.retrieve(works, [number(each) for each in range(1, 5)], timeout=SECONDS)
    assert {each.id.int for each in read if matches(condition, each.payload)} == expected


async def test_filters_hold_for_every_prefetch(store: VectorStore, works: str) -> None:
    condition = AnyValue("season", ("fall",))
    assert await found(store, works, Query((dense((1, 0, 0, 0)), lexical(7)), 10, condition)) == [2]


# --- collections and aliases -----------------------------------------------------------------------------------


async def test_ensuring_twice_changes_nothing(store: VectorStore, collection: str) -> None:
    await store.upsert(collection, [point(1)], timeout=SECONDS)
    await store.ensure_collection(spec_of(collection), timeout=SECONDS)
    assert await store.count(collection, timeout=SECONDS) == 1
    assert collection in await store.collections(timeout=SECONDS)


async def test_other_vectors_under_the_same_name_are_refused(store: VectorStore, collection: str) -> None:
    with pytest.raises(VectorStoreRefused, match="exists with other vectors"):
        await store.ensure_collection(spec_of(collection, dimensions=5), timeout=SECONDS)


async def test_a_description_says_what_is_there(store: VectorStore, collection: str) -> None:
    info = await store.describe(collection, timeout=SECONDS)
    assert (info.name, info.dense, info.sparse, info.points) == (
        collection,
        (DenseVector("text", 4),),
        ("lexical",),
        0,
    )
    expected = {*(index.field for index in INDEXES), "deleted"}
    assert info.indexed_fields is None or set(info.indexed_fields) == expected


async def test_missing_indexes_are_added_later(store: VectorStore, collection: str) -> None:
    spec = spec_of(collection)
    wider = CollectionSpec(
        spec.name, spec.dense, spec.sparse, (*spec.indexes, PayloadIndex("status", FieldKind.KEYWORD))
    )
    await store.ensure_collection(wider, timeout=SECONDS)
    info = await store.describe(collection, timeout=SECONDS)
    assert info.indexed_fields is None or "status" in info.indexed_fields


async def test_an_alias_stands_for_its_collection_until_it_is_switched(store: VectorStore, collection: str) -> None:
    other, alias = f"{collection}_2", f"{collection}_alias"
    await store.ensure_collection(spec_of(other), timeout=SECONDS)
    await store.switch_alias(alias, collection, timeout=SECONDS)
    await store.upsert(alias, [point(1)], timeout=SECONDS)
    await store.upsert(other, [point(2)], timeout=SECONDS)
    assert await found(store, alias, Query((dense((1, 0, 0, 0)),), 5)) == [1]
    assert (await store.describe(alias, timeout=SECONDS)).name == collection

    await store.switch_alias(alias, other, timeout=SECONDS)
    assert (await store.aliases(timeout=SECONDS))[alias] == other
    assert await found(store, alias, Query((dense((1, 0, 0, 0)),), 5)) == [2]
    with pytest.raises(VectorStoreRefused, match="in use by an alias"):
        await store.drop_collection(other, timeout=SECONDS)
    await store.drop_collection(collection, timeout=SECONDS)
    assert collection not in await store.collections(timeout=SECONDS)


async def test_no_search_fails_while_an_alias_is_switched(store: VectorStore, collection: str) -> None:
    other, alias = f"{collection}_2", f"{collection}_alias"
    await store.ensure_collection(spec_of(other), timeout=SECONDS)
    for name in (collection, other):
        await store.upsert(name, [point(1)], timeout=SECONDS)
    await store.switch_alias(alias, collection, timeout=SECONDS)
    searches = 0

    async def search(until: asyncio.Event) -> None:
        nonlocal searches
        while not until.is_set():
            assert await found(store, alias, Query((dense((1, 0, 0, 0)),), 5)) == [1]
            searches += 1
            await asyncio.sleep(0)

    over = asyncio.Event()
    async with asyncio.TaskGroup() as group:
        group.create_task(search(over))
        for round_number in range(50):
            await store.switch_alias(alias, (collection, other)[round_number % 2], timeout=SECONDS)
            await asyncio.sleep(0)
        over.set()
    assert searches > 0


async def test_names_that_are_missing_or_taken_are_refused(store: VectorStore, collection: str) -> None:
    alias = f"{collection}_alias"
    await store.switch_alias(alias, collection, timeout=SECONDS)
    with pytest.raises(CollectionMissing):
        await store.switch_alias(alias, "nowhere", timeout=SECONDS)
    with pytest.raises(VectorStoreRefused, match="name of a collection"):
        await store.switch_alias(collection, collection, timeout=SECONDS)
    with pytest.raises(VectorStoreRefused, match="name of an alias"):
        await store.ensure_collection(spec_of(alias), timeout=SECONDS)
    await store.drop_collection("nowhere", timeout=SECONDS)


async def test_a_missing_collection_is_named_by_every_call(store: VectorStore) -> None:
    attempts = [
        store.upsert("nowhere", [point(1)], timeout=SECONDS),
        store.delete("nowhere", [Tombstone(number(1), 1)], timeout=SECONDS),
        store.retrieve("nowhere", [number(1)], timeout=SECONDS),
        store.query("nowhere", Query((dense((1, 0, 0, 0)),), 5), timeout=SECONDS),
        store.query("nowhere", Query((), 5), timeout=SECONDS),
        store.scroll("nowhere", start=None, limit=5, timeout=SECONDS),
        store.count("nowhere", timeout=SECONDS),
        store.describe("nowhere", timeout=SECONDS),
    ]
    for attempt in attempts:
        with pytest.raises(CollectionMissing) as caught:
            await attempt
        assert caught.value.name == "nowhere"


@pytest.mark.parametrize("endless", [nan, inf, -inf])
async def test_a_number_that_is_not_finite_is_refused_by_its_field(
    store: VectorStore, collection: str, endless: float
) -> None:
    sparse = {"lexical": SparseValues((7,), (endless,))}
    for wrong, field in (
        (point(2, text=(1.0, endless, 0.0, 0.0)), "the vector 'text'"),
        (replace(point(2), sparse=sparse), "the sparse vector 'lexical'"),
        (point(2, payload={"score": endless}), "the field 'score'"),
    ):
        with pytest.raises(VectorStoreRefused, match=field):
            await store.upsert(collection, [point(1), wrong], timeout=SECONDS)
    assert await store.count(collection, timeout=SECONDS) == 0


async def test_a_wrong_dimension_is_refused(store: VectorStore, collection: str) -> None:
    with pytest.raises(VectorStoreRefused):
        await store.query(collection, Query((dense((1, 0)),), 5), timeout=SECONDS)
    with pytest.raises(VectorStoreRefused):
        await store.upsert(collection, [point(1, text=(1, 0))], timeout=SECONDS)


def test_a_sparse_vector_has_a_value_for_each_index() -> None:
    with pytest.raises(ValueError, match="2 indices and 1 values"):
        SparseValues((1, 2), (1.0,))


@pytest.fixture
async def popular(store: VectorStore, collection: str) -> str:
    """Points that are ever less alike to (1, 0, 0, 0); the third is popular, the second says nothing of it."""
    payloads: list[dict[str, PayloadValue]] = [
        {"popularity": 0, "language": "en"},
        {"language": "en"},
        {"popularity": 999, "language": "ja"},
        {"popularity": 9, "language": "en"},
    ]
    points = [
        point(place, payload=payload, text=(1.0, 0.1 * place, 0.0, 0.0)) for place, payload in enumerate(payloads, 1)
    ]
    await store.upsert(collection, points, timeout=SECONDS)
    return collection


async def test_popularity_raises_a_single_search_s_scores(store: VectorStore, popular: str) -> None:
    plain = Query((dense((1, 0, 0, 0), limit=4),), 4)
    assert await found(store, popular, plain) == [1, 2, 3, 4]
    boosted = Query((dense((1, 0, 0, 0), limit=4),), 4, boost=Boost("popularity", 0.1))
    before = {each.point.id: each.score for each in await store.query(popular, plain, timeout=SECONDS)}
    after = {each.point.id: each.score for each in await store.query(popular, boosted, timeout=SECONDS)}
    assert await found(store, popular, boosted) == [3, 4, 1, 2]
    for place, factor in {1: 1.0, 2: 1.0, 3: 1.3, 4: 1.1}.items():
        assert after[number(place)] == pytest.approx(before[number(place)] * factor, rel=1e-4)


async def test_popularity_raises_fused_scores(store: VectorStore, popular: str) -> None:
    searches = (dense((1, 0, 0, 0), limit=4), SparsePrefetch("lexical", SparseValues((7,), (1.0,)), 4))
    scores = await store.query(popular, Query(searches, 4, boost=Boost("popularity", 0.5)), timeout=SECONDS)
    assert scores[0].point.id == number(3)
    assert [each.score for each in scores] == sorted((each.score for each in scores), reverse=True)
    assert len(await store.query(popular, Query(searches, 1, boost=Boost("popularity", 0.5)), timeout=SECONDS)) == 1


@pytest.mark.filterwarnings("ignore:Local mode performs exact")
async def test_an_exact_search_finds_the_same(store: VectorStore, popular: str) -> None:
    searches = (dense((1, 0, 0, 0), limit=4), SparsePrefetch("lexical", SparseValues((7,), (1.0,)), 4))
    assert await found(store, popular, Query(searches[:1], 4, exact=True)) == [1, 2, 3, 4]
    # Every point has the same word: their order among themselves is nobody's promise.
    assert sorted(await found(store, popular, Query(searches, 4, exact=True))) == [1, 2, 3, 4]


async def test_a_search_may_narrow_the_query_s_filter(store: VectorStore, popular: str) -> None:
    english = replace(dense((1, 0, 0, 0), limit=4), filter=AnyValue("language", ("en",)))
    assert await found(store, popular, Query((english,), 4)) == [1, 2, 4]
    assert await found(store, popular, Query((english,), 4, Within("popularity", at_least=1))) == [4]
    impossible = replace(english, filter=AnyValue("language", ()))
    assert await found(store, popular, Query((impossible,), 4)) == []
    assert await found(store, popular, Query((impossible, english), 4)) == [1, 2, 4]


async def test_quotas_keep_places_for_rare_languages(store: VectorStore, popular: str) -> None:
    search = dense((1, 0, 0, 0), limit=2)
    assert await found(store, popular, Query((search,), 4)) == [1, 2]
    quotas = with_quotas(search, "language", {"en": 1, "ja": 1, "de": 1})
    assert sorted(await found(store, popular, Query(quotas, 4))) == [1, 3]


async def test_a_collection_knows_its_model_and_takes_no_other(store: VectorStore) -> None:
    name = f"test_{uuid4().hex[:12]}"
    await store.ensure_collection(spec_of(name, model="one (1, 4 dimensions)"), timeout=SECONDS)
    await store.ensure_collection(spec_of(name, model="one (1, 4 dimensions)"), timeout=SECONDS)
    with pytest.raises(VectorStoreRefused, match=r"holds vectors of one \(1, 4 dimensions\)"):
        await store.ensure_collection(spec_of(name, model="other (1, 4 dimensions)"), timeout=SECONDS)
    assert (await store.describe(name, timeout=SECONDS)).model == "one (1, 4 dimensions)"
    await store.drop_collection(name, timeout=SECONDS)


async def test_a_collection_of_an_unnamed_model_stays_usable(store: VectorStore, collection: str) -> None:
    assert (await store.describe(collection, timeout=SECONDS)).model == ""
    await store.ensure_collection(spec_of(collection, model="one (1, 4 dimensions)"), timeout=SECONDS)


async def test_optimizing_a_small_collection_builds_nothing(store: VectorStore, collection: str) -> None:
    await store.upsert(collection, [point(1)], timeout=SECONDS)
    assert await store.optimize(collection, timeout=SECONDS) is False


async def test_no_time_left_is_a_timeout(store: VectorStore, collection: str) -> None:
    if isinstance(store, QdrantVectorStore) and not store.keeps_indexes:
        pytest.skip("the client's in-memory engine answers without ever waiting")
    with pytest.raises(VectorStoreUnavailable) as caught:
        await store.count(collection, timeout=0)
    assert caught.value.timed_out
    assert await store.count(collection, timeout=SECONDS) == 0


async def test_closing_twice_is_fine_and_ends_every_call(store: VectorStore) -> None:
    if isinstance(store, QdrantVectorStore):
        pytest.skip("the client may be used again after closing")
    await store.close()
    await store.close()
    with pytest.raises(VectorStoreUnavailable):
        await store.count("anything", timeout=SECONDS)


async def test_many_clients_write_and_search_at_once(edge_store: EdgeVectorStore, short_folder: Path) -> None:
    owner = VectorStoreOwner(edge_store, short_folder / "many.sock")
    await owner.start()
    clients = [OwnedVectorStore(short_folder / "many.sock") for _ in range(4)]
    await clients[0].ensure_collection(spec_of("shared"), timeout=SECONDS)

    async def work(index: int) -> None:
        client = clients[index % 4]
        await client.upsert("shared", [point(index, version=index + 1)], timeout=SECONDS)
        assert index in await found(client, "shared", Query((dense((1, 0, 0, 0), limit=50),), 50))

    async with asyncio.TaskGroup() as group:
        for index in range(20):
            group.create_task(work(index))
    assert await clients[1].count("shared", timeout=SECONDS) == 20
    for client in clients:
        await client.close()
    await owner.close()


async def test_a_point_may_lack_an_optional_vector(store: VectorStore) -> None:
    """What has none is found by its other vectors, and never by that one."""
    name = f"test_{uuid4().hex[:12]}"
    dense = (DenseVector("text", 4), DenseVector("image", 2))
    spec = CollectionSpec(name, dense, ("lexical",), INDEXES, "", ("image",))
    await store.ensure_collection(spec, timeout=SECONDS)
    await store.ensure_collection(spec, timeout=SECONDS)
    first, second = UUID(int=1), UUID(int=2)
    both = Point(first, 1, "h", {}, {"text": [1.0, 0, 0, 0], "image": [0.6, 0.8]}, {})
    await store.upsert(name, [both, Point(second, 1, "h", {}, {"text": [1.0, 0, 0, 0]}, {})], timeout=SECONDS)
    by_text = await store.query(name, Query((DensePrefetch("text", [1.0, 0, 0, 0], 5),), 5), timeout=SECONDS)
    assert {each.point.id for each in by_text} == {first, second}
    mirrored = (DensePrefetch("image", [0.6, 0.8], 5, 0.5), DensePrefetch("image", [-0.6, 0.8], 5, 0.5))
    (found,) = await store.query(name, Query(mirrored, 5, with_vectors=("image",)), timeout=SECONDS)
    assert (found.point.id, list(found.point.dense)) == (first, ["image"])
    assert found.point.dense["image"] == pytest.approx([0.6, 0.8])
    assert await store.query(name, Query((DensePrefetch("image", [0.8, -0.6], 5, 0.5),), 5), timeout=SECONDS) == []
    await store.drop_collection(name, timeout=SECONDS)
