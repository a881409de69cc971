"""Going over the nodes of a syntax tree without knowing what each is."""

from collections.abc import Iterator
from dataclasses import fields

from cypher_sql import syntax
from cypher_sql.functions import AGGREGATES


def descendants(node: syntax.Node) -> Iterator[syntax.Node]:
    """The node and all below it, parents first."""
    yield node
    for each in fields(node):
        yield from _below(getattr(node, each.name))


def _below(value: object) -> Iterator[syntax.Node]:
    if isinstance(value, syntax.Node):
        yield from descendants(value)
    elif isinstance(value, tuple):
        for member in value:  # pyright: ignore[reportUnknownVariableType] -- a tuple of whatever the field holds
            yield from _below(member)  # pyright: ignore[reportUnknownArgumentType]


def aggregates(node: syntax.Node) -> list[syntax.Call]:
    """The aggregate calls in a tree."""
    return [each for each in descendants(node) if is_aggregate(each)]  # pyright: ignore[reportReturnType] -- narrowed


def is_aggregate(node: syntax.Node) -> bool:
    """Whether the node itself is the call of an aggregate."""
    return isinstance(node, syntax.Call) and node.function in AGGREGATES


def mentions(node: syntax.Node, name: str) -> bool:
    """Whether a variable of this name stands somewhere in the tree."""
    return any(isinstance(each, syntax.Variable) and each.name == name for each in descendants(node))
