"""Selections of entities as shapes: what of the schema the fast lane knows, by type and field."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import get_args

from datastore.edges import STORED_EDGES, EdgeType
from datastore.postgres.entity_shapes import (
    AnimeOfEpisode,
    Attribute,
    Constant,
    DateOf,
    DatePart,
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
    check_members,
)
from datastore.vocabulary import EntityType
from graphql import GraphQLObjectType

from graphql_bff.catalogue.types import RELATED_WORKS
from graphql_bff.trusted.arguments import sources_of
from graphql_bff.trusted.plan import LinksPage, QualifierKind, Unsupported
from graphql_bff.trusted.selections import Selected, Selections

_TYPE_NAME = "__typename"
_VIEWS = {entity_type: entity_type.name.capitalize() for entity_type in EntityType}
_ATTRIBUTES = {
    "id": "id",
    "entityType": "entity_type",
    "name": "name",
    "popularity": "popularity",
    "version": "version",
    "updatedAt": "updated_at",
    "format": "format",
    "status": "status",
    "year": "year",
    "score": "score",
    "scoreSource": "score_source",
    "genres": "genres",
    "tags": "tags",
    "synopsis": "synopsis",
    "country": "country",
    "episodes": "episodes",
    "durationMinutes": "duration_minutes",
    "season": "season",
    "seasonYear": "season_year",
    "source": "source",
    "chapters": "chapters",
    "volumes": "volumes",
    "description": "description",
    "gender": "gender",
    "occupations": "occupations",
    "isAnimationStudio": "is_animation_studio",
    "number": "number",
    "collection": "collection",
    "sourceUri": "source_uri",
    "mediaType": "media_type",
    "language": "language",
    "documentDate": "document_date",
    "documentDatePrecision": "date_precision",
}
_DATES = {"startDate": DateOf.START, "endDate": DateOf.END, "airDate": DateOf.AIR}
_DATE_PARTS: Mapping[str, DatePart] = {part: part for part in get_args(DatePart.__value__)}
_NAME_PARTS: Mapping[str, NamePart] = {part: part for part in get_args(NamePart.__value__)}
_EXTERNAL_ID_PARTS: Mapping[str, ExternalIdPart] = {"source": "source", "kind": "kind", "id": "external_id"}
_LINK_PARTS: Mapping[str, LinkPart] = {
    "relation": "relation",
    "qualifier": "qualifier",
    "entityId": "entity_id",
    "entityType": "entity_type",
    "name": "name",
}


@dataclass(frozen=True, slots=True)
class _LinkField:
    """A field that lists links: along which edges, and which argument keeps those of one qualifier."""

    edges: tuple[EdgeType, ...]
    qualifier: str | None = None
    kind: QualifierKind = "member"


_LINKS: Mapping[tuple[str, str], _LinkField] = {
    **{
        (work, name): links
        for work in ("Anime", "Manga")
        for name, links in {
            "characters": _LinkField((EdgeType.FEATURES,), "role"),
            "staff": _LinkField((EdgeType.HAS_STAFF,), "role"),
            "related": _LinkField(RELATED_WORKS),
        }.items()
    },
    ("Anime", "studios"): _LinkField((EdgeType.PRODUCED_BY,)),
    ("Anime", "episodeList"): _LinkField((EdgeType.HAS_EPISODE,)),
    ("Character", "works"): _LinkField((EdgeType.APPEARS_IN,), "role"),
    ("Character", "voiceActors"): _LinkField((EdgeType.VOICED_BY,), "language", "language"),
    ("Character", "relations"): _LinkField((EdgeType.CHARACTER_RELATION,), "kind"),
    ("Person", "works"): _LinkField((EdgeType.STAFF_OF,), "role"),
    ("Person", "voices"): _LinkField((EdgeType.VOICES,), "language", "language"),
    ("Studio", "works"): _LinkField((EdgeType.PRODUCED,)),
}
_ANY_LINKS = _LinkField(tuple(edge for edge in EdgeType if edge in STORED_EDGES), "qualifier", "text")


class ShapeBuilder:
    """Builds the shapes of one statement, and the pages of links in it."""

    def __init__(self, selections: Selections) -> None:
        self._selections = selections
        self.pages: list[LinksPage] = []
        # A field of an interface is one field, whichever types it is seen on.
        self._known: dict[tuple[object, ...], Links] = {}

    def entity(
        self, selected: Selected, types: Iterable[EntityType] = tuple(EntityType), *, within: int | None = None
    ) -> EntityShape:
        """What a field selects of an entity of one of these types. Raises Unsupported."""
        return EntityShape({of: self._members(selected, self._view(of), within) for of in types})

    def _view(self, entity_type: EntityType) -> GraphQLObjectType:
        return self._object_type(_VIEWS[entity_type])

    def _object_type(self, name: str) -> GraphQLObjectType:
        found = self._selections.schema.type_map[name]
        assert isinstance(found, GraphQLObjectType)
        return found

    def _members(self, selected: Selected, view: GraphQLObjectType, within: int | None) -> dict[str, Member]:
        return {inner.key: self._member(inner, view, within) for inner in self._selections.below(selected, view)}

    def _member(self, selected: Selected, view: GraphQLObjectType, within: int | None) -> Member:
        name = selected.name
        if name == _TYPE_NAME:
            return Constant(view.name)
        if name == "names":
            return Names(self._parts(selected, "Name", _NAME_PARTS))
        if name == "externalIds":
            return ExternalIds(self._parts(selected, "ExternalId", _EXTERNAL_ID_PARTS))
        if name in _DATES:
            return DateParts(_DATES[name], self._parts(selected, "PartialDate", _DATE_PARTS))
        if name == "links":
            return self._links(selected, view, _ANY_LINKS, within)
        if (view.name, name) in _LINKS:
            return self._links(selected, view, _LINKS[view.name, name], within)
        if (view.name, name) == ("Episode", "anime"):
            return AnimeOfEpisode(self.entity(selected, (EntityType.ANIME,), within=within))
        if name in _ATTRIBUTES and not view.fields[name].args:
            return Attribute(_ATTRIBUTES[name])
        raise Unsupported(f"{view.name}.{name}")

    def _parts[Part](self, selected: Selected, name: str, parts: Mapping[str, Part]) -> dict[str, Part | Constant]:
        members: dict[str, Part | Constant] = {}
        for inner in self._selections.below(selected, self._object_type(name)):
            if inner.name != _TYPE_NAME and inner.name not in parts:
                raise Unsupported(f"{name}.{inner.name}")
            members[inner.key] = Constant(name) if inner.name == _TYPE_NAME else parts[inner.name]
        check_members(members)
        return members

    def _links(self, selected: Selected, view: GraphQLObjectType, field: _LinkField, within: int | None) -> Links:
        place = (tuple(id(each.node) for each in selected.nodes), field, within)
        if place not in self._known:
            self._known[place] = self._new_links(selected, view, field, within)
        return self._known[place]

    def _new_links(self, selected: Selected, view: GraphQLObjectType, field: _LinkField, within: int | None) -> Links:
        sources = sources_of(view.fields[selected.name], selected.node)
        number = len(self.pages)
        self.pages.append(
            LinksPage(
                number=number,
                within=within,
                edges=field.edges,
                first=sources["first"],
                offset=sources["offset"],
                chosen=sources.get("relations"),
                qualifier=sources[field.qualifier] if field.qualifier is not None else None,
                qualifier_kind=field.kind,
            )
        )
        members: dict[str, LinkPart | Constant | FarEnd] = {}
        for inner in self._selections.below(selected, self._object_type("Link")):
            members[inner.key] = self._link_part(inner, number)
        check_members(members)
        return Links(
            number,
            field.edges,
            members,
            takes_edges="relations" in sources,
            takes_qualifier=field.qualifier is not None,
        )

    def _link_part(self, selected: Selected, number: int) -> LinkPart | Constant | FarEnd:
        if selected.name == _TYPE_NAME:
            return Constant("Link")
        if selected.name == "entity":
            return FarEnd(self.entity(selected, within=number))
        if selected.name not in _LINK_PARTS:
            raise Unsupported(f"Link.{selected.name}")
        return _LINK_PARTS[selected.name]
