"""The GraphQL endpoint over HTTP: who asks, one context for each request, errors fit for callers."""

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Coroutine, Mapping
from contextlib import aclosing, suppress
from dataclasses import replace
from datetime import timedelta
from typing import Any, cast

import orjson
import structlog
from agent_api.client import Caller
from cross_web import AsyncHTTPRequestAdapter, HTTPException
from observability.attributes import REQUEST_ID
from observability.logging import bind_request
from observability.tracing import remote_span
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send
from starlette.websockets import WebSocket
from strawberry.asgi import GraphQL
from strawberry.http import GraphQLHTTPResponse, GraphQLRequestData
from strawberry.http.streaming import SSETransport
from strawberry.subscriptions import GRAPHQL_SSE_PROTOCOL, GRAPHQL_TRANSPORT_WS_PROTOCOL
from strawberry.types import ExecutionResult
from strawberry.types.unset import UNSET, UnsetType

from graphql_bff.authentication import principal_of
from graphql_bff.context import RequestContext, Resources
from graphql_bff.errors import ErrorCode, RequestRefused, error_response, present
from graphql_bff.http_headers import GRAPHQL_RESPONSE_TYPE, JSON_TYPE, REQUEST_ID_HEADER, request_id_of
from graphql_bff.request_guard import HEADERS
from graphql_bff.schema import Schema
from graphql_bff.sockets import SocketAdapter, SocketContext, SocketCount, SocketHandler, checked_message
from graphql_bff.trusted.lane import FastLane
from graphql_bff.trusted.registry import read_documents, shipped_documents

_TAKING_SECONDS = 1.0
_log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


