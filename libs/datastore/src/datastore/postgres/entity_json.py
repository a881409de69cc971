"""Entities as JSON text that PostgreSQL writes: one statement for a whole tree of them, compiled once for each shape.

Numbers that may have a fraction keep their point (`1.0`); members of closed sets appear by name; an id that was merged
into another entity gives that entity.
"""

from collections.abc import Mapping, Sequence
from itertools import count
from typing import Any, assert_never

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql as pg

from datastore.edges import EDGES, EdgeType
from datastore.postgres.catalogue import edges, entities, external_ids, names, redirects
from datastore.postgres.entity_reads import DETAIL_TABLES
from datastore.postgres.entity_shapes import (
    AnimeOfEpisode,
    Attribute,
    Constant,
    DateParts,
    EntityShape,
    ExternalIdPart,
    ExternalIds,
    FarEnd,
    LinkPart,
    Links,
    Member,
    NamePart,
    Names,
)
from datastore.postgres.graph_values import EdgeScope
from datastore.postgres.hot import HotStatement
from datastore.postgres.json_values import (
    Pieces,
    constant,
    date_object,
    either,
    first_of,
    identifier,
    joined,
    json_list,
    json_object,
    member_name,
    plain,
    point_kept,
    selected,
    selected_if_any,
    timestamp,
    whole_number,
)
from datastore.vocabulary import EntityType, NameKind

_CLOSED_SETS = frozenset({"entity_type", "format", "status", "season", "source", "date_precision"})
_IDS = sa.bindparam("ids", type_=pg.ARRAY(pg.UUID(as_uuid=True)))


def entities_statement(shape: EntityShape) -> HotStatement:
    """One row, one column `found`: JSON texts, one for each of `ids` and in their order; `null` for no entity.

    Parameters: `ids`, and those of the shape's links.
    """
    asked = (
        sa.func.unnest(_IDS)
        .table_valued(sa.column("id", pg.UUID(as_uuid=True)), with_ordinality="place")
        .render_derived(name="asked")
    )
    entity = entities.alias("entity")
    one = joined(_Writer().entity(entity, shape, is_there=False))
    found = sa.func.array_agg(pg.aggregate_order_by(one, asked.c.place), type_=pg.ARRAY(sa.Text))
    none = sa.literal_column("'{}'::text[]", pg.ARRAY(sa.Text))
    living = sa.func.coalesce(redirects.c.to_id, asked.c.id)
    return HotStatement(
        sa.select(sa.func.coalesce(found, none).label("found")).select_from(
            asked.outerjoin(redirects, redirects.c.from_id == asked.c.id).outerjoin(entity, entity.c.id == living)
        )
    )


def edge_codes(edge_types: Sequence[EdgeType]) -> list[int]:
    """The codes of stored edges, most specific first: the value of a parameter `rels_N`. None of them mean all."""
    return [EDGES[edge].code for edge in EdgeScope(tuple(edge_types)).stored]


