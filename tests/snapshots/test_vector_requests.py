"""What a Qdrant server is asked, reviewed as JSON: the engine in memory forgives what a server may not."""

from dataclasses import fields
from typing import cast

import pytest
from datastore.vectors.filters import AllOf, AnyValue, NoValue, PayloadFilter, Within
from datastore.vectors.protocol import Boost, DensePrefetch, Query, SparsePrefetch, SparseValues
from datastore.vectors.query_plan import planned, with_quotas
from datastore.vectors.server_points import query_request
from pydantic import BaseModel
from syrupy.assertion import SnapshotAssertion
from syrupy.extensions.json import JSONSnapshotExtension

DENSE = DensePrefetch("text", (1.0, 0.0), 20, 0.1)
SPARSE = SparsePrefetch("lexical", SparseValues((7, 9), (1.0, 1.0)), 20)
FILTER: PayloadFilter = AllOf(
    (AnyValue("genres", ("drama", "sci-fi")), NoValue("format", ("movie",)), Within("year", 1990))
)

QUERIES = {
    "dense": Query((DENSE,), 10),
    "dense_filtered_exact": Query((DENSE,), 10, FILTER, exact=True),
    "fused": Query((DENSE, SPARSE), 10, FILTER),
    "dense_boosted": Query((DENSE,), 10, boost=Boost("popularity", 0.1)),
    "fused_boosted": Query((DENSE, SPARSE), 10, AnyValue("season", ("spring",)), boost=Boost("popularity", 0.1)),
    "quotas": Query((*with_quotas(DENSE, "language", {"en": 15, "ja": 5}), SPARSE), 10),
}


@pytest.fixture
def snapshot(snapshot: SnapshotAssertion) -> SnapshotAssertion:
    return snapshot.use_extension(JSONSnapshotExtension)


def as_json(value: object) -> object:
    if isinstance(value, list):
        return [as_json(each) for each in cast("list[object]", value)]
    return value.model_dump(mode="json", exclude_none=True) if isinstance(value, BaseModel) else value


@pytest.mark.parametrize("name", QUERIES)
def test_the_request_is_the_reviewed_one(name: str, snapshot: SnapshotAssertion) -> None:
    query = QUERIES[name]
    request = query_request(query, planned(query))
    parts = {each.name: getattr(request, each.name) for each in fields(request)}
    assert {name: as_json(part) for name, part in parts.items() if part is not None} == snapshot
