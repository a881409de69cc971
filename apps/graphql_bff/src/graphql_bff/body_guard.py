"""An ASGI guard in front of GraphQL: a body that isn't a small JSON object in UTF-8 is answered 4xx at once."""

import json
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any, cast

from graphql_bff.errors import error_response

type Scope = MutableMapping[str, Any]
type AsgiMessage = MutableMapping[str, Any]
type Receive = Callable[[], Awaitable[AsgiMessage]]
type Send = Callable[[AsgiMessage], Awaitable[None]]
type AsgiApp = Callable[[Scope, Receive, Send], Awaitable[None]]


class BadBody(Exception):
    """Why a body was refused, and with which HTTP status."""

    def __init__(self, status: int, code: str, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.code = code


class BodyGuard:
    """Wraps an ASGI app; only POST bodies are looked at.

    Args:
        max_bytes: The largest body, in bytes.
        max_depth: How deep its JSON may nest.
    """

    def __init__(self, app: AsgiApp, *, max_bytes: int, max_depth: int) -> None:
        self._app = app
        self._max_bytes = max_bytes
        self._max_depth = max_depth

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on with its body read once, or answer why not."""
        if scope["type"] != "http" or scope["method"] != "POST":
            await self._app(scope, receive, send)
            return
        try:
            body = await self._read(receive)
            self._check(body)
        except BadBody as refusal:
            await error_response(refusal.status, refusal.code, str(refusal))(scope, receive, send)
            return
        await self._app(scope, _replay(body, receive), send)

    async def _read(self, receive: Receive) -> bytes:
        body = bytearray()
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                raise BadBody(400, "BAD_REQUEST", "the request ended before its body did")
            body += message.get("body", b"")
            if len(body) > self._max_bytes:
                raise BadBody(413, "BODY_TOO_LARGE", f"body: at most {self._max_bytes} bytes")
            if not message.get("more_body", False):
                return bytes(body)

    def _check(self, body: bytes) -> None:
        try:
            text = body.decode("utf-8")
        except UnicodeDecodeError:
            raise BadBody(400, "BAD_REQUEST", "body: must be UTF-8") from None
        if _nesting(text) > self._max_depth:
            raise BadBody(400, "BAD_REQUEST", f"body: JSON nests deeper than {self._max_depth}")
        try:
            document: object = json.loads(text, parse_constant=_refuse_constant)
        except (ValueError, RecursionError):
            raise BadBody(400, "BAD_REQUEST", "body: must be JSON") from None
        if not isinstance(document, dict):
            raise BadBody(400, "BAD_REQUEST", "body: must be a JSON object")
        fields = cast("dict[str, object]", document)
        if not isinstance(fields.get("query"), str):
            raise BadBody(400, "BAD_REQUEST", "query: must be a string")
        if not isinstance(fields.get("variables") or {}, dict):
            raise BadBody(400, "BAD_REQUEST", "variables: must be an object")


def _nesting(text: str) -> int:
    """The deepest nesting of brackets outside strings, without building anything."""
    depth = deepest = 0
    in_string = escaped = False
    for character in text:
        if in_string:
            in_string = escaped or character != '"'
            escaped = not escaped and character == "\\"
        elif character == '"':
            in_string = True
        elif character in "[{":
            depth += 1
            deepest = max(deepest, depth)
        elif character in "]}":
            depth -= 1
    return deepest


def _refuse_constant(name: str) -> float:
    raise ValueError(f"{name} is not JSON")


def _replay(body: bytes, receive: Receive) -> Receive:
    is_sent = False

    async def replay() -> AsgiMessage:
        nonlocal is_sent
        if is_sent:
            return await receive()
        is_sent = True
        return {"type": "http.request", "body": body, "more_body": False}

    return replay
