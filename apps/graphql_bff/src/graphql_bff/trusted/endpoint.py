"""The fast lane over HTTP, in front of the reference road: the same answers with the same headers, on a shorter way."""

from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from functools import lru_cache

from observability.attributes import LANE, REQUEST_ID
from observability.tracing import is_tracing, remote_span
from pydantic import SecretStr

from graphql_bff.authentication import principal_of
from graphql_bff.errors import NotAuthenticated
from graphql_bff.http_headers import GRAPHQL_RESPONSE_TYPE, JSON_TYPE, REQUEST_ID_HEADER, request_id_of
from graphql_bff.request_guard import FIELDS, HEADERS, AsgiApp, Receive, RequestFields, Scope, Send
from graphql_bff.trusted.lane import FastLane

# What a client names that wants an answer in pieces.
_STREAMS = (b"multipart/", b"text/event-stream")
_REMEMBERED_HEADERS = 64
_REQUEST_ID = REQUEST_ID_HEADER.lower().encode()
_JSON, _GRAPHQL_RESPONSE = JSON_TYPE.encode(), GRAPHQL_RESPONSE_TYPE.encode()


class FastEndpoint:
    """An ASGI app behind RequestGuard; what the lane doesn't answer, `otherwise` does."""

    def __init__(self, lane: FastLane, keys: Mapping[str, SecretStr], otherwise: AsgiApp) -> None:
        self._lane = lane
        self._keys = keys
        self._otherwise = otherwise

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request, or one socket."""
        fields: RequestFields | None = scope.get(FIELDS)
        if fields is None or fields.query not in self._lane or not await self._has_answered(scope, fields, send):
            await self._otherwise(scope, receive, send)

    async def _has_answered(self, scope: Scope, fields: RequestFields, send: Send) -> bool:
        headers: Mapping[bytes, bytes] = scope[HEADERS]
        answered_as = _media_type(headers.get(b"accept", b""))
        if answered_as is None or not self._is_let_in(headers.get(b"authorization")):
            return False
        request_id = str(request_id_of(scope, headers))
        with _traced(headers, request_id):
            body = await self._lane.answer(fields.query, fields.variables, fields.operation_name, request_id=request_id)
        if body is None:
            return False
        written = [
            (_REQUEST_ID, request_id.encode()),
            (b"content-length", b"%d" % len(body)),
            (b"content-type", answered_as),
        ]
        await send({"type": "http.response.start", "status": 200, "headers": written})
        await send({"type": "http.response.body", "body": body})
        return True

    def _is_let_in(self, authorization: bytes | None) -> bool:
        if not self._keys:
            return True
        try:
            principal_of(None if authorization is None else authorization.decode("latin-1"), self._keys)
        except NotAuthenticated:
            return False
        return True


def _traced(headers: Mapping[bytes, bytes], request_id: str) -> AbstractContextManager[object]:
    """The span of one request, a child of the caller's that its headers name, if they name one."""
    if not is_tracing():
        return nullcontext()
    carrier = {name.decode("latin-1"): value.decode("latin-1") for name, value in headers.items()}
    return remote_span("graphql", carrier, {REQUEST_ID: request_id, LANE: "fast"})


@lru_cache(_REMEMBERED_HEADERS)
def _media_type(accepted: bytes) -> bytes | None:
    """What an answer to this Accept header is; None where it comes in pieces."""
    if any(kind in accepted.lower() for kind in _STREAMS):
        return None
    return _GRAPHQL_RESPONSE if _GRAPHQL_RESPONSE in accepted else _JSON
