"""The GraphQL endpoint over HTTP: who asks, one context for each request, errors fit for callers."""

import asyncio
import json
from uuid import UUID, uuid4

import orjson
import structlog
from agent_api.client import Caller
from cross_web import AsyncHTTPRequestAdapter, HTTPException
from observability.logging import bind_request
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send
from starlette.websockets import WebSocket
from strawberry.asgi import GraphQL
from strawberry.http import GraphQLHTTPResponse, GraphQLRequestData
from strawberry.types import ExecutionResult

from graphql_bff.authentication import principal_of
from graphql_bff.context import RequestContext, Resources
from graphql_bff.errors import ErrorCode, RequestRefused, error_response, present
from graphql_bff.schema import Schema

REQUEST_ID_HEADER = "X-Request-Id"
_JSON = "application/json"
_GRAPHQL_RESPONSE = "application/graphql-response+json"
_log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


class GraphqlEndpoint(GraphQL[RequestContext, None]):
    """Answers POST requests; GET only shows GraphiQL, and only in dev mode."""

    def __init__(self, resources: Resources) -> None:
        self._resources = resources
        self._is_dev = resources.settings.dev_mode
        super().__init__(
            Schema(resources.settings),
            graphql_ide="graphiql" if self._is_dev else None,
            allow_queries_via_get=False,
            subscription_protocols=(),
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, unless the caller goes away first: then all work for it ends."""
        request = Request(scope, receive)
        request.state.request_id = _request_id(request.headers.get(REQUEST_ID_HEADER))
        bind_request(str(request.state.request_id))
        await request.body()  # read here, so that what arrives from now on is the end of the connection
        work = asyncio.create_task(self._answer(request))
        gone = asyncio.create_task(_until_gone(receive))
        try:
            await asyncio.wait((work, gone), return_when=asyncio.FIRST_COMPLETED)
            if not work.done():
                _log.info("caller_left")
                return
            response = work.result()
        finally:
            for task in (work, gone):
                task.cancel()
            await asyncio.gather(work, gone, return_exceptions=True)
        await response(scope, receive, send)

    async def get_context(self, request: Request | WebSocket, response: Response | WebSocket) -> RequestContext:
        """The context of one request. Raises NotAuthenticated."""
        principal = principal_of(request.headers.get("authorization"), self._resources.settings.api_keys)
        return RequestContext(self._resources, Caller(request_id=request.state.request_id, principal=principal))

    async def get_sub_response(self, request: Request | WebSocket) -> Response:
        """Carries headers and the media type to `create_response`."""
        response = await super().get_sub_response(request)
        response.headers[REQUEST_ID_HEADER] = str(request.state.request_id)
        is_asked_for = _GRAPHQL_RESPONSE in request.headers.get("accept", "")
        response.media_type = _GRAPHQL_RESPONSE if is_asked_for else _JSON
        return response

    async def parse_http_body(self, request: AsyncHTTPRequestAdapter) -> GraphQLRequestData:
        """The request in a body that RequestGuard has let through."""
        fields = self.parse_json(await request.get_body())
        return GraphQLRequestData(
            query=fields["query"],
            variables=fields.get("variables"),
            operation_name=fields.get("operationName"),
            extensions=fields.get("extensions"),
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
            status_code=400 if is_refused and sub_response.media_type == _GRAPHQL_RESPONSE else 200,
            headers=dict(sub_response.headers),
            media_type=sub_response.media_type,
        )

    async def _answer(self, request: Request) -> Response:
        shows_ide = self._is_dev and request.method == "GET" and "query" not in request.query_params
        if request.method != "POST" and not shows_ide:
            return error_response(405, ErrorCode.BAD_REQUEST, "method: must be POST", {"Allow": "POST"})
        try:
            return await self.run(request)
        except RequestRefused as refusal:
            return refusal.response()
        except HTTPException as exc:
            return error_response(exc.status_code, ErrorCode.BAD_REQUEST, exc.reason)


def json_bytes(data: object) -> bytes:
    """A document in UTF-8, without white space; escaped where it holds what UTF-8 can't: half of a surrogate pair."""
    try:
        return orjson.dumps(data)
    except TypeError:
        return json.dumps(data, separators=(",", ":")).encode()


def _request_id(given: str | None) -> UUID:
    """The caller's own id where it is a UUID, else a new one."""
    try:
        return UUID(given or "")
    except ValueError:
        return uuid4()


async def _until_gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def _is_refused(answer: GraphQLHTTPResponse) -> bool:
    """Whether nothing ran: an error of execution has a path."""
    errors = answer.get("errors") or ()
    return answer.get("data") is None and all(isinstance(error, dict) and "path" not in error for error in errors)
