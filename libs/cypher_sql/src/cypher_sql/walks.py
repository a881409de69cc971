"""Steps along relationships: one step, and walks of a bounded number of steps."""

from collections.abc import Sequence
from dataclasses import dataclass

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql as pg

from cypher_sql import syntax
from cypher_sql.entities import edge_json, edge_property
from cypher_sql.equality import equal
from cypher_sql.errors import Fault
from cypher_sql.expressions import compile_expression
from cypher_sql.relationships import type_condition
from cypher_sql.schema import RelationshipType, Rows
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

    `nodes` leaves out the node the walk started from. The latter two are there only where the path is kept.
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
        raise refused(length, "A variable-length relationship needs an upper bound.", hint, Fault.BEYOND)
    if length.longest > most:
        raise refused(length, f"A relationship can't be longer than {most} steps.", hint, Fault.BEYOND)
    return length.shortest, length.longest


@dataclass(frozen=True, slots=True, eq=False)
class _Track:
    """An array that grows by one member with each step."""

    name: str
    member: Sql
    member_type: SqlType
    is_backward: bool = False

    def empty(self) -> Sql:
        return sa.cast(pg.array([], type_=self.member_type), pg.ARRAY(self.member_type)).label(self.name)

    def grown(self, array: Sql) -> Sql:
        as_sql = pg.ARRAY(self.member_type)
        if self.is_backward:
            return sa.func.array_prepend(self.member, array, type_=as_sql).label(self.name)
        return sa.func.array_append(array, self.member, type_=as_sql).label(self.name)


def walk(
    place: Place,
    pattern: RelationshipPattern,
    step: Arc,
    start: Sql,
    *,
    keeps_path: bool,
    end: Sql | None = None,
    shortest: Shortest | None = None,
    is_backward: bool = False,
) -> Walk:
    """All walks from a node that use no relationship twice; or the shortest ones to `end`.

    Only with `keeps_path` do the rows have `nodes` and `relationships`.
    """
    least, most = bounded_length(place, pattern)
    tracks = _tracks(place, step, keeps_path=keeps_path, is_backward=is_backward)
    root = sa.select(start.label("end"), *(track.empty() for track in tracks)).correlate_except()
    steps = root.cte(place.compilation.name("walk"), recursive=True, nesting=True)
    element = step.row.element
    onward = sa.select(step.there.label("end"), *(track.grown(steps.c[track.name]) for track in tracks))
    onward = onward.select_from(steps.join(element, step.here == steps.c.end)).where(
        step.condition,
        *property_conditions(place, step.row, pattern.properties),
        sa.func.cardinality(steps.c.edges) < most,
        element.c.id != sa.all_(steps.c.edges),
    )
    steps = steps.union_all(onward.correlate_except(steps, element))
    found = sa.select(*steps.c).where(sa.func.cardinality(steps.c.edges) >= least)
    if shortest is not None and end is not None:
        found = _only_shortest(found, steps, end, shortest, least)
    return Walk(found.correlate_except(steps).lateral(place.compilation.name("steps")), step.row.types)


def _tracks(place: Place, step: Arc, *, keeps_path: bool, is_backward: bool) -> list[_Track]:
    edge = step.row.element.c.id
    tracks = [_Track("edges", edge, edge.type)]
    if keeps_path:
        tracks.append(_Track("nodes", step.there, place.compilation.schema.node_id_type, is_backward))
        tracks.append(_Track("relationships", edge_json(step.row), pg.JSONB(), is_backward))
    return tracks


def _only_shortest(found: Rows, steps: sa.CTE, end: Sql, shortest: Shortest, least: int) -> Rows:
    size = sa.func.cardinality(steps.c.edges)
    reaching = found.where(steps.c.end == end)
    if shortest is Shortest.ONE:
        return reaching.order_by(size, steps.c.edges).limit(1)
    other = steps.alias()
    other_size = sa.func.cardinality(other.c.edges)
    fewest = sa.select(sa.func.min(other_size)).where(other.c.end == end, other_size >= least)
    return reaching.where(size == fewest.correlate_except(other).scalar_subquery())
