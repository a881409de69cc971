"""What is dear to make is made once, and kept beside the data set while what it is made with stays the same."""

import hashlib
from collections.abc import Callable, Iterable
from pathlib import Path
from shutil import rmtree

import asyncpg


class Keep:
    """Folders by name, one of each."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def folder(self, name: str, made_with: Iterable[str | bytes], make: Callable[[Path], None]) -> Path:
        """A folder that `make` has filled, now or in an earlier run: anew when `made_with` is something else.

        Whatever `make` raises is raised; nothing is kept then.
        """
        kept = self._folder / f"{name}-{digest_of(made_with)}"
        if not kept.is_dir():
            for outdated in self._folder.glob(f"{name}-*"):
                rmtree(outdated)
            unfinished = self._folder / f"{name}-unfinished"
            unfinished.mkdir(parents=True)
            make(unfinished)
            unfinished.rename(kept)
        return kept


def digest_of(parts: Iterable[str | bytes]) -> str:
    """The same for equal parts, and only for them."""
    digest = hashlib.sha256()
    for part in parts:
        content = part.encode() if isinstance(part, str) else part
        digest.update(len(content).to_bytes(8, "big"))
        digest.update(content)
    return digest.hexdigest()[:16]


def source(*files: str) -> str:
    """What the code in these modules' files says."""
    return digest_of(Path(file).read_bytes() for file in files)


async def kept_schema(connection: asyncpg.Connection, schema: str) -> str | None:
    """What a schema of the data set's database was made with; None for one that is not there or not finished."""
    found: str | None = await connection.fetchval("SELECT obj_description(to_regnamespace($1), 'pg_namespace')", schema)
    return found


async def keep_schema(connection: asyncpg.Connection, schema: str, made_with: str) -> None:
    """The schema is finished."""
    await connection.execute(f"COMMENT ON SCHEMA {schema} IS '{made_with}'")
