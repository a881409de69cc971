"""Collections of passages in a database and an index of their own, asked by the product's own search."""

from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from hashlib import sha256
from itertools import batched
from pathlib import Path
from re import sub
from typing import Any
from uuid import UUID, uuid5

import sqlalchemy as sa
from agent_core.document_contracts import DocumentIntent, SearchMode
from agent_core.retrieval.chunk_search import ChunkSearch
from agent_core.retrieval.document_executor import PostgresDocumentExecutor
from agent_core.retrieval.resolver import NameResolver
from agent_core.retrieval.store_calls import Deadline
from datastore.postgres.catalogue import entities
from datastore.postgres.chunk_reads import ChunkCard
from datastore.postgres.documents import chunks, documents
from datastore.postgres.engine import PostgresOptions, ReadWriteEngine, open_read_only, open_read_write
from datastore.postgres.name_tops_upkeep import keeping_tops
from datastore.vectors.chunk_points import chunk_text
from datastore.vectors.edge import open_edge_store
from datastore.vocabulary import EntityType, NameKind
from embeddings.protocol import Embedder
from ingestion.catalogue_names import write_names
from ingestion.merging import MergedName
from ingestion.rebuild import rebuild_index

from agent_evals.retrieval import Collection, Passage, Wanted

SECONDS = 600.0
_NAMESPACE = UUID("0b6b1f0e-7b43-4a52-9c53-c4a5f1f4b0c7")
_BATCH = 500


@dataclass(frozen=True, slots=True)
class Searcher:
    """A loaded collection: its search, and which passage a chunk is."""

    chunks: ChunkSearch
    executor: PostgresDocumentExecutor
    keys: dict[UUID, str]

    async def ranking(self, question: Wanted, mode: SearchMode, depth: int) -> list[str]:
        """The first `depth` passages of one search."""
        found = await self.chunks.find(question.question, mode, None, limit=depth, deadline=Deadline(SECONDS))
        return [self.keys[match.id] for match in found.matches]

    async def turn(self, question: Wanted, *, top_k: int, mode: SearchMode, expand: bool) -> list[str]:
        """The passages that one retrieval turn brings."""
        intent = DocumentIntent(rationale="evaluation", query=question.question, mode=mode, top_k=top_k, expand=expand)
        result = await self.executor.search(intent, timeout=SECONDS)
        return [self.keys[hit.evidence.chunk_id] for hit in result.hits]


async def load_passages(collection: Collection, dsn: str) -> None:
    """Write the passages into a migrated database, each a document of one chunk."""
    engine = open_read_write(PostgresOptions(dsn=dsn, statement_timeout_ms=int(SECONDS * 1000)))
    try:
        for batch in batched(collection.passages, _BATCH):
            await _write(engine, batch, collection)
    finally:
        await engine.close()


@asynccontextmanager
async def open_searcher(
    collection: Collection,
    dsn: str,
    folder: Path,
    embedder: Embedder,
    *,
    on_points: Callable[[int], None] | None = None,
) -> AsyncGenerator[Searcher]:
    """The loaded collection, indexed with this embedder in a folder of its own; `on_points` is told how many are."""
    async with AsyncExitStack() as opened:
        writer = open_read_write(PostgresOptions(dsn=dsn, statement_timeout_ms=int(SECONDS * 1000)))
        opened.push_async_callback(writer.close)
        reader = open_read_only(PostgresOptions(dsn=dsn))
        opened.push_async_callback(reader.close)
        store = await open_edge_store(folder)
        opened.push_async_callback(store.close)
        await rebuild_index(
            writer,
            store,
            embedder,
            entity_types=(EntityType.DOCUMENT,),
            call_seconds=SECONDS,
            grace_seconds=0,
            on_points=(lambda _, count: on_points(count)) if on_points else None,
        )
        search = ChunkSearch(store, embedder)
        keys = {_chunk_id(collection.name, each): each.key for each in collection.passages}
        yield Searcher(search, PostgresDocumentExecutor(reader, search, NameResolver(reader, None)), keys)


async def _write(engine: ReadWriteEngine, passages: Sequence[Passage], collection: Collection) -> None:
    name = collection.name
    ids = {_document_id(name, each): each for each in passages}
    named = ids if collection.are_named else {}
    async with engine.begin(timeout=SECONDS) as conn, keeping_tops(conn, list(named)):
        await conn.execute(sa.insert(entities), [_entity_row(each, ids[each]) for each in ids])
        await write_names(conn, {each: _names(passage.title) for each, passage in named.items()})
        await conn.execute(sa.insert(documents), [_document_row(each, ids[each], name) for each in ids])
        await conn.execute(sa.insert(chunks), [_chunk_row(each, ids[each], name) for each in ids])


def _entity_row(document_id: UUID, passage: Passage) -> dict[str, Any]:
    return {
        "id": document_id,
        "entity_type": EntityType.DOCUMENT,
        "name": passage.title,
        "popularity": 0.0,
        "content_hash": _hash(passage.text),
    }


def _document_row(document_id: UUID, passage: Passage, collection: str) -> dict[str, Any]:
    return {
        "id": document_id,
        "collection": collection,
        "media_type": "text/plain",
        "text": passage.text,
        "text_hash": _hash(passage.text),
    }


def _chunk_row(document_id: UUID, passage: Passage, collection: str) -> dict[str, Any]:
    return {
        "id": _chunk_id(collection, passage),
        "document_id": document_id,
        "position": 0,
        "start_offset": 0,
        "end_offset": len(passage.text),
        "text": passage.text,
        "text_hash": _hash(passage.text),
    }


def _names(title: str) -> list[MergedName]:
    """The title, and the title without what tells it from others of the same name: `Port Blair (film)`."""
    bare = sub(r"\s*\([^()]*\)$", "", title)
    aliases = [MergedName(bare, NameKind.ALIAS, None)] if bare and bare != title else []
    return [MergedName(title, NameKind.MAIN, None), *aliases]


def indexed_text(passage: Passage) -> str:
    """What the vector of a passage is made from."""
    card = ChunkCard(
        id=_NAMESPACE,
        document_id=_NAMESPACE,
        version=1,
        title=passage.title,
        collection="",
        date=None,
        date_precision=None,
        language=None,
        position=0,
        start_offset=0,
        end_offset=len(passage.text),
        heading=None,
        text=passage.text,
        text_hash="",
    )
    return chunk_text(card)


def _document_id(collection: str, passage: Passage) -> UUID:
    return uuid5(_NAMESPACE, f"{collection}\n{passage.key}")


def _chunk_id(collection: str, passage: Passage) -> UUID:
    return uuid5(_document_id(collection, passage), "0")


def _hash(text: str) -> str:
    return sha256(text.encode()).hexdigest()
