"""A graph from a file of CREATE statements: named nodes, relationships between them, literal properties."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

type Literal = int | str | list[int | str]

_TOKEN = re.compile(
    r"""\s*(?:(?P<string>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")|(?P<number>-?\d+)|(?P<name>\w+)|(?P<sign>->|[-()\[\]{}:,;.]))"""
)


class CreateError(Exception):
    """The text holds something that isn't a plain CREATE statement; the message says where."""


@dataclass(frozen=True, slots=True)
class CreatedNode:
    """A node with one label. Ids count from 1."""

    id: int
    label: str
    properties: Mapping[str, Literal]


@dataclass(frozen=True, slots=True)
class CreatedEdge:
    """A relationship from one node to another. Ids count from 1."""

    id: int
    source: int
    type: str
    target: int
    properties: Mapping[str, Literal]


@dataclass(slots=True)
class CreatedGraph:
    """What the statements create, in their order."""

    nodes: list[CreatedNode] = field(default_factory=list[CreatedNode])
    edges: list[CreatedEdge] = field(default_factory=list[CreatedEdge])


def created_graph(text: str) -> CreatedGraph:
    """The graph of a text. Constraints and indexes are passed over. Raises CreateError for anything else."""
    return _Reader(text).graph()


class _Reader:
    """Reads token by token; a name stands for the same node up to the end of the text."""

    def __init__(self, text: str) -> None:
        self._tokens = _tokens(text)
        self._place = 0
        self._names: dict[str, int] = {}
        self._graph = CreatedGraph()

    def graph(self) -> CreatedGraph:
        while self._place < len(self._tokens):
            self._take("CREATE")
            if self._next() in ("CONSTRAINT", "INDEX"):
                while self._next() not in (";", ""):
                    self._place += 1
            else:
                self._pattern()
                while self._passes(","):
                    self._pattern()
            self._passes(";")
        return self._graph

    def _pattern(self) -> None:
        source = self._node()
        while self._passes("-"):
            self._take("[")
            self._take(":")
            kind, properties = self._any(), self._properties()
            self._take("]")
            self._take("->")
            target = self._node()
            edges = self._graph.edges
            edges.append(CreatedEdge(len(edges) + 1, source, kind, target, properties))
            source = target

    def _node(self) -> int:
        self._take("(")
        name = self._any()
        if not self._passes(":"):
            self._take(")")
            if name not in self._names:
                raise CreateError(f"{name} is used before it is created")
            return self._names[name]
        nodes = self._graph.nodes
        node = CreatedNode(len(nodes) + 1, self._any(), self._properties())
        self._take(")")
        if name in self._names:
            raise CreateError(f"{name} is created twice")
        nodes.append(node)
        self._names[name] = node.id
        return node.id

    def _properties(self) -> dict[str, Literal]:
        properties: dict[str, Literal] = {}
        if self._passes("{"):
            while not self._passes("}"):
                key = self._any()
                self._take(":")
                properties[key] = self._members() if self._passes("[") else _scalar(self._any())
                self._passes(",")
        return properties

    def _members(self) -> list[int | str]:
        members: list[int | str] = []
        while not self._passes("]"):
            members.append(_scalar(self._any()))
            self._passes(",")
        return members

    def _next(self) -> str:
        return self._tokens[self._place] if self._place < len(self._tokens) else ""

    def _any(self) -> str:
        self._place += 1
        if self._place > len(self._tokens):
            raise CreateError("the text ends within a statement")
        return self._tokens[self._place - 1]

    def _take(self, wanted: str) -> None:
        found = self._any()
        if found != wanted:
            raise CreateError(f"token {self._place} is {found!r} instead of {wanted!r}")

    def _passes(self, sign: str) -> bool:
        if self._next() != sign:
            return False
        self._place += 1
        return True


def _tokens(text: str) -> list[str]:
    found: list[str] = []
    place = 0
    end = len(text.rstrip())
    while place < end:
        match = _TOKEN.match(text, place)
        if match is None:
            raise CreateError(f"{text[place : place + 20].strip()!r} can't be read")
        found.append(match[0].strip())
        place = match.end()
    return found


def _scalar(token: str) -> int | str:
    if token[0] in "'\"":
        return re.sub(r"\\(.)", r"\1", token[1:-1])
    try:
        return int(token)
    except ValueError:
        raise CreateError(f"{token!r} is neither a number nor a text") from None
