"""What a GraphQL caller sees of a failure: a message fit for people and a stable code; never an exception's text."""

import json
import re
from collections.abc import Mapping, Sequence
from enum import StrEnum

import structlog
from agent_api import errors as agent_errors
from datastore.errors import DatabaseUnavailable
from graphql import GraphQLError, GraphQLSyntaxError
from starlette.responses import Response
from strawberry.schema.exceptions import CannotGetOperationTypeError

_log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)
_MAX_MESSAGE_CHARACTERS = 500
_SUGGESTION = re.compile(r"\s*Did you mean\b.*", re.DOTALL)

# How the agent names what GraphQL callers know under another name.
_FIELDS = {
    "query": "question",
    "image_query": "imageQuery",
    "entity_types": "entityTypes",
    "max_turns": "budgets.maxTurns",
    "max_model_calls": "budgets.maxModelCalls",
    "max_tool_calls": "budgets.maxToolCalls",
    "max_tokens": "budgets.maxTokens",
    "resume.run_id": "runId",
}


class ErrorCode(StrEnum):
    """`extensions.code` of every error."""

    BAD_REQUEST = "BAD_REQUEST"
    """The HTTP request is not a GraphQL request."""
    BAD_QUERY = "BAD_QUERY"
    """The document or its variables don't fit the schema."""
    QUERY_TOO_LARGE = "QUERY_TOO_LARGE"
    """The body, the document or what it would load is over a limit that the message names."""
    BAD_INPUT = "BAD_INPUT"
    """An argument is over a limit; `extensions.field` names it."""
    UNAUTHENTICATED = "UNAUTHENTICATED"
    UNAVAILABLE = "UNAVAILABLE"
    """The catalogue or the answer service is away; trying again may help."""
    OVERLOADED = "OVERLOADED"
    DEADLINE_EXCEEDED = "DEADLINE_EXCEEDED"
    INTERNAL = "INTERNAL"


class RequestRefused(Exception):
    """A request that ends before GraphQL sees it, with an HTTP status."""

    def __init__(self, status: int, code: ErrorCode, message: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.headers = headers

    def response(self) -> Response:
        """The HTTP answer, in GraphQL's form."""
        return error_response(self.status, self.code, str(self), self.headers)


class NotAuthenticated(RequestRefused):
    """No principal stands behind the request."""

    def __init__(self) -> None:
        super().__init__(
            401,
            ErrorCode.UNAUTHENTICATED,
            "an API key is required: send it as 'Authorization: Bearer KEY'",
            {"WWW-Authenticate": "Bearer"},
        )


class BadInput(Exception):
    """An argument breaks its limit."""

    def __init__(self, field: str, limit: str) -> None:
        super().__init__(f"{field}: {limit}")
        self.field = field


class QueryTooLarge(Exception):
    """The request asks for more than its limits allow; the message names the limit."""


def error_response(status: int, code: ErrorCode, message: str, headers: Mapping[str, str] | None = None) -> Response:
    """An HTTP answer in GraphQL's form, for requests that end before GraphQL sees them."""
    error = {"message": shortened(message), "extensions": {"code": code}}
    # Escaped, because messages can hold what UTF-8 can't: half of a surrogate pair.
    document = json.dumps({"data": None, "errors": [error]})
    return Response(document, status_code=status, headers=headers, media_type="application/json")


def present(errors: Sequence[GraphQLError], *, with_suggestions: bool) -> list[GraphQLError]:
    """The same errors, fit for a caller."""
    return [_present(error, with_suggestions=with_suggestions) for error in errors]


def _present(error: GraphQLError, *, with_suggestions: bool) -> GraphQLError:
    original = error.original_error
    if original is not None and not isinstance(original, GraphQLError):
        message, extensions = _explain(original)
        if extensions["code"] is ErrorCode.INTERNAL:
            _log.error("resolver_failed", exc_info=original, path=error.path)
        return _rebuilt(error, message, extensions)
    message = error.message if with_suggestions else _SUGGESTION.sub("", error.message)
    code = ErrorCode.QUERY_TOO_LARGE if _is_over_parser_limit(error) else ErrorCode.BAD_QUERY
    return _rebuilt(error, shortened(message), {"code": code, **(error.extensions or {})})


def _is_over_parser_limit(error: GraphQLError) -> bool:
    return isinstance(error, GraphQLSyntaxError) and "Parsing aborted" in error.message


def _explain(original: Exception) -> tuple[str, dict[str, object]]:
    match original:
        case BadInput():
            return str(original), {"code": ErrorCode.BAD_INPUT, "field": original.field}
        case QueryTooLarge():
            return str(original), {"code": ErrorCode.QUERY_TOO_LARGE}
        case DatabaseUnavailable():
            return "the catalogue is unavailable, try again shortly", {"code": ErrorCode.UNAVAILABLE}
        case agent_errors.AgentError():
            return _explain_agent(original)
        case CannotGetOperationTypeError():
            return shortened(original.as_http_error_reason()), {"code": ErrorCode.BAD_REQUEST}
        case _:
            return "something went wrong here", {"code": ErrorCode.INTERNAL}


def _explain_agent(error: agent_errors.AgentError) -> tuple[str, dict[str, object]]:
    match error:
        case agent_errors.InvalidQuestion():
            field = _FIELDS.get(error.field, error.field)
            return f"{field}: {error.limit}", {"code": ErrorCode.BAD_INPUT, "field": field}
        case agent_errors.RunNotFound():
            return f"runId: {error}", {"code": ErrorCode.BAD_INPUT, "field": "runId"}
        case agent_errors.AgentUnavailable():
            return str(error), {"code": ErrorCode.UNAVAILABLE}
        case agent_errors.AgentOverloaded():
            return str(error), {"code": ErrorCode.OVERLOADED}
        case agent_errors.AgentTimedOut():
            return str(error), {"code": ErrorCode.DEADLINE_EXCEEDED}
        case agent_errors.NotAuthenticated():
            # The agent doesn't know this server, which its caller can't mend.
            _log.error("agent_refused_token")
            return "the answer service is unavailable", {"code": ErrorCode.UNAVAILABLE}
        case _:
            return "the answer service failed", {"code": ErrorCode.INTERNAL}


def _rebuilt(error: GraphQLError, message: str, extensions: Mapping[str, object]) -> GraphQLError:
    return GraphQLError(message, error.nodes, error.source, error.positions, error.path, extensions=dict(extensions))


def shortened(message: str) -> str:
    """What a caller sent comes back in many messages, and may be long."""
    return message if len(message) <= _MAX_MESSAGE_CHARACTERS else f"{message[:_MAX_MESSAGE_CHARACTERS]}…"
