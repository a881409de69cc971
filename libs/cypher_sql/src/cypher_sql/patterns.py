"""MATCH: patterns to joins."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql as pg
from sqlalchemy.sql.elements import Grouping

from cypher_sql import syntax
from cypher_sql.conversion import stored
from cypher_sql.entities import check_label, edge_json, has_label, json_object, node_value
from cypher_sql.equality import equal
from cypher_sql.errors import Fault
from cypher_sql.expressions import compile_condition, compile_expression, property_of
from cypher_sql.inference import narrowed_labels
from cypher_sql.pattern_names import check_names
from cypher_sql.relationships import array_of_text, relationship_types
from cypher_sql.schema import EdgeSource, RelationshipType
from cypher_sql.scope import ANY_TYPE, EdgeRow, Names, NodeRow, Place, Value, pointing_at, refused
from cypher_sql.syntax import Direction, NodePattern, PathPattern, RelationshipPattern
from cypher_sql.values import PATH, RELATIONSHIP, Sql, list_of
from cypher_sql.walks import Arc, Walk, arc, property_conditions, walk


def match_patterns(place: Place, patterns: tuple[PathPattern, ...], where: syntax.Expression | None) -> Names:
    """Join the patterns into the place's frame. Returns the names that are visible after."""
    check_names(place.names, patterns)
    match = _Match(place, narrowed_labels(place, patterns), dict(place.names))
    for pattern in patterns:
        match.add_path(pattern)
    after = place.seeing(match.names)
    for node, entry in match.pending:
        wanted = compile_expression(after, entry.value)
        with pointing_at(entry):
            found = property_of(after, node, entry.key)
            place.frame.require(equal(place.compilation, found, wanted))
    place.frame.require(*_distinct_relationships(match.used))
    if where is not None:
        place.frame.require(compile_condition(after, where))
    return match.names


@dataclass(frozen=True, slots=True, eq=False)
class _Used:
    """A relationship of the MATCH, or an array of them; no two may be the same."""

    id: Sql
    is_array: bool
    source: EdgeSource
    types: frozenset[str]


def _distinct_relationships(used: Sequence[_Used]) -> list[Sql]:
    conditions: list[Sql] = []
    for place, first in enumerate(used):
        for second in used[place + 1 :]:
            if first.types & second.types or ANY_TYPE in first.types | second.types:
                conditions.append(_differ(first, second))
    return conditions


def _differ(first: _Used, second: _Used) -> Sql:
    if first.is_array and not second.is_array:
        first, second = second, first
    one, other = first.id, second.id
    if first.source is not second.source:
        one = array_of_text(one) if first.is_array else sa.cast(one, sa.Text())
        other = array_of_text(other) if second.is_array else sa.cast(other, sa.Text())
    if first.is_array:
        return sa.not_(one.op("&&", return_type=sa.Boolean())(other).self_group())
    return one != sa.all_(other) if second.is_array else one != other


