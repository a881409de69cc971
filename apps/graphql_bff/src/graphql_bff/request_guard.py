"""An ASGI guard in front of GraphQL: what isn't a small JSON object in UTF-8, sent on purpose, is answered 4xx."""

import asyncio
import json
import re
from collections.abc import Awaitable, Callable, Mapping, MutableMapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, cast

import msgspec

from graphql_bff.errors import ErrorCode, RequestRefused

type Scope = MutableMapping[str, Any]
type AsgiMessage = MutableMapping[str, Any]
type Receive = Callable[[], Awaitable[AsgiMessage]]
type Send = Callable[[AsgiMessage], Awaitable[None]]
type AsgiApp = Callable[[Scope, Receive, Send], Awaitable[None]]

FIELDS, HEADERS = "graphql_bff.fields", "graphql_bff.headers"
"""Where the scope holds the request's fields, checked, and its headers, the first of each name, from the guard on."""

_REMEMBERED_HEADERS = 64
_STRING = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?', re.DOTALL)
_NO_BRACKETS = re.compile(r"[^][{}]+")


class RequestFields(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="camel"):
    """What GraphQL over HTTP sends."""

    query: str
    variables: dict[str, Any] | None = None
    operation_name: str | None = None
    extensions: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class BodyLimits:
    """What a body may be: its bytes, how deep its JSON nests, and how long it may take to arrive."""

    max_bytes: int
    max_depth: int
    seconds: float


class RequestGuard:
    """Wraps the GraphQL endpoint. Only POST has a body; what other methods send is passed over.

    A media type other than JSON is refused, because a page of another site may send those without asking first.

    Args:
        hosts: The host names a request may be addressed to, without ports; None takes any.
    """

    def __init__(self, app: AsgiApp, limits: BodyLimits, *, hosts: frozenset[str] | None) -> None:
        self._app = app
        self._limits = limits
        self._hosts = hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on with its body read once, or answer why not; a socket is only asked for its host."""
        headers = scope[HEADERS] = _first_of_each(scope["headers"])
        try:
            self._check_host(headers)
            if scope["type"] == "websocket":
                await self._app(scope, receive, send)
                return
            body = b""
            if scope["method"] == "POST":
                _check_media_type(headers)
                body = await self._read(receive)
                scope[FIELDS] = _checked_fields(body, self._limits.max_depth)
        except RequestRefused as refusal:
            await _refuse(refusal, scope, receive, send)
            return
        await self._app(scope, _replay(body, receive), send)

    def _check_host(self, headers: Mapping[bytes, bytes]) -> None:
        """A name of somebody else's that leads here makes their page a page of this server."""
        if self._hosts is not None and _host_name(headers.get(b"host", b"").decode("latin-1")) not in self._hosts:
            raise RequestRefused(421, ErrorCode.BAD_REQUEST, f"host: must be one of {', '.join(sorted(self._hosts))}")

    async def _read(self, receive: Receive) -> bytes:
        try:
            async with asyncio.timeout(self._limits.seconds):
                return await self._read_all(receive)
        except TimeoutError:
            limit = f"body: must arrive within {self._limits.seconds:g} seconds"
            raise RequestRefused(408, ErrorCode.BAD_REQUEST, limit) from None

    async def _read_all(self, receive: Receive) -> bytes:
        body = bytearray()
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                raise RequestRefused(400, ErrorCode.BAD_REQUEST, "body: ended too early")
            body += message.get("body", b"")
            if len(body) > self._limits.max_bytes:
                limit = f"body: at most {self._limits.max_bytes} bytes"
                raise RequestRefused(413, ErrorCode.QUERY_TOO_LARGE, limit)
            if not message.get("more_body", False):
                return bytes(body)


async def _refuse(refusal: RequestRefused, scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008, "reason": str(refusal)})
    else:
        await refusal.response()(scope, receive, send)


