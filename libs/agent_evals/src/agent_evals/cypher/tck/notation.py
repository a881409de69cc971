"""Values in the TCK's notation, read into a form in which equal values are equal."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import cast

_TOKEN = re.compile(
    r"\s*(?:(?P<string>'(?:[^'\\]|\\.)*')|(?P<number>-?(?:0x[0-9a-fA-F]+|\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|\.\d+|Inf\b))"
    r"|(?P<word>\w+|`[^`]*`)|(?P<sign><-\[|\]->|]-|-\[|[(){}\[\]<>:,]))"
)
_WORDS: Mapping[str, object] = {"true": True, "false": False, "null": None, "NaN": float("nan"), "Inf": float("inf")}


@dataclass(frozen=True, slots=True)
class NodeValue:
    """A node without its id."""

    labels: frozenset[str]
    properties: "Comparable"


@dataclass(frozen=True, slots=True)
class RelationshipValue:
    """A relationship without its id and ends."""

    type: str
    properties: "Comparable"


@dataclass(frozen=True, slots=True)
class PathValue:
    """Nodes and relationships by turns; `is_forward` says for each relationship whether it points to the right."""

    nodes: "tuple[Comparable, ...]"
    relationships: "tuple[Comparable, ...]"
    is_forward: tuple[bool, ...]


# Scalars stand beside the name of their type: 1, 1.0 and true are three values. Floats stand as text, for NaN's sake.
type Scalar = tuple[str, object]
type Comparable = Scalar | NodeValue | RelationshipValue | PathValue


class NotationError(Exception):
    """A text isn't a value in the TCK's notation; the message is the text."""


def read_value(text: str) -> Comparable:
    """A cell of an expected table. Raises NotationError."""
    return _read(text, lambda reader: reader.value())


def read_python(text: str) -> object:
    """A parameter's value: a scalar, list or map. Raises NotationError."""
    return _plain(read_value(text))


def comparable(value: object) -> Comparable:
    """A Python value of JSON's types."""
    match value:
        case None | bool() | int() | str():
            return (type(value).__name__, value)
        case float():
            return ("float", repr(value))
        case list() | tuple():
            return ("list", tuple(comparable(member) for member in cast("list[object]", value)))
        case Mapping():
            members = cast("Mapping[str, object]", value)
            return ("map", tuple(sorted((key, comparable(member)) for key, member in members.items())))
        case _:
            return (type(value).__name__, str(value))


def without_order(value: Comparable) -> Comparable:
    """The value with the members of each list sorted."""
    if not isinstance(value, tuple) or value[0] not in ("list", "map"):
        return value
    members = cast("tuple[object, ...]", value[1])
    if value[0] == "map":
        return (
            "map",
            tuple((key, without_order(member)) for key, member in cast("tuple[tuple[str, Scalar]]", members)),
        )
    return ("list", tuple(sorted(map(without_order, cast("tuple[Scalar, ...]", members)), key=repr)))


def _read(text: str, reading: "Callable[[_Reader], Comparable]") -> Comparable:
    tokens: list[str] = []
    place = 0
    while text[place:].strip():
        match = _TOKEN.match(text, place)
        if match is None:
            raise NotationError(text)
        tokens.append(match[0].strip())
        place = match.end()
    reader = _Reader(text, tokens)
    value = reading(reader)
    if not reader.is_at_end:
        raise NotationError(text)
    return value


def _plain(value: Comparable) -> object:
    if not isinstance(value, tuple):
        raise NotationError(str(value))
    kind, content = value
    match kind:
        case "list":
            return [_plain(member) for member in cast("tuple[Scalar, ...]", content)]
        case "map":
            return {key: _plain(member) for key, member in cast("tuple[tuple[str, Scalar], ...]", content)}
        case "float":
            return float(str(content))
        case _:
            return content


@dataclass(slots=True)
class _Reader:
    text: str
    tokens: list[str]
    place: int = field(default=0)

    @property
    def is_at_end(self) -> bool:
        return self.place == len(self.tokens)

    def value(self) -> Comparable:
        token = self._take()
        match token:
            case "[" if self._next() == ":":
                return self._relationship("]")
            case "[":
                return self._list()
            case "{":
                return self._map()
            case "(":
                return self._node()
            case "<":
                return self._path()
            case _:
                return comparable(self._scalar(token))

    def _scalar(self, token: str) -> object:
        if token[0] == "'":
            return re.sub(r"\\(.)", r"\1", token[1:-1])
        if token in _WORDS:
            return _WORDS[token]
        try:
            return int(token, 0) if re.fullmatch(r"-?(0x[0-9a-fA-F]+|\d+)", token) else float(token)
        except ValueError:
            raise NotationError(self.text) from None

    def _list(self) -> Comparable:
        members: list[Comparable] = []
        while self._next() != "]":
            members.append(self.value())
            if self._next() == ",":
                self.place += 1
        self._expect("]")
        return ("list", tuple(members))

    def _map(self) -> Comparable:
        members: dict[str, Comparable] = {}
        while self._next() != "}":
            key = self._take()
            self._expect(":")
            members[key.strip("`")] = self.value()
            if self._next() == ",":
                self.place += 1
        self._expect("}")
        return ("map", tuple(sorted(members.items())))

    def _properties(self) -> Comparable:
        if self._next() != "{":
            return ("map", ())
        self.place += 1
        return self._map()

    def _node(self) -> NodeValue:
        labels: set[str] = set()
        while self._next() == ":":
            self.place += 1
            labels.add(self._take().strip("`"))
        properties = self._properties()
        self._expect(")")
        return NodeValue(frozenset(labels), properties)

    def _relationship(self, *ends: str) -> RelationshipValue:
        self._expect(":")
        found = RelationshipValue(self._take().strip("`"), self._properties())
        self._expect(*ends)
        return found

    def _path(self) -> PathValue:
        self._expect("(")
        nodes: list[Comparable] = [self._node()]
        relationships: list[Comparable] = []
        is_forward: list[bool] = []
        while self._next() != ">":
            backward = self._take()
            relationships.append(self._relationship("]-", "]->"))
            is_forward.append(backward == "-[")
            self._expect("(")
            nodes.append(self._node())
        self.place += 1
        return PathValue(tuple(nodes), tuple(relationships), tuple(is_forward))

    def _next(self) -> str:
        return self.tokens[self.place] if self.place < len(self.tokens) else ""

    def _take(self) -> str:
        if self.is_at_end:
            raise NotationError(self.text)
        self.place += 1
        return self.tokens[self.place - 1]

    def _expect(self, *wanted: str) -> None:
        if self._take() not in wanted:
            raise NotationError(self.text)