@dataclass(slots=True, eq=False)
class _Match:
    """One MATCH clause while its paths are added."""

    place: Place
    labels: dict[str, tuple[str, ...]]
    names: dict[str, Value]
    used: list[_Used] = field(default_factory=list["_Used"])
    # Property maps wait until every name of the clause is bound.
    pending: list[tuple[Value, syntax.MapEntry]] = field(default_factory=list[tuple[Value, syntax.MapEntry]])
    is_path_named: bool = False

    def add_path(self, path: PathPattern) -> None:
        """Join one path and bind its names."""
        self.is_path_named = path.variable is not None
        if path.shortest is not None:
            nodes, edges = self._shortest(path)
        else:
            nodes, edges = self._chain(path)
        if path.variable is not None:
            self.names[path.variable] = Value(_path_json(nodes, edges), PATH)

    def _chain(self, path: PathPattern) -> tuple[list[Value], list["_Edge"]]:
        first = self._starting_point(path)
        nodes: dict[int, Value] = {first: self._node(path.nodes[first], None)}
        edges: dict[int, _Edge] = {}
        for place in range(first, len(path.relationships)):
            edges[place], there = self._relationship(path.relationships[place], nodes[place], is_backward=False)
            nodes[place + 1] = self._node(path.nodes[place + 1], there)
        for place in reversed(range(first)):
            edges[place], there = self._relationship(path.relationships[place], nodes[place + 1], is_backward=True)
            nodes[place] = self._node(path.nodes[place], there)
        return [nodes[place] for place in sorted(nodes)], [edges[place] for place in sorted(edges)]

    def _starting_point(self, path: PathPattern) -> int:
        """The node that is likely the most selective: a bound one, one with values, one with a label, the first."""

        def rank(node: NodePattern) -> int:
            if node.variable in self.names:
                return 0
            return 1 if node.properties else 2 if node.labels else 3

        return min(range(len(path.nodes)), key=lambda place: (rank(path.nodes[place]), place))

    def _node(self, pattern: NodePattern, reached: Sql | None) -> Value:
        name = pattern.variable
        if name is not None and name in self.names:
            node = self.names[name]
            self.place.frame.require(node.sql == reached if reached is not None else node.sql.is_not(None))
            self._require_labels(pattern, node, pattern.labels)
        elif name is None and reached is not None and not pattern.labels and not pattern.properties:
            return node_value(reached)
        else:
            node = self._new_node(pattern, reached)
            if name is not None:
                self.names[name] = node
        self.pending.extend((node, entry) for entry in pattern.properties)
        return node

    def _new_node(self, pattern: NodePattern, reached: Sql | None) -> Value:
        compilation = self.place.compilation
        labels = pattern.labels or self.labels.get(pattern.variable or "", ())
        with pointing_at(pattern):
            for label in labels:
                check_label(compilation, label)
        known = [label for label in labels if compilation.schema.label(label) is not None]
        single = compilation.schema.label(known[0]) if known and (pattern.labels or len(known) == 1) else None
        source = compilation.schema.nodes if single is None else single.source
        element = source.rows.subquery(compilation.name("node"))
        self.place.frame.add(element, None if reached is None else element.c.id == reached)
        node = node_value(element.c.id, tuple(known) if known == list(labels) else (), NodeRow(element, source))
        if pattern.labels:
            self._require_labels(pattern, node, [each for each in labels if single is None or each != single.name])
        return node

    def _require_labels(self, pattern: NodePattern, node: Value, labels: Sequence[str]) -> None:
        with pointing_at(pattern):
            self.place.frame.require(*(has_label(self.place.compilation, node.sql, label) for label in labels))

    def _types(self, pattern: RelationshipPattern) -> tuple[RelationshipType, ...]:
        with pointing_at(pattern):
            return relationship_types(self.place.compilation, pattern.types)

    def _relationship(self, pattern: RelationshipPattern, here: Value, *, is_backward: bool) -> tuple["_Edge", Sql]:
        if pattern.length is not None:
            return self._walk(pattern, here.sql, is_backward=is_backward)
        step = self._step(pattern, is_backward=is_backward)
        element = step.row.element
        self.place.frame.add(element, sa.and_(step.here == here.sql, step.condition))
        value = Value(element.c.id, RELATIONSHIP, step.row)
        self.place.frame.require(*property_conditions(self.place.seeing(self.names), step.row, pattern.properties))
        self._bind_relationship(pattern, value)
        self._use(element.c.id, step.row.types, is_array=False)
        return _Edge(step.row, None, is_backward, here.sql), step.there

    def _step(self, pattern: RelationshipPattern, *, is_backward: bool) -> Arc:
        types = self._types(pattern)
        direction = _reversed(pattern.direction) if is_backward else pattern.direction
        with pointing_at(pattern):
            return arc(self.place, types, direction)

    def _bind_relationship(self, pattern: RelationshipPattern, value: Value) -> None:
        name = pattern.variable
        if name is None:
            return
        if name in self.names:
            self.place.frame.require(equal(self.place.compilation, self.names[name], value))
        else:
            self.names[name] = value

    def _use(self, edge: Sql, types: Sequence[RelationshipType], *, is_array: bool) -> None:
        source = types[0].edges
        self.used.append(_Used(edge, is_array, source, frozenset(each.name for each in types)))

    def _walk(self, pattern: RelationshipPattern, here: Sql, *, is_backward: bool) -> tuple["_Edge", Sql]:
        step = self._step(pattern, is_backward=is_backward)
        place = self.place.seeing(self.names)
        found = walk(place, pattern, step, here, keeps_path=self._keeps_path(pattern), is_backward=is_backward)
        return self._add_walk(pattern, found, here, is_backward=is_backward), found.element.c.end

    def _keeps_path(self, pattern: RelationshipPattern) -> bool:
        return self.is_path_named or pattern.variable is not None

    def _add_walk(self, pattern: RelationshipPattern, found: Walk, here: Sql, *, is_backward: bool) -> "_Edge":
        element = found.element
        self.place.frame.add(element)
        if pattern.variable is not None:
            self.names[pattern.variable] = Value(element.c.relationships, list_of(RELATIONSHIP))
        self._use(element.c.edges, found.types, is_array=True)
        return _Edge(None, found, is_backward, here)

    def _shortest(self, path: PathPattern) -> tuple[list[Value], list["_Edge"]]:
        if len(path.relationships) != 1 or path.relationships[0].length is None or path.shortest is None:
            raise refused(
                path,
                f"{path.shortest} takes one variable-length relationship.",
                "Write (a)-[*..4]-(b) inside it.",
                Fault.BEYOND,
            )
        (pattern,) = path.relationships
        start, end = (self._node(node, None) for node in path.nodes)
        step = self._step(pattern, is_backward=False)
        place = self.place.seeing(self.names)
        keeps_path = self._keeps_path(pattern)
        found = walk(place, pattern, step, start.sql, keeps_path=keeps_path, end=end.sql, shortest=path.shortest)
        return [start, end], [self._add_walk(pattern, found, start.sql, is_backward=False)]


