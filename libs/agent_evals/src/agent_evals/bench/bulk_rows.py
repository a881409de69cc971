"""The rows of the real tables that an invented catalogue stands for, as COPY wants them."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import numpy as np
from datastore.edges import EdgeType
from datastore.folding import MAX_INDEXED_CHARS, fold
from datastore.identity import entity_id
from datastore.vocabulary import AppearanceRole, EntityType, StaffRole
from numpy.typing import NDArray

from agent_evals.bench.invented_catalogue import InventedCatalogue

SOURCE = "bench"
_T = EntityType
_DETAIL_TABLES = {
    _T.ANIME: "anime",
    _T.MANGA: "manga",
    _T.CHARACTER: "characters",
    _T.PERSON: "people",
    _T.STUDIO: "studios",
}
_ROLES = tuple(AppearanceRole)
_STAFF_ROLES = tuple(StaffRole)
_LANGUAGES = ("ja", "ja", "ja", "en", "de")
_FIRST_YEAR, _YEARS = 1963, 64

type Row = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class TableRows:
    """The rows of one table, made when they are wanted."""

    table: str
    columns: tuple[str, ...]
    rows: Callable[[], Iterator[Row]]


def entity_ids(catalogue: InventedCatalogue) -> tuple[UUID, ...]:
    """The id of the entity at each position."""
    return tuple(
        entity_id(SOURCE, kind.value, str(number))
        for kind, part in catalogue.places.items()
        for number in range(len(part))
    )


def node_of(position: int) -> int:
    """The small key that the graph tables know the entity at this position by."""
    return position + 1


def position_of(node: int) -> int:
    """The other way round."""
    return node - 1


def entity_tables(catalogue: InventedCatalogue, ids: Sequence[UUID]) -> list[TableRows]:
    """`entities` and the detail table of each type but episodes, which point at their anime."""
    kinds = [kind.value for kind, part in catalogue.places.items() for _ in part]
    popularity = catalogue.popularity.tolist()

    def entities() -> Iterator[Row]:
        for position, each in enumerate(ids):
            yield each, node_of(position), kinds[position], catalogue.titles[position], popularity[position], SOURCE, ""

    columns = ("id", "node", "entity_type", "name", "popularity_count", "popularity_source", "content_hash")
    return [TableRows("entities", columns, entities), *_details(catalogue, ids)]


def name_tables(catalogue: InventedCatalogue, ids: Sequence[UUID]) -> list[TableRows]:
    """`names`, without the search rows that are made of them."""
    found = catalogue.names

    def names() -> Iterator[Row]:
        for number, (owner, text, kind) in enumerate(
            zip(found.owners.tolist(), found.texts, found.kinds, strict=True), start=1
        ):
            yield number, ids[owner], text, kind, fold(text)[:MAX_INDEXED_CHARS].rstrip()

    return [TableRows("names", ("id", "entity_id", "name", "kind", "folded"), names)]


def link_tables(catalogue: InventedCatalogue, ids: Sequence[UUID]) -> list[TableRows]:
    """The truth tables of roles and relations, and the episodes."""
    links = catalogue.links

    def linked(pairs: NDArray[np.int64], extra: Callable[[int], Row]) -> Callable[[], Iterator[Row]]:
        def rows() -> Iterator[Row]:
            ends: list[tuple[int, int]] = pairs.tolist()
            for place, (a, b) in enumerate(ends):
                yield ids[a], ids[b], *extra(place)

        return rows

    return [
        _work_relations(catalogue, ids),
        TableRows(
            "appearances",
            ("character_id", "work_id", "role", "source"),
            linked(links.appearances, lambda place: (_ROLES[place % len(_ROLES)].value, SOURCE)),
        ),
        TableRows(
            "voices",
            ("person_id", "character_id", "language", "source"),
            linked(links.voices, lambda place: (_LANGUAGES[place % len(_LANGUAGES)], SOURCE)),
        ),
        TableRows(
            "staff_credits",
            ("person_id", "work_id", "role", "source"),
            linked(links.staff_credits, lambda place: (_STAFF_ROLES[place % len(_STAFF_ROLES)].value, SOURCE)),
        ),
        TableRows(
            "studio_credits",
            ("studio_id", "work_id", "is_main", "source"),
            linked(links.studio_credits, lambda place: (place % 4 != 0, SOURCE)),
        ),
        _episodes(catalogue, ids),
    ]


def _work_relations(catalogue: InventedCatalogue, ids: Sequence[UUID]) -> TableRows:
    links = catalogue.links

    def rows() -> Iterator[Row]:
        sequels = ((a, b, EdgeType.SEQUEL.value) for a, b in links.sequels.tolist())
        adaptations = ((a, b, EdgeType.HAS_ADAPTATION.value) for a, b in links.adaptations.tolist())
        for a, b, relation in (*sequels, *adaptations):
            yield ids[a], ids[b], relation, SOURCE

    return TableRows("work_relations", ("work_id", "related_work_id", "relation", "source"), rows)


def _details(catalogue: InventedCatalogue, ids: Sequence[UUID]) -> list[TableRows]:
    def bare(part: range) -> Callable[[], Iterator[Row]]:
        return lambda: ((ids[position],) for position in part)

    def dated(part: range) -> Callable[[], Iterator[Row]]:
        return lambda: ((ids[position], _FIRST_YEAR + (position * 31) % _YEARS) for position in part)

    works = {_T.ANIME, _T.MANGA}
    return [
        TableRows(table, ("id", "start_year"), dated(catalogue.places[kind]))
        if kind in works
        else TableRows(table, ("id",), bare(catalogue.places[kind]))
        for kind, table in _DETAIL_TABLES.items()
    ]


def _episodes(catalogue: InventedCatalogue, ids: Sequence[UUID]) -> TableRows:
    def rows() -> Iterator[Row]:
        numbers: dict[int, int] = {}
        for episode, anime in catalogue.links.episodes.tolist():
            numbers[anime] = numbers.get(anime, 0) + 1
            yield ids[episode], ids[anime], numbers[anime]

    return TableRows("episodes", ("id", "anime_id", "number"), rows)
