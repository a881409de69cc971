"""Which entity a reference names: looked up among the external ids before an id is made."""

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from uuid import UUID

import sqlalchemy as sa
from datastore.identity import entity_id, parse_ref
from datastore.postgres.catalogue import entities, episodes, external_ids
from datastore.vocabulary import EntityType
from sqlalchemy.dialects import postgresql as pg
from sqlalchemy.ext.asyncio import AsyncConnection

from ingestion.records import AnyEntity, EpisodeRecord

# Entities of this transaction are younger than those that are stored.
_UNBORN = 1 << 40


@dataclass(frozen=True, slots=True)
class Owner:
    """The entity that a reference names."""

    entity_id: UUID
    entity_type: EntityType


@dataclass(frozen=True, slots=True)
class Claim:
    """The entity that a record is about.

    `disputed` are the record's references that stay with another entity; `proven` are entities that the record shows
    to be the same as `owner`, which is the oldest of them.
    """

    owner: Owner
    disputed: tuple[str, ...] = ()
    proven: tuple[Owner, ...] = ()


class IdentityConflict(Exception):
    """A record whose references do not name one entity. The message names the field and the references."""


class Directory:
    """References and their owners; a claim is visible to what is looked up after it."""

    def __init__(self) -> None:
        self._stored: set[str] = set()
        self._owners: dict[str, Owner] = {}
        self._refs: dict[UUID, set[str]] = {}
        self._ages: dict[UUID, int] = {}
        self._episodes: dict[tuple[UUID, int], Owner] = {}

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
            sa.select(
                columns.source,
                columns.kind,
                columns.external_id,
                entities.c.id,
                entities.c.entity_type,
                entities.c.node,
            )
            .join(entities, entities.c.id == columns.entity_id)
            .where(columns.entity_id.in_(owners))
        )
        for row in await connection.execute(statement):
            ref = f"{row.source}:{row.kind}:{row.external_id}"
            self._stored.add(ref)
            self._owners[ref] = Owner(row.id, EntityType(row.entity_type))
            self._refs.setdefault(row.id, set()).add(ref)
            self._ages[row.id] = row.node

    async def load_episodes(self, connection: AsyncConnection, records: Iterable[EpisodeRecord]) -> None:
        """Learn which episodes have the numbers of `records` in the anime that they name, with their references."""
        wanted = [(anime.entity_id, each.number) for each in records if (anime := self.owner(each.anime)) is not None]
        anime_ids, numbers = {anime for anime, _ in wanted}, {number for _, number in wanted}
        columns = external_ids.c
        statement = (
            sa.select(
                episodes.c.anime_id,
                episodes.c.number,
                episodes.c.id,
                entities.c.node,
                columns.source,
                columns.kind,
                columns.external_id,
            )
            .join(entities, entities.c.id == episodes.c.id)
            .join(external_ids, columns.entity_id == episodes.c.id)
            .where(
                episodes.c.anime_id == sa.any_(sa.literal(sorted(anime_ids), pg.ARRAY(pg.UUID(as_uuid=True)))),
                episodes.c.number == sa.any_(sa.literal(sorted(numbers), pg.ARRAY(sa.Integer))),
            )
        )
        for row in await connection.execute(statement):
            owner = Owner(row.id, EntityType.EPISODE)
            ref = f"{row.source}:{row.kind}:{row.external_id}"
            self._stored.add(ref)
            self._owners.setdefault(ref, owner)
            self._refs.setdefault(row.id, set()).add(ref)
            self._ages[row.id] = row.node
            self._episodes.setdefault((row.anime_id, row.number), owner)

    def owner(self, ref: str) -> Owner | None:
        """The entity behind `ref`, or None."""
        return self._owners.get(ref)

    def refs(self, entity: UUID) -> frozenset[str]:
        """All references of an entity."""
        return frozenset(self._refs.get(entity, ()))

    def new_refs(self, entity: UUID) -> list[str]:
        """The references of an entity that the database does not hold yet."""
        return sorted(self._refs.get(entity, set()) - self._stored)

    def claim(self, record: AnyEntity, described: Container[UUID] = ()) -> Claim:
        """The entity that `record` is about, a new one when none of its references is known.

        A record's own reference decides; without it, its external ids do, and for an episode its anime and number. All
        references name the entity afterwards, but for those of another entity that is not proven to be the same:
        those stay with it and come back as disputed.

        Entities that the record's references name are proven to be one when they are of its type and no source has an
        id for each of them.

        Raises:
            IdentityConflict: what is known names several entities that are not the same, an entity of another type, or
                one of those that are `described` already.
        """
        own = self._owners.get(record.ref)
        if own is not None and own.entity_type != record.record:
            raise IdentityConflict(f"ref: it names an entity of type {own.entity_type}")
        named = self._named(record, own)
        if own is None and len(named) > 1 and not self._are_one(named):
            known = sorted(ref for ref in record.external_ids if ref in self._owners)
            raise IdentityConflict(f"external_ids: {' and '.join(known)} name different entities")
        same = named if own is None else [own, *self._proven(own, named)]
        if any(each.entity_id in described for each in same):
            raise IdentityConflict("ref: an earlier record of this import describes the same entity")
        owner = min(same, key=self._age) if same else self._new(record)
        proven = tuple(each for each in same if each != owner)
        for gone in proven:
            self._merge(owner, gone)
        return Claim(owner, self._accept(record, owner), proven)

    def _named(self, record: AnyEntity, own: Owner | None) -> list[Owner]:
        """The other entities that the record's external ids, or its place as an episode, name.

        One source has one id for an entity: a record with a second one describes another entity, whatever ids of
        third parties the two share.
        """
        found = [self._owners.get(ref) for ref in record.external_ids]
        at_its_place = self._at_place(record)
        if at_its_place is not None and at_its_place != own and record.ref not in self.refs(at_its_place.entity_id):
            if self._knows_namesake(record, at_its_place):
                raise IdentityConflict("number: another episode of this anime has it")
            found.append(at_its_place)
        named = dict.fromkeys(each for each in found if each is not None and each != own)
        free = [each for each in named if not self._knows_namesake(record, each)]
        if own is None and free and free[0].entity_type != record.record:
            raise IdentityConflict(f"ref: it names an entity of type {free[0].entity_type}")
        return [each for each in free if each.entity_type == record.record]

    def _proven(self, own: Owner, named: Sequence[Owner]) -> list[Owner]:
        """Those that are the same as `own`; none when they contradict each other, for then the proof is no good."""
        same = [each for each in named if self._are_one([own, each])]
        return same if self._are_one([own, *same]) else []

    def _at_place(self, record: AnyEntity) -> Owner | None:
        if not isinstance(record, EpisodeRecord) or (anime := self._owners.get(record.anime)) is None:
            return None
        return self._episodes.get((anime.entity_id, record.number))

    def _knows_namesake(self, record: AnyEntity, owner: Owner) -> bool:
        """Whether the source of the record's reference has another id for `owner`."""
        return any(_prefix(ref) == _prefix(record.ref) for ref in self._refs[owner.entity_id])

    def _are_one(self, owners: Sequence[Owner]) -> bool:
        """Whether no source has an id for two of them."""
        prefixes = [prefix for each in owners for prefix in {_prefix(ref) for ref in self.refs(each.entity_id)}]
        return len(prefixes) == len(set(prefixes))

    def _age(self, owner: Owner) -> int:
        return self._ages[owner.entity_id]

    def _new(self, record: AnyEntity) -> Owner:
        own = parse_ref(record.ref)
        owner = Owner(entity_id(own.source, own.kind, own.external_id), EntityType(record.record))
        self._ages.setdefault(owner.entity_id, _UNBORN + len(self._ages))
        return owner

    def _merge(self, owner: Owner, gone: Owner) -> None:
        refs = self._refs.pop(gone.entity_id, set())
        self._owners.update(dict.fromkeys(refs, owner))
        self._refs.setdefault(owner.entity_id, set()).update(refs)
        for place, episode in self._episodes.items():
            if episode == gone:
                self._episodes[place] = owner

    def _accept(self, record: AnyEntity, owner: Owner) -> tuple[str, ...]:
        """Give the owner the record's references, and return those that stay with another entity."""
        refs = (record.ref, *record.external_ids)
        disputed = tuple(ref for ref in refs if self._owners.get(ref, owner) != owner)
        accepted = [ref for ref in refs if ref not in disputed]
        self._owners.update(dict.fromkeys(accepted, owner))
        self._refs.setdefault(owner.entity_id, set()).update(accepted)
        if isinstance(record, EpisodeRecord) and (anime := self._owners.get(record.anime)) is not None:
            self._episodes[anime.entity_id, record.number] = owner
        return disputed


def _prefix(ref: str) -> str:
    """Source and kind of a reference."""
    return ":".join(ref.split(":", 2)[:2])


def _texts(values: list[str]) -> sa.ColumnElement[Sequence[str]]:
    return sa.literal(values, pg.ARRAY(sa.Text))
