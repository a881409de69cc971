"""The selections of one operation, collected by the reference implementation itself, so that their order is its own."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from graphql import (
    DirectiveNode,
    DocumentNode,
    FieldNode,
    FragmentDefinitionNode,
    GraphQLObjectType,
    GraphQLSchema,
    OperationDefinitionNode,
    VariableNode,
    Visitor,
    get_variable_values,
    visit,
)
from graphql.execution.collect_fields import (
    FieldDetails,
    FragmentDetails,
    GroupedFieldSet,
    collect_fields,
    collect_subfields,
)

from graphql_bff.trusted.plan import Unsupported

_MAX_SWITCHES = 4


@dataclass(frozen=True, slots=True)
class Selected:
    """One field of a selection, with all nodes that merge into it."""

    key: str
    nodes: tuple[FieldDetails, ...]

    @property
    def node(self) -> FieldNode:
        """The first of them; validation has made sure that the others have the same name and arguments."""
        return self.nodes[0].node

    @property
    def name(self) -> str:
        """The field's name in the schema."""
        return self.node.name.value


class Selections:
    """What one operation selects, for given values of the variables that include or skip.

    Raises:
        Unsupported: A variable that includes or skips is no plain boolean.
    """

    def __init__(
        self,
        schema: GraphQLSchema,
        document: DocumentNode,
        operation: OperationDefinitionNode,
        switches: Mapping[str, bool],
    ) -> None:
        definitions = [d for d in operation.variable_definitions or () if d.variable.name.value in switches]
        variables = get_variable_values(schema, definitions, dict(switches))
        if isinstance(variables, list):
            raise Unsupported("a switch that is no boolean")
        self.schema = schema
        self._operation = operation
        self._variables = variables
        self._fragments = {
            node.name.value: FragmentDetails(node)
            for node in document.definitions
            if isinstance(node, FragmentDefinitionNode)
        }

    def of_operation(self, query_type: GraphQLObjectType) -> list[Selected]:
        """The operation's own fields."""
        collected = collect_fields(self.schema, self._fragments, self._variables, query_type, self._operation)
        return _selected(collected.grouped_field_set)

    def below(self, selected: Selected, object_type: GraphQLObjectType) -> list[Selected]:
        """The fields below one, where its value is of an object type."""
        collected = collect_subfields(
            self.schema, self._fragments, self._variables, self._operation, object_type, list(selected.nodes)
        )
        return _selected(collected.grouped_field_set)


def _selected(grouped: GroupedFieldSet) -> list[Selected]:
    return [Selected(key, tuple(nodes)) for key, nodes in grouped.items()]


def switches_of(document: DocumentNode) -> tuple[str, ...]:
    """The variables by which the document includes or skips. Raises Unsupported for too many of them, and `@defer`."""
    found = _Switches()
    visit(document, found)
    if len(found.names) > _MAX_SWITCHES:
        raise Unsupported(f"more than {_MAX_SWITCHES} variables that include or skip")
    return tuple(sorted(found.names))


def settings_of(switches: Sequence[str]) -> Iterator[Mapping[str, bool]]:
    """All the values that switches can have together."""
    for values in product((False, True), repeat=len(switches)):
        yield dict(zip(switches, values, strict=True))


class _Switches(Visitor):
    def __init__(self) -> None:
        super().__init__()
        self.names: set[str] = set()

    def enter_directive(self, node: DirectiveNode, *_: object) -> None:
        """Notes the variables of one directive."""
        if node.name.value not in ("include", "skip"):
            raise Unsupported(f"@{node.name.value}")
        self.names |= set(_variables_in(node.arguments or ()))


def _variables_in(arguments: Iterable[object]) -> Iterator[str]:
    for argument in arguments:
        value = getattr(argument, "value", None)
        if isinstance(value, VariableNode):
            yield value.name.value
