"""Runs a plan for one request: arguments checked as the resolvers check them, one statement for each root and tree."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import repeat
from operator import attrgetter
from typing import cast
from uuid import UUID

from datastore.edges import DERIVED_EDGES, EdgeType
from datastore.name_hits import NameHit
from datastore.postgres.entity_json import edge_codes
from datastore.postgres.hot import HotPool
from datastore.postgres.name_search import search_names
from datastore.vocabulary import EntityType, NameKind
from orjson import Fragment

from graphql_bff.arguments import checked_count, checked_offset, checked_text, is_id
from graphql_bff.catalogue.entity import MAX_QUALIFIER_CHARACTERS
from graphql_bff.catalogue.types import MAX_LANGUAGE_CHARACTERS
from graphql_bff.search.hits import NameMatch
from graphql_bff.search.resolvers import MAX_NAME_CHARACTERS
from graphql_bff.settings import Settings
from graphql_bff.trusted.plan import (
    EntitiesRoot,
    EntityTree,
    HitPart,
    LinksPage,
    Passed,
    Plan,
    Root,
    SearchRoot,
    TypeNameRoot,
)

type Variables = Mapping[str, object]
type _Places = list[str]
"""One JSON text for each entity that was asked for."""

_MATCHES = {match.value: match.name for match in NameMatch}
# An enumeration looks the name of a member up each time.
_TYPES = {each: each.name for each in EntityType}
_KINDS = {each: each.name for each in NameKind}
_PARTS: Mapping[HitPart, Callable[[NameHit], object]] = {
    "entity_type": lambda hit: _TYPES[hit.entity_type],
    "id": lambda hit: str(hit.entity_id),
    "name": attrgetter("name"),
    "matched_name": attrgetter("matched_name"),
    "matched_kind": lambda hit: _KINDS[hit.kind],
    "match": lambda hit: _MATCHES[hit.match],
    "popularity": attrgetter("popularity"),
    "version": attrgetter("version"),
}
_QUALIFIER_CHARACTERS = {"language": MAX_LANGUAGE_CHARACTERS, "text": MAX_QUALIFIER_CHARACTERS}


class PlanRunner:
    """Answers from PostgreSQL's own JSON, within the limits of `settings`."""

    def __init__(self, pool: HotPool, settings: Settings) -> None:
        self._pool = pool
        self._settings = settings

    async def run(self, plan: Plan, variables: Variables) -> dict[str, object]:
        """The data of an answer without errors; what PostgreSQL wrote is in it as fragments, not to be read again.

        Raises:
            Passed: It may need more links than the limit allows.
            BadInput: An argument breaks its limit.
            DatabaseUnavailable: The catalogue can't be read.
        """
        links = _Links(self._settings)
        return {key: await self._root(root, variables, links) for key, root in plan.roots.items()}

    async def _root(self, root: Root, variables: Variables, links: "_Links") -> object:
        match root:
            case TypeNameRoot():
                return root.name
            case EntitiesRoot():
                found = await self._read(root.tree, self._ids(root, variables), variables, links)
                return Fragment(f"[{','.join(found)}]" if root.is_list else found[0])
            case SearchRoot():
                return await self._search(root, variables, links)

    def _ids(self, root: EntitiesRoot, variables: Variables) -> Sequence[str]:
        """As texts: the driver writes them to the wire faster than a UUID is made."""
        given = root.ids.of(variables)
        texts = cast("Sequence[str]", given if root.is_list else [given])
        if len(texts) > self._settings.max_ids:
            raise Passed("more ids than allowed")
        if not all(map(is_id, texts)):
            raise Passed("no UUID")
        return texts

    async def _read(
        self, tree: EntityTree, ids: Sequence[str] | Sequence[UUID], variables: Variables, links: "_Links"
    ) -> _Places:
        parameters = links.parameters(tree.pages, len(ids), variables)
        rows = await self._pool.fetch(tree.statement, {"ids": ids, **parameters})
        return rows[0]["found"]

    async def _search(self, root: SearchRoot, variables: Variables, links: "_Links") -> list[dict[str, object]]:
        query = checked_text(cast("str", root.query.of(variables)), "query", MAX_NAME_CHARACTERS)
        first = checked_count(_integer(root.first.of(variables)), self._settings.max_first)
        types = cast("Sequence[EntityType] | None", root.types.of(variables)) or ()
        hits = await search_names(self._pool, query, entity_types=types, limit=first)
        columns: dict[str, Iterable[object]] = {}
        for key, member in root.members.items():
            match member:
                case EntityTree():
                    found = await self._read(member, [hit.entity_id for hit in hits], variables, links)
                    columns[key] = map(Fragment, found)
                case TypeNameRoot():
                    columns[key] = repeat(member.name)
                case _:
                    columns[key] = map(_PARTS[member], hits)
        return [dict(zip(columns, row, strict=True)) for _, *row in zip(hits, *columns.values(), strict=False)]


class _Links:
    """The pages of links of one request, and how many links they can come to.

    The limit holds for the whole request. What can't reach it needs no count of what was really loaded.
    """

    def __init__(self, settings: Settings) -> None:
        self._max_first = settings.max_first
        self._left = settings.max_links

    def parameters(self, pages: Sequence[LinksPage], entities: int, variables: Variables) -> dict[str, object]:
        """What a statement over so many entities takes. Raises Passed and BadInput."""
        parameters: dict[str, object] = {}
        most: list[int] = []
        for page in pages:
            first = checked_count(_integer(page.first.of(variables)), self._max_first)
            parameters[f"first_{page.number}"] = first
            parameters[f"offset_{page.number}"] = checked_offset(_integer(page.offset.of(variables)))
            if page.chosen is not None:
                parameters[f"rels_{page.number}"] = _chosen(page, variables)
            if page.qualifier is not None:
                parameters[f"qualifier_{page.number}"] = _qualifier(page, variables)
            most.append(first * (entities if page.within is None else most[page.within]))
        self._left -= sum(most)
        if self._left <= 0:
            raise Passed("as many links as the limit, or more")
        return parameters


def _chosen(page: LinksPage, variables: Variables) -> list[int]:
    assert page.chosen is not None
    chosen = cast("Sequence[EdgeType] | None", page.chosen.of(variables))
    if DERIVED_EDGES.intersection(chosen or ()):
        raise Passed("derived relations have no links")
    return edge_codes(chosen or page.edges)


def _qualifier(page: LinksPage, variables: Variables) -> str | None:
    assert page.qualifier is not None
    value = cast("str | None", page.qualifier.of(variables))
    if value is not None and page.qualifier_kind != "member":
        checked_text(value, page.qualifier_kind, _QUALIFIER_CHARACTERS[page.qualifier_kind])
    return None if value is None else str(value)


def _integer(value: object) -> int:
    if not isinstance(value, int):
        raise Passed("null where a number belongs")
    return value
