"""Per-request loaders: keys in order, missing ones None, one SQL statement per type and level."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from aiodataloader import DataLoader
from datastore.edges import EdgeType
from datastore.errors import DatastoreError
from datastore.postgres.entity_cards import EntityCard
from datastore.postgres.entity_reads import read_cards
from datastore.postgres.graph_reads import EntityLink, read_links
from sqlalchemy.exc import SQLAlchemyError

from graphql_bff.errors import QueryTooLarge
from graphql_bff.reading import CatalogueReader

_MAX_BATCH = 1_000


@dataclass(frozen=True, slots=True)
class LinkPage:
    """Which links of an entity: along which edges (none: all stored ones), which of them."""

    edges: tuple[EdgeType, ...]
    first: int
    offset: int = 0
    qualifier: str | None = None


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


class CardLoader(DataLoader[UUID, EntityCard | None]):
    """Cards by id."""

    max_batch_size = _MAX_BATCH

    def __init__(self, reader: CatalogueReader) -> None:
        super().__init__()
        self._reader = reader

    async def batch_load_fn(self, keys: Sequence[UUID]) -> list[EntityCard | None]:  # pyright: ignore[reportIncompatibleVariableOverride]
        """One entry for each key, in key order."""
        async with self._reader.connect() as conn:
            cards = await read_cards(conn, keys)
        return [cards.get(key) for key in keys]


class LinkLoader(DataLoader[LinkKey, Sequence[EntityLink]]):
    """Links by key. Keys that ask the same of different entities share one statement."""

    max_batch_size = _MAX_BATCH

    def __init__(self, reader: CatalogueReader, budget: LinkBudget) -> None:
        super().__init__()
        self._reader = reader
        self._budget = budget

    async def batch_load_fn(self, keys: Sequence[LinkKey]) -> list[Sequence[EntityLink] | Exception]:  # pyright: ignore[reportIncompatibleVariableOverride]
        """One entry for each key, in key order; a page that fails fails its own keys only."""
        results: dict[LinkKey, Sequence[EntityLink] | Exception] = {}
        for page, asking in _by_page(keys).items():
            for batch in self._budget.batches(asking, page.first):
                try:
                    results |= await self._load(page, batch)
                except (DatastoreError, SQLAlchemyError, QueryTooLarge) as exc:
                    results |= dict.fromkeys(batch, exc)
        return [results[key] for key in keys]

    async def _load(self, page: LinkPage, keys: Sequence[LinkKey]) -> dict[LinkKey, Sequence[EntityLink] | Exception]:
        self._budget.check()
        async with self._reader.connect() as conn:
            found = await read_links(
                conn,
                [key.entity_id for key in keys],
                page.edges,
                per_source=page.first,
                offset=page.offset,
                qualifier=page.qualifier,
            )
        self._budget.spend(sum(map(len, found.values())))
        return {key: found[key.entity_id] for key in keys}


def _by_page(keys: Sequence[LinkKey]) -> dict[LinkPage, list[LinkKey]]:
    groups: dict[LinkPage, list[LinkKey]] = {}
    for key in keys:
        groups.setdefault(key.page, []).append(key)
    return groups
