"""References of stored documents: looked for after every change, and linked to the documents that are there."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

import sqlalchemy as sa
from datastore.postgres.catalogue import external_ids, names
from datastore.postgres.documents import chunks, document_references, document_sections, documents
from datastore.postgres.engine import ReadWriteEngine
from datastore.postgres.projection import project_edges
from datastore.vocabulary import NameKind
from references.merging import ReferenceModel, locate, merge
from references.model import Reference, ReferenceType
from sqlalchemy.dialects import postgresql as pg
from sqlalchemy.ext.asyncio import AsyncConnection

from ingestion.catalogue_batch import lock_writers
from ingestion.chunking import span_at
from ingestion.documents.incoming import KIND
from ingestion.documents.reference_rules import RULES_VERSION, NamedDocument, ReferenceRules, Target, edge_of

_PAGE = 8
_EDGES_PAGE = 5_000
_DANGLING_NAMED = 50
# More names than these are looked for in every document rather than in those that may have them.
_MANY_NAMES = 200
_SHORTEST_WORD = 3
# A name of one of these leads into a collection, or it dangles; an address or a scholarly work need not be there.
_OF_DOCUMENTS = (
    ReferenceType.DOCUMENT,
    ReferenceType.DOCUMENT_MENTION,
    ReferenceType.LEGAL_SECTION,
    ReferenceType.SECTION,
)
_WAITING = documents.c.reference_rules.is_distinct_from(RULES_VERSION)


async def find_references(
    engine: ReadWriteEngine, *, page_timeout: float, timeout: float, model: ReferenceModel | None = None
) -> int:
    """Store the references of every document that is new or changed, or may name one that is; returns of how many.

    An import that was cut short is made up for by the next. `page_timeout` seconds bound each of many transactions;
    `model` is asked between them, piece by piece, and only adds to what the rules find.
    """
    async with engine.begin(timeout=timeout) as connection:
        await lock_writers(connection)
        if not await connection.scalar(sa.select(sa.select(documents.c.id).where(_WAITING).exists())):
            return 0
        await _look_again(connection)
    rules = await _rules(engine, timeout=timeout)
    total = 0
    while True:
        proposed = await _proposed(engine, model, timeout=page_timeout) if model is not None else {}
        async with engine.begin(timeout=page_timeout) as connection:
            await lock_writers(connection)
            page = sa.select(documents.c.id, documents.c.text).where(_WAITING).order_by(documents.c.id).limit(_PAGE)
            texts = {row.id: row.text for row in await connection.execute(page)}
            if not texts:
                return total
            await _find(connection, rules, texts, proposed)
            total += len(texts)


async def _proposed(engine: ReadWriteEngine, model: ReferenceModel, *, timeout: float) -> dict[UUID, list[Reference]]:
    """What a model finds in the documents of the next page."""
    waiting = sa.select(documents.c.id).where(_WAITING).order_by(documents.c.id).limit(_PAGE)
    statement = (
        sa.select(chunks.c.document_id, chunks.c.start_offset, chunks.c.text)
        .where(chunks.c.document_id.in_(waiting))
        .order_by(chunks.c.document_id, chunks.c.position)
    )
    async with engine.begin(timeout=timeout) as connection:
        pieces = (await connection.execute(statement)).all()
    found: dict[UUID, list[Reference]] = {}
    for piece in pieces:
        proposals = await model.propose(piece.text)
        found.setdefault(piece.document_id, []).extend(locate(piece.text, proposals, offset=piece.start_offset))
    return found


async def link_references(engine: ReadWriteEngine, *, timeout: float) -> None:
    """Lead every reference to its document, or to none that is there, and make the edges of what has changed."""
    rules = await _rules(engine, timeout=timeout)
    async with engine.begin(timeout=timeout) as connection:
        await lock_writers(connection)
        targets = await _targets(connection)
        resolved = await asyncio.to_thread(lambda: {target: rules.resolve(target) for target in targets})
        changed = await connection.scalars(_LINK, _link_parameters(resolved))
        await _project(connection, sorted(set(changed)))


async def dangling_references(connection: AsyncConnection) -> tuple[int, tuple[str, ...]]:
    """How many references to documents lead nowhere, and the first of the names that they give."""
    columns = document_references.c
    wanted = sa.and_(
        columns.edge.is_not(None), columns.target_id.is_(None), columns.reference_type.in_(map(str, _OF_DOCUMENTS))
    )
    count = await connection.scalar(sa.select(sa.func.count()).select_from(document_references).where(wanted))
    named = sa.select(columns.target_text).where(wanted).distinct().order_by(columns.target_text)
    return count or 0, tuple(await connection.scalars(named.limit(_DANGLING_NAMED)))


async def _look_again(connection: AsyncConnection) -> None:
    """Have the documents read again that may name one of those that wait: each has the longest word of a name."""
    waiting = sa.select(names.c.name).join(documents, documents.c.id == names.c.entity_id).where(_WAITING).distinct()
    found = list(await connection.scalars(waiting.order_by(names.c.name).limit(_MANY_NAMES + 1)))
    again = sa.update(documents).where(~_WAITING).values(reference_rules=None)
    if len(found) <= _MANY_NAMES:
        words = {max(name.split(), key=len) for name in found if name.split()}
        # The ending of a word may be another one in the text.
        patterns = [f"%{_escaped(word[: max(_SHORTEST_WORD, len(word) - 2)])}%" for word in sorted(words)]
        again = again.where(documents.c.text.op("ILIKE")(sa.any_(sa.literal(patterns, pg.ARRAY(sa.Text)))))
    await connection.execute(again)


def _escaped(word: str) -> str:
    return word.replace("\\", r"\\").replace("%", r"\%").replace("_", r"\_")


async def _rules(engine: ReadWriteEngine, *, timeout: float) -> ReferenceRules:
    async with engine.begin(timeout=timeout) as connection:
        known = await _known_documents(connection)
    return await asyncio.to_thread(ReferenceRules, known)


async def _known_documents(connection: AsyncConnection) -> list[NamedDocument]:
    """Every document with its names, each kind in the order of its rows."""

    def of_kind(*kinds: NameKind, other: bool = False) -> sa.ColumnElement[Sequence[str]]:
        wanted = names.c.kind.not_in(kinds) if other else names.c.kind.in_(kinds)
        return sa.func.array_agg(pg.aggregate_order_by(names.c.name, names.c.id)).filter(wanted)

    key = (
        sa.select(sa.func.array_agg(external_ids.c.external_id))
        .where(external_ids.c.entity_id == documents.c.id, external_ids.c.kind == KIND)
        .scalar_subquery()
    )
    statement = (
        sa.select(
            documents.c.id,
            documents.c.collection,
            documents.c.source_uri,
            of_kind(NameKind.MAIN).label("titles"),
            of_kind(NameKind.ABBREVIATION).label("abbreviations"),
            of_kind(NameKind.MAIN, NameKind.ABBREVIATION, other=True).label("synonyms"),
            key.label("keys"),
        )
        .join(names, names.c.entity_id == documents.c.id)
        .group_by(documents.c.id)
        .order_by(documents.c.id)
    )
    return [
        NamedDocument(
            row.id,
            row.collection,
            row.titles[0],
            tuple(row.abbreviations or ()),
            tuple(row.synonyms or ()),
            tuple(dict.fromkeys([*(row.keys or ()), *filter(None, [row.source_uri])])),
        )
        for row in await connection.execute(statement)
    ]


async def _find(
    connection: AsyncConnection,
    rules: ReferenceRules,
    texts: Mapping[UUID, str],
    proposed: Mapping[UUID, Sequence[Reference]],
) -> None:
    """Put the references that stand in these documents in the place of what was stored of them."""
    of_these = sa.any_(sa.literal(list(texts), pg.ARRAY(pg.UUID(as_uuid=True))))
    sections = await _spans(connection, document_sections, document_sections.c.position, of_these)
    pieces = await _spans(connection, chunks, chunks.c.id, of_these)
    rows: list[dict[str, Any]] = []
    for owner, text in texts.items():
        starts = [start for start, _, _ in sections.get(owner, ())]
        found = await asyncio.to_thread(rules.find, owner, text, starts)
        # A text may have been changed since the model read it.
        standing = [each for each in proposed.get(owner, ()) if text[each.start : each.end] == each.text]
        found = merge(found, standing) if standing else found
        rows += _rows(owner, found, pieces.get(owner, ()))
    old = await connection.scalars(
        sa.delete(document_references)
        .where(document_references.c.document_id == of_these)
        .returning(document_references.c.id)
    )
    await project_edges(connection, document_references, old.all())
    if rows:
        await connection.execute(document_references.insert(), rows)
    await connection.execute(
        sa.update(documents).where(documents.c.id == of_these).values(reference_rules=RULES_VERSION)
    )


async def _spans(
    connection: AsyncConnection, table: sa.Table, key: sa.ColumnElement[Any], of_these: sa.ColumnElement[Any]
) -> dict[UUID, list[tuple[int, int, Any]]]:
    """Start, end and key of each part of these documents, in reading order."""
    columns = table.c
    statement = (
        sa.select(columns.document_id, columns.start_offset, columns.end_offset, key.label("key"))
        .where(columns.document_id == of_these)
        .order_by(columns.document_id, columns.position)
    )
    spans: dict[UUID, list[tuple[int, int, Any]]] = {}
    for row in await connection.execute(statement):
        spans.setdefault(row.document_id, []).append((row.start_offset, row.end_offset, row.key))
    return spans


def _rows(owner: UUID, found: Sequence[Reference], pieces: Sequence[tuple[int, int, Any]]) -> list[dict[str, Any]]:
    spans = [(start, end) for start, end, _ in pieces]
    rows: list[dict[str, Any]] = []
    for each in found:
        piece = span_at(spans, each.start)
        rows.append(
            {
                "document_id": owner,
                "chunk_id": None if piece is None else pieces[piece][2],
                "start_offset": each.start,
                "end_offset": each.end,
                "reference_type": each.type.value,
                "method": each.method.value,
                "edge": edge_of(each),
                "target_text": each.document,
                "target_section": each.section,
                "target_until": each.until,
                "target_id": None if each.document else owner,
            }
        )
    return rows


async def _targets(connection: AsyncConnection) -> list[Target]:
    """What references name, but the documents that they stand in."""
    columns = document_references.c
    statement = (
        sa.select(documents.c.collection, columns.reference_type, columns.target_text)
        .join(documents, documents.c.id == columns.document_id)
        .where(columns.target_text != "")
        .distinct()
        .order_by(documents.c.collection, columns.reference_type, columns.target_text)
    )
    return [Target(*row) for row in await connection.execute(statement)]


_GIVEN = (
    sa.func.unnest(
        sa.bindparam("collections", type_=pg.ARRAY(sa.Text)),
        sa.bindparam("types", type_=pg.ARRAY(sa.Text)),
        sa.bindparam("texts", type_=pg.ARRAY(sa.Text)),
        sa.bindparam("ids", type_=pg.ARRAY(pg.UUID(as_uuid=True))),
    )
    .table_valued("collection", "reference_type", "target_text", "target_id", name="given")
    .render_derived()
)
_LINK = (
    sa.update(document_references)
    .values(target_id=_GIVEN.c.target_id)
    .where(
        document_references.c.document_id == documents.c.id,
        documents.c.collection == _GIVEN.c.collection,
        document_references.c.reference_type == _GIVEN.c.reference_type,
        document_references.c.target_text == _GIVEN.c.target_text,
        document_references.c.target_id.is_distinct_from(_GIVEN.c.target_id),
    )
    .returning(document_references.c.document_id)
)


def _link_parameters(resolved: Mapping[Target, UUID | None]) -> dict[str, Sequence[object]]:
    return {
        "collections": [target.collection for target in resolved],
        "types": [target.reference_type for target in resolved],
        "texts": [target.text for target in resolved],
        "ids": list(resolved.values()),
    }


async def _project(connection: AsyncConnection, document_ids: Sequence[UUID]) -> None:
    """Make the edges that lead from these documents."""
    columns = document_references.c
    for at in range(0, len(document_ids), _EDGES_PAGE):
        page = sa.literal(list(document_ids[at : at + _EDGES_PAGE]), pg.ARRAY(pg.UUID(as_uuid=True)))
        of_page = sa.select(columns.id).where(columns.document_id == sa.any_(page), columns.edge.is_not(None))
        await project_edges(connection, document_references, (await connection.scalars(of_page)).all())
