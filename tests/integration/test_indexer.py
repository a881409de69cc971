"""The indexer process: settings from the environment, work until SIGTERM, a clear word when it can't start."""

import asyncio
import signal
import sys
from pathlib import Path

import pytest
from datastore.postgres.engine import ReadWriteEngine
from datastore.postgres.outbox import OutboxOperation
from datastore.vectors.collections import alias_of
from datastore.vectors.edge import EdgeVectorStore
from datastore.vectors.owner import VectorStoreOwner
from datastore.vocabulary import EntityType
from factories import CatalogueFactory
from indexer.main import run
from indexer.settings import Settings
from ingestion.outbox_claims import IndexTask, append_tasks
from pydantic import ValidationError

SECONDS = 50.0


async def start(environment: dict[str, str]) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        sys.executable,
        "-c",
        "from indexer.main import run; run()",
        env={"PATH": "", **environment},
        stderr=asyncio.subprocess.PIPE,
    )


async def test_it_follows_the_outbox_and_ends_on_sigterm(
    edge_store: EdgeVectorStore, short_folder: Path, database_url: str, read_write: ReadWriteEngine
) -> None:
    owner = VectorStoreOwner(edge_store, short_folder / "run.sock")
    await owner.start()
    process = await start({"ENISHI_POSTGRES_DSN": database_url, "ENISHI_VECTOR_SOCKET": str(short_folder / "run.sock")})
    try:
        async with read_write.begin() as conn:
            work = await CatalogueFactory(conn).make_anime("Claymore")
            await append_tasks(conn, [IndexTask(work, "anime", 1, OutboxOperation.UPSERT)])
        async with asyncio.timeout(SECONDS):
            while not await _is_indexed(edge_store):
                await asyncio.sleep(0.1)
    finally:
        process.send_signal(signal.SIGTERM)
        _, log = await process.communicate()
    assert process.returncode == 0
    last = log.decode().splitlines()[-1]
    assert '"event": "indexer_stopped"' in last
    assert '"upserted": 1' in last
    await owner.close()


async def _is_indexed(store: EdgeVectorStore) -> bool:
    if alias_of(EntityType.ANIME) not in await store.aliases(timeout=SECONDS):
        return False
    return await store.count(alias_of(EntityType.ANIME), timeout=SECONDS) == 1


@pytest.mark.parametrize(
    ("environment", "said"),
    [
        ({}, "needs the address of a server or the socket of an owner"),
        ({"ENISHI_INDEX_BATCH_SIZE": "none"}, "index_batch_size"),
        ({"ENISHI_QDRANT_URL": "http://q", "ENISHI_VECTOR_SOCKET": "/s"}, "not both"),
    ],
)
def test_what_it_can_not_start_with_is_said(
    environment: dict[str, str], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)

    # A text as the exit code is what Python prints before it exits with 1.
    with pytest.raises(SystemExit, match=r"^enishi-indexer: ") as ended:
        run()

    assert said in str(ended.value.code)


def test_settings_are_closed_and_frozen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ENISHI_QDRANT_API_KEY", "secret-value")
    settings = Settings()
    assert "secret-value" not in repr(settings)
    with pytest.raises(ValidationError):
        Settings.model_validate({"nonsense": 1})
    with pytest.raises(ValidationError):
        settings.log_level = "debug"  # pyright: ignore[reportAttributeAccessIssue]  # frozen, which is the point
