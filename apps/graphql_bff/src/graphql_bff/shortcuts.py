"""Shorter ways from a field to its value: most fields of an answer have no arguments, permissions or extensions.

The library prepares every call for all of these, which costs several times what such a resolver does. What a field
with one of them does stays the library's, and so does every check of what a resolver gives.
"""

from collections.abc import Callable, Mapping
from operator import attrgetter
from typing import Any, cast

import strawberry
from graphql import GraphQLInterfaceType, GraphQLObjectType, GraphQLResolveInfo
from strawberry.types import Info
from strawberry.types.base import StrawberryObjectDefinition
from strawberry.types.field import StrawberryField

type _Resolve = Callable[..., object]


class ValueOf:
    """A resolver that takes a value from its object and from nothing else."""

    __slots__ = ("get",)

    def __init__(self, get: Callable[[object], object]) -> None:
        self.get = get

    def __call__(self, source: object, _info: object) -> object:
        """The value."""
        return self.get(source)


def shorten(schema: strawberry.Schema) -> None:
    """Give each field that allows it a resolver of its own, and each type a quick look at the classes of its values."""
    names: dict[type, str] = {}
    interfaces: list[GraphQLInterfaceType] = []
    for name, known in schema.schema_converter.type_map.items():
        definition, core = known.definition, known.implementation
        if not isinstance(definition, StrawberryObjectDefinition):
            continue
        if isinstance(core, GraphQLInterfaceType):
            interfaces.append(core)
        elif isinstance(core, GraphQLObjectType):
            names[definition.origin] = name
            _look_at_class(core, definition.origin)
            for field in definition.fields:
                resolve = _shortcut(field)
                if resolve is not None:
                    core.fields[schema.config.name_converter.from_field(field)].resolve = resolve
    for interface in interfaces:
        _name_by_class(interface, names)


def _shortcut(field: StrawberryField) -> _Resolve | None:
    """The value of a field without anything around its resolver; None where something belongs there."""
    if field.permission_classes or field.extensions or field.is_subscription:
        return None
    resolver = field.base_resolver
    if resolver is None:
        return ValueOf(attrgetter(field.python_name))
    if resolver.arguments or resolver.self_parameter is None or resolver.parent_parameter is not None:
        return None
    call = cast("Callable[..., object]", resolver.wrapped_func)
    if resolver.info_parameter is None:
        return None if resolver.is_async else ValueOf(call)
    name = resolver.info_parameter.name

    def with_info(source: object, info: GraphQLResolveInfo) -> object:
        own: Info[Any, Any] = Info(_raw_info=info, _field=field)
        return call(source, **{name: own})

    return with_info


def _look_at_class(core: GraphQLObjectType, origin: type) -> None:
    careful = core.is_type_of
    if careful is not None:
        core.is_type_of = lambda value, info: isinstance(value, origin) or careful(value, info)


def _name_by_class(core: GraphQLInterfaceType, names: Mapping[type, str]) -> None:
    careful = core.resolve_type
    assert careful is not None
    core.resolve_type = lambda value, info, of: names.get(type(value)) or careful(value, info, of)
