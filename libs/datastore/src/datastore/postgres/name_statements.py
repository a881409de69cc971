"""The statements of name search, built once. They read index ranges only, and a test looks at their plans."""

from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql as pg

from datastore.name_hits import EXACT, PREFIX, TYPO, WORD_PREFIX
from datastore.name_keys import AFTER_EVERY_TEXT, PLAIN
from datastore.postgres.array_text import listed, listed_once
from datastore.postgres.catalogue import entities, name_pages, name_starts, name_tops, names, start_gaps
from datastore.postgres.hot import HotStatement, SharedStatement
from datastore.postgres.name_tops import NO_LIMIT, first_entries
from datastore.top_lists import ALL_TYPES, PART_PREFERENCE

_OF_BLOCK = 32

_ENTITY_COLUMNS = (
    entities.c.id,
    entities.c.entity_type,
    entities.c.name,
    entities.c.popularity,
    entities.c.version,
)


def _number(value: int) -> sa.ColumnElement[int]:
    """A number as part of the text: a plan must not depend on it."""
    return sa.literal_column(str(value), sa.Integer)


def _integer(name: str) -> sa.BindParameter[int]:
    return sa.bindparam(name, type_=sa.Integer)


def _text(name: str) -> sa.BindParameter[str]:
    return sa.bindparam(name, type_=sa.Text)


def _texts(name: str) -> sa.ColumnElement[Any]:
    return listed(name, sa.Text())


def _texts_once(name: str) -> sa.ColumnElement[Any]:
    return listed_once(name, sa.Text())


def _rows(**given: sa.ColumnElement[Sequence[Any]]) -> sa.TableValuedAlias:
    """Parallel arrays as rows."""
    return sa.func.unnest(*given.values()).table_valued(*given, name="given").render_derived()


def _has_list(shelf: sa.ColumnElement[Any], prefix: sa.ColumnElement[Any]) -> sa.ColumnElement[bool]:
    tops = name_tops.alias()
    return (
        sa.select(_number(1))
        .select_from(tops)
        .where(
            tops.c.shelf == shelf, tops.c.prefix == prefix, tops.c.entity_type == sa.literal_column(f"'{ALL_TYPES}'")
        )
        .exists()
    )


def _listed(
    given: sa.FromClause, shelf: sa.ColumnElement[Any], prefix: sa.ColumnElement[Any], most: sa.ColumnElement[int]
) -> sa.Select[*tuple[Any, ...]]:
    """The first entities of prefixes that have a list, of the wanted types."""
    tops = name_tops.alias("tops")
    entry = first_entries(tops, most)
    return sa.select(entry.c.node, entry.c.name_id, entry.c.preference).select_from(
        given.join(
            tops,
            sa.and_(
                tops.c.shelf == shelf,
                tops.c.prefix == prefix,
                tops.c.entity_type == sa.any_(_texts_once("listed_types")),
            ),
        ).join(entry, sa.true())
    )


def _in_range(shelf: sa.ColumnElement[Any], prefix: sa.ColumnElement[Any]) -> sa.ColumnElement[bool]:
    return sa.and_(
        name_starts.c.shelf == shelf,
        name_starts.c.start >= prefix,
        name_starts.c.start < prefix.concat(sa.literal_column(f"'{AFTER_EVERY_TEXT}'", sa.Text)),
    )


def _ranged(
    given: sa.FromClause,
    shelf: sa.ColumnElement[Any],
    prefix: sa.ColumnElement[Any],
    *conditions: sa.ColumnElement[bool],
) -> sa.Select[*tuple[Any, ...]]:
    """Keys that begin with prefixes that have no list."""
    key = (
        sa.select(name_starts.c.node, name_starts.c.name_id, name_starts.c.preference)
        .where(_in_range(shelf, prefix), *conditions)
        .limit(_number(NO_LIMIT))
        .lateral("key")
    )
    return (
        sa.select(key.c.node, key.c.name_id, key.c.preference)
        .join_from(given, key, sa.true())
        .where(~_has_list(shelf, prefix))
    )


