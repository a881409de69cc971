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


@dataclass(frozen=True, slots=True)
class Claim:
    """The entity that a record is about, and the record's references that belong to another one."""

    owner: Owner
    disputed: tuple[str, ...] = ()


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

    def claim(self, record: AnyEntity) -> Claim:
        """The entity that `record` is about, a new one when none of its references is known.

        A record's own reference decides; without it, its external ids do. All references name the entity afterwards,
        but for external ids that another entity has: those stay with it and come back as disputed.

        Raises:
            IdentityConflict: only external ids are known and they name several entities, or the entity is of another
                type.
        """
        owner = self._owners.get(record.ref) or self._by_external_ids(record)
        if owner is None:
            own = parse_ref(record.ref)
            owner = Owner(entity_id(own.source, own.kind, own.external_id), EntityType(record.record))
        elif owner.entity_type != record.record:
            raise IdentityConflict(f"ref: it names an entity of type {owner.entity_type}")
        refs = (record.ref, *record.external_ids)
        disputed = tuple(ref for ref in refs if self._owners.get(ref, owner) != owner)
        accepted = [ref for ref in refs if ref not in disputed]
        self._owners.update(dict.fromkeys(accepted, owner))
        self._refs.setdefault(owner.entity_id, set()).update(accepted)
        return Claim(owner, disputed)

    def _by_external_ids(self, record: AnyEntity) -> Owner | None:
        """The entity that the external ids agree on.

        One source has one id for an entity: a record with a second one describes another entity, whatever ids of
        third parties the two share.
        """
        known = {ref: owner for ref in record.external_ids if (owner := self._owners.get(ref)) is not None}
        own = parse_ref(record.ref)
        namesakes = f"{own.source}:{own.kind}:"
        owners = {
            owner
            for owner in known.values()
            if not any(ref.startswith(namesakes) for ref in self._refs[owner.entity_id])
        }
        if len(owners) > 1:
            raise IdentityConflict(f"external_ids: {' and '.join(sorted(known))} name different entities")
        return owners.pop() if owners else None


def _texts(values: list[str]) -> sa.ColumnElement[Sequence[str]]:
    return sa.literal(values, pg.ARRAY(sa.Text))
