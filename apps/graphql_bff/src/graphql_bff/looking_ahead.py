"""What a request selects below a field that is being resolved."""

from collections.abc import Iterable
from typing import Any, cast

from graphql import FieldNode, FragmentSpreadNode, GraphQLResolveInfo, InlineFragmentNode, SelectionSetNode
from strawberry.types import Info


def selects(resolved: Info[Any, Any], name: str) -> bool:
    """Whether a field of this name may be selected directly below, under whatever conditions."""
    info = cast("GraphQLResolveInfo[Any]", getattr(resolved, "_raw_info"))  # noqa: B009 - it has no public name
    sets = [node.selection_set for node in info.field_nodes if node.selection_set is not None]
    return _any_selects(sets, name, info)


def _any_selects(sets: Iterable[SelectionSetNode], name: str, info: GraphQLResolveInfo[Any]) -> bool:
    """Fragments don't spread themselves: documents that do are refused before."""
    for selections in sets:
        for selection in selections.selections:
            match selection:
                case FieldNode():
                    if selection.name.value == name:
                        return True
                case InlineFragmentNode():
                    if _any_selects((selection.selection_set,), name, info):
                        return True
                case FragmentSpreadNode():
                    if _any_selects((info.fragments[selection.name.value].selection_set,), name, info):
                        return True
                case _:
                    pass
    return False
