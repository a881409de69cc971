"""The tree of a query: every construct that the language has, and none that writes.

Two nodes are equal when they say the same, wherever they stand: `at` takes no part in comparisons.
"""

from dataclasses import dataclass, field
from enum import StrEnum


@dataclass(frozen=True, slots=True)
class Position:
    """A place in the text; both count from 1."""

    line: int
    column: int


START = Position(1, 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """Anything that stands in the text."""

    at: Position = field(default=START, compare=False, repr=False)


type Scalar = bool | int | float | str | None


@dataclass(frozen=True, slots=True)
class Literal(Node):
    """A constant. `is_bool` keeps `true` apart from `1`, which Python calls equal."""

    value: Scalar
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Parameter(Node):
    """`$name`"""

    name: str


@dataclass(frozen=True, slots=True)
class Variable(Node):
    """A name that an earlier part of the query bound."""

    name: str


@dataclass(frozen=True, slots=True)
class Property(Node):
    """`subject.name`"""

    subject: "Expression"
    name: str


@dataclass(frozen=True, slots=True)
class HasLabels(Node):
    """`n:Label`; several labels must all hold."""

    subject: Variable
    labels: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ListLiteral(Node):
    """`[a, b]`"""

    items: tuple["Expression", ...]


@dataclass(frozen=True, slots=True)
class MapEntry(Node):
    """One `key: value` of a map."""

    key: str
    value: "Expression"


@dataclass(frozen=True, slots=True)
class MapLiteral(Node):
    """`{key: value}`"""

    entries: tuple[MapEntry, ...]


@dataclass(frozen=True, slots=True)
class Unary(Node):
    """`NOT`, `-` or `+` before an operand."""

    operator: str
    operand: "Expression"


@dataclass(frozen=True, slots=True)
class Binary(Node):
    """Arithmetic, a comparison, `IN`, `STARTS WITH`, `ENDS WITH` or `CONTAINS`; the operator is in capitals."""

    operator: str
    left: "Expression"
    right: "Expression"


@dataclass(frozen=True, slots=True)
class Logic(Node):
    """`AND`, `OR` or `XOR` between two or more operands."""

    operator: str
    operands: tuple["Expression", ...]


@dataclass(frozen=True, slots=True)
class IsNull(Node):
    """`IS NULL`, or `IS NOT NULL` when negated."""

    operand: "Expression"
    negated: bool


@dataclass(frozen=True, slots=True)
class Index(Node):
    """`subject[index]`"""

    subject: "Expression"
    index: "Expression"


@dataclass(frozen=True, slots=True)
class Slice(Node):
    """`subject[start..stop]`, either end optional."""

    subject: "Expression"
    start: "Expression | None"
    stop: "Expression | None"


@dataclass(frozen=True, slots=True)
class Branch(Node):
    """`WHEN condition THEN result`"""

    condition: "Expression"
    result: "Expression"


@dataclass(frozen=True, slots=True)
class Case(Node):
    """`CASE`; with a subject its branches compare, without one they are conditions."""

    subject: "Expression | None"
    branches: tuple[Branch, ...]
    default: "Expression | None"


@dataclass(frozen=True, slots=True)
class Call(Node):
    """A function call; the name is in lower case, `star` is `count(*)`."""

    function: str
    arguments: tuple["Expression", ...]
    distinct: bool = False
    star: bool = False


@dataclass(frozen=True, slots=True)
class ListComprehension(Node):
    """`[variable IN source WHERE condition | result]`"""

    variable: str
    source: "Expression"
    condition: "Expression | None"
    result: "Expression | None"


class Quantifier(StrEnum):
    """How many members of a list a condition must hold for."""

    ALL = "all"
    ANY = "any"
    NONE = "none"
    SINGLE = "single"


@dataclass(frozen=True, slots=True)
class Quantified(Node):
    """`any(variable IN source WHERE condition)` and its like."""

    quantifier: Quantifier
    variable: str
    source: "Expression"
    condition: "Expression"


class Direction(StrEnum):
    """Which way a relationship pattern points, read left to right."""

    RIGHT = "right"
    LEFT = "left"
    EITHER = "either"


@dataclass(frozen=True, slots=True)
class Length(Node):
    """`*shortest..longest`; no `longest` means unbounded."""

    shortest: int
    longest: int | None


@dataclass(frozen=True, slots=True)
class NodePattern(Node):
    """`(variable:Label {key: value})`"""

    variable: str | None = None
    labels: tuple[str, ...] = ()
    properties: tuple[MapEntry, ...] = ()


@dataclass(frozen=True, slots=True)
class RelationshipPattern(Node):
    """`-[variable:TYPE|OTHER*1..3 {key: value}]->`"""

    variable: str | None = None
    types: tuple[str, ...] = ()
    properties: tuple[MapEntry, ...] = ()
    direction: Direction = Direction.EITHER
    length: Length | None = None


class Shortest(StrEnum):
    """`shortestPath` keeps one path of the least length for each pair of ends, `allShortestPaths` all of them."""

    ONE = "shortestPath"
    ALL = "allShortestPaths"


@dataclass(frozen=True, slots=True)
class PathPattern(Node):
    """A chain of one more node than relationships."""

    nodes: tuple[NodePattern, ...]
    relationships: tuple[RelationshipPattern, ...]
    variable: str | None = None
    shortest: Shortest | None = None


@dataclass(frozen=True, slots=True)
class PatternPredicate(Node):
    """A chain as a condition: true where it can be matched."""

    path: PathPattern


@dataclass(frozen=True, slots=True)
class Exists(Node):
    """`EXISTS { … }`"""

    patterns: tuple[PathPattern, ...]
    where: "Expression | None"


@dataclass(frozen=True, slots=True)
class Count(Node):
    """`COUNT { … }`: how often the patterns can be matched."""

    patterns: tuple[PathPattern, ...]
    where: "Expression | None"


@dataclass(frozen=True, slots=True)
class PatternComprehension(Node):
    """`[chain WHERE condition | result]`: a list of one result for each match."""

    path: PathPattern
    condition: "Expression | None"
    result: "Expression"


type OverRows = ListComprehension | Quantified | PatternComprehension | Count

type Expression = (
    Literal
    | Parameter
    | Variable
    | Property
    | HasLabels
    | ListLiteral
    | MapLiteral
    | Unary
    | Binary
    | Logic
    | IsNull
    | Index
    | Slice
    | Case
    | Call
    | ListComprehension
    | PatternPredicate
    | Exists
    | Count
    | Quantified
    | PatternComprehension
)


@dataclass(frozen=True, slots=True)
class Match(Node):
    """`MATCH` or `OPTIONAL MATCH`, with its own `WHERE`."""

    patterns: tuple[PathPattern, ...]
    where: Expression | None
    optional: bool


@dataclass(frozen=True, slots=True)
class Unwind(Node):
    """`UNWIND source AS variable`"""

    source: Expression
    variable: str


@dataclass(frozen=True, slots=True)
class Item(Node):
    """One column; without `AS` its name is its own text and `has_alias` is false."""

    expression: Expression
    name: str
    has_alias: bool


@dataclass(frozen=True, slots=True)
class SortKey(Node):
    """One key of `ORDER BY`."""

    expression: Expression
    descending: bool


@dataclass(frozen=True, slots=True)
class Projection(Node):
    """What follows `WITH` or `RETURN`; `star` stands before the items."""

    items: tuple[Item, ...]
    star: bool
    distinct: bool
    order_by: tuple[SortKey, ...]
    skip: Expression | None
    limit: Expression | None


@dataclass(frozen=True, slots=True)
class With(Node):
    """`WITH`: all that later clauses see, and what is left of the rows."""

    projection: Projection
    where: Expression | None


type Clause = Match | Unwind | With


@dataclass(frozen=True, slots=True)
class SingleQuery(Node):
    """Clauses and the `RETURN` that ends them."""

    clauses: tuple[Clause, ...]
    returns: Projection


@dataclass(frozen=True, slots=True)
class Query(Node):
    """One or several single queries, put together by `UNION` or `UNION ALL`."""

    parts: tuple[SingleQuery, ...]
    keeps_duplicates: bool = False