class _Writer:
    """Writes one statement: every table in it goes by a name of its own."""

    def __init__(self) -> None:
        self._numbers = count(1)

    def entity(self, entity: sa.FromClause, shape: EntityShape, *, is_there: bool) -> Pieces:
        """The object of an entity; null where its type has no members, or unless `is_there` where there is none."""
        groups = _groups(shape)
        if len(groups) == 1 and len(groups[0][0]) == len(EntityType) and not _needs_details(groups[0][1]):
            whole = self._object(entity, None, groups[0][1])
            return whole if is_there else either(entity.c.id.is_not(None), whole)
        return first_of(self._of_types(entity, types, members) for types, members in groups)

    def _of_types(
        self, entity: sa.FromClause, types: Sequence[EntityType], members: Mapping[str, Member]
    ) -> tuple[sa.ColumnElement[bool], Pieces]:
        listed = [sa.literal_column(f"'{entity_type.value}'", sa.Text) for entity_type in types]
        is_it = entity.c.entity_type == listed[0] if len(listed) == 1 else entity.c.entity_type.in_(listed)
        if not _needs_details(members):
            return is_it, self._object(entity, None, members)
        details = DETAIL_TABLES[types[0]].alias(f"details_{next(self._numbers)}")
        written = sa.select(joined(self._object(entity, details, members))).where(details.c.id == entity.c.id)
        return is_it, selected_if_any(written, entity)

    def _object(self, entity: sa.FromClause, details: sa.FromClause | None, members: Mapping[str, Member]) -> Pieces:
        return json_object((key, self._member(entity, details, member)) for key, member in members.items())

    def _member(self, entity: sa.FromClause, details: sa.FromClause | None, member: Member) -> Pieces:
        match member:
            case Constant():
                return constant(member.text)
            case Attribute():
                return _attribute(entity, details, member.column)
            case DateParts():
                assert details is not None
                return date_object(details, member)
            case Names():
                return self._names(entity, member)
            case ExternalIds():
                return self._external_ids(entity, member)
            case Links():
                return self._links(entity, member)
            case AnimeOfEpisode():
                assert details is not None
                return self._anime_of(details, member)
            case _:
                assert_never(member)

    def _names(self, entity: sa.FromClause, wanted: Names) -> Pieces:
        name = names.alias(f"names_{next(self._numbers)}")
        parts: dict[NamePart, Pieces] = {
            "name": plain(name.c.name),
            "kind": member_name(name.c.kind),
            "language": plain(name.c.language),
        }
        one = json_object(
            (key, constant(part.text) if isinstance(part, Constant) else parts[part])
            for key, part in wanted.members.items()
        )
        kinds = sa.literal_column("ARRAY[" + ", ".join(f"'{kind.value}'" for kind in NameKind) + "]", pg.ARRAY(sa.Text))
        rank = sa.func.array_position(kinds, name.c.kind)
        listed = sa.select(json_list(one, rank, sa.collate(name.c.name, "C"), name.c.id))
        return selected(listed.where(name.c.entity_id == entity.c.id), entity)

    def _external_ids(self, entity: sa.FromClause, wanted: ExternalIds) -> Pieces:
        external = external_ids.alias(f"external_ids_{next(self._numbers)}")
        parts: dict[ExternalIdPart, Pieces] = {
            "source": plain(external.c.source),
            "kind": plain(external.c.kind),
            "external_id": plain(external.c.external_id),
        }
        one = json_object(
            (key, constant(part.text) if isinstance(part, Constant) else parts[part])
            for key, part in wanted.members.items()
        )
        listed = sa.select(json_list(one, external.c.source, external.c.kind, external.c.external_id))
        return selected(listed.where(external.c.entity_id == entity.c.id), entity)

    def _links(self, entity: sa.FromClause, links: Links) -> Pieces:
        page = _page(entity, links, next(self._numbers))
        target = entities.alias(f"target_{next(self._numbers)}")
        parts: dict[LinkPart, Pieces] = {
            "relation": _relation(page.c.rel, links.edges),
            "qualifier": plain(page.c.qualifier),
            "entity_id": identifier(target.c.id),
            "entity_type": member_name(target.c.entity_type),
            "name": plain(target.c.name),
        }

        def written(part: LinkPart | Constant | FarEnd) -> Pieces:
            match part:
                case Constant():
                    return constant(part.text)
                case FarEnd():
                    return self.entity(target, part.shape, is_there=True)
                case _:
                    return parts[part]

        one = json_object((key, written(part)) for key, part in links.members.items())
        order = (page.c.dst_popularity.desc(), page.c.dst, page.c.preference, page.c.origin, page.c.origin_id)
        listed = sa.select(json_list(one, *order)).select_from(page.join(target, target.c.node == page.c.dst))
        return selected(listed, entity)

    def _anime_of(self, details: sa.FromClause, member: AnimeOfEpisode) -> Pieces:
        number = next(self._numbers)
        merged, anime = redirects.alias(f"merged_{number}"), entities.alias(f"anime_{number}")
        found = (
            sa.select(joined(self.entity(anime, member.shape, is_there=True)))
            .select_from(anime)
            .where(
                anime.c.id
                == sa.func.coalesce(
                    sa.select(merged.c.to_id)
                    .where(merged.c.from_id == details.c.anime_id)
                    .correlate(details)
                    .scalar_subquery(),
                    details.c.anime_id,
                )
            )
        )
        return selected_if_any(found, details)


def _groups(shape: EntityShape) -> list[tuple[list[EntityType], Mapping[str, Member]]]:
    """Types with the same members are written once, unless each has its own table of details."""
    groups: list[tuple[list[EntityType], Mapping[str, Member]]] = []
    for entity_type, members in shape.members.items():
        same = [types for types, known in groups if known == members and not _needs_details(members)]
        if same:
            same[0].append(entity_type)
        else:
            groups.append(([entity_type], members))
    return groups


