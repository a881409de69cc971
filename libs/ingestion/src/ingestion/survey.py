"""Reads a dump before anything is written, and tells what its source said before and no longer says."""

import asyncio
import itertools
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

import sqlalchemy as sa
from datastore.identity import parse_ref
from datastore.postgres.catalogue import entities, source_records
from datastore.postgres.engine import ReadWriteEngine
from sqlalchemy.dialects import postgresql as pg
from sqlalchemy.ext.asyncio import AsyncConnection

from ingestion.formats.protocol import Located
from ingestion.identities import Directory
from ingestion.loss import Coverage, LossLimit
from ingestion.merging import source_json
from ingestion.records import EntityRecord
from ingestion.report import ImportReport, Loss

ENTITIES = "entities"
NAMES = "names"
_BATCH = 500
_TIMEOUT = 60
_NAMED = 10
_NO_VALUES = frozenset({"record", "ref", "external_ids", "score_source", "anime", "number"})


@dataclass(frozen=True, slots=True)
class SourceLoss:
    """What one source no longer says. `missing` are entities that the dump leaves out."""

    source: str
    losses: tuple[Loss, ...]
    missing: tuple[UUID, ...]

    def passes(self, limit: LossLimit) -> bool:
        """Whether more of any kind is lost than may be unasked."""
        return any(limit.is_passed(loss.lost, loss.had) for loss in self.losses)


@dataclass(slots=True)
class _Tally:
    """What was seen of one source."""

    seen: set[UUID] = field(default_factory=set[UUID])
    compared: set[UUID] = field(default_factory=set[UUID])
    had: Counter[str] = field(default_factory=Counter[str])
    lost: Counter[str] = field(default_factory=Counter[str])
    first: dict[str, list[str]] = field(default_factory=dict[str, list[str]])

    def compare(self, before: Mapping[str, Any], now: Mapping[str, Any]) -> None:
        """Count the values and names of a stored record, and those that the new one lacks."""
        old, new = _amounts(before), _amounts(now)
        name = next(each["name"] for each in before["names"] if each["kind"] == "main")
        for kind, amount in old.items():
            self.had[kind] += amount
            if (missing := amount - new.get(kind, 0)) > 0:
                self.lost[kind] += missing
                self.first.setdefault(kind, [])
                if len(self.first[kind]) < _NAMED:
                    self.first[kind].append(name)


class Surveyor:
    """Surveys dumps against the catalogue as it is."""

    def __init__(self, engine: ReadWriteEngine, coverage: Coverage) -> None:
        self._engine = engine
        self._coverage = coverage

    async def knows(self, source: str | None) -> bool:
        """Whether the source said anything before; without one, whether any did."""
        statement = sa.select(source_records.c.id).order_by(source_records.c.id).limit(1)
        if source is not None:
            statement = statement.where(source_records.c.source == source)
        async with self._engine.begin(timeout=_TIMEOUT) as connection:
            return await connection.scalar(statement) is not None

    async def survey(self, records: Iterator[tuple[str, Located]]) -> list[SourceLoss]:
        """What each source of these records no longer says; the iterator is read in a thread, batch by batch."""
        tallies: dict[str, _Tally] = {}
        while batch := await asyncio.to_thread(lambda: list(itertools.islice(records, _BATCH))):
            async with self._engine.begin(timeout=_TIMEOUT) as connection:
                for source, of_source in itertools.groupby(batch, key=lambda each: each[0]):
                    tally = tallies.setdefault(source, _Tally())
                    await _compare(connection, source, [each for _, each in of_source], tally)
        return [await self._loss(source, tally) for source, tally in tallies.items()]

    async def _loss(self, source: str, tally: _Tally) -> SourceLoss:
        losses = [
            Loss(source=source, kind=kind, had=tally.had[kind], lost=tally.lost[kind], first=tuple(tally.first[kind]))
            for kind in sorted(tally.lost)
        ]
        missing: list[UUID] = []
        if self._coverage is not Coverage.PART and (tally.seen or self._coverage is Coverage.WHOLE):
            statement = (
                sa.select(entities.c.id, entities.c.name)
                .join(source_records, source_records.c.entity_id == entities.c.id)
                .where(source_records.c.source == source)
                .order_by(entities.c.node)
            )
            async with self._engine.begin(timeout=_TIMEOUT) as connection:
                known = [(row.id, row.name) for row in await connection.execute(statement)]
            gone = [(entity, name) for entity, name in known if entity not in tally.seen]
            missing = [entity for entity, _ in gone]
            if gone:
                first = tuple(name for _, name in gone[:_NAMED])
                losses.insert(0, Loss(source=source, kind=ENTITIES, had=len(known), lost=len(gone), first=first))
        return SourceLoss(source, tuple(losses), tuple(missing))


async def without_refused(engine: ReadWriteEngine, missing: Sequence[UUID], report: ImportReport) -> tuple[UUID, ...]:
    """Those of `missing` that the dump leaves out indeed, and doesn't hold in a record that was refused.

    None of them when a refusal doesn't name its record by reference.
    """
    # A link is named by its two ends.
    named = [(refusal.subject or "").split(" - ") for refusal in report.refused]
    if len(named) < report.refused_count or not all(_is_ref(ref) for refs in named for ref in refs):
        return ()
    refs = [ref for refs in named for ref in refs]
    directory = Directory()
    async with engine.begin(timeout=_TIMEOUT) as connection:
        await directory.load(connection, refs)
    refused = {owner.entity_id for ref in refs if (owner := directory.owner(ref)) is not None}
    return tuple(entity for entity in missing if entity not in refused)


async def _compare(connection: AsyncConnection, source: str, batch: Sequence[Located], tally: _Tally) -> None:
    given = [(each, each.record) for each in batch if isinstance(each.record, EntityRecord)]
    directory = Directory()
    await directory.load(connection, (ref for _, record in given for ref in (record.ref, *record.external_ids)))
    owners = [
        {owner.entity_id: None for ref in (record.ref, *record.external_ids) if (owner := directory.owner(ref))}
        for _, record in given
    ]
    stored = await _stored(connection, source, {entity for ids in owners for entity in ids})
    for (located, record), ids in zip(given, owners, strict=True):
        entity = next((entity for entity in ids if entity in stored), None)
        # Of several records of one entity the first is written, and the others are refused.
        if entity is not None and entity not in tally.compared:
            tally.compared.add(entity)
            tally.compare(stored[entity], source_json(record, stored[entity], is_partial=located.is_partial))
        tally.seen.update(ids)


async def _stored(connection: AsyncConnection, source: str, ids: set[UUID]) -> dict[UUID, Mapping[str, Any]]:
    columns = source_records.c
    statement = sa.select(columns.entity_id, columns.record).where(
        columns.source == source, columns.entity_id == sa.any_(sa.literal(list(ids), pg.ARRAY(pg.UUID(as_uuid=True))))
    )
    return {row.entity_id: row.record for row in await connection.execute(statement)}


def _amounts(record: Mapping[str, Any]) -> dict[str, int]:
    """How much a record says: 1 for a value that is there, the number of names."""
    amounts = {
        kind: 1
        for kind, value in record.items()
        if kind not in _NO_VALUES and kind not in (NAMES, "extra") and value not in (None, [])
    }
    extra = {f"extra {key}": 1 for key in record.get("extra", {})}
    return amounts | extra | {NAMES: len(record["names"])}


def _is_ref(text: str) -> bool:
    try:
        parse_ref(text)
    except ValueError:
        return False
    return True