class GraphqlEndpoint(GraphQL[RequestContext, None]):
    """Answers POST requests and WebSockets; GET only shows GraphiQL, and only in dev mode."""

    websocket_adapter_class = SocketAdapter
    graphql_transport_ws_handler_class = SocketHandler

    def __init__(self, resources: Resources) -> None:
        self._resources = resources
        self._is_dev = resources.settings.dev_mode
        schema = Schema(resources.settings)
        self.fast_lane = _lane(resources, schema)
        self.sockets = SocketCount(resources.settings.max_sockets)
        super().__init__(
            schema,
            graphql_ide="graphiql" if self._is_dev else None,
            allow_queries_via_get=False,
            subscription_protocols=(GRAPHQL_TRANSPORT_WS_PROTOCOL, GRAPHQL_SSE_PROTOCOL),
            connection_init_wait_timeout=timedelta(seconds=resources.settings.socket_init_seconds),
            max_subscriptions_per_connection=resources.settings.max_socket_operations,
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, unless the caller goes away first: then all work for it ends."""
        request = HTTPConnection(scope, receive)
        request.state.request_id = request_id_of(scope, scope[HEADERS])
        bind_request(str(request.state.request_id))
        if scope["type"] == "websocket":
            await self._converse(WebSocket(scope, receive, send))
        else:
            await self._reply(Request(scope, receive), send)

    async def _converse(self, socket: WebSocket) -> None:
        """Serve one WebSocket to its end; closing it ends all work for it."""
        with self.sockets.one_more() as has_room:
            if has_room:
                await self.run(socket)
            else:
                _log.info("socket_refused")
                await socket.close(code=1013, reason="too many connections are open")

    async def _reply(self, request: Request, send: Send) -> None:
        scope, receive = request.scope, request.receive
        await request.body()  # read here, so that what arrives from now on is the end of the connection
        response = await _unless_gone(self._answer(request), receive)
        if response is None:
            _log.info("caller_left")
        elif isinstance(response, EventStream):
            # The agent ends in time by itself; a caller who takes what it said too slowly is not waited for.
            with suppress(TimeoutError):
                async with asyncio.timeout(self._resources.settings.agent_timeout_seconds + _TAKING_SECONDS):
                    await _unless_gone(response(scope, receive, send), receive)
        else:
            await response(scope, receive, send)

    async def get_context(self, request: Request | WebSocket, response: Response | WebSocket) -> RequestContext:
        """The context of one request, or of one socket, which has to say yet who asks. Raises NotAuthenticated."""
        authorization = request.headers.get("authorization")
        caller = Caller(request_id=request.state.request_id)
        if isinstance(request, WebSocket):
            return SocketContext(self._resources, caller, authorization)
        principal = principal_of(authorization, self._resources.settings.api_keys)
        return RequestContext(self._resources, replace(caller, principal=principal))

    async def on_ws_connect(self, context: RequestContext) -> UnsetType:
        """A socket said who asks. Raises ConnectionRejectionError."""
        cast("SocketContext", context).let_in()
        return UNSET

    def decode_json(self, data: str | bytes) -> object:
        """A message of a socket. Raises JSONDecodeError."""
        return checked_message(
            data if isinstance(data, str) else data.decode(), self._resources.settings.max_json_depth
        )

    async def get_sub_response(self, request: Request | WebSocket) -> Response:
        """Carries headers and the media type to `create_response`."""
        response = await super().get_sub_response(request)
        response.headers[REQUEST_ID_HEADER] = str(request.state.request_id)
        is_asked_for = GRAPHQL_RESPONSE_TYPE in request.headers.get("accept", "")
        response.media_type = GRAPHQL_RESPONSE_TYPE if is_asked_for else JSON_TYPE
        return response

    async def parse_http_body(self, request: AsyncHTTPRequestAdapter) -> GraphQLRequestData:
        """The request in a body that RequestGuard has let through."""
        fields = json.loads(await request.get_body())
        is_stream = SSETransport().accepts(request.headers.get("accept", ""))
        return GraphQLRequestData(
            query=fields["query"],
            variables=fields.get("variables"),
            operation_name=fields.get("operationName"),
            extensions=fields.get("extensions"),
            protocol="sse" if is_stream else "http",
        )

    async def process_result(self, request: Request, result: ExecutionResult) -> GraphQLHTTPResponse:
        """The answer's document; every error passes here."""
        if result.errors:
            result.errors = present(result.errors, with_suggestions=self._is_dev)
        return await super().process_result(request, result)

    def encode_json(self, data: object) -> bytes:
        """The answer as JSON in UTF-8."""
        return json_bytes(data)

    def create_response(
        self, response_data: GraphQLHTTPResponse | list[GraphQLHTTPResponse], sub_response: Response
    ) -> Response:
        """The HTTP answer. Clients that know GraphQL's own media type learn of a refused document by its status."""
        is_refused = isinstance(response_data, dict) and _is_refused(response_data)
        return Response(
            self.encode_json(response_data),
            status_code=400 if is_refused and sub_response.media_type == GRAPHQL_RESPONSE_TYPE else 200,
            headers=dict(sub_response.headers),
            media_type=sub_response.media_type,
        )

    async def create_streaming_response(
        self,
        request: Request | WebSocket,
        stream: Callable[[], AsyncIterator[str]],
        sub_response: Response,
        headers: Mapping[str, str],
    ) -> Response:
        """An answer in pieces."""
        chunks = cast("AsyncGenerator[str]", stream())
        return EventStream(chunks, {REQUEST_ID_HEADER: sub_response.headers[REQUEST_ID_HEADER], **headers})

    async def _answer(self, request: Request) -> Response:
        shows_ide = self._is_dev and request.method == "GET" and "query" not in request.query_params
        if request.method != "POST" and not shows_ide:
            return error_response(405, ErrorCode.BAD_REQUEST, "method: must be POST", {"Allow": "POST"})
        try:
            with remote_span("graphql", request.headers, {REQUEST_ID: str(request.state.request_id)}):
                return await self.run(request)
        except RequestRefused as refusal:
            return refusal.response()
        except HTTPException as exc:
            return error_response(exc.status_code, ErrorCode.BAD_REQUEST, exc.reason)


def _lane(resources: Resources, schema: Schema) -> FastLane:
    """The fast lane with the shipped operations and the operator's own. Raises UnreadableDocuments."""
    lane = FastLane(resources.hot, resources.settings, schema.core, schema.checker)
    place = resources.settings.trusted_documents
    shipped = shipped_documents() if resources.settings.shipped_documents else {}
    for text in (shipped | (read_documents(place) if place is not None else {})).values():
        lane.register(text)
    return lane


def json_bytes(data: object) -> bytes:
    """A document in UTF-8, without white space; escaped where it holds what UTF-8 can't: half of a surrogate pair."""
    try:
        return orjson.dumps(data)
    except TypeError:
        return json.dumps(data, separators=(",", ":")).encode()


class EventStream(Response):
    """Server-sent events. What makes them is closed as soon as they are no longer sent, whoever ends that."""

    def __init__(self, chunks: AsyncGenerator[str], headers: Mapping[str, str]) -> None:
        super().__init__(headers=headers)
        del self.headers["content-length"]
        self._chunks = chunks

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send them all."""
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        async with aclosing(self._chunks):
            async for chunk in self._chunks:
                await send({"type": "http.response.body", "body": chunk.encode(), "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _unless_gone[T](work: Coroutine[Any, Any, T], receive: Receive) -> T | None:
    """What `work` gives; None when the caller went away first: then the work has been ended."""
    working, gone = asyncio.create_task(work), asyncio.create_task(_until_gone(receive))
    try:
        await asyncio.wait((working, gone), return_when=asyncio.FIRST_COMPLETED)
        return working.result() if working.done() else None
    finally:
        for task in (working, gone):
            task.cancel()
        await asyncio.gather(working, gone, return_exceptions=True)


async def _until_gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def _is_refused(answer: GraphQLHTTPResponse) -> bool:
    """Whether nothing ran: an error of execution has a path."""
    errors = answer.get("errors") or ()
    return answer.get("data") is None and all(isinstance(error, dict) and "path" not in error for error in errors)
