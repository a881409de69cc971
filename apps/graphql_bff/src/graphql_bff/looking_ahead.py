"""What a request selects below a field that is being resolved."""

from collections.abc import Iterable, Iterator
from typing import Any, cast

from graphql import FieldNode, FragmentSpreadNode, GraphQLResolveInfo, InlineFragmentNode, SelectionSetNode
from strawberry.types import Info


class LookAhead:
    """Remembers what one request's document selects; objects of a list all ask the same."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, ...], frozenset[str] | None] = {}

    def below(self, resolved: Info[Any, Any], name: str) -> frozenset[str] | None:
        """The fields that may be selected, under whatever conditions, of fields of this name directly below.

        None where no field of this name may be.
        """
        info = cast("GraphQLResolveInfo[Any]", getattr(resolved, "_raw_info"))  # noqa: B009 - it has no public name
        # The document outlives the request, so that no other node gets its id meanwhile.
        place = tuple(map(id, info.field_nodes))
        if place not in self._known:
            inner = [node for node in _fields_below(info.field_nodes, info) if _name(node) == name]
            below = frozenset(map(_name, _fields_below(inner, info)))
            self._known[place] = below if inner else None
        return self._known[place]


def _name(node: FieldNode) -> str:
    return node.name.value


def _fields_below(nodes: Iterable[FieldNode], info: GraphQLResolveInfo[Any]) -> Iterator[FieldNode]:
    return _fields((node.selection_set for node in nodes), info)


def _fields(sets: Iterable[SelectionSetNode | None], info: GraphQLResolveInfo[Any]) -> Iterator[FieldNode]:
    """Fragments don't spread themselves: documents that do are refused before."""
    for selections in sets:
        for selection in selections.selections if selections is not None else ():
            match selection:
                case FieldNode():
                    yield selection
                case InlineFragmentNode():
                    yield from _fields((selection.selection_set,), info)
                case FragmentSpreadNode():
                    yield from _fields((info.fragments[selection.name.value].selection_set,), info)
                case _:
                    pass
