"""Steps along relationships: one step, and walks of a bounded number of steps."""

from collections.abc import Sequence
from dataclasses import dataclass

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql as pg

from cypher_sql import syntax
from cypher_sql.entities import edge_json, edge_property
from cypher_sql.equality import equal
from cypher_sql.expressions import compile_expression
from cypher_sql.relationships import type_condition
from cypher_sql.schema import RelationshipType
from cypher_sql.scope import EdgeRow, Element, Place, pointing_at, refused
from cypher_sql.syntax import Direction, RelationshipPattern, Shortest
from cypher_sql.values import Sql, SqlType


@dataclass(frozen=True, slots=True, eq=False)
class Arc:
    """A relationship's row as it is walked: from the node `here` to the node `there`."""

    row: EdgeRow
    here: Sql
    there: Sql
    condition: Sql


@dataclass(frozen=True, slots=True, eq=False)
class Walk:
    """The rows of a variable-length pattern: `end`, and the arrays `edges` (ids), `nodes` (ids) and `relationships`.

    `nodes` leaves out the node the walk started from.
    """

    element: Element
    types: tuple[RelationshipType, ...]


def arc(place: Place, types: Sequence[RelationshipType], direction: Direction) -> Arc:
    """The rows of one step along relationships of some types, all of one source."""
    kinds = tuple(types)
    prefix = place.compilation.name("edge")
    if direction is not Direction.EITHER:
        element = types[0].edges.rows.subquery(prefix)
        ends = (element.c.source, element.c.target)
        here, there = ends if direction is Direction.RIGHT else reversed(ends)
        return Arc(EdgeRow(element, kinds), here, there, type_condition(element, types))
    either = _both_ways(place, types, prefix)
    return Arc(EdgeRow(either, kinds), either.c.here, either.c.there, sa.true())


def _both_ways(place: Place, types: Sequence[RelationshipType], name: str) -> Element:
    first, second = (types[0].edges.rows.subquery(place.compilation.name("edge")) for _ in range(2))
    along = sa.select(*first.c, first.c.source.label("here"), first.c.target.label("there")).where(
        type_condition(first, types)
    )
    back = sa.select(*second.c, second.c.target.label("here"), second.c.source.label("there"))
    # A loop is one relationship, whichever way it is walked.
    back = back.where(type_condition(second, types), second.c.source != second.c.target)
    return sa.union_all(along, back).subquery(name)


def property_conditions(place: Place, row: EdgeRow, properties: Sequence[syntax.MapEntry]) -> list[Sql]:
    """That a relationship has the values of a pattern's map."""
    conditions: list[Sql] = []
    for entry in properties:
        wanted = compile_expression(place, entry.value)
        with pointing_at(entry):
            found = edge_property(place.compilation, row, entry.key)
            conditions.append(equal(place.compilation, found, wanted))
    return conditions


def bounded_length(place: Place, pattern: RelationshipPattern) -> tuple[int, int]:
    """The least and the most steps of a variable-length pattern. Raises QueryRefused without a bound."""
    length, most = pattern.length, place.compilation.limits.path_length
    if length is None:
        return 1, 1
    hint = f"Write an upper bound of at most {most}, as in *1..{min(most, 3)}."
    if length.longest is None:
        raise refused(length, "A variable-length relationship needs an upper bound.", hint)
    if length.longest > most:
        raise refused(length, f"A relationship can't be longer than {most} steps.", hint)
    return length.shortest, length.longest


def walk(
    place: Place,
    pattern: RelationshipPattern,
    step: Arc,
    start: Sql,
    *,
    end: Sql | None = None,
    shortest: Shortest | None = None,
    is_backward: bool = False,
) -> Walk:
    """All walks from a node that use no relationship twice; or the shortest ones to `end`."""
    least, most = bounded_length(place, pattern)
    schema = place.compilation.schema
    element = step.row.element
    node_ids, edge_type = pg.ARRAY(schema.node_id_type), element.c.id.type
    edge_ids, objects = pg.ARRAY(edge_type), pg.ARRAY(pg.JSONB())
    root = sa.select(
        start.label("end"),
        sa.cast(pg.array([], type_=edge_type), edge_ids).label("edges"),
        sa.cast(pg.array([], type_=schema.node_id_type), node_ids).label("nodes"),
        sa.cast(pg.array([], type_=pg.JSONB()), objects).label("relationships"),
    ).correlate_except()
    steps = root.cte(place.compilation.name("walk"), recursive=True, nesting=True)
    conditions = [step.condition, *property_conditions(place, step.row, pattern.properties)]
    onward = sa.select(
        step.there.label("end"),
        _appended(steps.c.edges, element.c.id, edge_ids, is_backward=False).label("edges"),
        _appended(steps.c.nodes, step.there, node_ids, is_backward=is_backward).label("nodes"),
        _appended(steps.c.relationships, edge_json(step.row), objects, is_backward=is_backward).label("relationships"),
    )
    onward = onward.select_from(steps.join(element, step.here == steps.c.end)).where(
        *conditions, sa.func.cardinality(steps.c.edges) < most, element.c.id != sa.all_(steps.c.edges)
    )
    steps = steps.union_all(onward.correlate_except(steps, element))
    found = sa.select(*steps.c).where(sa.func.cardinality(steps.c.edges) >= least)
    if shortest is not None and end is not None:
        found = _only_shortest(found, steps, end, shortest, least)
    return Walk(found.correlate_except(steps).lateral(place.compilation.name("steps")), step.row.types)


def _appended(array: Sql, member: Sql, as_sql: SqlType, *, is_backward: bool) -> Sql:
    if is_backward:
        return sa.func.array_prepend(member, array, type_=as_sql)
    return sa.func.array_append(array, member, type_=as_sql)


def _only_shortest(
    found: sa.Select[tuple[object, ...]], steps: sa.CTE, end: Sql, shortest: Shortest, least: int
) -> sa.Select[tuple[object, ...]]:
    size = sa.func.cardinality(steps.c.edges)
    reaching = found.where(steps.c.end == end)
    if shortest is Shortest.ONE:
        return reaching.order_by(size, steps.c.edges).limit(1)
    other = steps.alias()
    other_size = sa.func.cardinality(other.c.edges)
    fewest = sa.select(sa.func.min(other_size)).where(other.c.end == end, other_size >= least)
    return reaching.where(size == fewest.correlate_except(other).scalar_subquery())