@dataclass(frozen=True, slots=True, eq=False)
class _Edge:
    """A step or a walk of a path; `origin` is the node that it was walked from."""

    row: EdgeRow | None
    walk: Walk | None
    is_backward: bool
    origin: Sql


def _path_json(nodes: Sequence[Value], edges: Sequence[_Edge]) -> Sql:
    """`nodes` as ids and `relationships` in full, both from left to right."""
    node_parts: list[Sql] = [sa.func.jsonb_build_array(nodes[0].sql, type_=pg.JSONB())]
    edge_parts: list[Sql] = [sa.func.jsonb_build_array(type_=pg.JSONB())]
    for edge, node in zip(edges, nodes[1:], strict=True):
        if edge.walk is None:
            node_parts.append(sa.func.jsonb_build_array(node.sql, type_=pg.JSONB()))
            if edge.row is not None:
                edge_parts.append(sa.func.jsonb_build_array(edge_json(edge.row), type_=pg.JSONB()))
            continue
        columns = edge.walk.element.c
        walked: Sql = columns.nodes
        if edge.is_backward:
            appended = sa.func.array_append(walked, edge.origin, type_=walked.type)
            walked = Grouping(appended)[2 : sa.func.cardinality(walked) + 1]
        node_parts.append(sa.func.to_jsonb(walked, type_=pg.JSONB()))
        edge_parts.append(sa.func.to_jsonb(columns.relationships, type_=pg.JSONB()))
    return json_object({"nodes": _concatenated(node_parts), "relationships": _concatenated(edge_parts)})


def _concatenated(parts: Sequence[Sql]) -> Sql:
    result, *rest = parts
    for part in rest:
        result = result.op("||", return_type=pg.JSONB())(part)
    return result


def _reversed(direction: Direction) -> Direction:
    return {Direction.LEFT: Direction.RIGHT, Direction.RIGHT: Direction.LEFT}.get(direction, direction)


def new_values(before: Names, after: Names) -> dict[str, Value]:
    """What a MATCH bound, ready to leave its SELECT."""
    return {name: stored(value) for name, value in after.items() if name not in before}
