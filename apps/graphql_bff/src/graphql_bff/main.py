"""The app: opens the pool and the channel, serves GraphQL and health, closes them."""

import hmac
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from uuid import uuid4

import sqlalchemy as sa
import uvicorn
from agent_api.client import AgentClient, Caller
from datastore.errors import DatabaseUnavailable
from datastore.postgres.catalogue import entities
from datastore.postgres.engine import PostgresOptions, ReadOnlyEngine, open_read_only
from fastapi import FastAPI, Request, Response
from observability.logging import bind_request, configure_logging
from pydantic import SecretStr
from sqlalchemy.exc import SQLAlchemyError
from strawberry.fastapi import GraphQLRouter

from graphql_bff.body_guard import BodyGuard
from graphql_bff.context import RequestContext, Resources
from graphql_bff.errors import NotAuthenticated, error_response
from graphql_bff.schema import build_schema
from graphql_bff.settings import Settings

LOCAL_PRINCIPAL = "local"
_READY_SECONDS = 0.5


def principal_of(authorization: str | None, keys: Mapping[str, SecretStr]) -> str:
    """Whose key a request carries; `local` where no keys are set.

    Raises:
        NotAuthenticated: Keys are set and the request carries none of them.
    """
    if not keys:
        return LOCAL_PRINCIPAL
    presented = (authorization or "").removeprefix("Bearer ").encode()
    found = None
    for principal, key in keys.items():  # every key is compared, so that time tells nothing
        if hmac.compare_digest(presented, key.get_secret_value().encode()):
            found = principal
    if found is None:
        raise NotAuthenticated
    return found


def open_resources(settings: Settings) -> Resources:
    """Pool and channel; nothing connects before its first use."""
    token = settings.internal_token.get_secret_value() if settings.internal_token else None
    return Resources(
        settings=settings,
        engine=open_read_only(
            PostgresOptions(
                dsn=settings.postgres_dsn.get_secret_value(),
                pool_min_size=settings.pool_min_size,
                pool_max_size=settings.pool_max_size,
                statement_timeout_ms=settings.statement_timeout_ms,
                application_name="enishi-graphql-bff",
            )
        ),
        agent=AgentClient(settings.agent_target, token=token, max_message_bytes=settings.max_message_bytes),
    )


def build_app(settings: Settings) -> FastAPI:
    """The ASGI app over resources of its own."""
    resources = open_resources(settings)

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncGenerator[None]:
        yield
        await resources.agent.close()
        await resources.engine.close()

    async def context(request: Request) -> RequestContext:
        caller = Caller(
            request_id=uuid4(), principal=principal_of(request.headers.get("authorization"), settings.api_keys)
        )
        bind_request(str(caller.request_id))
        return RequestContext(resources, caller)

    app = FastAPI(lifespan=lifespan, docs_url=None, redoc_url=None, openapi_url=None)
    app.include_router(
        GraphQLRouter(
            build_schema(settings),
            path="/graphql",
            context_getter=context,
            graphql_ide="graphiql" if settings.dev_mode else None,
            allow_queries_via_get=False,
        )
    )

    @app.get("/healthz/live")
    async def live() -> dict[str, str]:
        return {"status": "live"}

    @app.get("/healthz/ready")
    async def ready(response: Response) -> dict[str, bool]:
        checks = {
            "database": await _is_database_ready(resources.engine),
            "agent": await resources.agent.is_serving(timeout=_READY_SECONDS),
        }
        # Without the agent the name lane still answers; without the database nothing does.
        response.status_code = 200 if checks["database"] else 503
        return checks

    @app.exception_handler(NotAuthenticated)
    async def unauthenticated(_request: Request, exc: NotAuthenticated) -> Response:
        return error_response(401, "UNAUTHENTICATED", str(exc))

    app.add_middleware(BodyGuard, max_bytes=settings.max_body_bytes, max_depth=settings.max_json_depth)
    return app


async def _is_database_ready(engine: ReadOnlyEngine) -> bool:
    try:
        async with engine.connect(_READY_SECONDS) as conn:
            await conn.execute(sa.select(entities.c.id).order_by(entities.c.id).limit(1))
    except (DatabaseUnavailable, SQLAlchemyError):
        return False
    return True


def run() -> None:
    """Serve until told to stop."""
    settings = Settings()
    configure_logging(level=settings.log_level)
    uvicorn.run(
        build_app(settings),
        host=settings.graphql_host,
        port=settings.graphql_port,
        log_level="warning",
        timeout_graceful_shutdown=settings.drain_seconds,
        server_header=False,
    )
