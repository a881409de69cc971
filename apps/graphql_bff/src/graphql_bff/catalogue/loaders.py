"""Per-request loaders: keys in order, missing ones None, one SQL statement per type and level."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from aiodataloader import DataLoader
from datastore.postgres.engine import ReadOnlyEngine
from datastore.postgres.entity_cards import EntityCard
from datastore.postgres.entity_reads import read_cards
from datastore.postgres.graph_reads import read_links
from datastore.postgres.graph_values import EdgeScope, Link

_MAX_BATCH = 1_000


@dataclass(frozen=True, slots=True)
class LinkKey:
    """The first links of one entity within a scope, most popular far end first."""

    entity_id: UUID
    scope: EdgeScope
    first: int


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


class LinkLoader(DataLoader[LinkKey, list[Link]]):
    """Links by key. Keys that ask the same of different entities share one statement."""

    max_batch_size = _MAX_BATCH

    def __init__(self, engine: ReadOnlyEngine, *, timeout_seconds: float) -> None:
        super().__init__()
        self._engine = engine
        self._timeout = timeout_seconds

    async def batch_load_fn(self, keys: Sequence[LinkKey]) -> list[list[Link] | Exception]:  # pyright: ignore[reportIncompatibleVariableOverride]
        """One entry for each key, in key order; a group that fails fails its own keys only."""
        results: dict[LinkKey, list[Link] | Exception] = {}
        for group in _grouped(keys):
            try:
                results |= await self._load_group(group)
            except Exception as exc:  # noqa: BLE001 - the failure belongs to the group's keys, not to the batch
                results |= dict.fromkeys(group, exc)
        return [results[key] for key in keys]

    async def _load_group(self, group: Sequence[LinkKey]) -> dict[LinkKey, list[Link] | Exception]:
        asked = group[0]
        async with self._engine.connect(self._timeout) as conn:
            ids = [key.entity_id for key in group]
            pages = await read_links(conn, ids, asked.scope, per_source_limit=asked.first)
        return {key: list(pages[key.entity_id].links) if key.entity_id in pages else [] for key in group}


def _grouped(keys: Sequence[LinkKey]) -> list[list[LinkKey]]:
    groups: dict[tuple[EdgeScope, int], list[LinkKey]] = {}
    for key in keys:
        groups.setdefault((key.scope, key.first), []).append(key)
    return list(groups.values())
