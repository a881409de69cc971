"""Graph queries over the catalogue: parsed to an allowed tree, compiled, and run read-only within limits."""

import hashlib
import json
import re
from collections.abc import AsyncGenerator, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, cast
from uuid import UUID

import sqlalchemy as sa
from cypher_sql import (
    CompiledQuery,
    Explain,
    Limits,
    QueryRefused,
    checked_cost,
    compile_query,
    parse,
    refusal_of,
    refuse_written_values,
)
from datastore.errors import DatabaseUnavailable
from datastore.postgres.catalogue import entities
from datastore.postgres.engine import ReadOnlyEngine
from datastore.vocabulary import EntityType
from pydantic import JsonValue
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection

from agent_core.budget import QueryLimits
from agent_core.errors import SourceUnavailable
from agent_core.evidence import EntityRef, QueryResultEvidence
from agent_core.graph_description import CheckedColumn, GraphQueryCheck
from agent_core.query_results import GraphQueryResult, QueryRefusal
from agent_core.retrieval.graph_schema import catalogue_graph
from agent_core.schemas import GraphQueryIntent, StepStatus, Warning, WarningCode

SOURCE = "postgresql"
MAX_COUNTED = 20_000
_SHOWN_ROWS = 40
_SHOWN_ENTITIES = 100
_UUID = re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}")
_LIMITS = Limits(rows=MAX_COUNTED)


type Row = tuple[JsonValue, ...]


@dataclass(frozen=True, slots=True)
class _Found:
    """What one query read, in one snapshot."""

    rows: tuple[Row, ...]
    total: int
    has_more: bool
    names: dict[str, EntityRef]
    data_date: datetime | None


class PostgresGraphQueryExecutor:
    """`graph_query` on PostgreSQL.

    Any text is safe: what the language doesn't hold is refused before anything runs, with the place and a hint, and
    values are bound. A refusal is a result, for the next selection to repair.
    """

    def __init__(self, engine: ReadOnlyEngine, limits: QueryLimits | None = None) -> None:
        self._engine = engine
        self._bounds = limits or QueryLimits()

    async def execute(
        self, intent: GraphQueryIntent, *, timeout: float, max_rows: int | None = None
    ) -> GraphQueryResult:
        """Run one query; at most `max_rows` rows come back, all are counted. Raises SourceUnavailable."""
        try:
            compiled = _compiled(intent)
            async with self._connected(timeout) as conn:
                await self._cost(conn, compiled)
                found = await _read(conn, compiled, intent, self._bounds.rows if max_rows is None else max_rows)
        except QueryRefused as refused:
            refusal = _refusal(refused)
            return GraphQueryResult(status=StepStatus.REFUSED, summary=f"refused: {refused}", refusal=refusal)
        return _result(intent, tuple(column.name for column in compiled.columns), found)

    async def check(self, intent: GraphQueryIntent, *, timeout: float) -> GraphQueryCheck:
        """All that comes before running: parse, compile, and let the planner estimate. Raises SourceUnavailable."""
        try:
            compiled = _compiled(intent)
            async with self._connected(timeout) as conn:
                cost = await self._cost(conn, compiled)
        except QueryRefused as refused:
            return GraphQueryCheck(refusal=_refusal(refused))
        columns = (CheckedColumn(name=column.name, type=str(column.type)) for column in compiled.columns)
        return GraphQueryCheck(columns=tuple(columns), cost=cost)

    async def _cost(self, conn: AsyncConnection, compiled: CompiledQuery) -> float:
        """The planner's estimate. Raises QueryRefused above the ceiling."""
        return checked_cost((await conn.execute(Explain(compiled.statement))).scalar_one(), self._bounds.cost)

    @asynccontextmanager
    async def _connected(self, timeout: float) -> AsyncGenerator[AsyncConnection]:
        """A connection on which failures of a query are refusals, and lost databases lost sources."""
        try:
            async with self._engine.connect(min(timeout, self._bounds.seconds)) as conn:
                yield conn
        except DatabaseUnavailable as exc:
            raise SourceUnavailable(SOURCE, timed_out=exc.timed_out) from exc
        except DBAPIError as exc:
            refused = refusal_of(exc)
            if refused is None:
                raise
            raise refused from exc


def _compiled(intent: GraphQueryIntent) -> CompiledQuery:
    """Raises QueryRefused."""
    query = parse(intent.text)
    if intent.by_model:
        refuse_written_values(query)
    return compile_query(query, catalogue_graph(), intent.parameters, _LIMITS)


