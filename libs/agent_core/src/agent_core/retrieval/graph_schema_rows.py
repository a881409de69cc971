"""The rows behind the catalogue's labels and relationship types; nodes are known by `entities.node`."""

from typing import Any

import sqlalchemy as sa
from cypher_sql.schema import Property, Rows
from cypher_sql.values import FLOAT, INTEGER, STRING, ValueType, list_of
from datastore.postgres.catalogue import (
    anime,
    appearances,
    characters,
    edges,
    entities,
    episodes,
    manga,
    people,
    studios,
    voices,
)
from datastore.postgres.documents import documents
from datastore.vocabulary import EntityType, WorkStatus
from sqlalchemy.dialects import postgresql as pg

type Column = sa.ColumnElement[Any]


def _properties(*typed: tuple[ValueType, str]) -> tuple[Property, ...]:
    """Properties that are columns of the same name."""
    return tuple(Property(name, each) for each, names in typed for name in names.split())


COMMON_PROPERTIES = (Property("id", STRING, "uuid"), *_properties((STRING, "name type"), (FLOAT, "popularity")))
_OF_WORKS = _properties(
    (STRING, "format status start_date end_date country synopsis"),
    (INTEGER, "year decade running_days"),
    (FLOAT, "score"),
    (list_of(STRING), "genres tags themes"),
)
_OF_ANIME = _properties((INTEGER, "episodes duration"), (STRING, "season source"))
_OF_MANGA = _properties((INTEGER, "chapters volumes"))
ANIME_PROPERTIES = (*COMMON_PROPERTIES, *_OF_WORKS, *_OF_ANIME)
MANGA_PROPERTIES = (*COMMON_PROPERTIES, *_OF_WORKS, *_OF_MANGA)
WORK_PROPERTIES = (*COMMON_PROPERTIES, *_OF_WORKS, *_OF_ANIME, *_OF_MANGA)

_LABELS = {
    EntityType.ANIME: ("Anime", "Work"),
    EntityType.MANGA: ("Manga", "Work"),
    EntityType.CHARACTER: ("Character",),
    EntityType.PERSON: ("Person",),
    EntityType.STUDIO: ("Studio",),
    EntityType.EPISODE: ("Episode",),
    EntityType.DOCUMENT: ("Document",),
}


def _texts(values: tuple[str, ...]) -> Column:
    return pg.array([sa.literal(value, sa.Text()) for value in values], type_=sa.Text())


def _common() -> tuple[Column, ...]:
    return (
        entities.c.node.label("id"),
        sa.cast(entities.c.id, sa.Text).label("uuid"),
        entities.c.name,
        entities.c.entity_type.label("type"),
        entities.c.popularity,
    )


def all_rows() -> Rows:
    """Every entity with its labels."""
    labels = sa.case(
        *((entities.c.entity_type == entity_type, _texts(names)) for entity_type, names in _LABELS.items()),
        else_=sa.cast(pg.array([], type_=sa.Text()), pg.ARRAY(sa.Text)),
    )
    return sa.select(*_common(), labels.label("labels"))


def anime_rows() -> Rows:
    """Anime with all that their rows say."""
    return sa.select(*_common(), *_work_columns(anime), *_anime_columns()).join_from(
        entities, anime, anime.c.id == entities.c.id
    )


def manga_rows() -> Rows:
    """Printed works with all that their rows say."""
    return sa.select(*_common(), *_work_columns(manga), manga.c.chapters, manga.c.volumes).join_from(
        entities, manga, manga.c.id == entities.c.id
    )


def work_rows() -> Rows:
    """Anime and printed works side by side; what the other kind has is null."""
    pairs = zip(_work_columns(anime), _work_columns(manga), strict=True)
    both = (sa.func.coalesce(left, right).label(left.name) for left, right in pairs)
    return (
        sa.select(*_common(), *both, *_anime_columns(), manga.c.chapters, manga.c.volumes)
        .select_from(
            entities.outerjoin(anime, anime.c.id == entities.c.id).outerjoin(manga, manga.c.id == entities.c.id)
        )
        .where(entities.c.entity_type.in_([EntityType.ANIME, EntityType.MANGA]))
    )


def character_rows() -> Rows:
    """Characters; a gender in lower case."""
    gender = sa.func.lower(characters.c.gender).label("gender")
    return sa.select(*_common(), gender, characters.c.description).join_from(
        entities, characters, characters.c.id == entities.c.id
    )


def person_rows() -> Rows:
    """Staff and voice actors."""
    return sa.select(*_common(), people.c.description).join_from(entities, people, people.c.id == entities.c.id)


def studio_rows() -> Rows:
    """Studios."""
    return sa.select(*_common(), studios.c.is_animation_studio).join_from(
        entities, studios, studios.c.id == entities.c.id
    )


def episode_rows() -> Rows:
    """Episodes."""
    own = (sa.cast(episodes.c.number, sa.BigInteger).label("number"), _date(episodes, "air").label("air_date"))
    return sa.select(*_common(), *own).join_from(entities, episodes, episodes.c.id == entities.c.id)


