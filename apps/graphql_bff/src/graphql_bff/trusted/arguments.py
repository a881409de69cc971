"""Where the arguments of a plan come from, and the variables of a request in the types that a plan takes."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from graphql import (
    FieldNode,
    GraphQLEnumType,
    GraphQLField,
    GraphQLSchema,
    ListTypeNode,
    NamedTypeNode,
    NonNullTypeNode,
    OperationDefinitionNode,
    TypeNode,
    Undefined,
    ValueNode,
    VariableNode,
    type_from_ast,  # pyright: ignore[reportUnknownVariableType] - the library leaves type arguments open
)
from graphql.utilities.coerce_input_value import (
    coerce_input_literal,  # pyright: ignore[reportUnknownVariableType]
)

from graphql_bff.trusted.plan import Passed, Source, Unsupported

type _Reader = Callable[[object], object]

_MAX_INT, _MIN_INT = 2**31 - 1, -(2**31)


@dataclass(frozen=True, slots=True)
class Variables:
    """The variables of one operation: how each is read, and the values of those that a request may leave out."""

    readers: Mapping[str, _Reader]
    defaults: Mapping[str, object]
    required: frozenset[str]

    def read(self, given: Mapping[str, object]) -> Mapping[str, object]:
        """The values of a request; nullable ones that it leaves out are missing.

        Raises:
            Passed: A value isn't plainly of its type.
        """
        values = dict(self.defaults)
        for name, reader in self.readers.items():
            if name in given:
                values[name] = reader(given[name])
            elif name in self.required:
                raise Passed("a variable is missing")
        return values


def variables_of(schema: GraphQLSchema, operation: OperationDefinitionNode) -> Variables:
    """How the variables of an operation are read. Raises Unsupported for types that no plan takes."""
    readers: dict[str, _Reader] = {}
    defaults: dict[str, object] = {}
    required: set[str] = set()
    for definition in operation.variable_definitions or ():
        name = definition.variable.name.value
        readers[name] = _reader_of(schema, definition.type)
        if definition.default_value is not None:
            defaults[name] = _literal(definition.default_value, type_from_ast(schema, definition.type))
        elif isinstance(definition.type, NonNullTypeNode):
            required.add(name)
    return Variables(readers, defaults, frozenset(required))


def sources_of(field: GraphQLField, node: FieldNode) -> dict[str, Source]:
    """Where each argument of a field comes from. Raises Unsupported for variables inside of literals."""
    given = {argument.name.value: argument.value for argument in node.arguments or ()}
    sources: dict[str, Source] = {}
    for name, argument in field.args.items():
        default = None if argument.default_value is Undefined else cast("object", argument.default_value)
        value = given.get(name)
        if value is None:
            sources[name] = Source(None, default)
        elif isinstance(value, VariableNode):
            sources[name] = Source(value.name.value, default)
        else:
            of = cast("object", argument.type)  # pyright: ignore[reportUnknownMemberType]
            sources[name] = Source(None, _literal(value, of))
    return sources


def _literal(value: ValueNode, of: object) -> object:
    coerced: object = coerce_input_literal(value, cast("Any", of))
    if coerced is Undefined:
        raise Unsupported("a literal with a variable in it")
    return coerced


def _reader_of(schema: GraphQLSchema, of: TypeNode) -> _Reader:
    if isinstance(of, NonNullTypeNode):
        return _reader_of_present(schema, of.type)
    present = _reader_of_present(schema, of)
    return lambda value: None if value is None else present(value)


def _reader_of_present(schema: GraphQLSchema, of: TypeNode) -> _Reader:
    if isinstance(of, ListTypeNode):
        one = _reader_of(schema, of.type)
        return lambda value: _read_list(value, one)
    assert isinstance(of, NamedTypeNode)
    named = schema.type_map.get(of.name.value)
    if isinstance(named, GraphQLEnumType):
        members = {name: cast("object", named.coerce_input_value(name)) for name in named.values}
        return lambda value: _read_member(value, members)
    if of.name.value not in _SCALARS:
        raise Unsupported(f"a variable of type {of.name.value}")
    return _SCALARS[of.name.value]


def _read_list(value: object, one: _Reader) -> Sequence[object]:
    if not isinstance(value, list):
        raise Passed("a value that is no list")
    return [one(item) for item in cast("list[object]", value)]


def _read_member(value: object, members: Mapping[str, object]) -> object:
    if not isinstance(value, str) or value not in members:
        raise Passed("a value that is no member")
    return members[value]


def _read_text(value: object) -> object:
    if type(value) is not str:
        raise Passed("a value that is no text")
    return value


def _read_boolean(value: object) -> object:
    if type(value) is not bool:
        raise Passed("a value that is no boolean")
    return value


def _read_integer(value: object) -> object:
    if type(value) is not int or not _MIN_INT <= value <= _MAX_INT:
        raise Passed("a value that is no integer")
    return value


_SCALARS: Mapping[str, _Reader] = {
    "String": _read_text,
    "ID": _read_text,
    "Boolean": _read_boolean,
    "Int": _read_integer,
}
