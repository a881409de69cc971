"""Names in patterns: each stands for one kind of thing, and only nodes may come up again."""

from collections.abc import Iterator, Mapping

from cypher_sql.errors import Fault
from cypher_sql.scope import Names, refused
from cypher_sql.syntax import NodePattern, PathPattern, RelationshipPattern
from cypher_sql.values import Kind, ValueType

_OPEN = frozenset({Kind.ANY, Kind.NULL})


def check_names(names: Names, patterns: tuple[PathPattern, ...]) -> None:
    """Raise QueryRefused where a name of a MATCH stands for two kinds of things, or for two relationships of it."""
    earlier = {name: value.type for name, value in names.items()}
    here: dict[str, str] = {}
    for path in patterns:
        for part in _parts(path):
            _check_part(part, earlier, here)


def _parts(path: PathPattern) -> Iterator[NodePattern | RelationshipPattern | PathPattern]:
    """From left to right, the path as a whole last."""
    yield path.nodes[0]
    for relationship, node in zip(path.relationships, path.nodes[1:], strict=True):
        yield relationship
        yield node
    yield path


def _check_part(
    part: NodePattern | RelationshipPattern | PathPattern, earlier: Mapping[str, ValueType], here: dict[str, str]
) -> None:
    name = part.variable
    if name is None:
        return
    match part:
        case NodePattern():
            what, allowed = "node", Kind.NODE
        case RelationshipPattern(length=None):
            what, allowed = "relationship", Kind.RELATIONSHIP
        case RelationshipPattern():
            what, allowed = "list of relationship", None
        case PathPattern():
            what, allowed = "path", None
    if name in here and here[name] != what and allowed is not None:
        raise refused(part, f"{name} is a {here[name]}, not a {what}.", "Use another name.")
    if name in here and what == "relationship":
        raise refused(part, f"{name} stands for two relationships of one MATCH.", "Give each its own name.")
    if allowed is None and (name in here or name in earlier):
        hint = "Name the path differently." if what == "path" else "Give the relationships a new name."
        is_list = name in earlier and what != "path" and _may_be_relationships(earlier[name])
        raise refused(part, f"{name} is bound already.", hint, Fault.BEYOND if is_list else Fault.SYNTAX)
    if name in earlier and earlier[name].kind is not allowed:
        fault = Fault.BEYOND if earlier[name].kind in _OPEN else Fault.SYNTAX
        raise refused(part, f"{name} is a {earlier[name]}, not a {what}.", "Use another name.", fault)
    here[name] = what


def _may_be_relationships(of: ValueType) -> bool:
    return of.kind in _OPEN or (of.element is not None and of.element.kind in _OPEN | {Kind.RELATIONSHIP})
