"""One validation rule that bounds what a document may ask for, linear in the document whatever its fragments do."""

from dataclasses import dataclass

from graphql import (
    ExecutableDefinitionNode,
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    GraphQLError,
    InlineFragmentNode,
    OperationDefinitionNode,
    SelectionSetNode,
    ValidationContext,
    ValidationRule,
)


@dataclass(frozen=True, slots=True)
class QueryLimits:
    """What one operation may ask for, with all its fragments expanded."""

    depth: int
    aliases: int
    fields: int


@dataclass(frozen=True, slots=True)
class _Cost:
    depth: int = 0
    aliases: int = 0
    fields: int = 0

    def beside(self, other: "_Cost") -> "_Cost":
        return _Cost(max(self.depth, other.depth), self.aliases + other.aliases, self.fields + other.fields)


class _Measure:
    """Costs of selection sets. A fragment is measured once and added wherever it is spread."""

    def __init__(self, fragments: dict[str, FragmentDefinitionNode]) -> None:
        self._fragments = fragments
        self._known: dict[str, _Cost] = {}
        self._open: set[str] = set()

    def of(self, selections: SelectionSetNode | None) -> _Cost:
        total = _Cost()
        for selection in selections.selections if selections is not None else ():
            match selection:
                case FieldNode():
                    inner = self.of(selection.selection_set)
                    aliases = inner.aliases + (selection.alias is not None)
                    total = total.beside(_Cost(inner.depth + 1, aliases, inner.fields + 1))
                case InlineFragmentNode():
                    total = total.beside(self.of(selection.selection_set))
                case FragmentSpreadNode():
                    total = total.beside(self._fragment(selection.name.value))
                case _:
                    pass
        return total

    def _fragment(self, name: str) -> _Cost:
        if name in self._known:
            return self._known[name]
        fragment = self._fragments.get(name)
        if fragment is None or name in self._open:  # other rules report unknown and cyclic fragments
            return _Cost()
        self._open.add(name)
        cost = self.of(fragment.selection_set)
        self._open.discard(name)
        self._known[name] = cost
        return cost


def limit_rule(limits: QueryLimits) -> type[ValidationRule]:
    """A rule class that refuses operations over `limits`, naming the limit."""

    class LimitRule(ValidationRule):
        def __init__(self, context: ValidationContext) -> None:
            super().__init__(context)
            fragments = {
                node.name.value: node
                for node in context.document.definitions
                if isinstance(node, FragmentDefinitionNode)
            }
            self._measure = _Measure(fragments)

        def enter_operation_definition(self, node: OperationDefinitionNode, *_args: object) -> None:
            self._check(node)

        def _check(self, node: ExecutableDefinitionNode) -> None:
            cost = self._measure.of(node.selection_set)
            for name, used, allowed in (
                ("depth", cost.depth, limits.depth),
                ("aliases", cost.aliases, limits.aliases),
                ("fields", cost.fields, limits.fields),
            ):
                if used > allowed:
                    message = f"query {name}: at most {allowed}, this one has {used}"
                    self.report_error(GraphQLError(message, node, extensions={"code": "QUERY_TOO_LARGE"}))

    return LimitRule
