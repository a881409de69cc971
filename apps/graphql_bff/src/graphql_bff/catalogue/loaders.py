"""Per-request loaders: keys in order, missing ones None, one SQL statement per type and level."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from aiodataloader import DataLoader

from datastore.edges import EdgeType
from datastore.postgres.engine import ReadOnlyEngine
from datastore.postgres.entity_cards import EntityCard
from datastore.postgres.entity_reads import read_cards
from datastore.postgres.graph_reads import EntityLink, read_links
from datastore.vocabulary import EntityType

_MAX_BATCH = 1_000


@dataclass(frozen=True, slots=True)
class LinkKey:
    """The first links of one entity along some edges, most popular far end first.

    `qualifier` keeps links with that role, relation kind or language only.
    """

    entity_id: UUID
    edges: tuple[EdgeType, ...]
    first: int
    qualifier: str | None = None
    entity_type: EntityType | None = None


class CardLoader(DataLoader[UUID, EntityCard | None]):
    """Cards by id."""

    max_batch_size = _MAX_BATCH

    def __init__(self, engine: ReadOnlyEngine, *, timeout_seconds: float) -> None:
        super().__init__()
        self._engine = engine
        self._timeout = timeout_seconds

    async def batch_load_fn(self, keys: Sequence[UUID]) -> list[EntityCard | None]:  # pyright: ignore[reportIncompatibleVariableOverride]
        """One entry for each key, in key order."""
        async with self._engine.connect(self._timeout) as conn:
            cards = await read_cards(conn, keys)
        return [cards.get(key) for key in keys]


class LinkLoader(DataLoader[LinkKey, list[EntityLink]]):
    """Links by key. Keys that ask the same of different entities share one statement."""

    max_batch_size = _MAX_BATCH

    def __init__(self, engine: ReadOnlyEngine, *, timeout_seconds: float) -> None:
        super().__init__()
        self._engine = engine
        self._timeout = timeout_seconds

    async def batch_load_fn(self, keys: Sequence[LinkKey]) -> list[list[EntityLink] | Exception]:  # pyright: ignore[reportIncompatibleVariableOverride]
        """One entry for each key, in key order; a group that fails fails its own keys only."""
        results: dict[LinkKey, list[EntityLink] | Exception] = {}
        for group in _grouped(keys):
            try:
                results |= await self._load_group(group)
            except Exception as exc:  # noqa: BLE001 - the failure belongs to the group's keys, not to the batch
                results |= dict.fromkeys(group, exc)
        return [results[key] for key in keys]

    async def _load_group(self, group: Sequence[LinkKey]) -> dict[LinkKey, list[EntityLink] | Exception]:
        asked = group[0]
        async with self._engine.connect(self._timeout) as conn:
            links = await read_links(
                conn,
                [key.entity_id for key in group],
                asked.edges,
                per_source=asked.first,
                qualifier=asked.qualifier,
                entity_types=(asked.entity_type,) if asked.entity_type else (),
            )
        return {key: list(links.get(key.entity_id, ())) for key in group}


def _grouped(keys: Sequence[LinkKey]) -> list[list[LinkKey]]:
    groups: dict[tuple[object, ...], list[LinkKey]] = {}
    for key in keys:
        groups.setdefault((key.edges, key.first, key.qualifier, key.entity_type), []).append(key)
    return list(groups.values())
