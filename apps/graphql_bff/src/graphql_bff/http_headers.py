"""What both roads read from a request's headers, and write into an answer's."""

from collections.abc import Mapping, MutableMapping
from typing import Any
from uuid import UUID, uuid4

REQUEST_ID_HEADER = "X-Request-Id"
JSON_TYPE = "application/json"
GRAPHQL_RESPONSE_TYPE = "application/graphql-response+json"
"""GraphQL's own media type, for those who ask for it."""

_REQUEST_ID = "request_id"


def request_id_of(scope: MutableMapping[str, Any], headers: Mapping[bytes, bytes]) -> UUID:
    """The caller's own id where it is a UUID, else a new one; the same each time for one request."""
    state: dict[str, Any] = scope.setdefault("state", {})
    if _REQUEST_ID not in state:
        state[_REQUEST_ID] = _request_id(headers.get(b"x-request-id"))
    return state[_REQUEST_ID]


def _request_id(given: bytes | None) -> UUID:
    if given is None:
        return uuid4()
    try:
        return UUID(given.decode("latin-1"))
    except ValueError:
        return uuid4()
