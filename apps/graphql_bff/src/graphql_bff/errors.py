"""What a GraphQL caller sees of a failure: a message fit for people and a stable code; never an exception's text."""

from collections.abc import Mapping, Sequence

import structlog
from agent_api.errors import AgentError, InvalidQuestion
from datastore.errors import DatabaseUnavailable
from graphql import GraphQLError
from starlette.responses import JSONResponse

_log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


class BadInput(Exception):
    """An argument breaks its limit."""

    def __init__(self, field: str, limit: str) -> None:
        super().__init__(f"{field}: {limit}")
        self.field = field


class NotAuthenticated(Exception):
    """No principal stands behind the request."""

    def __init__(self) -> None:
        super().__init__("an API key is required: send it as 'Authorization: Bearer KEY'")


def present(errors: Sequence[GraphQLError]) -> list[GraphQLError]:
    """The same errors, fit for a caller."""
    return [_present(error) for error in errors]


def error_response(status: int, code: str, message: str) -> JSONResponse:
    """An HTTP answer in GraphQL's form, for requests that end before GraphQL sees them."""
    error = {"message": message, "extensions": {"code": code}}
    return JSONResponse({"data": None, "errors": [error]}, status_code=status)


def _present(error: GraphQLError) -> GraphQLError:
    original = error.original_error
    if original is None or isinstance(original, GraphQLError):
        extensions = {"code": "BAD_QUERY", **(error.extensions or {})}
        return _rebuilt(error, error.message, extensions)
    message, extensions = _explain(original)
    if extensions["code"] == "INTERNAL":
        _log.error("resolver_failed", exc_info=original, path=error.path)
    return _rebuilt(error, message, extensions)


def _explain(original: Exception) -> tuple[str, dict[str, object]]:
    match original:
        case BadInput() | InvalidQuestion():
            return str(original), {"code": "BAD_INPUT", "field": original.field}
        case NotAuthenticated():
            return str(original), {"code": "UNAUTHENTICATED"}
        case AgentError():
            return str(original), {"code": original.reason}
        case DatabaseUnavailable():
            return "the catalogue is unavailable, try again shortly", {"code": "UNAVAILABLE"}
        case _:
            return "something went wrong here", {"code": "INTERNAL"}


def _rebuilt(error: GraphQLError, message: str, extensions: Mapping[str, object]) -> GraphQLError:
    return GraphQLError(message, error.nodes, error.source, error.positions, error.path, extensions=dict(extensions))
