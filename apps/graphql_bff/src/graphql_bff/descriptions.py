"""Docstrings as the schema's descriptions: they are written once."""

import inspect
from collections.abc import Iterable

from strawberry.types.base import StrawberryContainer, StrawberryObjectDefinition, get_object_definition
from strawberry.types.enum import StrawberryEnumDefinition
from strawberry.types.field import StrawberryField


def describe(types: Iterable[type]) -> None:
    """Give types, fields and enums that have no description their docstring, with all that is reachable from them."""
    left: list[object] = list(types)
    seen: set[int] = set()
    while left:
        found = left.pop()
        while isinstance(found, StrawberryContainer):
            found = found.of_type
        if id(found) in seen:
            continue
        seen.add(id(found))
        if isinstance(found, StrawberryEnumDefinition):
            found.description = found.description or inspect.getdoc(found.wrapped_cls)
        elif isinstance(found, type) and (definition := get_object_definition(found)) is not None:
            left += _describe_object(found, definition)


def _describe_object(origin: type, definition: StrawberryObjectDefinition) -> list[object]:
    """Describes one type; gives the types of its fields and arguments."""
    definition.description = definition.description or inspect.getdoc(origin)
    reachable: list[object] = [interface.origin for interface in definition.interfaces]
    for field in definition.fields:
        field.description = field.description or _docstring(field)
        reachable += [field.type, *(argument.type for argument in field.arguments)]
    return reachable


def _docstring(field: StrawberryField) -> str | None:
    # The library leaves the resolver's type argument open.
    resolver = field.base_resolver  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
    return inspect.getdoc(resolver.wrapped_func) if resolver else None  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType]
