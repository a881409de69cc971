"""Shorter ways from a field to its value: most fields of an answer have no arguments, permissions or extensions.

The library prepares every call for all of these, which costs several times what such a resolver does. What a field
with one of them does stays the library's, and so does every check of what a resolver gives.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Mapping, Sequence
from operator import attrgetter
from typing import Any, cast

import strawberry
from graphql import (
    GraphQLField,
    GraphQLInterfaceType,
    GraphQLObjectType,
    GraphQLResolveInfo,
    GraphQLSchema,
    get_named_type,
    is_leaf_type,
)
from strawberry.types import Info
from strawberry.types.arguments import StrawberryArgument
from strawberry.types.base import StrawberryObjectDefinition
from strawberry.types.field import StrawberryField
from strawberry.types.fields.resolver import StrawberryResolver
from strawberry.utils.str_converters import to_camel_case

type _Resolve = Callable[..., object]


CLASSES = "graphql_bff.classes"
"""Where a schema's extensions hold which of its types shows which class."""

READY = "graphql_bff.ready"
"""Where the metadata of a field hold what takes its value from its object, and raises where that isn't there yet."""


class Wanted(ABC):
    """What a resolver may give instead of a value: something to wait for, alone, or in less time with its like."""

    __slots__ = ()

    @abstractmethod
    def __await__(self) -> Generator[Any, None, Any]:
        """Wait for this alone."""

    @property
    @abstractmethod
    def is_ready(self) -> bool:
        """Whether there is nothing to wait for."""

    @abstractmethod
    def value(self) -> object:
        """What was waited for, once it is ready. Raises whatever it could not be had for."""

    @abstractmethod
    async def together(self, all_of_them: Sequence[Any]) -> None:
        """Make all of these ready, this one among them; all are of its class. What fails is ready, too."""


class ValueOf:
    """A resolver that takes a value from its object; `otherwise` asks where the value isn't there."""

    __slots__ = ("_otherwise", "get")

    def __init__(self, get: Callable[[object], object], otherwise: _Resolve | None = None) -> None:
        self.get = get
        self._otherwise = otherwise

    def __call__(self, source: object, info: object) -> object:
        """The value, or something to wait for."""
        return self.get(source) if self._otherwise is None else self._otherwise(source, info)


class AskedOf:
    """A resolver that asks its object for a value, or for something to wait for, with arguments and a context.

    `ask` is given the object, the library's Info and arguments by their names in Python, `argument_names` are those by
    their names in the schema.
    """

    __slots__ = ("_field", "argument_names", "ask", "is_async")

    def __init__(self, field: StrawberryField, ask: Callable[..., object], argument_names: Mapping[str, str]) -> None:
        self._field = field
        resolver = _resolver_of(field)
        self.is_async = resolver is not None and resolver.is_async
        self.ask = ask
        self.argument_names = argument_names

    def info(self, core: GraphQLResolveInfo[Any]) -> Info[Any, Any]:
        """The library's own of what the library below gives."""
        return Info(_raw_info=core, _field=self._field)

    def arguments(self, given: Mapping[str, object]) -> dict[str, object]:
        """Under their names in Python."""
        return {self.argument_names[name]: value for name, value in given.items()}

    def __call__(self, source: object, info: GraphQLResolveInfo[Any], **given: object) -> object:
        """What the object answers."""
        return self.ask(source, self.info(info), self.arguments(given))


def shorten(schema: strawberry.Schema) -> None:
    """Give each field that allows it a resolver of its own, and each type a quick look at the classes of its values."""
    classes: dict[type, GraphQLObjectType] = {}
    interfaces: list[GraphQLInterfaceType] = []
    for known in schema.schema_converter.type_map.values():
        definition, core = known.definition, known.implementation
        if not isinstance(definition, StrawberryObjectDefinition):
            continue
        if isinstance(core, GraphQLInterfaceType):
            interfaces.append(core)
        elif isinstance(core, GraphQLObjectType):
            classes[definition.origin] = core
            _look_at_class(core, definition.origin)
            for field in definition.fields:
                own = core.fields[schema.config.name_converter.from_field(field)]
                own.resolve = _shortcut(field, own) or own.resolve
    for interface in interfaces:
        _name_by_class(interface, {of: core.name for of, core in classes.items()})
    core_schema(schema).extensions[CLASSES] = classes


def core_schema(schema: strawberry.Schema) -> GraphQLSchema:
    """The schema as the library below sees it."""
    return schema._schema  # pyright: ignore[reportPrivateUsage] - it has no public name


def _shortcut(field: StrawberryField, core: GraphQLField) -> _Resolve | None:
    """The value of a field without anything around its resolver; None where something belongs there."""
    if field.permission_classes or field.extensions or field.is_subscription:
        return None
    resolver = _resolver_of(field)
    if resolver is None:
        return ValueOf(attrgetter(field.python_name))
    if resolver.self_parameter is None or resolver.parent_parameter is not None or not _are_plain(core):
        return None
    call = cast("Callable[..., object]", cast("Any", resolver).wrapped_func)
    if resolver.info_parameter is None:
        return None if resolver.arguments or resolver.is_async else ValueOf(call)
    ready = cast("Callable[[object], object] | None", field.metadata.get(READY))
    asked = _asked(field, resolver, call)
    return asked if ready is None else ValueOf(ready, asked)


def _resolver_of(field: StrawberryField) -> StrawberryResolver[object] | None:
    return cast("Any", field).base_resolver


def _asked(field: StrawberryField, resolver: StrawberryResolver[object], call: Callable[..., object]) -> AskedOf:
    assert resolver.info_parameter is not None
    info_name = resolver.info_parameter.name

    def ask(source: object, info: Info[Any, Any], arguments: Mapping[str, object]) -> object:
        return call(source, **{info_name: info}, **arguments)

    return AskedOf(field, ask, {camel_cased(argument): argument.python_name for argument in resolver.arguments})


def camel_cased(argument: StrawberryArgument) -> str:
    """The name of an argument in the schema."""
    return argument.graphql_name or to_camel_case(argument.python_name)


def _are_plain(core: GraphQLField) -> bool:
    """Whether the library below already gives all arguments as their resolver takes them."""
    return all(is_leaf_type(get_named_type(cast("Any", argument).type)) for argument in core.args.values())


def _look_at_class(core: GraphQLObjectType, origin: type) -> None:
    careful = core.is_type_of
    if careful is not None:
        core.is_type_of = lambda value, info: isinstance(value, origin) or careful(value, info)


def _name_by_class(core: GraphQLInterfaceType, names: Mapping[type, str]) -> None:
    careful = core.resolve_type
    assert careful is not None
    core.resolve_type = lambda value, info, of: names.get(value.__class__) or careful(value, info, of)
