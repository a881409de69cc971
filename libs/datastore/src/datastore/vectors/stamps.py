"""The fields that a store itself keeps in every payload: the write guard, the hash and the tombstone's mark."""

from collections.abc import Mapping, Sequence
from typing import Protocol, cast
from uuid import UUID

from datastore.vectors.protocol import (
    FieldKind,
    PayloadIndex,
    PayloadValue,
    Point,
    PointStamp,
    SparseValues,
    StoredPoint,
    Tombstone,
)

VERSION, SEQUENCE, CONTENT_HASH, DELETED = "version", "sequence", "content_hash", "deleted"
TOMBSTONE_MARK = 1
"""Not True: the embedded engine reads a True in a condition as the number 1, which no stored True equals."""

STAMP_FIELDS = (VERSION, CONTENT_HASH)
GUARD_FIELDS = (VERSION, SEQUENCE)
_PLAIN = (str, int, float, bool)
_OWN_FIELDS = frozenset({VERSION, SEQUENCE, CONTENT_HASH, DELETED})

STAMP_INDEXES = (PayloadIndex(DELETED, FieldKind.INTEGER),)
"""Indexes of the store's own fields; every collection has them beside those of its spec. Guards are read by id."""

type Guard = tuple[int, int]


class Guarded(Protocol):
    """What a write guard needs to know of a write."""

    @property
    def id(self) -> UUID: ...

    @property
    def version(self) -> int: ...

    @property
    def sequence(self) -> int: ...


def guard_of(write: Guarded) -> Guard:
    """What orders the writes of one id: a write is applied unless a greater guard is stored."""
    return (write.sequence, write.version)


def stored_guard(payload: Mapping[str, object]) -> Guard:
    """The guard in a stored payload; a damaged one gives way to every write."""
    sequence, version = payload.get(SEQUENCE), payload.get(VERSION)
    if not isinstance(sequence, int) or not isinstance(version, int):
        return (-1, -1)
    return (sequence, version)


def newest_writes[W: Guarded](writes: Sequence[W]) -> list[W]:
    """One write for each id: the one with the greatest guard, the later of equals."""
    newest: dict[UUID, W] = {}
    for write in writes:
        known = newest.get(write.id)
        if known is None or guard_of(write) >= guard_of(known):
            newest[write.id] = write
    return list(newest.values())


def point_payload(point: Point) -> dict[str, object]:
    """The payload to store for a point."""
    fields: dict[str, object] = {
        key: list(value) if isinstance(value, tuple) else value for key, value in point.payload.items()
    }
    return fields | {VERSION: point.version, SEQUENCE: point.sequence, CONTENT_HASH: point.content_hash}


def tombstone_payload(tombstone: Tombstone) -> dict[str, object]:
    """The payload that marks a deleted point."""
    return {VERSION: tombstone.version, SEQUENCE: tombstone.sequence, DELETED: TOMBSTONE_MARK}


def is_tombstone(payload: Mapping[str, object]) -> bool:
    """Whether a stored payload marks a deleted point."""
    return payload.get(DELETED) == TOMBSTONE_MARK


def _version(payload: Mapping[str, object]) -> int:
    version = payload.get(VERSION)
    return version if isinstance(version, int) else 0


def _payload_value(value: object) -> PayloadValue | None:
    if isinstance(value, _PLAIN):
        return value
    if isinstance(value, list):
        return tuple(str(each) for each in cast("list[object]", value))
    return None


def point_stamp(point_id: UUID, payload: Mapping[str, object]) -> PointStamp:
    """The stamp in a stored payload; version 0 and an empty hash where it is damaged."""
    return PointStamp(point_id, _version(payload), str(payload.get(CONTENT_HASH, "")))


def stored_point(point_id: UUID, payload: Mapping[str, object], vectors: object = None) -> StoredPoint:
    """A stored payload without the store's own fields, and an engine's named vectors as ours."""
    fields = {
        key: read
        for key, value in payload.items()
        if key not in _OWN_FIELDS and (read := _payload_value(value)) is not None
    }
    version, content_hash = _version(payload), str(payload.get(CONTENT_HASH, ""))
    if not isinstance(vectors, dict):
        return StoredPoint(point_id, version, content_hash, fields)
    named = cast("dict[str, object]", vectors)
    return StoredPoint(point_id, version, content_hash, fields, _dense(named), _sparse(named))


def _dense(named: Mapping[str, object]) -> dict[str, list[float]]:
    return {name: cast("list[float]", value) for name, value in named.items() if isinstance(value, list)}


class _EngineSparse(Protocol):
    """How both engines give a sparse vector."""

    indices: list[int]
    values: list[float]


def _sparse(named: Mapping[str, object]) -> dict[str, SparseValues]:
    sparse = {name: cast("_EngineSparse", value) for name, value in named.items() if hasattr(value, "indices")}
    return {name: SparseValues(tuple(value.indices), tuple(value.values)) for name, value in sparse.items()}


def as_uuid(point_id: object) -> UUID:
    """An engine's point id; numbers are not used here, and are read as UUIDs."""
    if isinstance(point_id, UUID):
        return point_id
    return UUID(int=point_id) if isinstance(point_id, int) else UUID(str(point_id))
