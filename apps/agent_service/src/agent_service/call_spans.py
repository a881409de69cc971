"""A span around every call of ours, a child of the caller's."""

from collections.abc import Awaitable, Callable
from typing import Any, cast

import grpc
from observability.attributes import RPC_METHOD, RPC_SYSTEM
from observability.tracing import remote_span

from agent_service.interceptors import RpcContext

type Behaviour = Callable[[Any, RpcContext], Awaitable[Any]]
type Handler = grpc.RpcMethodHandler[Any, Any]

_OURS = "/agent_api."


class CallSpans(grpc.aio.ServerInterceptor):
    """Wraps the coroutines of unary calls and of streams that write; others' calls, such as health, are left alone."""

    async def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Awaitable[Handler | None]],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> Handler | None:
        """The handler of a call with a span around it."""
        handler = await continuation(handler_call_details)
        method = str(handler_call_details.method)
        if handler is None or not method.startswith(_OURS):
            return handler
        carrier = {str(key): str(value) for key, value in handler_call_details.invocation_metadata or ()}
        coders = (handler.request_deserializer, handler.response_serializer)
        if handler.unary_unary is not None:
            wrapped: Any = _spanned(cast(Behaviour, handler.unary_unary), method, carrier)
            return grpc.unary_unary_rpc_method_handler(wrapped, *coders)
        wrapped = _spanned(cast(Behaviour, handler.unary_stream), method, carrier)
        return grpc.unary_stream_rpc_method_handler(wrapped, *coders)


def _spanned(behaviour: Behaviour, method: str, carrier: dict[str, str]) -> Behaviour:
    async def call(request: object, context: RpcContext) -> object:
        with remote_span(method.removeprefix("/"), carrier, {RPC_SYSTEM: "grpc", RPC_METHOD: method}):
            return await behaviour(request, context)

    return call
