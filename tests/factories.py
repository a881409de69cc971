"""Small hand-made catalogues, written straight into the tables: rows, searchable names, links and their edges."""

from collections.abc import Sequence
from uuid import UUID

import sqlalchemy as sa
from datastore.dates import PartialDate
from datastore.edges import EdgeType
from datastore.identity import entity_id
from datastore.postgres.catalogue import (
    anime,
    appearances,
    character_relations,
    characters,
    entities,
    episodes,
    external_ids,
    manga,
    people,
    redirects,
    staff_credits,
    studio_credits,
    studios,
    voices,
    work_relations,
)
from datastore.postgres.projection import project_edges
from datastore.vocabulary import (
    AppearanceRole,
    CharacterRelationKind,
    EntityType,
    NameKind,
    Season,
    StaffRole,
    WorkFormat,
    WorkSource,
    WorkStatus,
)
from fixtures.catalogue_rows import add_names
from sqlalchemy.ext.asyncio import AsyncConnection

Names = Sequence[tuple[NameKind, str]]


def aliases(*names: str) -> Names:
    """Further names of the kind alias."""
    return [(NameKind.ALIAS, name) for name in names]


class CatalogueFactory:
    """Writes entities and links through one connection. Every id comes from the name, or from `key` where given.

    Without `searchable`, no text finds them, and writing many is faster.
    """

    def __init__(self, conn: AsyncConnection, *, searchable: bool = True) -> None:
        self.conn = conn
        self._searchable = searchable

    async def make_anime(
        self,
        name: str,
        *,
        names: Names = (),
        key: str | None = None,
        popularity: float = 0.5,
        start: str | None = None,
        end: str | None = None,
        season: Season | None = None,
        episode_count: int | None = None,
        duration: int | None = None,
        form: WorkFormat | None = WorkFormat.TV,
        status: WorkStatus | None = None,
        source: WorkSource | None = None,
        score: float | None = None,
        genres: Sequence[str] = (),
        synopsis: str | None = None,
    ) -> UUID:
        """An anime; `season` takes its year from `start`."""
        new_id = await self._entity(EntityType.ANIME, name, names, key, popularity)
        began = PartialDate.parse(start) if start else None
        await self.conn.execute(
            sa.insert(anime).values(
                id=new_id,
                format=form,
                status=status,
                score=score,
                genres=list(genres),
                synopsis=synopsis,
                episodes=episode_count,
                duration_minutes=duration,
                season=season,
                season_year=began.year if began and season else None,
                source=source,
                **_date("start", start),
                **_date("end", end),
            )
        )
        return new_id

    async def make_manga(
        self,
        name: str,
        *,
        names: Names = (),
        key: str | None = None,
        popularity: float = 0.5,
        start: str | None = None,
        form: WorkFormat | None = WorkFormat.MANGA,
        chapters: int | None = None,
        volumes: int | None = None,
        genres: Sequence[str] = (),
    ) -> UUID:
        """A printed work."""
        new_id = await self._entity(EntityType.MANGA, name, names, key, popularity)
        await self.conn.execute(
            sa.insert(manga).values(
                id=new_id,
                format=form,
                chapters=chapters,
                volumes=volumes,
                genres=list(genres),
                **_date("start", start),
            )
        )
        return new_id

    async def make_character(
        self,
        name: str,
        *,
        names: Names = (),
        key: str | None = None,
        popularity: float = 0.5,
        gender: str | None = None,
        description: str | None = None,
    ) -> UUID:
        """A character."""
        new_id = await self._entity(EntityType.CHARACTER, name, names, key, popularity)
        await self.conn.execute(sa.insert(characters).values(id=new_id, gender=gender, description=description))
        return new_id

    async def make_person(
        self,
        name: str,
        *,
        names: Names = (),
        key: str | None = None,
        popularity: float = 0.5,
        occupations: Sequence[str] = (),
    ) -> UUID:
        """A person."""
        new_id = await self._entity(EntityType.PERSON, name, names, key, popularity)
        await self.conn.execute(sa.insert(people).values(id=new_id, occupations=list(occupations)))
        return new_id

    async def make_studio(self, name: str, *, popularity: float = 0.5, is_animation_studio: bool = True) -> UUID:
        """A studio."""
        new_id = await self._entity(EntityType.STUDIO, name, (), None, popularity)
        await self.conn.execute(sa.insert(studios).values(id=new_id, is_animation_studio=is_animation_studio))
        return new_id

    async def make_episode(self, of: UUID, number: int, name: str, *, aired: str | None = None) -> UUID:
        """An episode, with its edge."""
        new_id = await self._entity(EntityType.EPISODE, name, (), f"{of}-{number}", 0.0)
        values = {"id": new_id, "anime_id": of, "number": number, **_date("air", aired)}
        await self.conn.execute(sa.insert(episodes).values(**values))
        await project_edges(self.conn, episodes, [new_id])
        return new_id

    async def relates(self, work: UUID, relation: EdgeType, related: UUID, *, raw: str | None = None) -> int:
        """`related` is the named thing to `work`."""
        return await self._link(work_relations, work_id=work, related_work_id=related, relation=relation, raw_type=raw)

    async def appears(self, character: UUID, work: UUID, role: AppearanceRole | None = None) -> int:
        """The character appears in the work."""
        return await self._link(appearances, character_id=character, work_id=work, role=role)

    async def knows(self, character: UUID, kind: CharacterRelationKind, other: UUID, *, note: str | None = None) -> int:
        """`other` is the named thing to `character`."""
        return await self._link(
            character_relations, character_id=character, related_character_id=other, kind=kind, note=note
        )

    async def voices(self, person: UUID, character: UUID, *, work: UUID | None = None, language: str = "ja") -> int:
        """The person voices the character."""
        return await self._link(voices, person_id=person, character_id=character, work_id=work, language=language)

    async def worked(self, person: UUID, work: UUID, role: StaffRole, *, raw: str = "") -> int:
        """The person worked on the work."""
        return await self._link(staff_credits, person_id=person, work_id=work, role=role, raw_role=raw)

    async def produced(self, studio: UUID, work: UUID, *, is_main: bool = True) -> int:
        """The studio produced the work."""
        return await self._link(studio_credits, studio_id=studio, work_id=work, is_main=is_main)

    async def identify(self, entity: UUID, source: str, kind: str, external_id: str) -> None:
        """An external id of the entity."""
        values = {"source": source, "kind": kind, "external_id": external_id, "entity_id": entity}
        await self.conn.execute(sa.insert(external_ids).values(**values))

    async def redirect(self, old: UUID, to: UUID) -> None:
        """The id `old` was merged into `to`."""
        await self.conn.execute(sa.insert(redirects).values(from_id=old, to_id=to, reason="test"))

    async def _entity(
        self, entity_type: EntityType, name: str, names: Names, key: str | None, popularity: float
    ) -> UUID:
        new_id = entity_id("test", entity_type, (key or name).replace(" ", "_"))
        await self.conn.execute(
            sa.insert(entities).values(
                id=new_id, entity_type=entity_type, name=name, popularity=popularity, content_hash="test"
            )
        )
        await add_names(self.conn, new_id, [(NameKind.MAIN, name), *names], searchable=self._searchable)
        return new_id

    async def _link(self, table: sa.Table, **values: object) -> int:
        inserted = await self.conn.execute(sa.insert(table).values(source="test", **values).returning(table.c.id))
        row_id: int = inserted.scalar_one()
        await project_edges(self.conn, table, [row_id])
        return row_id


def _date(prefix: str, text: str | None) -> dict[str, object]:
    known = PartialDate.parse(text) if text else None
    if known is None:
        return {f"{prefix}_raw": text}
    return {
        f"{prefix}_year": known.year,
        f"{prefix}_month": known.month,
        f"{prefix}_day": known.day,
        f"{prefix}_raw": text,
    }