def _all_ranged(
    given: sa.FromClause, shelf: sa.ColumnElement[Any], prefix: sa.ColumnElement[Any]
) -> sa.Select[*tuple[Any, ...]]:
    """All keys that begin with prefixes, however many."""
    return sa.select(name_starts.c.node, name_starts.c.name_id, name_starts.c.preference).join_from(
        given, name_starts, _in_range(shelf, prefix)
    )


def _entity_of(met: sa.FromClause) -> sa.FromClause:
    """The entity of a key. As a lateral row, it is looked up by index, however many keys the planner expects."""
    return sa.select(*_ENTITY_COLUMNS).where(entities.c.node == met.c.node).limit(_number(1)).lateral("entity")


def _name_of(met: sa.FromClause) -> sa.FromClause:
    return (
        sa.select(names.c.name.label("matched_name"), names.c.kind)
        .where(names.c.id == met.c.name_id)
        .limit(_number(1))
        .lateral("name")
    )


def _is_wanted(entity: sa.FromClause) -> sa.ColumnElement[bool]:
    wanted = _texts_once("entity_types")
    return sa.or_(sa.func.cardinality(wanted) == _number(0), entity.c.entity_type == sa.any_(wanted))


def _match_class(is_exact: sa.ColumnElement[bool], preference: sa.ColumnElement[int]) -> sa.ColumnElement[int]:
    is_whole = preference < _number(PART_PREFERENCE)
    return sa.case((is_exact, _number(EXACT)), (is_whole, _number(PREFIX)), else_=_number(WORD_PREFIX))


def _lexical(*, with_lists: bool) -> sa.Select[*tuple[Any, ...]]:
    """Entities that the text names or begins to name, each with its best name.

    Equal parts of names are no equal names: they are met as beginnings.
    """
    shelf = sa.bindparam("shelf", type_=sa.SmallInteger)
    given = _rows(prefix=_texts("prefixes"), is_exact=listed("exactness", sa.Boolean()))
    if with_lists:
        met = sa.union_all(
            _listed(given, shelf, given.c.prefix, _integer("reach")).add_columns(given.c.is_exact),
            _ranged(given, shelf, given.c.prefix).add_columns(given.c.is_exact),
        ).subquery("met")
        entity = _entity_of(met)
        joined = met.join(entity, sa.true())
    else:
        met = _all_ranged(given, shelf, given.c.prefix).add_columns(given.c.is_exact).subquery("met")
        entity = entities
        joined = met.join(entity, entity.c.node == met.c.node)
    is_meant = sa.or_(~met.c.is_exact, met.c.preference < _number(PART_PREFERENCE))
    match_class = _match_class(met.c.is_exact, met.c.preference)
    return _each_once(joined, entity, met, match_class).where(is_meant, _is_wanted(entity))


def _each_once(
    joined: sa.FromClause, entity: sa.FromClause, met: sa.FromClause, match_class: sa.ColumnElement[int]
) -> sa.Select[*tuple[Any, ...]]:
    """Entities, each with the best of its keys that were met."""
    columns: list[sa.ColumnElement[Any]] = [entity.c[column.name] for column in _ENTITY_COLUMNS]
    return (
        sa.select(*columns, met.c.node, met.c.name_id, match_class.label("match_class"))
        .select_from(joined)
        .ext(pg.distinct_on(met.c.node))
        .order_by(met.c.node, match_class, met.c.preference, met.c.name_id)
    )


