"""The parser's raw tree to the syntax tree: expressions and the patterns in them."""

import re
from collections.abc import Callable

from lark import Token, Tree

from cypher_sql import syntax
from cypher_sql.errors import Fault, QueryRefused
from cypher_sql.syntax import Direction, Expression, MapEntry, NodePattern, PathPattern, Position, RelationshipPattern

type Raw = Tree[Token]

_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|.)", re.DOTALL)
_SIMPLE_ESCAPES = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "\\": "\\", "'": "'", '"': '"', "`": "`"}
# PostgreSQL's bigint.
_INTEGER_BOUND = 2**63


def position(raw: Raw | Token) -> Position:
    """Where it starts; the start of the text for what is empty."""
    if isinstance(raw, Token):
        return Position(raw.line or 1, raw.column or 1)
    return syntax.START if raw.meta.empty else Position(raw.meta.line, raw.meta.column)


def refused(raw: Raw | Token, message: str, hint: str = "", fault: Fault = Fault.SYNTAX) -> QueryRefused:
    """A refusal that points at the start of `raw`."""
    at = position(raw)
    return QueryRefused(line=at.line, column=at.column, message=message, hint=hint, fault=fault)


def trees(raw: Raw, rule: str | None = None) -> list[Raw]:
    """The children that are trees, of one rule when given."""
    return [child for child in raw.children if isinstance(child, Tree) and (rule is None or child.data == rule)]


def tokens(raw: Raw) -> list[Token]:
    """The children that are tokens."""
    return [child for child in raw.children if isinstance(child, Token)]


def first(raw: Raw, rule: str) -> Raw | None:
    """The first child of a rule, if there is one."""
    return next(iter(trees(raw, rule)), None)


def name_of(raw: Raw) -> str:
    """The text of a `name`, unquoted."""
    token = tokens(raw)[0]
    text = str(token)
    name = text[1:-1].replace("``", "`") if token.type == "QUOTED_NAME" else text
    _check_text(token, name)
    return name


def optional_name(raw: Raw) -> str | None:
    """The text of the direct child that is a `name`."""
    child = first(raw, "name")
    return None if child is None else name_of(child)


def build_expression(raw: Raw) -> Expression:
    """One expression, of whatever rule."""
    return _BUILDERS[raw.data](raw)


def build_path(raw: Raw) -> PathPattern:
    """A `chain`, or the chain of a pattern predicate."""
    nodes = [_build_any_node(child) for child in trees(raw) if child.data != "relationship"]
    relationships = [_build_relationship(child) for child in trees(raw, "relationship")]
    return PathPattern(tuple(nodes), tuple(relationships), at=position(raw))


def _build_any_node(raw: Raw) -> NodePattern:
    if raw.data != "parenthesised":
        properties = first(raw, "map")
        return NodePattern(
            optional_name(raw), _labels(raw), () if properties is None else _entries(properties), at=position(raw)
        )
    inner = build_expression(trees(raw)[0])
    match inner:
        case syntax.Variable(name):
            return NodePattern(name, at=inner.at)
        case syntax.HasLabels(subject, labels):
            return NodePattern(subject.name, labels, at=inner.at)
        case _:
            raise refused(raw, "A relationship starts at a node.", "Write (variable)-[:TYPE]->(other).")


def _labels(raw: Raw) -> tuple[str, ...]:
    labels = first(raw, "labels")
    return () if labels is None else tuple(name_of(child) for child in trees(labels))


def _entries(raw: Raw) -> tuple[MapEntry, ...]:
    entries: list[MapEntry] = []
    for child in trees(raw):
        key, value = trees(child)
        entries.append(MapEntry(name_of(key), build_expression(value), at=position(child)))
    return tuple(entries)


def _build_relationship(raw: Raw) -> RelationshipPattern:
    signs = "".join(str(token) for token in tokens(raw))
    left, right = signs.startswith("<"), signs.endswith(">")
    direction = Direction.EITHER if left == right else Direction.LEFT if left else Direction.RIGHT
    detail = first(raw, "detail")
    if detail is None:
        return RelationshipPattern(direction=direction, at=position(raw))
    types = first(detail, "types")
    length = first(detail, "length")
    properties = first(detail, "map")
    return RelationshipPattern(
        variable=optional_name(detail),
        types=() if types is None else tuple(name_of(child) for child in trees(types)),
        properties=() if properties is None else _entries(properties),
        direction=direction,
        length=None if length is None else _build_length(length),
        at=position(raw),
    )


def _build_length(raw: Raw) -> syntax.Length:
    exact = [_small_number(token) for token in tokens(raw) if token.type == "INTEGER"]
    span = first(raw, "span")
    if span is None:
        return syntax.Length(exact[0] if exact else 1, exact[0] if exact else None, at=position(raw))
    ends = [_small_number(token) for token in tokens(span) if token.type == "INTEGER"]
    return syntax.Length(exact[0] if exact else 1, ends[0] if ends else None, at=position(raw))


