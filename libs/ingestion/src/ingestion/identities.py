"""Which entity a reference names: looked up among the external ids before an id is made."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from uuid import UUID

import sqlalchemy as sa
from datastore.identity import entity_id, parse_ref
from datastore.postgres.catalogue import entities, external_ids
from datastore.vocabulary import EntityType
from sqlalchemy.dialects import postgresql as pg
from sqlalchemy.ext.asyncio import AsyncConnection

from ingestion.records import AnyEntity


@dataclass(frozen=True, slots=True)
class Owner:
    """The entity that a reference names."""

    entity_id: UUID
    entity_type: EntityType


class IdentityConflict(Exception):
    """A record whose references do not name one entity. The message names the field and the references."""


class Directory:
    """References and their owners; a claim is visible to what is looked up after it."""

    def __init__(self) -> None:
        self._stored: set[str] = set()
        self._owners: dict[str, Owner] = {}
        self._refs: dict[UUID, set[str]] = {}

    async def load(self, connection: AsyncConnection, refs: Iterable[str]) -> None:
        """Learn the owners of `refs`, with all their other references, in one statement."""
        parts = [parse_ref(ref) for ref in sorted(set(refs))]
        wanted = (
            sa.func.unnest(
                _texts([part.source for part in parts]),
                _texts([part.kind for part in parts]),
                _texts([part.external_id for part in parts]),
            )
            .table_valued("source", "kind", "external_id", name="wanted")
            .render_derived()
        )
        columns = external_ids.c
        owners = sa.select(columns.entity_id).join(
            wanted,
            sa.and_(
                columns.source == wanted.c.source,
                columns.kind == wanted.c.kind,
                columns.external_id == wanted.c.external_id,
            ),
        )
        statement = (
            sa.select(columns.source, columns.kind, columns.external_id, entities.c.id, entities.c.entity_type)
            .join(entities, entities.c.id == columns.entity_id)
            .where(columns.entity_id.in_(owners))
        )
        for row in await connection.execute(statement):
            ref = f"{row.source}:{row.kind}:{row.external_id}"
            self._stored.add(ref)
            self._owners[ref] = Owner(row.id, EntityType(row.entity_type))
            self._refs.setdefault(row.id, set()).add(ref)

    def owner(self, ref: str) -> Owner | None:
        """The entity behind `ref`, or None."""
        return self._owners.get(ref)

    def refs(self, entity: UUID) -> frozenset[str]:
        """All references of an entity."""
        return frozenset(self._refs.get(entity, ()))

    def new_refs(self, entity: UUID) -> list[str]:
        """The references of an entity that the database does not hold yet."""
        return sorted(self._refs.get(entity, set()) - self._stored)

    def claim(self, record: AnyEntity) -> Owner:
        """The entity that `record` is about, a new one when none of its references is known; all of them name it now.

        Raises:
            IdentityConflict: the references name two entities, or one of another type, or one that has another id of
                the same source and kind as the record's own.
        """
        refs = (record.ref, *record.external_ids)
        known = {ref: owner for ref in refs if (owner := self._owners.get(ref)) is not None}
        owners = set(known.values())
        if len(owners) > 1:
            raise IdentityConflict(f"external_ids: {' and '.join(sorted(known))} name different entities")
        if not owners:
            own = parse_ref(record.ref)
            owner = Owner(entity_id(own.source, own.kind, own.external_id), EntityType(record.record))
        else:
            owner = owners.pop()
            if owner.entity_type != record.record:
                raise IdentityConflict(f"ref: {min(known)} names an entity of type {owner.entity_type}")
            if record.ref not in known:
                self._refuse_second_id(record.ref, owner.entity_id, through=min(known))
        self._owners.update(dict.fromkeys(refs, owner))
        self._refs.setdefault(owner.entity_id, set()).update(refs)
        return owner

    def _refuse_second_id(self, ref: str, entity: UUID, *, through: str) -> None:
        """One source has one id for one entity: a second one is another entity, whatever a third party says."""
        own = parse_ref(ref)
        for other in sorted(self._refs[entity]):
            if other.startswith(f"{own.source}:{own.kind}:"):
                raise IdentityConflict(f"external_ids: {through} belongs to {other} already")


def _texts(values: list[str]) -> sa.ColumnElement[Sequence[str]]:
    return sa.literal(values, pg.ARRAY(sa.Text))