def _corrected() -> sa.Select[*tuple[Any, ...]]:
    """What a text may have meant, as far as a key begins so, and its forms, each with the row that may answer it."""
    texts = _rows(prefix=_texts("corrections"))
    gaps = _rows(gapped=_texts("gapped"), rest=_texts("rests"))
    text = start_gaps.c.block.concat(gaps.c.rest)
    # Each gap can be filled to what was typed.
    filled = (
        sa.select(text)
        .where(text != sa.all_(_texts_once("forms")))
        .join_from(gaps, start_gaps, start_gaps.c.gapped == gaps.c.gapped)
    )
    given = sa.union_all(sa.select(texts.c.prefix), filled).subquery("given")
    # Most corrections begin nothing: to know it from the keys alone is faster than to read rows in vain.
    begun = sa.select(_number(1)).where(_in_range(_number(PLAIN), given.c.prefix)).limit(_number(1)).lateral("begun")
    forms = _rows(prefix=_texts("forms"))
    wanted = sa.union_all(
        sa.select(given.c.prefix).join_from(given, begun, sa.true()), sa.select(forms.c.prefix)
    ).subquery("wanted")
    row = _page_row(_number(PLAIN), wanted.c.prefix)
    return (
        sa.select(wanted.c.prefix, row.c.entries)
        .join_from(wanted, row, sa.true())
        .where(sa.func.starts_with(wanted.c.prefix, row.c.prefix))
    )


def _in_order(hits: sa.FromClause) -> tuple[sa.ColumnElement[Any], ...]:
    return (hits.c.match_class, hits.c.popularity.desc(), hits.c.name.collate("C"), hits.c.id)


def _search(*, with_lists: bool) -> sa.Select[*tuple[Any, ...]]:
    hits = _lexical(with_lists=with_lists).subquery("hits")
    place = sa.tuple_(hits.c.match_class, -hits.c.popularity, hits.c.name.collate("C"), hits.c.id)
    after = sa.tuple_(
        _integer("after_class"),
        -sa.bindparam("after_popularity", type_=sa.Float),
        _text("after_name"),
        sa.bindparam("after_id", type_=pg.UUID(as_uuid=True)),
    )
    page = sa.select(hits).where(place > after).order_by(*_in_order(hits)).limit(_integer("limit")).subquery("page")
    name = _name_of(page)
    return sa.select(page, name).join_from(page, name, sa.true()).order_by(*_in_order(page))


def _equal() -> sa.Select[*tuple[Any, ...]]:
    """Entities with one of these keys, as many of each as are wanted."""
    wanted = (
        sa.func.unnest(_texts("wanted"), listed("shelves", sa.SmallInteger()), _texts("keys"))
        .table_valued(
            sa.column("folded", sa.Text), sa.column("shelf", sa.SmallInteger), sa.column("key", sa.Text), name="wanted"
        )
        .render_derived()
    )
    met = sa.union_all(
        _listed(wanted, wanted.c.shelf, wanted.c.key, _integer("limit")).add_columns(wanted.c.folded),
        _ranged(wanted, wanted.c.shelf, wanted.c.key).add_columns(wanted.c.folded),
    ).subquery("met")
    entity = _entity_of(met)
    found = (
        sa.select(entity, met.c.folded.label("wanted"), met.c.name_id)
        .join_from(met, entity, sa.true())
        .where(met.c.preference < _number(PART_PREFERENCE))
        .ext(pg.distinct_on(met.c.folded, met.c.node))
        .order_by(met.c.folded, met.c.node, met.c.preference, met.c.name_id)
        .subquery("found")
    )
    best_first = (found.c.popularity.desc(), found.c.name.collate("C"), found.c.id)
    place = sa.func.row_number().over(partition_by=found.c.wanted, order_by=best_first)
    placed = sa.select(found, place.label("place")).subquery("placed")
    name = _name_of(placed)
    return (
        sa.select(placed, name, _number(EXACT).label("match_class"))
        .join_from(placed, name, sa.true())
        .where(placed.c.place <= _integer("limit"))
        .order_by(placed.c.wanted, placed.c.place)
    )


