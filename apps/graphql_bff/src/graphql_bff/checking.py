"""Documents parsed, measured and validated once, then remembered: validating a nested one costs milliseconds."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from graphql import DocumentNode, GraphQLError, GraphQLSchema, OperationDefinitionNode, parse, validate
from graphql.validation import ASTValidationRule, NoSchemaIntrospectionCustomRule, specified_rules
from strawberry.extensions import SchemaExtension

from graphql_bff.limits import QueryLimits, over_limits

_REMEMBERED_DOCUMENTS = 256
# A longer document is checked anew each time, so that texts of strangers can't fill the memory.
_MAX_REMEMBERED_CHARACTERS = 4_000
_MAX_ERRORS = 20

UNNAMED = ""
"""The name of an operation that a request leaves open: none has it, and without a name the first one would run."""


@dataclass(frozen=True, slots=True)
class CheckedDocument:
    """A document that parses, and why it is refused nevertheless; empty when it isn't."""

    document: DocumentNode
    errors: tuple[GraphQLError, ...]


class DocumentChecker:
    """Checks documents against one schema and its limits."""

    def __init__(self, schema: GraphQLSchema, limits: QueryLimits, *, max_tokens: int, describes_itself: bool) -> None:
        self._schema = schema
        self._limits = limits
        self._max_tokens = max_tokens
        self._hides_suggestions = not describes_itself
        self._rules: tuple[type[ASTValidationRule], ...] = specified_rules
        if not describes_itself:
            self._rules = (*specified_rules, NoSchemaIntrospectionCustomRule)
        self._remembered: Callable[[str], CheckedDocument] = lru_cache(_REMEMBERED_DOCUMENTS)(self._check)

    def check(self, text: str) -> CheckedDocument:
        """The document of a text.

        Raises:
            GraphQLError: The text is no document, or has too many tokens.
        """
        return self._remembered(text) if len(text) <= _MAX_REMEMBERED_CHARACTERS else self._check(text)

    def leaves_open(self, text: str) -> bool:
        """Whether a sound document has several operations, so that a request must name the one it wants."""
        if text.count("{") < 2:
            return False
        try:
            checked = self.check(text)
        except GraphQLError:
            return False
        operations = sum(isinstance(each, OperationDefinitionNode) for each in checked.document.definitions)
        return operations > 1 and not checked.errors

    def _check(self, text: str) -> CheckedDocument:
        document = parse(text, max_tokens=self._max_tokens)
        errors = over_limits(document, self._limits)
        if not errors:
            errors = validate(
                self._schema, document, self._rules, max_errors=_MAX_ERRORS, hide_suggestions=self._hides_suggestions
            )
        return CheckedDocument(document, tuple(errors))


class CheckDocuments(SchemaExtension):
    """Takes the place of the library's own parsing and validation."""

    def __init__(self, checker: DocumentChecker) -> None:
        self._checker = checker
        self._errors: tuple[GraphQLError, ...] = ()

    def on_parse(self) -> Iterator[None]:
        """The document, parsed and checked."""
        checked = self._checker.check(self.execution_context.query or "")
        if self.execution_context.operation_name == UNNAMED:
            raise GraphQLError("operationName: a document of several operations needs one of their names")
        self.execution_context.graphql_document = checked.document
        self._errors = checked.errors
        yield

    def on_validate(self) -> Iterator[None]:
        """What was found while parsing."""
        self.execution_context.pre_execution_errors = list(self._errors)
        yield
