"""Writes links: truth rows and their edges; a link with an unknown end waits."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

import sqlalchemy as sa
from datastore.identity import content_hash
from datastore.postgres.catalogue import pending_links
from datastore.postgres.projection import project_edges
from sqlalchemy.dialects import postgresql as pg
from sqlalchemy.ext.asyncio import AsyncConnection

from ingestion.identities import Directory
from ingestion.link_rows import LINK_TABLES, LinkKey, LinkRow, LinkTable, equal_keys, link_row, weaker_keys
from ingestion.precedence import rank
from ingestion.records import RECORD_ADAPTER, AnyEntity, AnyLink
from ingestion.report import Conflict, Outcome, Place, ReportBuilder
from ingestion.run_memory import RunMemory


@dataclass(frozen=True, slots=True)
class SourcedLink:
    """A link, the source that gave it, and where."""

    record: AnyLink
    source: str
    place: Place | None = None

    @property
    def subject(self) -> str:
        """How reports name the link."""
        return " - ".join(named_ends(self.record))


@dataclass(frozen=True, slots=True)
class Waiting:
    """A record that can't be stored before the entity behind `missing_ref` is."""

    record: AnyEntity | AnyLink
    source: str
    missing_ref: str


@dataclass(slots=True)
class _Changes:
    """What has to be done to one table."""

    inserts: dict[LinkKey, dict[str, Any]] = field(default_factory=dict[LinkKey, dict[str, Any]])
    updates: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    deletes: list[int] = field(default_factory=list[int])


@dataclass(frozen=True, slots=True)
class _Stored:
    """A row as it is. `id` is None for one that is about to be inserted."""

    id: int | None
    values: dict[str, Any]
    source: str


def named_ends(record: AnyLink) -> list[str]:
    """The references that a link names."""
    refs: list[str | None] = [getattr(record, end.field) for end in LINK_TABLES[record.record].ends]
    return [ref for ref in refs if ref is not None]


class LinkWriter:
    """Writes links inside one transaction and notes which entities the index has to read again."""

    def __init__(
        self, connection: AsyncConnection, directory: Directory, report: ReportBuilder, run: RunMemory
    ) -> None:
        self._connection = connection
        self._directory = directory
        self._report = report
        self._run = run
        self.indexed: set[UUID] = set()

    async def write(self, links: Sequence[SourcedLink]) -> None:
        """Store every link whose ends the directory knows, let others wait, refuse those between the wrong types."""
        rows: dict[str, list[tuple[SourcedLink, LinkRow]]] = {}
        waiting: list[Waiting] = []
        for link in links:
            missing = next((ref for ref in named_ends(link.record) if self._directory.owner(ref) is None), None)
            if missing is not None:
                waiting.append(Waiting(link.record, link.source, missing))
            elif (row := self._row(link)) is not None:
                rows.setdefault(link.record.record, []).append((link, row))
        await store_waiting(self._connection, waiting)
        for record, of_one_table in rows.items():
            await self._write_table(record, of_one_table)

    def _row(self, link: SourcedLink) -> LinkRow | None:
        ends: dict[str, UUID] = {}
        for end in LINK_TABLES[link.record.record].ends:
            ref: str | None = getattr(link.record, end.field)
            owner = None if ref is None else self._directory.owner(ref)
            if owner is None:
                continue
            name = end.field.rstrip("_")
            if owner.entity_type not in end.entity_types:
                self._refuse(link, f"{name}: {ref} names an entity of type {owner.entity_type}")
                return None
            if owner.entity_id in ends.values():
                self._refuse(link, f"{name}: {ref} names the entity of the other end")
                return None
            ends[end.field] = owner.entity_id
        return link_row(link.record, ends)

    def _refuse(self, link: SourcedLink, reason: str) -> None:
        self._report.record_refused(reason, place=link.place, subject=link.subject)

    async def _write_table(self, record: str, links: Sequence[tuple[SourcedLink, LinkRow]]) -> None:
        spec = LINK_TABLES[record]
        stored = await _stored_rows(self._connection, spec, [row.key for _, row in links])
        changes = _Changes()
        for link, row in links:
            outcome = self._decide(link, row, stored, changes)
            self._report.record_kept(record, outcome)
        await self._apply(spec, changes)

    def _decide(self, link: SourcedLink, row: LinkRow, stored: dict[LinkKey, _Stored], changes: _Changes) -> Outcome:
        record = link.record.record
        key = next((key for key in (row.key, *equal_keys(record, row.key)) if key in stored), row.key)
        is_first_time = self._run.links.add(hash((record, key)))
        known = stored.get(key)
        if known is None:
            for weaker in weaker_keys(record, row.key):
                changes.inserts.pop(weaker, None)
                if (replaced := stored.pop(weaker, None)) is not None and replaced.id is not None:
                    changes.deletes.append(replaced.id)
            stored[key] = _Stored(None, dict(row.values), link.source)
            columns = dict(zip(LINK_TABLES[record].key_columns, key, strict=True))
            changes.inserts[key] = {**columns, **row.values, **row.noted, "source": link.source}
            return Outcome.CREATED
        new = {name: value for name, value in row.values.items() if value not in (None, known.values[name])}
        if not new or not is_first_time or known.id is None:
            return Outcome.UNCHANGED
        if known.source != link.source and any(known.values[name] is not None for name in new):
            is_shown = all(rank(link.source, name) < rank(known.source, name) for name in new)
            self._report_conflicts(link, new, known, is_shown=is_shown)
            if not is_shown:
                return Outcome.UNCHANGED
        values = {f"new_{name}": row.values[name] for name in row.values}
        changes.updates.append({"row_id": known.id, "new_source": link.source, **values})
        return Outcome.CHANGED

    def _report_conflicts(self, link: SourcedLink, new: Mapping[str, Any], known: _Stored, *, is_shown: bool) -> None:
        for name, value in new.items():
            said = [(str(value), link.source), (str(known.values[name]), known.source)]
            (kept, kept_source), (other, source) = said if is_shown else reversed(said)
            self._report.conflict(
                Conflict(
                    subject=link.subject,
                    field=name,
                    kept=kept,
                    other=other,
                    source=source,
                    kept_source=kept_source,
                )
            )

    async def _apply(self, spec: LinkTable, changes: _Changes) -> None:
        table = spec.table
        touched = [*changes.deletes]
        if changes.deletes:
            await self._connection.execute(table.delete().where(table.c.id.in_(changes.deletes)))
        if changes.inserts:
            inserts = list(changes.inserts.values())
            touched += await self._connection.scalars(table.insert().returning(table.c.id), inserts)
            if spec.indexed_column is not None:
                self.indexed.update(row[spec.indexed_column] for row in inserts)
        if changes.updates:
            new_values: dict[str, Any] = {name: sa.bindparam(f"new_{name}") for name in (*spec.value_fields, "source")}
            statement = (
                table.update()
                .where(table.c.id == sa.bindparam("row_id"))
                .values(**new_values, version=table.c.version + 1, updated_at=sa.func.now())
            )
            await self._connection.execute(statement, changes.updates)
            touched += [update["row_id"] for update in changes.updates]
        if touched:
            await project_edges(self._connection, table, touched)


