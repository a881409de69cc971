"""GraphQL over WebSockets: who is let in, how many, and what a message may be."""

import json
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, cast
from uuid import uuid4

import structlog
from agent_api.client import Caller
from starlette.websockets import WebSocketDisconnect
from strawberry.asgi import ASGIWebSocketAdapter
from strawberry.exceptions import ConnectionRejectionError
from strawberry.http.exceptions import WebSocketDisconnected
from strawberry.subscriptions.protocols.graphql_transport_ws.handlers import BaseGraphQLTransportWSHandler

from graphql_bff.authentication import principal_of
from graphql_bff.context import RequestContext, Resources
from graphql_bff.errors import NotAuthenticated, RequestRefused
from graphql_bff.request_guard import check_fields, checked_object

_NOBODY = "nobody"
_log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


class SocketContext(RequestContext):
    """What one connection carries. `connection_params` is what its first message brought."""

    def __init__(self, resources: Resources, caller: Caller, authorization: str | None) -> None:
        super().__init__(resources, replace(caller, principal=_NOBODY))
        self.connection_params: dict[str, object] = {}
        self._authorization = authorization

    def let_in(self) -> None:
        """Find out who asks: by the header, or by `authorization` in the first message, which browsers can send.

        Raises ConnectionRejectionError.
        """
        said = self.connection_params.get("authorization")
        presented = said if isinstance(said, str) else self._authorization
        try:
            principal = principal_of(presented, self.resources.settings.api_keys)
        except NotAuthenticated:
            raise ConnectionRejectionError from None
        self.caller = replace(self.caller, principal=principal)

    def for_operation(self) -> RequestContext:
        """Each operation has an id and loaders of its own."""
        return RequestContext(self.resources, replace(self.caller, request_id=uuid4()))


class SocketAdapter(ASGIWebSocketAdapter):
    """Writes text, which is what the protocol has; the library writes what JSON was encoded to."""

    async def send_json(self, message: Mapping[str, object]) -> None:
        """One message. Raises WebSocketDisconnected."""
        try:
            await self.ws.send_text(cast("bytes", cast("Any", self).view.encode_json(message)).decode())
        except WebSocketDisconnect as exc:
            raise WebSocketDisconnected from exc


class SocketHandler(BaseGraphQLTransportWSHandler[RequestContext, None]):
    """The protocol as the library speaks it, with our log."""

    async def handle_task_exception(self, error: Exception) -> None:
        """An operation ended with an error; that the other side went away in the middle of a message is none."""
        if not isinstance(error, WebSocketDisconnected):
            _log.error("socket_operation_failed", exc_info=error)


class SocketCount:
    """Bounds the connections that are open."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self.open = 0

    @contextmanager
    def one_more(self) -> Generator[bool]:
        """Whether there is room for another; it is counted for as long as the block lasts."""
        if self.open >= self._limit:
            yield False
            return
        self.open += 1
        try:
            yield True
        finally:
            self.open -= 1


def checked_message(text: str, max_depth: int) -> Mapping[str, object]:
    """A message that the protocol's handler can take. Raises JSONDecodeError, which closes the connection."""
    try:
        message = checked_object(text, max_depth)
        if not isinstance(message.get("type"), str) or not isinstance(message.get("id", ""), str):
            raise json.JSONDecodeError("not a message of the protocol", "", 0)
        if message["type"] == "subscribe":
            check_fields(message["payload"] if isinstance(message.get("payload"), dict) else {})
    except RequestRefused as refusal:
        raise json.JSONDecodeError(str(refusal), "", 0) from None
    return message
