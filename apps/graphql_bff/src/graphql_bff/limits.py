"""What a document may ask for, measured before it is validated: linear in the document whatever its fragments do."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from graphql import (
    DocumentNode,
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    GraphQLError,
    InlineFragmentNode,
    OperationDefinitionNode,
    SelectionSetNode,
    TokenKind,
)

from graphql_bff.errors import ErrorCode

_MAX_NUMBER_CHARACTERS = 40


@dataclass(frozen=True, slots=True)
class QueryLimits:
    """What one document may ask for, with all its fragments expanded.

    `repeats` are fields that merge into an equal one before them. Validation compares each of them, and each of the
    `fragments`, with each other, and walks the fragments for each of the `operations`.
    """

    depth: int
    aliases: int
    fields: int
    repeats: int
    fragments: int
    operations: int


@dataclass(frozen=True, slots=True)
class _Cost:
    depth: int = 0
    aliases: int = 0
    fields: int = 0

    def beside(self, other: "_Cost") -> "_Cost":
        return _Cost(max(self.depth, other.depth), self.aliases + other.aliases, self.fields + other.fields)


class _Fragments:
    """The fragments of a document. Each is measured once and its cost added wherever it is spread."""

    def __init__(self, document: DocumentNode) -> None:
        self._nodes = {
            node.name.value: node for node in document.definitions if isinstance(node, FragmentDefinitionNode)
        }
        self._known: dict[str, _Cost] = {}
        self._open: set[str] = set()
        self.has_cycle = False

    def roots(self, operations: Iterable[OperationDefinitionNode]) -> tuple[SelectionSetNode, ...]:
        """What validation walks: every operation, and the fragments that none of them spread."""
        used = [operation.selection_set for operation in operations]
        for selections in used:
            self.cost_of(selections)
        return (*used, *(node.selection_set for name, node in self._nodes.items() if name not in self._known))

    def cost_of(self, selections: SelectionSetNode | None) -> _Cost:
        """What the selections ask for, fragments expanded."""
        total = _Cost()
        for selection in selections.selections if selections is not None else ():
            match selection:
                case FieldNode():
                    inner = self.cost_of(selection.selection_set)
                    aliases = inner.aliases + (selection.alias is not None)
                    total = total.beside(_Cost(inner.depth + 1, aliases, inner.fields + 1))
                case InlineFragmentNode():
                    total = total.beside(self.cost_of(selection.selection_set))
                case FragmentSpreadNode():
                    total = total.beside(self._cost_of_fragment(selection.name.value))
                case _:
                    pass
        return total

    def repeats_in(self, selections: SelectionSetNode) -> int:
        """How many fields merge into another; walks every expanded field, so their number must be known to be small."""
        repeats = 0
        merged = [[selections]]
        while merged:
            fields: dict[str, list[FieldNode]] = {}
            for field in self._expanded(merged.pop()):
                fields.setdefault((field.alias or field.name).value, []).append(field)
            for same in fields.values():
                repeats += len(same) - 1
                if inner := [field.selection_set for field in same if field.selection_set is not None]:
                    merged.append(inner)
        return repeats

    def _cost_of_fragment(self, name: str) -> _Cost:
        if name in self._known:
            return self._known[name]
        self.has_cycle = self.has_cycle or name in self._open
        fragment = self._nodes.get(name)
        if fragment is None or name in self._open:  # validation reports unknown fragments
            return _Cost()
        self._open.add(name)
        cost = self.cost_of(fragment.selection_set)
        self._open.discard(name)
        self._known[name] = cost
        return cost

    def _expanded(self, sets: Iterable[SelectionSetNode]) -> Iterator[FieldNode]:
        """The fields of one level; each fragment once, as execution takes it."""
        spread: set[str] = set()
        left = list(sets)
        while left:
            for selection in left.pop().selections:
                match selection:
                    case FieldNode():
                        yield selection
                    case InlineFragmentNode():
                        left.append(selection.selection_set)
                    case FragmentSpreadNode():
                        name = selection.name.value
                        if name in self._nodes and name not in spread:
                            spread.add(name)
                            left.append(self._nodes[name].selection_set)
                    case _:
                        pass


def over_limits(document: DocumentNode, limits: QueryLimits) -> list[GraphQLError]:
    """Why the document is refused, naming each limit and how far it is over; nothing when it is within all."""
    fragments = _Fragments(document)
    operations = [node for node in document.definitions if isinstance(node, OperationDefinitionNode)]
    roots = fragments.roots(operations)
    cost = _Cost()
    for root in roots:
        cost = cost.beside(fragments.cost_of(root))
    if fragments.has_cycle:
        return [GraphQLError("a fragment spreads itself")]
    errors = [
        _refusal(f"query {name}: at most {allowed}, this one has {used}")
        for name, used, allowed in (
            ("depth", cost.depth, limits.depth),
            ("aliases", cost.aliases, limits.aliases),
            ("fields", cost.fields, limits.fields),
            ("operations", len(operations), limits.operations),
            ("fragments", len(document.definitions) - len(operations), limits.fragments),
        )
        if used > allowed
    ]
    if not errors:
        repeats = sum(map(fragments.repeats_in, roots))
        if repeats > limits.repeats:
            errors.append(_refusal(f"query repeats: at most {limits.repeats} fields twice, this one has {repeats}"))
    return errors + _long_numbers(document)


def _long_numbers(document: DocumentNode) -> list[GraphQLError]:
    """Python refuses to read very long integers, in words of its own."""
    token = document.loc.start_token if document.loc else None
    while token is not None:
        is_number = token.kind in (TokenKind.INT, TokenKind.FLOAT)
        if is_number and token.end - token.start > _MAX_NUMBER_CHARACTERS:
            return [_refusal(f"query numbers: at most {_MAX_NUMBER_CHARACTERS} characters")]
        token = token.next
    return []


def _refusal(message: str) -> GraphQLError:
    return GraphQLError(message, extensions={"code": ErrorCode.QUERY_TOO_LARGE})
