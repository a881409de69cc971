"""The app: opens the pool and the channel, serves GraphQL and health, closes them."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace

import sqlalchemy as sa
import structlog
from agent_api.client import AgentClient
from datastore.errors import DatabaseUnavailable
from datastore.postgres.catalogue import entities
from datastore.postgres.engine import PostgresOptions, ReadOnlyEngine, open_read_only
from datastore.postgres.hot import HotPool, Sharing
from fastapi import FastAPI
from sqlalchemy.exc import SQLAlchemyError
from starlette.middleware.errors import ServerErrorMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp, Lifespan, Receive, Scope, Send

from graphql_bff.context import Resources
from graphql_bff.endpoint import GraphqlEndpoint
from graphql_bff.errors import ErrorCode, error_response
from graphql_bff.reading import CatalogueReader
from graphql_bff.request_guard import BodyLimits, RequestGuard
from graphql_bff.settings import LOOPBACK_HOSTS, Settings
from graphql_bff.trusted.endpoint import FastEndpoint

GRAPHQL_PATH = "/graphql"
LIVE_PATH = "/healthz/live"
READY_PATH = "/healthz/ready"
_READY_SECONDS = 0.5
_log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


class _App(FastAPI):
    """Requests for GraphQL don't pass what FastAPI and its router put around requests: it took longer than a search."""

    def __init__(self, graphql: ASGIApp, routes: Sequence[BaseRoute], lifespan: Lifespan[FastAPI]) -> None:
        # Plain routes: nothing describes the app to a stranger.
        super().__init__(openapi_url=None, routes=list(routes), lifespan=lifespan)
        self._graphql = ServerErrorMiddleware(graphql, handler=_unplanned)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request, or the life of the app."""
        is_graphql = scope["type"] in ("http", "websocket") and scope["path"] == GRAPHQL_PATH
        await (self._graphql if is_graphql else super().__call__)(scope, receive, send)


def build_app(settings: Settings) -> FastAPI:
    """The ASGI app over resources of its own, which its lifespan closes; nothing connects before that starts.

    `state.fast_lane` counts what the fast lane answered and passed on, `state.sockets` the open WebSockets.
    Raises UnreadableDocuments.
    """
    resources = open_resources(settings)

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncGenerator[None]:
        with contextlib.suppress(DatabaseUnavailable):  # readiness tells of it
            await resources.engine.warm()
        with contextlib.suppress(Exception):  # the reference road answers without it, and says what is wrong
            await resources.hot.warm()
        try:
            yield
        finally:
            await resources.agent.close()
            await resources.hot.close()
            await resources.engine.close()

    async def live(_request: Request) -> Response:
        return JSONResponse({"status": "live"})

    async def ready(_request: Request) -> Response:
        database, agent = await asyncio.gather(
            _is_database_ready(resources.engine), resources.agent.is_serving(timeout=_READY_SECONDS)
        )
        # Without the agent the name lane still answers; without the database nothing does.
        return JSONResponse({"database": database, "agent": agent}, status_code=200 if database else 503)

    endpoint = GraphqlEndpoint(resources)
    app = _App(_guarded(endpoint, settings), (Route(LIVE_PATH, live), Route(READY_PATH, ready)), lifespan)
    app.state.fast_lane = endpoint.fast_lane
    app.state.sockets = endpoint.sockets
    return app


def open_resources(settings: Settings) -> Resources:
    """What an app works with; nothing connects before it is used."""
    token = settings.internal_token.get_secret_value() if settings.internal_token else None
    options = PostgresOptions(
        dsn=settings.postgres_dsn.get_secret_value(),
        pool_min_size=settings.pool_min_size,
        pool_max_size=settings.pool_max_size,
        statement_timeout_ms=settings.statement_timeout_ms,
        acquire_timeout_ms=settings.acquire_timeout_ms,
        application_name="enishi-graphql-bff",
        role=settings.postgres_role,
    )
    hot = HotPool(_hot_options(settings, options), Sharing(settings.hot_together, settings.hot_waiting))
    return Resources(
        settings=settings,
        engine=open_read_only(options),
        reader=CatalogueReader(hot, seconds=settings.query_timeout_ms / 1000),
        hot=hot,
        agent=AgentClient(settings.agent_target, token=token, max_message_bytes=settings.max_message_bytes),
    )


def _hot_options(settings: Settings, options: PostgresOptions) -> PostgresOptions:
    dsn = settings.hot_postgres_dsn.get_secret_value() if settings.hot_postgres_dsn else options.dsn
    most = settings.hot_pool_max_size
    return replace(options, dsn=dsn, pool_max_size=most, pool_min_size=min(options.pool_min_size, most))


def _guarded(endpoint: GraphqlEndpoint, settings: Settings) -> RequestGuard:
    limits = BodyLimits(settings.max_body_bytes, settings.max_json_depth, settings.body_seconds)
    # With keys, a page of another site has none; without, it must not reach this server under its own name.
    is_open = not settings.api_keys and settings.graphql_host in LOOPBACK_HOSTS
    fast = FastEndpoint(endpoint.fast_lane, settings.api_keys, endpoint)
    return RequestGuard(fast, limits, hosts=LOOPBACK_HOSTS if is_open else None)


async def _is_database_ready(engine: ReadOnlyEngine) -> bool:
    try:
        async with engine.connect(_READY_SECONDS) as conn:
            await conn.execute(sa.select(entities.c.id).order_by(entities.c.id).limit(1))
    except (DatabaseUnavailable, SQLAlchemyError):
        return False
    return True


async def _unplanned(_request: Request, exc: Exception) -> Response:
    _log.error("request_failed", exc_info=exc)
    return error_response(500, ErrorCode.INTERNAL, "something went wrong here")