def _host_name(host: str) -> str:
    """The name in a Host header; an IPv6 address without its brackets."""
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.partition(":")[0].lower()


def _first_of_each(headers: Sequence[tuple[bytes, bytes]]) -> Mapping[bytes, bytes]:
    """The headers by name, read once; of two with one name the first."""
    return dict(reversed(headers))


def _check_media_type(headers: Mapping[bytes, bytes]) -> None:
    if not _is_json(headers.get(b"content-type", b"")):
        raise RequestRefused(415, ErrorCode.BAD_REQUEST, "content-type: must be application/json in UTF-8")
    if headers.get(b"content-encoding", b"identity").lower() != b"identity":
        raise RequestRefused(415, ErrorCode.BAD_REQUEST, "content-encoding: must be identity")


@lru_cache(_REMEMBERED_HEADERS)
def _is_json(content_type: bytes) -> bool:
    media_type, _, parameters = content_type.partition(b";")
    charset = parameters.strip().lower().replace(b'"', b"")
    return media_type.strip().lower() == b"application/json" and charset in (b"", b"charset=utf-8")


def _checked_fields(body: bytes, max_depth: int) -> RequestFields:
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError:
        raise _bad("body: must be UTF-8") from None
    # What the quick reader takes the other would take, too; what it doesn't, the other finds the words for.
    if _brackets_in(text) <= max_depth:
        try:
            fields = _read_quickly(text)
        except msgspec.MsgspecError:
            pass
        else:
            if fields.query:
                return fields
    document = checked_object(text, max_depth)
    check_fields(document)
    return RequestFields(
        document["query"], document.get("variables"), document.get("operationName"), document.get("extensions")
    )


def checked_object(text: str, max_depth: int) -> Mapping[str, Any]:
    """The JSON object that a text holds. Raises RequestRefused."""
    if _nests_deeper(text, max_depth):
        raise RequestRefused(400, ErrorCode.QUERY_TOO_LARGE, f"body: JSON may nest {max_depth} deep")
    try:
        document: object = _STRICT_JSON.decode(text)
    except (ValueError, RecursionError):
        raise _bad("body: must be JSON") from None
    if not isinstance(document, dict):
        raise _bad("body: must be a JSON object")
    return cast("dict[str, object]", document)


def check_fields(fields: Mapping[str, Any]) -> None:
    """Whether they are a GraphQL request's. Raises RequestRefused."""
    if not isinstance(fields.get("query"), str) or not fields["query"]:
        raise _bad("query: must be a string that is not empty")
    if not isinstance(fields.get("operationName"), str | None):
        raise _bad("operationName: must be a string")
    for name in ("variables", "extensions"):
        if not isinstance(fields.get(name), dict | None):
            raise _bad(f"{name}: must be an object")


def _bad(message: str) -> RequestRefused:
    return RequestRefused(400, ErrorCode.BAD_REQUEST, message)


def _nests_deeper(text: str, limit: int) -> bool:
    """Whether brackets outside strings nest deeper than `limit`; nothing is built and nothing recurses."""
    if _brackets_in(text) <= limit:
        return False
    depth = 0
    for bracket in _NO_BRACKETS.sub("", _STRING.sub("", text)):
        depth += 1 if bracket in "[{" else -1
        if depth > limit:
            return True
    return False


def _brackets_in(text: str) -> int:
    return text.count("[") + text.count("{")


def _refuse_constant(name: str) -> float:
    raise ValueError(f"{name} is not JSON")


_read_quickly = msgspec.json.Decoder(RequestFields).decode
_STRICT_JSON = json.JSONDecoder(parse_constant=_refuse_constant)


def _replay(body: bytes, receive: Receive) -> Receive:
    is_sent = False

    async def replay() -> AsgiMessage:
        nonlocal is_sent
        if is_sent:
            return await receive()
        is_sent = True
        return {"type": "http.request", "body": body, "more_body": False}

    return replay
