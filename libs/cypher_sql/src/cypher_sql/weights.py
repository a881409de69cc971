"""How large the SQL of an expression becomes, before it is made.

The planner puts the expression of a WITH in place of each use of its name, and some operators need an operand twice;
without a bound a short text could ask for gigabytes.
"""

from dataclasses import fields

from cypher_sql import syntax
from cypher_sql.errors import Fault
from cypher_sql.scope import Names, Place, refused

HEAVIEST = 1_000

_PLAIN_OPERATORS = frozenset("+-*/^")

# How often the SQL of these repeats what is below them, at most.
_REPEATS: dict[type[syntax.Node], int] = {
    syntax.Index: 3,
    syntax.Slice: 3,
    syntax.Call: 2,
    syntax.HasLabels: 2,
    syntax.Quantified: 3,
    syntax.ListComprehension: 3,
}


def checked_weight(place: Place, node: syntax.Expression) -> int:
    """An expression's weight. Raises QueryRefused for one that is too heavy."""
    weight = _weight(node, place.names)
    if weight > HEAVIEST:
        raise refused(
            node, "The expression grows too large.", "Use each name fewer times, and nest less.", Fault.BEYOND
        )
    return weight


def _weight(node: syntax.Node, names: Names) -> int:
    if isinstance(node, syntax.Variable):
        return names[node.name].weight if node.name in names else 1
    below = sum(_weight_of_field(getattr(node, each.name), names) for each in fields(node))
    return 1 + below * _repeats(node)


def _repeats(node: syntax.Node) -> int:
    if isinstance(node, syntax.Binary):
        return 1 if node.operator in _PLAIN_OPERATORS else 2
    return _REPEATS.get(type(node), 1)


def _weight_of_field(value: object, names: Names) -> int:
    if isinstance(value, syntax.Node):
        return _weight(value, names)
    if isinstance(value, tuple):
        return sum(_weight_of_field(member, names) for member in value)  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType] -- a tuple of whatever the field holds
    return 0
