"""The statements of name search, built once. They read index ranges only, and a test looks at their plans."""

from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql as pg

from datastore.postgres.catalogue import entities, name_tokens, name_words, names, word_deletions
from datastore.vocabulary import NameKind

# Places in datastore.postgres.name_search.MATCH_KINDS. Part of the text: a plan must not depend on them.
EXACT, PREFIX, WORD_PREFIX, TYPO = (sa.literal_column(str(place), sa.Integer) for place in range(4))

_HIT_COLUMNS: tuple[sa.ColumnElement[Any], ...] = (
    entities.c.id,
    entities.c.entity_type,
    entities.c.name,
    entities.c.popularity,
    entities.c.version,
    names.c.name.label("matched_name"),
    names.c.kind,
)


def _text(name: str) -> sa.BindParameter[str]:
    return sa.bindparam(name, type_=sa.Text)


def _texts(name: str) -> sa.BindParameter[Any]:
    return sa.bindparam(name, type_=pg.ARRAY(sa.Text))


def _of_wanted_type() -> sa.ColumnElement[bool]:
    wanted = _texts("entity_types")
    return sa.or_(sa.func.cardinality(wanted) == sa.literal_column("0"), entities.c.entity_type == sa.any_(wanted))


def _is_not_main() -> sa.ColumnElement[bool]:
    return names.c.kind != sa.literal_column(f"'{NameKind.MAIN}'")


def _begun(form: str) -> sa.Select[*tuple[Any, ...]]:
    """Names with a part that begins as the text in this form; `match_class` says which part."""
    whole_is_equal = sa.and_(name_words.c.is_whole, name_words.c.squeezed == _text("low_folded"))
    return sa.select(
        name_words.c.name_id,
        sa.case((whole_is_equal, EXACT), (name_words.c.is_whole, PREFIX), else_=WORD_PREFIX).label("match_class"),
    ).where(
        name_words.c.squeezed >= _text(f"low_{form}"),
        name_words.c.squeezed < _text(f"high_{form}"),
        sa.or_(
            sa.bindparam("spaceless", type_=sa.Boolean),
            sa.func.starts_with(name_words.c.suffix, _text(form)),
        ),
    )


def _misspelled() -> sa.Subquery:
    """Names that have, for each longer word of the text, a word that shares a deletion with it."""
    typed = (
        sa.func.unnest(_texts("deletions"), sa.bindparam("positions", type_=pg.ARRAY(sa.Integer)))
        .table_valued("deletion", "position", name="typed")
        .render_derived()
    )
    candidates = (
        sa.select(typed.c.position, word_deletions.c.word)
        .join_from(typed, word_deletions, word_deletions.c.deletion == typed.c.deletion)
        .distinct()
        .subquery("candidates")
    )
    return (
        sa.select(name_tokens.c.name_id)
        .join_from(candidates, name_tokens, name_tokens.c.word == candidates.c.word)
        .group_by(name_tokens.c.name_id)
        .having(sa.func.count(candidates.c.position.distinct()) == sa.bindparam("word_count", type_=sa.Integer))
        .subquery("misspelled")
    )


def _lexical() -> sa.CTE:
    """Entities that the text names or begins to name, each with its best name."""
    begun = sa.union_all(_begun("spelled"), _begun("folded")).subquery("begun")
    best_first = (begun.c.match_class, _is_not_main(), sa.func.length(names.c.folded))
    return (
        sa.select(*_HIT_COLUMNS, begun.c.match_class)
        .join_from(begun, names, names.c.id == begun.c.name_id)
        .join(entities, entities.c.id == names.c.entity_id)
        .where(_of_wanted_type())
        .ext(pg.distinct_on(entities.c.id))
        .order_by(entities.c.id, *best_first, names.c.name.collate("C"), names.c.id)
        .cte("lexical")
    )


def _typos(lexical: sa.CTE) -> sa.CTE:
    """Entities that the text misspells, where `lexical` has too few; the name of the nearest length comes first."""
    misspelled = _misspelled()
    few_hits = sa.bindparam("few_hits", type_=sa.Integer)
    is_wanted = sa.select(sa.func.count()).select_from(lexical).scalar_subquery() < few_hits
    typed_chars = sa.bindparam("typed_chars", type_=sa.Integer)
    best_first = (sa.func.abs(sa.func.length(names.c.folded) - typed_chars), _is_not_main())
    return (
        sa.select(*_HIT_COLUMNS, TYPO.label("match_class"))
        .join_from(misspelled, names, names.c.id == misspelled.c.name_id)
        .join(entities, entities.c.id == names.c.entity_id)
        .where(is_wanted, _of_wanted_type(), entities.c.id.not_in(sa.select(lexical.c.id)))
        .ext(pg.distinct_on(entities.c.id))
        .order_by(entities.c.id, *best_first, names.c.name.collate("C"), names.c.id)
        .cte("typos")
    )


def _search() -> sa.Select[*tuple[Any, ...]]:
    lexical = _lexical()
    hits = sa.union_all(sa.select(lexical), sa.select(_typos(lexical))).subquery("hits")
    return (
        sa.select(hits)
        .order_by(hits.c.match_class, hits.c.popularity.desc(), hits.c.name.collate("C"), hits.c.id)
        .limit(sa.bindparam("limit", type_=sa.Integer))
    )


def _equal() -> sa.Select[*tuple[Any, ...]]:
    wanted = (
        sa.func.unnest(_texts("wanted"), _texts("squeezed"), sa.bindparam("spaceless", type_=pg.ARRAY(sa.Boolean)))
        .table_valued("folded", "squeezed", "spaceless", name="wanted")
        .render_derived()
    )
    found = (
        sa.select(wanted.c.folded.label("wanted"), *_HIT_COLUMNS, EXACT.label("match_class"))
        .join_from(wanted, name_words, name_words.c.squeezed == wanted.c.squeezed)
        .join(names, names.c.id == name_words.c.name_id)
        .join(entities, entities.c.id == names.c.entity_id)
        .where(name_words.c.is_whole, sa.or_(wanted.c.spaceless, name_words.c.suffix == wanted.c.folded))
        .ext(pg.distinct_on(wanted.c.folded, entities.c.id))
        .order_by(wanted.c.folded, entities.c.id, _is_not_main(), names.c.name.collate("C"), names.c.id)
        .subquery("found")
    )
    best_first = (found.c.popularity.desc(), found.c.name.collate("C"), found.c.id)
    place = sa.func.row_number().over(partition_by=found.c.wanted, order_by=best_first)
    placed = sa.select(found, place.label("place")).subquery("placed")
    return (
        sa.select(placed)
        .where(placed.c.place <= sa.bindparam("limit", type_=sa.Integer))
        .order_by(placed.c.wanted, placed.c.place)
    )


def _near() -> sa.Select[*tuple[Any, ...]]:
    misspelled = _misspelled()
    return (
        sa.select(*_HIT_COLUMNS, names.c.folded, TYPO.label("match_class"))
        .join_from(misspelled, names, names.c.id == misspelled.c.name_id)
        .join(entities, entities.c.id == names.c.entity_id)
        .where(
            _of_wanted_type(),
            sa.func.abs(sa.func.length(names.c.folded) - sa.bindparam("typed_chars", type_=sa.Integer))
            <= sa.literal_column("2"),
        )
        .order_by(entities.c.popularity.desc(), names.c.id)
        .limit(sa.bindparam("limit", type_=sa.Integer))
    )


SEARCH_STATEMENT = _search()
EQUAL_STATEMENT = _equal()
NEAR_STATEMENT = _near()