def document_rows() -> Rows:
    """Documents, without what stands in them: that is searched and quoted, not queried."""
    date_format = sa.case(
        (documents.c.date_precision == "year", "YYYY"), (documents.c.date_precision == "month", "YYYY-MM"),
        else_="YYYY-MM-DD",
    )  # fmt: skip
    date = sa.func.to_char(documents.c.document_date, date_format, type_=sa.Text()).label("date")
    return sa.select(*_common(), documents.c.collection, date, documents.c.language).join_from(
        entities, documents, documents.c.id == entities.c.id
    )


def edge_rows() -> Rows:
    """The projection of all role and relation tables. An id is a truth row, an edge and a direction in one number."""
    origin = sa.cast(edges.c.origin_id, sa.BigInteger) * _ORIGINS + edges.c.origin
    direction = sa.case((edges.c.src < edges.c.dst, 1), else_=0)
    columns: list[Column] = [
        ((origin * _EDGES + edges.c.rel) * 2 + direction).label("id"),
        edges.c.src.label("source"),
        edges.c.dst.label("target"),
        edges.c.rel.label("type"),
        edges.c.qualifier,
    ]
    return sa.select(*columns)


_ORIGINS, _EDGES, _NODES = 16, 128, 2**31


def cast_rows() -> Rows:
    """Who voices in which work: the credit's work, or where it names none, all works of the character.

    Ids are negative: none is an edge's.
    """
    person, work = entities.alias("person"), entities.alias("work")
    everywhere = sa.and_(voices.c.work_id.is_(None), appearances.c.character_id == voices.c.character_id)
    columns: list[Column] = [
        (-(sa.cast(voices.c.id, sa.BigInteger) * _NODES + work.c.node)).label("id"),
        person.c.node.label("source"),
        work.c.node.label("target"),
        sa.literal("acts_in", sa.Text()).label("type"),
        voices.c.language,
    ]
    return (
        sa.select(*columns)
        .select_from(voices)
        .outerjoin(appearances, everywhere)
        .join(person, person.c.id == voices.c.person_id)
        .join(work, work.c.id == sa.func.coalesce(voices.c.work_id, appearances.c.work_id))
    )


def _work_columns(work: sa.Table) -> tuple[Column, ...]:
    known_genres = sa.func.nullif(work.c.genres, sa.cast(pg.array([], type_=sa.Text()), pg.ARRAY(sa.Text)))
    known_tags = sa.func.nullif(work.c.tags, sa.cast(pg.array([], type_=sa.Text()), pg.ARRAY(sa.Text)))
    themes = work.c.genres.op("||", return_type=pg.ARRAY(sa.Text))(work.c.tags)
    year = sa.cast(work.c.year, sa.BigInteger)
    return (
        work.c.format,
        work.c.status,
        _date(work, "start").label("start_date"),
        _date(work, "end").label("end_date"),
        work.c.country,
        work.c.synopsis,
        year.label("year"),
        ((year // 10) * 10).label("decade"),
        _running_days(work).label("running_days"),
        work.c.score,
        known_genres.label("genres"),
        known_tags.label("tags"),
        # Null without genres: of a work whose genres nobody gave, none can be denied.
        sa.case((sa.func.cardinality(work.c.genres) > 0, themes)).label("themes"),
    )


def _anime_columns() -> tuple[Column, ...]:
    return (
        sa.cast(anime.c.episodes, sa.BigInteger).label("episodes"),
        sa.cast(anime.c.duration_minutes, sa.BigInteger).label("duration"),
        anime.c.season,
        anime.c.source,
    )


def _date(table: sa.Table, prefix: str) -> Column:
    """A date as precise as it is known: `2009`, `2009-04` or `2009-04-05`."""
    year, month, day = (table.c[f"{prefix}_{part}"] for part in ("year", "month", "day"))
    known_month = sa.func.coalesce("-" + _padded(month), "")
    known_day = sa.case((month.is_not(None), sa.func.coalesce("-" + _padded(day), "")), else_="")
    return sa.cast(year, sa.Text) + known_month + known_day


def _padded(number: Column) -> Column:
    return sa.func.lpad(sa.cast(number, sa.Text), 2, "0", type_=sa.Text())


def _running_days(work: sa.Table) -> Column:
    """Days from the first to the last; to today of what still runs. Unknown months and days count as the first."""
    last = sa.case(
        (work.c.end_year.is_not(None), _day(work, "end")),
        (work.c.status == WorkStatus.RELEASING, sa.func.current_date()),
    )
    return sa.cast(sa.type_coerce(last - _day(work, "start"), sa.Integer), sa.BigInteger)


def _day(work: sa.Table, prefix: str) -> Column:
    """A date as a day; a day that its month does not have counts on into the next."""
    year, month, day = (sa.cast(work.c[f"{prefix}_{part}"], sa.Integer) for part in ("year", "month", "day"))
    first = sa.func.make_date(year, sa.func.coalesce(month, 1), 1, type_=sa.Date())
    return sa.type_coerce(first + (sa.func.coalesce(day, 1) - 1), sa.Date())