def _small_number(token: Token) -> int:
    if len(token) > 6:
        raise refused(token, "The length is too large.", fault=Fault.BEYOND)
    return int(token)


def _build_literal(raw: Raw) -> Expression:
    token = tokens(raw)[0]
    at = position(token)
    match token.type:
        case "TRUE" | "FALSE":
            return syntax.Literal(token.type == "TRUE", "boolean", at=at)
        case "NULL":
            return syntax.Literal(None, "null", at=at)
        case "STRING":
            return syntax.Literal(_unescape(token), "string", at=at)
        case "FLOAT":
            return syntax.Literal(_finite(token), "float", at=at)
        case "HEXADECIMAL" | "OCTAL":
            return _integer(token, int(token, 0))
        case _:
            return _integer(token, int(token) if len(token) < 25 else _INTEGER_BOUND + 1)


def _integer(token: Token, value: int) -> syntax.Literal:
    # 2**63 itself is let through for the sign before it, see _build_sign.
    if value > _INTEGER_BOUND:
        raise refused(token, "The integer is too large.", "Integers have 64 bits.")
    return syntax.Literal(value, "integer", at=position(token))


def _finite(token: Token) -> float:
    value = float(token)
    if value in (float("inf"), float("-inf")):
        raise refused(token, "The number is too large.")
    return value


def _unescape(token: Token) -> str:
    def replaced(match: re.Match[str]) -> str:
        body = match[1]
        if len(body) > 1:
            return chr(int(body[1:], 16)) if int(body[1:], 16) < 0x110000 else "\0"
        if body not in _SIMPLE_ESCAPES:
            raise refused(token, f"The escape \\{body} doesn't exist.", "A backslash itself is written \\\\.")
        return _SIMPLE_ESCAPES[body]

    text = _ESCAPE.sub(replaced, str(token)[1:-1])
    # A character beyond the basic plane may be written as its two halves.
    text = text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")
    _check_text(token, text)
    return text


def _check_text(token: Token, text: str) -> None:
    if "\0" in text or any("\ud800" <= character <= "\udfff" for character in text):
        raise refused(
            token, "The text has a character that can't be stored.", "Leave NUL and half characters out.", Fault.BEYOND
        )


def _build_sign(raw: Raw) -> Expression:
    operator = str(tokens(raw)[0])
    operand = build_expression(trees(raw)[0])
    if operator == "-" and isinstance(operand, syntax.Literal) and operand.value == _INTEGER_BOUND:
        return syntax.Literal(-_INTEGER_BOUND, "integer", at=position(raw))
    return syntax.Unary(operator, operand, at=position(raw))


def _build_negation(raw: Raw) -> Expression:
    return syntax.Unary("NOT", build_expression(trees(raw)[0]), at=position(raw))


def _build_comparison(raw: Raw) -> Expression:
    operands = [build_expression(child) for child in trees(raw)]
    pairs = [
        syntax.Binary(str(token), left, right, at=position(token))
        for token, left, right in zip(tokens(raw), operands, operands[1:], strict=False)
    ]
    return pairs[0] if len(pairs) == 1 else syntax.Logic("AND", tuple(pairs), at=position(raw))


def _logic(operator: str) -> Callable[[Raw], Expression]:
    return lambda raw: syntax.Logic(operator, tuple(map(build_expression, trees(raw))), at=position(raw))


def _binary(operator: str) -> Callable[[Raw], Expression]:
    def build(raw: Raw) -> Expression:
        left, right = map(build_expression, trees(raw))
        return syntax.Binary(operator, left, right, at=position(raw))

    return build


def _build_arithmetic(raw: Raw) -> Expression:
    left, right = map(build_expression, trees(raw))
    sign = tokens(raw)
    return syntax.Binary(str(sign[0]) if sign else "^", left, right, at=position(raw))


def _build_null_test(raw: Raw) -> Expression:
    negated = any(token.type == "NOT" for token in tokens(raw))
    return syntax.IsNull(build_expression(trees(raw)[0]), negated, at=position(raw))


def _build_property(raw: Raw) -> Expression:
    subject, name = trees(raw)
    return syntax.Property(build_expression(subject), name_of(name), at=position(raw))


def _build_index(raw: Raw) -> Expression:
    subject, index = map(build_expression, trees(raw))
    return syntax.Index(subject, index, at=position(raw))


def _build_slice(raw: Raw) -> Expression:
    subject, lower, upper = trees(raw)
    start, stop = (build_expression(trees(end)[0]) if trees(end) else None for end in (lower, upper))
    return syntax.Slice(build_expression(subject), start, stop, at=position(raw))