def _near() -> sa.Select[*tuple[Any, ...]]:
    """Names with keys that begin nearly as words of the text do; those that do so for most words come first."""
    places = {name: listed(f"{name}_places", sa.Integer()) for name in ("block", "gap")}
    blocks = _rows(prefix=_texts("blocks"), place=places["block"])
    gaps = _rows(gapped=_texts("gapped"), place=places["gap"])
    filled = sa.select(start_gaps.c.block, gaps.c.place).join_from(
        gaps, start_gaps, start_gaps.c.gapped == gaps.c.gapped
    )
    starts = sa.union(sa.select(blocks.c.prefix, blocks.c.place), filled).cte("starts")
    met = sa.union_all(
        _listed(starts, _number(PLAIN), starts.c.prefix, _number(_OF_BLOCK)).add_columns(starts.c.place),
        _ranged(starts, _number(PLAIN), starts.c.prefix).add_columns(starts.c.place),
    ).subquery("met")
    agreeing = sa.func.count(met.c.place.distinct()).label("agreeing")
    named = sa.select(met.c.node, met.c.name_id, agreeing).group_by(met.c.node, met.c.name_id).subquery("named")
    entity, name = _entity_of(named), _name_of(named)
    return (
        sa.select(entity, name, _number(TYPO).label("match_class"))
        .select_from(named.join(entity, sa.true()).join(name, sa.true()))
        .where(_is_wanted(entity))
        .order_by(named.c.agreeing.desc(), entity.c.popularity.desc(), named.c.name_id)
        .limit(_integer("limit"))
    )


def _page_row(shelf: sa.ColumnElement[Any], prefix: sa.ColumnElement[Any]) -> sa.FromClause:
    """The one row that can answer a prefix: the last whose own isn't behind it."""
    return _page_of(shelf, prefix).lateral("row")


def _page_of(shelf: sa.ColumnElement[Any], prefix: sa.ColumnElement[Any]) -> sa.Select[*tuple[Any, ...]]:
    rows = name_pages.c
    return (
        sa.select(rows.prefix, rows.entries)
        .where(rows.shelf == shelf, rows.prefix <= prefix)
        .order_by(rows.shelf.desc(), rows.prefix.desc())
        .limit(_number(1))
    )


def _two_pages() -> sa.Select[*tuple[Any, ...]]:
    shelf = sa.bindparam("shelf", type_=sa.SmallInteger)
    entries = [
        _page_of(shelf, _text(prefix)).with_only_columns(name_pages.c.entries).scalar_subquery()
        for prefix in ("prefix", "other_prefix")
    ]
    return sa.select(entries[0].label("entries"), entries[1].label("other_entries"))


def _first_pages() -> sa.Select[*tuple[Any, ...]]:
    given = (
        sa.func.unnest(listed("every_shelf", sa.SmallInteger()), _texts("every_prefix"))
        .table_valued(sa.column("shelf", sa.SmallInteger), sa.column("prefix", sa.Text), with_ordinality="place")
        .render_derived(name="given")
    )
    row = _page_row(given.c.shelf, given.c.prefix)
    return sa.select(given.c.place, row.c.entries).join_from(given, row, sa.true())


FIRST_PAGE = HotStatement(_page_of(sa.bindparam("shelf", type_=sa.SmallInteger), _text("prefix")))
"""What the first page of a prefix is made from, see datastore.first_page: one look at an index."""

TWO_PAGES = HotStatement(_two_pages())
"""The same for a text that is spelled otherwise, too: one row, with nothing where no row may answer."""

FIRST_PAGES = HotStatement(_first_pages())
"""The same for many texts, of which each has a place."""

SHARED_FIRST_PAGE = SharedStatement(FIRST_PAGE, FIRST_PAGES)

CORRECTED = HotStatement(_corrected())
"""The same for all that a text may have meant with another letter, a letter more or a letter less."""

SEARCH = HotStatement(_search(with_lists=True))
"""One page that ends within the first TOP hits."""

DEEP_SEARCH = HotStatement(_search(with_lists=False))
"""Any page, at the cost of reading all that the text begins."""

EQUAL = HotStatement(_equal())
NEAR = HotStatement(_near())
