"""Reads what the graph of the catalogue holds: labels, properties and relationship types with counts and samples."""

import asyncio
from collections.abc import Iterable, Sequence
from datetime import timedelta
from typing import Any

import sqlalchemy as sa
from cypher_sql import NodeLabel, Property, RelationshipType
from datastore.errors import DatabaseUnavailable
from datastore.postgres.catalogue import entities
from datastore.postgres.engine import ReadOnlyEngine
from pydantic import JsonValue
from sqlalchemy.ext.asyncio import AsyncConnection

from agent_core.errors import SourceUnavailable
from agent_core.graph_description import (
    GraphDescription,
    LabelDescription,
    PropertyDescription,
    RelationshipDescription,
)
from agent_core.protocols import Clock
from agent_core.retrieval.graph_query_executor import SOURCE, json_value
from agent_core.retrieval.graph_schema import catalogue_graph

_SAMPLED_ROWS = 50
_SAMPLES = 3
_MAX_SAMPLE_CHARACTERS = 60

type Rows = Sequence[sa.RowMapping]


class GraphDescriber:
    """Describes the graph. What was read is told again for `keep_seconds`, since counting reads whole tables."""

    def __init__(
        self, engine: ReadOnlyEngine, clock: Clock, *, keep_seconds: float = 60.0, query_timeout_seconds: float = 10.0
    ) -> None:
        self._engine = engine
        self._clock = clock
        self._keep = timedelta(seconds=keep_seconds)
        self._query_timeout = query_timeout_seconds
        self._lock = asyncio.Lock()
        self._known: GraphDescription | None = None

    async def describe(self, *, timeout: float) -> GraphDescription:
        """The graph as it is, or was up to `keep_seconds` ago. Raises SourceUnavailable and TimeoutError."""
        async with asyncio.timeout(timeout), self._lock:
            now = self._clock.now()
            if self._known is None or now - self._known.read_at > self._keep:
                self._known = await self._read(timeout)
            return self._known

    async def _read(self, timeout: float) -> GraphDescription:
        graph = catalogue_graph()
        try:
            async with self._engine.connect(min(timeout, self._query_timeout)) as conn:
                counts = await _counts(conn, graph.labels)
                edge_counts = await _edge_counts(conn, graph.relationships)
                samples = {label.name: await _samples(conn, label) for label in graph.labels}
                newest = (await conn.execute(sa.select(sa.func.max(entities.c.updated_at)))).scalar_one()
        except DatabaseUnavailable as exc:
            raise SourceUnavailable(SOURCE, timed_out=exc.timed_out) from exc
        labels = (_label(label, counts[label.name], samples[label.name]) for label in graph.labels)
        relationships = (_relationship(each, edge_counts.get(each.name, 0)) for each in graph.relationships)
        return GraphDescription(
            labels=tuple(labels), relationships=tuple(relationships), data_date=newest, read_at=self._clock.now()
        )


async def _counts(conn: AsyncConnection, labels: Sequence[NodeLabel]) -> dict[str, int]:
    counted = (
        sa.select(sa.literal(label.name, sa.Text()).label("name"), sa.func.count().label("count")).select_from(
            label.source.rows.subquery(f"rows_{number}")
        )
        for number, label in enumerate(labels)
    )
    return {row.name: row.count_ for row in await conn.execute(_named_counts(counted))}


async def _edge_counts(conn: AsyncConnection, relationships: Sequence[RelationshipType]) -> dict[str, int]:
    """Counts by type name. Each source of edges is read once for all its types."""
    counts: dict[str, int] = {}
    for source in dict.fromkeys(each.edges for each in relationships):
        rows = source.rows.subquery("rows")
        of_types = sa.select(rows.c.type.label("type"), sa.func.count().label("count")).group_by(rows.c.type)
        found: dict[Any, int] = {row.type: row[1] for row in await conn.execute(of_types)}
        counts |= {each.name: found.get(each.code, 0) for each in relationships if each.edges is source}
    return counts


def _named_counts(counted: Iterable[sa.Select[str, int]]) -> sa.Select[*tuple[Any, ...]]:
    united = sa.union_all(*counted).subquery("counts")
    return sa.select(united.c.name, united.c["count"].label("count_")).order_by(united.c.name)


async def _samples(conn: AsyncConnection, label: NodeLabel) -> Rows:
    """The rows that most people know, which samples are taken from."""
    rows = label.source.rows.subquery("rows")
    columns = [rows.c[each.source_column] for each in label.source.properties]
    best = sa.select(*columns).order_by(rows.c.popularity.desc(), rows.c.id).limit(_SAMPLED_ROWS)
    return (await conn.execute(best)).mappings().all()


def _label(label: NodeLabel, count: int, rows: Rows) -> LabelDescription:
    return LabelDescription(
        name=label.name,
        description=label.description,
        count=count,
        properties=tuple(_property(each, rows) for each in label.source.properties),
    )


def _relationship(relationship: RelationshipType, count: int) -> RelationshipDescription:
    return RelationshipDescription(
        name=relationship.name,
        description=relationship.description,
        starts=relationship.starts,
        ends=relationship.ends,
        count=count,
        properties=tuple(_property(each, ()) for each in relationship.properties),
    )


def _property(declared: Property, rows: Rows) -> PropertyDescription:
    return PropertyDescription(
        name=declared.name, type=str(declared.type), samples=_some_of(row[declared.source_column] for row in rows)
    )


def _some_of(values: Iterable[Any]) -> tuple[JsonValue, ...]:
    """The first few different values; long texts are cut."""
    found: list[JsonValue] = []
    for value in values:
        sample = _sample(json_value(value))
        if sample is not None and sample not in found:
            found.append(sample)
        if len(found) == _SAMPLES:
            break
    return tuple(found)


def _sample(value: JsonValue) -> JsonValue:
    if isinstance(value, list):
        return [_sample(member) for member in value[:_SAMPLES]] or None
    if isinstance(value, str) and len(value) > _MAX_SAMPLE_CHARACTERS:
        return value[: _MAX_SAMPLE_CHARACTERS - 1] + "…"
    return value