def _build_case(raw: Raw) -> Expression:
    subject, default = first(raw, "subject"), first(raw, "default")
    branches: list[syntax.Branch] = []
    for child in trees(raw, "branch"):
        condition, result = map(build_expression, trees(child))
        branches.append(syntax.Branch(condition, result, at=position(child)))
    return syntax.Case(
        None if subject is None else build_expression(trees(subject)[0]),
        tuple(branches),
        None if default is None else build_expression(trees(default)[0]),
        at=position(raw),
    )


def _build_call(raw: Raw) -> Expression:
    name, *arguments = trees(raw)
    kinds = {token.type for token in tokens(raw)}
    return syntax.Call(
        name_of(name).lower(),
        tuple(map(build_expression, arguments)),
        distinct="DISTINCT" in kinds,
        star="STAR" in kinds,
        at=position(raw),
    )


def _build_comprehension(raw: Raw) -> Expression:
    source, *rest = trees(raw)
    element = build_expression(source)
    parts = {child.data: build_expression(trees(child)[0]) for child in rest}
    condition, result = parts.get("comprehension_where"), parts.get("comprehension_result")
    if isinstance(element, syntax.PatternPredicate) and result is not None:
        return syntax.PatternComprehension(element.path, condition, result, at=position(raw))
    variable, listed = _membership(raw, element)
    return syntax.ListComprehension(variable, listed, condition, result, at=position(raw))


def _membership(raw: Raw, element: Expression) -> tuple[str, Expression]:
    """The two sides of `variable IN list`."""
    if isinstance(element, syntax.Binary) and element.operator == "IN" and isinstance(element.left, syntax.Variable):
        return element.left.name, element.right
    raise refused(raw, "What goes over a list starts with a variable.", "Write [x IN list WHERE … | …].")


def _build_quantified(raw: Raw) -> Expression:
    name, source, condition = trees(raw)
    quantifier = name_of(name).lower()
    if quantifier not in syntax.Quantifier:
        raise refused(raw, f"{quantifier}() takes no WHERE.", "all, any, none and single do.")
    variable, listed = _membership(raw, build_expression(source))
    return syntax.Quantified(
        syntax.Quantifier(quantifier), variable, listed, build_expression(trees(condition)[0]), at=position(raw)
    )


def _build_block(raw: Raw) -> Expression:
    patterns, where = first(raw, "patterns"), first(raw, "where")
    made = syntax.Exists if raw.data == "exists" else syntax.Count
    return made(
        build_patterns(patterns) if patterns is not None else (),
        None if where is None else build_expression(trees(where)[0]),
        at=position(raw),
    )


def build_patterns(raw: Raw) -> tuple[PathPattern, ...]:
    """The comma-separated paths of a MATCH."""
    return tuple(map(_build_named_path, trees(raw)))


def _build_named_path(raw: Raw) -> PathPattern:
    named, shortest = first(raw, "path_name"), first(raw, "shortest")
    chain = first(shortest or raw, "chain")
    if chain is None:
        raise refused(raw, "A pattern needs a node.")
    path = build_path(chain)
    return PathPattern(
        path.nodes,
        path.relationships,
        None if named is None else optional_name(named),
        None if shortest is None else syntax.Shortest(str(tokens(shortest)[0])),
        at=path.at,
    )


_BUILDERS: dict[str, Callable[[Raw], Expression]] = {
    "or_chain": _logic("OR"),
    "xor_chain": _logic("XOR"),
    "and_chain": _logic("AND"),
    "negation": _build_negation,
    "comparison": _build_comparison,
    "starts": _binary("STARTS WITH"),
    "ends": _binary("ENDS WITH"),
    "contains": _binary("CONTAINS"),
    "membership": _binary("IN"),
    "null_test": _build_null_test,
    "addition": _build_arithmetic,
    "multiplication": _build_arithmetic,
    "power": _build_arithmetic,
    "sign": _build_sign,
    "property": _build_property,
    "index": _build_index,
    "slice": _build_slice,
    "literal": _build_literal,
    "parameter": lambda raw: syntax.Parameter(str(tokens(raw)[0])[1:], at=position(raw)),
    "variable": lambda raw: syntax.Variable(name_of(trees(raw)[0]), at=position(raw)),
    "has_labels": lambda raw: syntax.HasLabels(
        syntax.Variable(name_of(trees(raw)[0]), at=position(raw)), _labels(raw), at=position(raw)
    ),
    "parenthesised": lambda raw: build_expression(trees(raw)[0]),
    "list": lambda raw: syntax.ListLiteral(tuple(map(build_expression, trees(raw))), at=position(raw)),
    "map": lambda raw: syntax.MapLiteral(_entries(raw), at=position(raw)),
    "case": _build_case,
    "call": _build_call,
    "comprehension": _build_comprehension,
    "pattern_predicate": lambda raw: syntax.PatternPredicate(build_path(raw), at=position(raw)),
    "exists": _build_block,
    "counted": _build_block,
    "quantified": _build_quantified,
}
