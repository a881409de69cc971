"""The graphs that set-up statements make, in memory; a statement is read clause by clause, apart from the language."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from cypher_sql import QueryRefused, parse
from cypher_sql import syntax as s

_CLAUSE = re.compile(r"\b(CREATE|UNWIND|WITH|MATCH|WHERE|DELETE)\b")

type Properties = dict[str, object]
# What a name stands for in one row: a node's number, a relationship's number or a value.
type Row = dict[str, object]


class CannotMake(Exception):
    """The set-up needs more than what is read here; the message says what."""


@dataclass(frozen=True, slots=True)
class MadeNode:
    """A node; its number counts from 1."""

    number: int
    labels: tuple[str, ...]
    properties: Properties


@dataclass(frozen=True, slots=True)
class MadeEdge:
    """A relationship; its number counts from 1."""

    number: int
    source: int
    type: str
    target: int
    properties: Properties


@dataclass(slots=True)
class MadeGraph:
    """What some statements create."""

    nodes: dict[int, MadeNode] = field(default_factory=dict[int, MadeNode])
    edges: dict[int, MadeEdge] = field(default_factory=dict[int, MadeEdge])
    created: int = 0


def made_graph(statements: Sequence[str]) -> MadeGraph:
    """The graph after some statements. Raises CannotMake."""
    graph = MadeGraph()
    for statement in statements:
        rows: list[Row] = [{}]
        for clause, text in _clauses(statement):
            rows = _applied(graph, clause, text, rows)
    return graph


def _clauses(statement: str) -> list[tuple[str, str]]:
    first, *parts = _CLAUSE.split(statement.strip().rstrip(";"))
    if first.strip():
        raise CannotMake(first)
    return list(zip(parts[::2], parts[1::2], strict=True))


def _applied(graph: MadeGraph, clause: str, text: str, rows: list[Row]) -> list[Row]:
    match clause:
        case "CREATE":
            paths = _patterns(text)
            for row in rows:
                for path in paths:
                    _create(graph, row, path)
            return rows
        case "UNWIND":
            source, name = _unwound(text)
            return [{**row, name: member} for row in rows for member in _list(source, row)]
        case "MATCH":
            path, *others = _patterns(text)
            if others:
                raise CannotMake("MATCH of several paths")
            return [found for row in rows for found in _matched(graph, row, path)]
        case "DELETE":
            for row in rows:
                graph.edges.pop(_number(row[text.strip()]), None)
            return rows
        case _:
            return _filtered(graph, clause, text, rows)


def _filtered(graph: MadeGraph, clause: str, text: str, rows: list[Row]) -> list[Row]:
    """WITH that only passes names on, and WHERE that a node lacks a label."""
    if clause == "WITH" and re.fullmatch(r"[\w\s,*]+", text):
        return rows
    unwanted = re.fullmatch(r"\s*NOT (\w+):(\w+)\s*", text)
    if clause != "WHERE" or unwanted is None:
        raise CannotMake(f"{clause} {text.strip()}")
    return [row for row in rows if unwanted[2] not in graph.nodes[_number(row[unwanted[1]])].labels]


def _patterns(text: str) -> tuple[s.PathPattern, ...]:
    match _parsed(f"MATCH {text}\nRETURN 1").clauses:
        case (s.Match() as found,):
            return found.patterns
        case _:
            raise CannotMake(text)


def _unwound(text: str) -> tuple[s.Expression, str]:
    match _parsed(f"UNWIND {text}\nRETURN 1").clauses:
        case (s.Unwind() as found,):
            return found.source, found.variable
        case _:
            raise CannotMake(text)


def _parsed(text: str) -> s.SingleQuery:
    try:
        return parse(text).parts[0]
    except QueryRefused as refusal:
        raise CannotMake(text) from refusal


def _create(graph: MadeGraph, row: Row, path: s.PathPattern) -> None:
    ends = [_node(graph, row, node) for node in path.nodes]
    for place, pattern in enumerate(path.relationships):
        source, target = ends[place], ends[place + 1]
        if pattern.direction is s.Direction.LEFT:
            source, target = target, source
        graph.created += 1
        edge = MadeEdge(graph.created, source, pattern.types[0], target, _properties(pattern.properties, graph, row))
        graph.edges[edge.number] = edge
        if pattern.variable is not None:
            row[pattern.variable] = edge.number


def _node(graph: MadeGraph, row: Row, pattern: s.NodePattern) -> int:
    if pattern.variable is not None and pattern.variable in row:
        return _number(row[pattern.variable])
    graph.created += 1
    node = MadeNode(graph.created, tuple(sorted(set(pattern.labels))), _properties(pattern.properties, graph, row))
    graph.nodes[node.number] = node
    if pattern.variable is not None:
        row[pattern.variable] = node.number
    return node.number


def _matched(graph: MadeGraph, row: Row, path: s.PathPattern) -> list[Row]:
    first, *others = path.nodes
    starts = [node for node in graph.nodes.values() if set(first.labels) <= set(node.labels)]
    if not others:
        return [{**row, str(first.variable): node.number} for node in starts]
    if len(others) > 1 or path.relationships[0].direction is not s.Direction.RIGHT or path.relationships[0].types:
        raise CannotMake("MATCH of a longer path")
    numbers = {node.number for node in starts}
    return [
        {
            **row,
            str(first.variable): edge.source,
            str(path.relationships[0].variable): edge.number,
            str(others[0].variable): edge.target,
        }
        for edge in graph.edges.values()
        if edge.source in numbers
    ]


def _properties(entries: Sequence[s.MapEntry], graph: MadeGraph, row: Row) -> Properties:
    values = {entry.key: _value(entry.value, row, graph) for entry in entries}
    return {key: value for key, value in values.items() if value is not None}


def _value(node: s.Expression, row: Mapping[str, object], graph: MadeGraph | None = None) -> object:
    match node:
        case s.Literal(value):
            return value
        case s.Variable(name) if name in row:
            return row[name]
        case s.ListLiteral(items):
            return [_value(item, row, graph) for item in items]
        case s.Unary("-", operand):
            value = _value(operand, row, graph)
            if isinstance(value, int | float):
                return -value
        case s.Property(s.Variable(name), key) if graph is not None:
            return graph.nodes[_number(row[name])].properties.get(key)
        case s.Binary("+", left, right):
            return f"{_value(left, row, graph)}{_value(right, row, graph)}"
        case _:
            pass
    raise CannotMake(str(node))


def _list(source: s.Expression, row: Mapping[str, object]) -> Sequence[object]:
    match source:
        case s.Call("range", (start, stop)):
            return range(_number(_value(start, row)), _number(_value(stop, row)) + 1)
        case s.ListLiteral(items):
            return [_value(item, row) for item in items]
        case _:
            raise CannotMake(str(source))


def _number(value: object) -> int:
    if not isinstance(value, int):
        raise CannotMake(f"{value} is no number")
    return value