async def _read(conn: AsyncConnection, compiled: CompiledQuery, intent: GraphQueryIntent, max_rows: int) -> _Found:
    inner = compiled.statement.subquery("answer")
    counted = sa.select(*inner.c, sa.func.count().over().label("rows_in_all")).limit(max_rows)
    raw = (await conn.execute(counted)).all()
    rows = tuple(tuple(json_value(cell) for cell in row[:-1]) for row in raw)
    total = int(raw[0][-1]) if raw else 0
    names = await _named(conn, [*intent.parameters.values(), *(cell for row in rows for cell in row)])
    newest = (await conn.execute(sa.select(sa.func.max(entities.c.updated_at)))).scalar_one()
    return _Found(rows, min(total, MAX_COUNTED), not compiled.is_complete(total), names, newest)


async def _named(conn: AsyncConnection, values: Iterable[JsonValue]) -> dict[str, EntityRef]:
    """The entities that ids among the values belong to, in order of appearance."""
    ids = list(dict.fromkeys(text for value in values for text in _ids(value)))[:_SHOWN_ENTITIES]
    if not ids:
        return {}
    wanted = sa.select(entities.c.id, entities.c.entity_type, entities.c.name).where(
        entities.c.id.in_([UUID(text) for text in ids])
    )
    refs = {
        str(row.id): EntityRef(entity_type=EntityType(row.entity_type), id=row.id, name=row.name)
        for row in await conn.execute(wanted)
    }
    return {text: refs[text] for text in ids if text in refs}


def _ids(value: JsonValue) -> Iterable[str]:
    if isinstance(value, str):
        return (value,) if _UUID.fullmatch(value) else ()
    if isinstance(value, list):
        return (text for part in value for text in _ids(part))
    if isinstance(value, dict):
        return (text for part in value.values() for text in _ids(part))
    return ()


def json_value(value: Any) -> JsonValue:
    """A cell as JSON; the driver's own types as text. Public for the description of the graph."""
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, list):
        return [json_value(part) for part in cast("list[Any]", value)]
    if isinstance(value, dict):
        return {str(key): json_value(part) for key, part in cast("dict[Any, Any]", value).items()}
    return value.isoformat() if isinstance(value, date) else str(value)


def _refusal(refused: QueryRefused) -> QueryRefusal:
    return QueryRefusal(line=refused.line, column=refused.column, message=refused.message, hint=refused.hint)


def _result(intent: GraphQueryIntent, columns: tuple[str, ...], found: _Found) -> GraphQueryResult:
    is_cut = found.total > len(found.rows)
    evidence = _evidence(intent, columns, found)
    message = "A query found more than can be counted."
    is_over = found.total >= MAX_COUNTED and found.has_more
    warnings = (Warning(code=WarningCode.GRAPH_TRUNCATED, message=message),) if is_over else ()
    return GraphQueryResult(
        status=StepStatus.OK if found.rows else StepStatus.EMPTY,
        summary=evidence.text,
        columns=columns,
        rows=found.rows,
        row_count=found.total,
        truncated=is_cut,
        data_date=found.data_date,
        evidence=(evidence,),
        warnings=warnings,
    )


def _evidence(intent: GraphQueryIntent, columns: tuple[str, ...], found: _Found) -> QueryResultEvidence:
    """The query as it ran. The reason that came with it is no part: it may say anything."""
    parameters = json.dumps(intent.parameters, sort_keys=True, ensure_ascii=False)
    digest = hashlib.sha256(f"{intent.text}\n{parameters}".encode()).hexdigest()[:12]
    return QueryResultEvidence(
        id=f"query:{digest}",
        source=f"{SOURCE}:graph_query",
        title="Query over the whole catalogue",
        text="\n".join(_lines(intent, columns, found)),
        locator=digest,
        query=intent.text,
        parameters=intent.parameters,
        row_count=found.total,
        has_more=found.has_more,
        columns=columns,
        sample=found.rows,
        entities=tuple(found.names.values()),
        truncated=found.total > len(found.rows),
        data_date=found.data_date,
    )


def _lines(intent: GraphQueryIntent, columns: Sequence[str], found: _Found) -> Iterable[str]:
    yield " ".join(intent.text.split())
    if intent.parameters:
        yield "with " + ", ".join(f"{name} = {_shown(value, found)}" for name, value in intent.parameters.items())
    noun = "row" if found.total == 1 else "rows"
    least = "at least " if found.has_more else ""
    dated = f"; data of {found.data_date.date().isoformat()}" if found.data_date is not None else ""
    yield f"{least}{found.total} {noun}{dated}"
    for row in found.rows[:_SHOWN_ROWS]:
        cells = (f"{name}: {_shown(cell, found)}" for name, cell in zip(columns, row, strict=True))
        yield "; ".join(dict.fromkeys(cells))
    if found.total > min(len(found.rows), _SHOWN_ROWS):
        yield "…"


def _shown(value: JsonValue, found: _Found) -> str:
    """A value for people: ids as names."""
    if isinstance(value, str) and value in found.names:
        return found.names[value].name or value
    if isinstance(value, list):
        return ", ".join(_shown(part, found) for part in value)
    if isinstance(value, float):
        return f"{value:.2f}".rstrip("0").rstrip(".")
    return "unknown" if value is None else str(value)
