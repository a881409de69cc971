"""Records of runs in PostgreSQL; each is read by its principal only."""

import json
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any
from uuid import UUID

from agent_core.errors import InvalidRequest, SourceUnavailable
from agent_core.recording import RunRecord
from datastore.errors import DatabaseUnavailable
from datastore.postgres.engine import ReadWriteEngine
from datastore.postgres.trace_rows import list_traces, purge_traces, read_trace, store_traces
from pydantic import JsonValue

_ZERO_ESCAPED = "\\u0000"
_COLUMNS = ("id", "request_id", "principal", "started_at", "ms", "status", "reason", "has_text", "query", "usage")


class TraceNotFound(InvalidRequest):
    """No trace of this id belongs to the caller; whether somebody else has one is not told."""

    def __init__(self) -> None:
        super().__init__("id", "names no trace of yours")


class PostgresTraces:
    """Stores and reads records. `keep_days` is how long one is kept."""

    def __init__(self, engine: ReadWriteEngine, *, keep_days: int) -> None:
        self._engine = engine
        self._keep = timedelta(days=keep_days)

    async def store(self, records: Sequence[RunRecord], *, timeout: float) -> None:
        """Write records; one that is there already stays. Raises SourceUnavailable."""
        try:
            async with self._engine.begin(timeout) as connection:
                await store_traces(connection, [_row(record) for record in records], keep=self._keep)
        except DatabaseUnavailable as lost:
            raise SourceUnavailable("postgresql", timed_out=lost.timed_out) from lost

    async def purge(self, *, timeout: float) -> int:
        """Remove records that have expired; how many they were. Raises SourceUnavailable."""
        try:
            async with self._engine.begin(timeout) as connection:
                return await purge_traces(connection)
        except DatabaseUnavailable as lost:
            raise SourceUnavailable("postgresql", timed_out=lost.timed_out) from lost

    async def last(self, principal: str, *, limit: int, before: UUID | None, timeout: float) -> tuple[RunRecord, ...]:
        """A principal's last records, newest first, without events and calls. Raises SourceUnavailable."""
        try:
            async with self._engine.begin(timeout) as connection:
                rows = await list_traces(connection, principal, limit=limit, before=before)
        except DatabaseUnavailable as lost:
            raise SourceUnavailable("postgresql", timed_out=lost.timed_out) from lost
        return tuple(RunRecord.model_validate(row) for row in rows)

    async def get(self, trace_id: UUID, principal: str, *, timeout: float) -> RunRecord:
        """One record. Raises TraceNotFound, SourceUnavailable."""
        try:
            async with self._engine.begin(timeout) as connection:
                row = await read_trace(connection, trace_id, principal)
        except DatabaseUnavailable as lost:
            raise SourceUnavailable("postgresql", timed_out=lost.timed_out) from lost
        if row is None:
            raise TraceNotFound
        summary = {name: value for name, value in row.items() if name != "document"}
        return RunRecord.model_validate({**row["document"], **summary})


def _row(record: RunRecord) -> Mapping[str, Any]:
    columns = {name: getattr(record, name) for name in _COLUMNS}
    document = record.model_dump_json(exclude=set(_COLUMNS), exclude_defaults=True)
    if _ZERO_ESCAPED in document:
        document = json.dumps(_storable(json.loads(document)))
    return {
        **columns,
        "query": _storable(record.query),
        "usage": record.usage.model_dump(mode="json"),
        "document": document,
    }


def _storable(value: JsonValue) -> JsonValue:
    """The value without zero bytes, which PostgreSQL's text can't hold."""
    if isinstance(value, str):
        return value.replace("\0", "")
    if isinstance(value, list):
        return [_storable(part) for part in value]
    if isinstance(value, dict):
        return {key: _storable(part) for key, part in value.items()}
    return value