def _needs_details(members: Mapping[str, Member]) -> bool:
    return any(
        isinstance(member, DateParts | AnimeOfEpisode)
        or (isinstance(member, Attribute) and member.column not in entities.c)
        for member in members.values()
    )


def _attribute(entity: sa.FromClause, details: sa.FromClause | None, name: str) -> Pieces:
    table = entity if name in entity.c else details
    assert table is not None
    column = table.c[name]
    match column.type:
        case sa.Float():
            return point_kept(column)
        case sa.TIMESTAMP():
            return timestamp(column)
        case sa.Uuid() | pg.UUID():
            return identifier(column)
        case sa.Integer():
            return whole_number(column)
        case _:
            return member_name(column) if name in _CLOSED_SETS else plain(column)


def _page(entity: sa.FromClause, links: Links, number: int) -> sa.Subquery:
    """The edges of one page: `first` of them from the `offset`-th on, popular far ends first."""
    first = sa.bindparam(f"first_{links.number}", type_=sa.Integer)
    offset = sa.bindparam(f"offset_{links.number}", type_=sa.Integer)
    edge = edges.alias(f"edges_{number}")
    conditions = [edge.c.src == entity.c.node]
    if links.takes_qualifier:
        qualifier = sa.bindparam(f"qualifier_{links.number}", type_=sa.Text)
        conditions.append(sa.or_(qualifier.is_(None), edge.c.qualifier == qualifier))
    codes = edge_codes(links.edges)
    if len(codes) == 1 and not links.takes_edges:
        conditions.append(edge.c.rel == sa.literal_column(str(codes[0]), sa.SmallInteger))
        order = (edge.c.dst_popularity.desc(), edge.c.dst, edge.c.origin, edge.c.origin_id)
        preference = sa.literal_column("1", sa.Integer).label("preference")
        one_rel = sa.select(*edge.c, preference).where(*conditions).order_by(*order)
        return one_rel.limit(first).offset(offset).correlate(entity).subquery(f"page_{number}")
    return _mixed_page(entity, edge, conditions, links, number)


def _mixed_page(
    entity: sa.FromClause,
    edge: sa.FromClause,
    conditions: Sequence[sa.ColumnElement[bool]],
    links: Links,
    number: int,
) -> sa.Subquery:
    """A page of several edge types: the beginning of each, then the page of all."""
    first = sa.bindparam(f"first_{links.number}", type_=sa.Integer)
    offset = sa.bindparam(f"offset_{links.number}", type_=sa.Integer)
    listed = ", ".join(str(code) for code in edge_codes(links.edges))
    fixed = sa.literal_column(f"ARRAY[{listed}]::smallint[]", pg.ARRAY(sa.SmallInteger))
    chosen = sa.bindparam(f"rels_{links.number}", type_=pg.ARRAY(sa.SmallInteger)) if links.takes_edges else fixed
    rels = (
        sa.func.unnest(chosen)
        .table_valued(sa.column("rel", sa.SmallInteger), with_ordinality="preference")
        .render_derived(name=f"rels_of_{number}")
    )
    of_one = (
        sa.select(edge)
        .where(edge.c.rel == rels.c.rel, *conditions)
        .order_by(edge.c.dst_popularity.desc(), edge.c.dst, edge.c.origin, edge.c.origin_id)
        .limit(first + offset)
        .correlate(entity, rels)
        .lateral(f"of_one_{number}")
    )
    order = (of_one.c.dst_popularity.desc(), of_one.c.dst, rels.c.preference, of_one.c.origin, of_one.c.origin_id)
    mixed = sa.select(*of_one.c, rels.c.preference).select_from(rels.join(of_one, sa.true())).order_by(*order)
    return mixed.limit(first).offset(offset).correlate(entity).subquery(f"page_{number}")


def _relation(rel: sa.ColumnElement[Any], possible: Sequence[EdgeType]) -> Pieces:
    if len(possible) == 1:
        return constant(possible[0].name)
    codes = ((sa.literal_column(str(EDGES[edge].code), sa.SmallInteger), edge.name) for edge in possible)
    return first_of((rel == code, constant(name)) for code, name in codes)
