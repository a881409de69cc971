"""Per-request loaders: keys in order, missing ones None, one SQL statement per type and level."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum, auto
from uuid import UUID

from aiodataloader import DataLoader
from datastore.edges import EdgeType
from datastore.errors import DatastoreError
from datastore.postgres.entity_cards import CardExternalId, CardName
from datastore.postgres.entity_rows import EntityRow, LinkRow, Living
from datastore.vocabulary import EntityType

from graphql_bff.errors import QueryTooLarge
from graphql_bff.reading import CatalogueReader

_MAX_BATCH = 1_000


class Ends(Enum):
    """What is shown of the far ends of links: nothing, only what a link's own row has, or what only theirs have."""

    NONE = auto()
    BRIEF = auto()
    WHOLE = auto()


@dataclass(frozen=True, slots=True)
class LinkPage:
    """Which links of an entity: along which edges (none: all stored ones), which of them, and what of their ends."""

    edges: tuple[EdgeType, ...]
    first: int
    offset: int = 0
    qualifier: str | None = None
    ends: Ends = Ends.NONE


@dataclass(frozen=True, slots=True)
class LinkKey:
    """A page of the links of one entity."""

    entity_id: UUID
    page: LinkPage


class LinkBudget:
    """How many links one request may still load: lists within lists multiply."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._left = limit

    def batches(self, keys: Sequence[LinkKey], first: int) -> list[Sequence[LinkKey]]:
        """The keys in batches none of which can load more than the limit by itself."""
        size = max(1, self._limit // first)
        return [keys[start : start + size] for start in range(0, len(keys), size)]

    def check(self) -> None:
        """Raises QueryTooLarge when nothing is left."""
        if self._left <= 0:
            raise QueryTooLarge(f"links: at most {self._limit} in one request, ask for less with `first`")

    def spend(self, links: int) -> None:
        """Count what was loaded."""
        self._left -= links


class RowLoader(DataLoader[UUID, EntityRow | None]):
    """Entities by id, or by an id that was merged into theirs.

    Attributes:
        known: Types of entities that are no longer asked for: those that links lead to.
        ready: What was loaded, None where there is nothing; to be taken without waiting.
    """

    max_batch_size = _MAX_BATCH

    def __init__(self, reader: CatalogueReader) -> None:
        super().__init__()
        self._reader = reader
        self.known: dict[UUID, EntityType] = {}
        self.ready: dict[UUID, EntityRow | None] = {}

    async def batch_load_fn(self, keys: Sequence[UUID]) -> list[EntityRow | None]:  # pyright: ignore[reportIncompatibleVariableOverride]
        """One entry for each key, in key order."""
        await self.make_ready(keys)
        return [self.ready[key] for key in keys]

    async def make_ready(self, keys: Iterable[UUID]) -> None:
        """Load what isn't ready. Raises DatabaseUnavailable."""
        missing = [key for key in dict.fromkeys(keys) if key not in self.ready]
        living = await self._living(missing)
        by_type: dict[EntityType, list[UUID]] = {}
        for entity_id, entity_type in living.values():
            by_type.setdefault(entity_type, []).append(entity_id)
        rows: dict[UUID, EntityRow] = {}
        for entity_type, ids in by_type.items():
            rows |= await self._reader.rows_of(entity_type, ids)
        for key in missing:
            self.ready[key] = rows.get(living[key].id) if key in living else None

    async def _living(self, keys: Sequence[UUID]) -> dict[UUID, Living]:
        living = {key: Living(key, self.known[key]) for key in keys if key in self.known}
        if len(living) < len(keys):
            living |= await self._reader.living([key for key in keys if key not in living])
        return living


class NamesLoader(DataLoader[UUID, Sequence[CardName]]):
    """All names of entities, the main one first."""

    max_batch_size = _MAX_BATCH

    def __init__(self, reader: CatalogueReader) -> None:
        super().__init__()
        self._reader = reader

    async def batch_load_fn(self, keys: Sequence[UUID]) -> list[Sequence[CardName]]:  # pyright: ignore[reportIncompatibleVariableOverride]
        """One entry for each key, in key order."""
        names = await self._reader.names(keys)
        return [names[key] for key in keys]


class ExternalIdsLoader(DataLoader[UUID, Sequence[CardExternalId]]):
    """What other catalogues call entities."""

    max_batch_size = _MAX_BATCH

    def __init__(self, reader: CatalogueReader) -> None:
        super().__init__()
        self._reader = reader

    async def batch_load_fn(self, keys: Sequence[UUID]) -> list[Sequence[CardExternalId]]:  # pyright: ignore[reportIncompatibleVariableOverride]
        """One entry for each key, in key order."""
        external_ids = await self._reader.external_ids(keys)
        return [external_ids[key] for key in keys]


class LinkLoader(DataLoader[LinkKey, Sequence[LinkRow]]):
    """Links by key. Keys that ask the same of different entities share one statement.

    Attributes:
        ready: What was loaded, or why it could not be; to be taken without waiting.
    """

    max_batch_size = _MAX_BATCH

    def __init__(self, reader: CatalogueReader, rows: RowLoader, budget: LinkBudget) -> None:
        super().__init__()
        self._reader = reader
        self._rows = rows
        self._budget = budget
        self.ready: dict[LinkKey, Sequence[LinkRow] | BaseException] = {}

    async def batch_load_fn(self, keys: Sequence[LinkKey]) -> list[Sequence[LinkRow] | BaseException]:  # pyright: ignore[reportIncompatibleVariableOverride]
        """One entry for each key, in key order; a page that fails fails its own keys only."""
        await self.make_ready(keys)
        return [self.ready[key] for key in keys]

    async def make_ready(self, keys: Sequence[LinkKey]) -> None:
        """Load what isn't ready."""
        results: dict[LinkKey, Sequence[LinkRow] | BaseException] = {}
        for page, asking in _by_page(key for key in dict.fromkeys(keys) if key not in self.ready).items():
            for batch in self._budget.batches(asking, page.first):
                # One after the other, so that each sees what the ones before have left of the budget.
                (loaded,) = await asyncio.gather(self._load(page, batch), return_exceptions=True)
                results |= dict.fromkeys(batch, loaded) if isinstance(loaded, BaseException) else loaded
        await self._make_ends_ready(results)
        self.ready |= results

    async def _make_ends_ready(self, loaded: Mapping[LinkKey, Sequence[LinkRow] | BaseException]) -> None:
        """Where that fails, each far end is loaded by the field that shows it, and fails there."""
        ends = [
            link.target_id
            for key, links in loaded.items()
            if key.page.ends is Ends.WHOLE and not isinstance(links, BaseException)
            for link in links
        ]
        if ends:
            with suppress(DatastoreError):
                await self._rows.make_ready(ends)

    async def _load(self, page: LinkPage, keys: Sequence[LinkKey]) -> dict[LinkKey, Sequence[LinkRow]]:
        self._budget.check()
        found = await self._reader.links(
            [key.entity_id for key in keys],
            page.edges,
            first=page.first,
            offset=page.offset,
            qualifier=page.qualifier,
        )
        for links in found.values():
            self._budget.spend(len(links))
            if page.ends is Ends.WHOLE:
                self._rows.known.update((link.target_id, link.target_type) for link in links)
        return {key: found[key.entity_id] for key in keys}


def _by_page(keys: Iterable[LinkKey]) -> dict[LinkPage, list[LinkKey]]:
    groups: dict[LinkPage, list[LinkKey]] = {}
    for key in keys:
        groups.setdefault(key.page, []).append(key)
    return groups
