"""A merged entity as rows of its detail table. Pure."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

import sqlalchemy as sa
from datastore.dates import PartialDate
from datastore.postgres import catalogue

from ingestion.merging import MergedEntity

DETAIL_TABLES: Mapping[str, sa.Table] = {
    "anime": catalogue.anime,
    "manga": catalogue.manga,
    "character": catalogue.characters,
    "person": catalogue.people,
    "studio": catalogue.studios,
    "episode": catalogue.episodes,
}

_DATE_FIELDS = {"start": "start", "end": "end", "air_date": "air"}
_LIST_FIELDS = frozenset({"genres", "tags", "occupations"})


def detail_row(entity_id: UUID, entity: MergedEntity, anime_id: UUID | None) -> dict[str, Any]:
    """Every column of the entity's detail table that is not computed. `anime_id` is an episode's anime."""
    row: dict[str, Any] = {"id": entity_id}
    for field, prefix in _DATE_FIELDS.items():
        row |= _date_columns(prefix, entity.values.get(field))
    table = DETAIL_TABLES[entity.record]
    for column in table.columns:
        if column.name in _LIST_FIELDS:
            row[column.name] = entity.values.get(column.name, [])
        elif column.name not in row:
            row[column.name] = entity.values.get(column.name)
    if entity.record == "episode":
        row["anime_id"] = anime_id
    return {column.name: row[column.name] for column in table.columns if column.computed is None}


def _date_columns(prefix: str, text: str | None) -> dict[str, Any]:
    known = PartialDate.parse(text) if text else None
    return {
        f"{prefix}_year": known and known.year,
        f"{prefix}_month": known and known.month,
        f"{prefix}_day": known and known.day,
        f"{prefix}_raw": text,
    }
