"""The demo into a catalogue, part by part, and a part once more when the package holds another edition of it."""

import asyncio
import hashlib
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import sqlalchemy as sa
from datastore.postgres.catalogue import entities, source_records
from datastore.postgres.demo_parts import demo_parts
from datastore.postgres.documents import documents
from datastore.postgres.engine import ReadWriteEngine
from sqlalchemy.dialects import postgresql as pg

from ingestion.demo import demo_catalogue_folder, demo_documents_folders
from ingestion.documents.importing import DocumentImporter
from ingestion.importing import import_path

DEMO_SOURCE = "demo"
"""The source of all that the demo catalogue says."""

_STATEMENT_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class Demo:
    """Where its files are: the folder of the catalogue, and those of the documents by collection."""

    catalogue: Path = field(default_factory=demo_catalogue_folder)
    documents: Mapping[str, Path] = field(default_factory=demo_documents_folders)


async def load_demo(engine: ReadWriteEngine, *, on_part: Callable[[str], None], demo: Demo | None = None) -> None:
    """Load each part of the demo, the packaged one by default, that the catalogue lacks or has in another edition.

    A catalogue that holds anything but the demo is its owner's: nothing is loaded into it. Of a part that was loaded
    before, only what differs is written; documents that the new edition leaves out stay. `on_part` is told the name of
    each part before it is loaded.

    Raises:
        DatabaseUnavailable: PostgreSQL is away; the next call goes on where this one ended.
    """
    demo = demo or Demo()
    parts = await asyncio.to_thread(_parts_of, demo)
    for part in await _lacking(engine, parts, tuple(demo.documents)):
        on_part(part.name)
        await part.load(engine)
        await _remember(engine, part)


async def load_demo_documents(engine: ReadWriteEngine, demo: Demo | None = None) -> None:
    """Import the demo documents, whatever else the catalogue holds."""
    importer = DocumentImporter(engine)
    for collection, folder in (demo or Demo()).documents.items():
        await importer.add(folder, collection=collection)


async def _load_catalogue(engine: ReadWriteEngine, demo: Demo) -> None:
    # Only its editions say what the demo is: what one leaves out was taken out of it.
    await import_path("interchange", demo.catalogue, engine, source=DEMO_SOURCE, accept_loss=True)


@dataclass(frozen=True, slots=True)
class _Part:
    """What can be loaded by itself; the edition is the digest of its files."""

    name: str
    edition: str
    load: Callable[[ReadWriteEngine], Awaitable[None]]


def _parts_of(demo: Demo) -> tuple[_Part, ...]:
    """In the order of loading: documents speak of the catalogue's works. Blocks on the files."""
    return (
        _Part("catalogue", _edition((demo.catalogue,)), lambda engine: _load_catalogue(engine, demo)),
        _Part("documents", _edition(demo.documents.values()), lambda engine: load_demo_documents(engine, demo)),
    )


def _edition(folders: Iterable[Path]) -> str:
    digest = hashlib.sha256()
    for folder in folders:
        for file in sorted(path for path in folder.rglob("*") if path.is_file()):
            content = file.read_bytes()
            digest.update(f"{folder.name}/{file.relative_to(folder).as_posix()}:{len(content)}\n".encode())
            digest.update(content)
    return digest.hexdigest()


async def _lacking(engine: ReadWriteEngine, parts: Sequence[_Part], collections: Sequence[str]) -> list[_Part]:
    """The parts to load, in their order."""
    statement = _state_statement({part.name: part.edition for part in parts}, collections)
    async with engine.begin(timeout=_STATEMENT_SECONDS) as connection:
        row = (await connection.execute(statement)).one()
    held: Mapping[str, str] = row.held or {}
    return [] if row.is_owned else [part for part in parts if held.get(part.name) != part.edition]


def _state_statement(editions: Mapping[str, str], collections: Sequence[str]) -> sa.Select[*tuple[object, ...]]:
    """One row: the editions that are held, and whether anything but the demo is.

    The latter takes a look at every entity of the demo, so that it is left out where all of `editions` are held.
    """
    held = sa.select(sa.func.jsonb_object_agg(demo_parts.c.name, demo_parts.c.edition)).scalar_subquery()
    # Looked up entity by entity, which `exists` would make joins over whole tables of: the first stranger ends it.
    of_catalogue = sa.select(source_records.c.id).where(
        source_records.c.entity_id == entities.c.id, source_records.c.source == DEMO_SOURCE
    )
    of_documents = sa.select(documents.c.id).where(
        documents.c.id == entities.c.id, documents.c.collection.in_(collections)
    )
    is_strange = [each.scalar_subquery().is_(None) for each in (of_catalogue, of_documents)]
    others = sa.exists().where(*is_strange).select_from(entities)
    is_current = held.op("@>")(sa.literal(dict(editions), pg.JSONB))
    return sa.select(held.label("held"), sa.case((is_current, sa.false()), else_=others).label("is_owned"))


async def _remember(engine: ReadWriteEngine, part: _Part) -> None:
    statement = pg.insert(demo_parts).values(name=part.name, edition=part.edition)
    changed = {"edition": statement.excluded.edition, "loaded_at": sa.func.now()}
    async with engine.begin(timeout=_STATEMENT_SECONDS) as connection:
        await connection.execute(statement.on_conflict_do_update(index_elements=["name"], set_=changed))