async def _stored_rows(connection: AsyncConnection, spec: LinkTable, keys: Sequence[LinkKey]) -> dict[LinkKey, _Stored]:
    """The rows between any two of these ends, in either direction, by key."""
    first, second = (spec.table.c[end.column] for end in spec.ends[:2])
    ends = pg.ARRAY(pg.UUID(as_uuid=True))
    one, other = ({key[index] for key in keys} for index in (0, 1))
    if spec.ends[0].entity_types == spec.ends[1].entity_types:
        one = other = one | other
    statement = sa.select(
        spec.table.c.id, spec.table.c.source, *(spec.table.c[name] for name in (*spec.key_columns, *spec.value_fields))
    ).where(first == sa.any_(sa.literal(list(one), ends)), second == sa.any_(sa.literal(list(other), ends)))
    found: dict[LinkKey, _Stored] = {}
    for row in (await connection.execute(statement)).mappings():
        key = tuple(row[name] for name in spec.key_columns)
        found[key] = _Stored(row["id"], {name: row[name] for name in spec.value_fields}, row["source"])
    return found


async def store_waiting(connection: AsyncConnection, waiting: Iterable[Waiting]) -> None:
    """Keep records until their missing end comes; one that waits already is not stored again."""
    rows = [_waiting_row(record) for record in waiting]
    if rows:
        await connection.execute(pg.insert(pending_links).on_conflict_do_nothing(), rows)


async def take_waiting(connection: AsyncConnection, refs: Sequence[str]) -> list[Waiting]:
    """Remove and return what waits for any of `refs`, the newest first."""
    statement = (
        pending_links.delete()
        .where(pending_links.c.missing_ref == sa.any_(sa.literal(list(refs), pg.ARRAY(sa.Text))))
        .returning(pending_links.c.id, pending_links.c.record, pending_links.c.source, pending_links.c.missing_ref)
    )
    rows = sorted(await connection.execute(statement), key=lambda row: -row.id)
    return [Waiting(RECORD_ADAPTER.validate_python(row.record), row.source, row.missing_ref) for row in rows]


def _waiting_row(waiting: Waiting) -> dict[str, Any]:
    record = waiting.record.model_dump(mode="json", by_alias=True)
    return {
        "missing_ref": waiting.missing_ref,
        "record": record,
        "record_hash": content_hash(record),
        "source": waiting.source,
    }
