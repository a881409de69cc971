"""The command `enishi-graphql-bff`: serve, or ask a running server whether it is ready."""

import argparse
import asyncio
import gc
import http.client
import signal
import sys
from contextlib import AbstractContextManager, closing, nullcontext

import uvloop
from observability.logging import configure_logging
from observability.tracing import SpanTarget, TracingNotInstalled, start_tracing
from pydantic import ValidationError
from pydantic_settings import SettingsError

from graphql_bff.app import READY_PATH
from graphql_bff.server import AddressNotUsable, EmbeddedGraphqlServer, NotStarted, PortInUse
from graphql_bff.settings import Settings

_PROGRAM = "enishi-graphql-bff"
_CHECK_SECONDS = 3.0
# Addresses that mean "every interface" can be bound but not called.
_REACHED_AT = {"0.0.0.0": "127.0.0.1", "::": "::1"}


def run() -> None:
    """Serve until SIGTERM or SIGINT; with `--check`, exit 0 when a running server is ready."""
    parser = argparse.ArgumentParser(prog=_PROGRAM, description="Serves the GraphQL API over HTTP.")
    parser.add_argument("--check", action="store_true", help="exit 0 when the running server is ready")
    arguments = parser.parse_args()
    settings = _read_settings()
    configure_logging(level=settings.log_level)
    if arguments.check:
        sys.exit(0 if _is_ready(settings) else 1)
    try:
        with _tracing(settings):
            uvloop.run(_serve(settings))
    except (PortInUse, AddressNotUsable, NotStarted, TracingNotInstalled) as exc:
        sys.exit(f"{_PROGRAM}: {exc}")


def _read_settings() -> Settings:
    try:
        return Settings()
    except ValidationError as exc:  # its own text would show the values, and some are secret
        problems = (f"{'.'.join(map(str, error['loc']))}: {error['msg']}" for error in exc.errors(include_input=False))
        sys.exit(f"{_PROGRAM}: {'; '.join(problems)}")
    except SettingsError as exc:
        sys.exit(f"{_PROGRAM}: {exc}")


def _tracing(settings: Settings) -> AbstractContextManager[object]:
    endpoint = settings.otlp_endpoint
    return closing(start_tracing(SpanTarget(endpoint, _PROGRAM))) if endpoint else nullcontext()


async def _serve(settings: Settings) -> None:
    told_to_stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, told_to_stop.set)
    server = EmbeddedGraphqlServer(settings)
    await server.start()
    # What start made lives as long as the process: collections needn't look at it, and needn't run so often.
    gc.collect()
    gc.freeze()
    if settings.young_objects:
        gc.set_threshold(settings.young_objects)
    await told_to_stop.wait()
    await server.stop()


def _is_ready(settings: Settings) -> bool:
    host = _REACHED_AT.get(settings.graphql_host, settings.graphql_host)
    connection = http.client.HTTPConnection(host, settings.graphql_port, timeout=_CHECK_SECONDS)
    try:
        connection.request("GET", READY_PATH)
        return connection.getresponse().status == http.HTTPStatus.OK
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()
