"""What a query of the language returned, in the form that expected values have."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import cast

from cypher_sql.values import Kind, ValueType

from agent_evals.cypher.tck.notation import Comparable, NodeValue, PathValue, RelationshipValue, comparable

_NODE = {"id", "labels", "properties"}
_RELATIONSHIP = {"id", "type", "start", "end", "properties"}
_PATH = {"nodes", "relationships"}


def found_value(value: object, of: ValueType) -> Comparable:
    """One cell. Where the column's type leaves it open, the keys of a JSON object say what it is."""
    if of.kind is Kind.FLOAT and value is not None:
        return comparable(float(cast("float", value)))
    if isinstance(value, date):
        return comparable(value.isoformat())
    if isinstance(value, list):
        element = of.element or of
        return ("list", tuple(found_value(member, element) for member in cast("list[object]", value)))
    if not isinstance(value, Mapping):
        return comparable(value)
    members = cast("Mapping[str, object]", value)
    keys = set(members)
    if keys == _NODE:
        return _node(members)
    if keys == _RELATIONSHIP:
        return _relationship(members)
    if keys == _PATH:
        return _path(members)
    return ("map", tuple(sorted((key, found_value(member, of)) for key, member in members.items())))


def _node(members: Mapping[str, object]) -> NodeValue:
    return NodeValue(frozenset(cast("list[str]", members["labels"])), comparable(members["properties"]))


def _relationship(members: Mapping[str, object]) -> RelationshipValue:
    return RelationshipValue(str(members["type"]), comparable(members["properties"]))


def _path(members: Mapping[str, object]) -> PathValue:
    nodes = cast("Sequence[Mapping[str, object]]", members["nodes"])
    relationships = cast("Sequence[Mapping[str, object]]", members["relationships"])
    return PathValue(
        tuple(map(_node, nodes)),
        tuple(map(_relationship, relationships)),
        tuple(each["start"] == node["id"] for each, node in zip(relationships, nodes, strict=False)),
    )
