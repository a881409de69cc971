"""A query's tree to one SELECT."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from cypher_sql import syntax
from cypher_sql.conversion import as_json, coerce, unnested
from cypher_sql.errors import Fault
from cypher_sql.expressions import compile_expression
from cypher_sql.guard import check_size
from cypher_sql.limits import Limits
from cypher_sql.over_rows import compile_over_rows
from cypher_sql.patterns import match_patterns, new_values
from cypher_sql.projection import count_of_rows, project
from cypher_sql.schema import GraphSchema
from cypher_sql.scope import Compilation, Frame, Place, Value, refused
from cypher_sql.syntax import Query, SingleQuery
from cypher_sql.values import NULL, Kind, Sql, ValueType, common_type
from cypher_sql.weights import checked_weight


@dataclass(frozen=True, slots=True)
class Column:
    """A column of the answer. Nodes, relationships and paths come as JSON objects."""

    name: str
    type: ValueType


@dataclass(frozen=True, slots=True)
class CompiledQuery:
    """A query ready to run. The statement's columns are in the order of `columns`, under names of its own.

    It yields at most one row more than `row_limit`: when that row comes, the answer is cut there and not complete.
    From `own_limit` rows on the query itself may have cut the answer, by LIMIT or SKIP; None when it never does.
    """

    statement: sa.Select[Any]
    columns: tuple[Column, ...]
    row_limit: int
    own_limit: int | None = None

    def is_complete(self, rows: int) -> bool:
        """Whether an answer of so many rows holds all that there are."""
        return rows <= self.row_limit and (self.own_limit is None or rows < self.own_limit)


def compile_query(
    query: Query, schema: GraphSchema, parameters: Mapping[str, object] | None = None, limits: Limits | None = None
) -> CompiledQuery:
    """The SELECT that answers a query. Raises QueryRefused for unknown names, unsuitable types and too much work."""
    bounds = limits or Limits()
    check_size(query, bounds)
    compilation = Compilation(schema, parameters or {}, bounds, match_patterns, compile_over_rows)
    places = [_compile_single(compilation, part) for part in query.parts]
    place = places[0] if len(places) == 1 else _united(compilation, query, places)
    columns = tuple(Column(name, value.type) for name, value in place.names.items())
    presented = [
        _presented(compilation, value).label(f"column_{number}") for number, value in enumerate(place.names.values(), 1)
    ]
    statement = place.frame.select(*presented).limit(bounds.rows + 1)
    return CompiledQuery(statement, columns, bounds.rows, _own_limit(places[0], query))


def _own_limit(place: Place, query: Query) -> int | None:
    limits: list[int] = []
    for part in query.parts:
        if part.returns.skip is not None:
            limits.append(0)
        elif part.returns.limit is not None:
            limits.append(count_of_rows(place, part.returns.limit, "LIMIT"))
    return min(limits, default=None)


def _compile_single(compilation: Compilation, query: SingleQuery) -> Place:
    place = Place(compilation, Frame(), {})
    for clause in query.clauses:
        match clause:
            case syntax.Match():
                place = _match(place, clause)
            case syntax.Unwind():
                place = _unwind(place, clause)
            case syntax.With():
                place = _with(place, clause)
    return project(place, query.returns, needs_aliases=False)


def _match(place: Place, clause: syntax.Match) -> Place:
    if not clause.optional:
        return place.seeing(match_patterns(place, clause.patterns, clause.where))
    inner = place.inside()
    found = new_values(place.names, match_patterns(inner, clause.patterns, clause.where))
    columns = [value.sql.label(f"column_{number}") for number, value in enumerate(found.values(), 1)]
    matched = inner.frame.select(*(columns or [sa.true().label("matched")]))
    lateral = matched.lateral(place.compilation.name("optional"))
    place.frame.add(lateral, optional=True)
    names = {name: Value(column, value.type) for column, (name, value) in zip(lateral.c, found.items(), strict=False)}
    return place.seeing({**place.names, **names})


def _unwind(place: Place, clause: syntax.Unwind) -> Place:
    if clause.variable in place.names:
        raise refused(clause, f"{clause.variable} is bound already.", "Use another name after AS.")
    weight = checked_weight(place, clause.source)
    source = compile_expression(place, clause.source)
    if source.type.kind is Kind.NULL:
        place.frame.require(sa.false())
        return place.seeing({**place.names, clause.variable: Value(sa.null(), NULL)})
    if source.type.kind not in (Kind.LIST, Kind.ANY):
        raise refused(
            clause.source, f"UNWIND needs a list, this is a {source.type}.", "Write UNWIND [1, 2] AS x.", Fault.BEYOND
        )
    rows, member = unnested(place.compilation, source)
    place.frame.add(rows)
    return place.seeing({**place.names, clause.variable: Value(member.sql, member.type, weight=weight)})


def _with(place: Place, clause: syntax.With) -> Place:
    return project(place, clause.projection, clause.where, needs_aliases=True)


def _united(compilation: Compilation, query: Query, places: Sequence[Place]) -> Place:
    names = list(places[0].names)
    for part, place in zip(query.parts, places, strict=True):
        if list(place.names) != names:
            raise refused(
                part.returns, "The parts of a UNION return different columns.", f"Return {', '.join(names)} in each."
            )
    types = [common_type(place.names[name].type for place in places) for name in names]
    selects: list[sa.Select[Any]] = []
    for place in places:
        values = [coerce(compilation, place.names[name], wanted) for name, wanted in zip(names, types, strict=True)]
        selects.append(place.frame.select(*_labelled(values)))
    united = (sa.union_all if query.keeps_duplicates else sa.union)(*selects)
    rows = united.subquery(compilation.name("rows"))
    frame = Frame()
    frame.add(rows)
    return Place(
        compilation,
        frame,
        {name: Value(column, wanted) for name, column, wanted in zip(names, rows.c, types, strict=True)},
    )


def _labelled(values: Sequence[Value]) -> list[Sql]:
    return [value.sql.label(f"column_{number}") for number, value in enumerate(values, 1)]


def _presented(compilation: Compilation, value: Value) -> Sql:
    is_entity = value.type.kind in (Kind.NODE, Kind.RELATIONSHIP, Kind.PATH)
    element = value.type.element
    if is_entity or (element is not None and element.kind in (Kind.NODE, Kind.RELATIONSHIP, Kind.ANY)):
        return as_json(compilation, value)
    return value.sql
