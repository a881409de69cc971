"""Runs a plan for one request: arguments checked as the resolvers check them, one statement for each root and tree."""

from collections.abc import Mapping, Sequence
from typing import cast
from uuid import UUID

from datastore.edges import DERIVED_EDGES, EdgeType
from datastore.first_page import NameHits
from datastore.postgres.entity_json import edge_codes
from datastore.postgres.hot import HotPool
from datastore.postgres.name_search import search_written
from datastore.vocabulary import EntityType

from graphql_bff.arguments import checked_count, checked_offset, checked_text, is_id
from graphql_bff.catalogue.entity import MAX_QUALIFIER_CHARACTERS
from graphql_bff.catalogue.types import MAX_LANGUAGE_CHARACTERS
from graphql_bff.search.resolvers import MAX_NAME_CHARACTERS
from graphql_bff.settings import Settings
from graphql_bff.trusted.plan import (
    EntitiesRoot,
    EntityTree,
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

_QUALIFIER_CHARACTERS = {"language": MAX_LANGUAGE_CHARACTERS, "text": MAX_QUALIFIER_CHARACTERS}


class PlanRunner:
    """Answers from PostgreSQL's own JSON, within the limits of `settings`."""

    def __init__(self, pool: HotPool, settings: Settings) -> None:
        self._pool = pool
        self._settings = settings

    async def run(self, plan: Plan, variables: Variables) -> str:
        """The data of an answer without errors, in JSON; what PostgreSQL wrote is in it as it is.

        Raises:
            Passed: It may need more links than the limit allows.
            BadInput: An argument breaks its limit.
            DatabaseUnavailable: The catalogue can't be read.
        """
        links = _Links(self._settings)
        members = [f'"{key}":{await self._root(root, variables, links)}' for key, root in plan.roots.items()]
        return f"{{{','.join(members)}}}"

    async def _root(self, root: Root, variables: Variables, links: "_Links") -> str:
        match root:
            case SearchRoot():
                return await self._search(root, variables, links)
            case EntitiesRoot():
                found = await self._read(root.tree, self._ids(root, variables), variables, links)
                return f"[{','.join(found)}]" if root.is_list else found[0]
            case TypeNameRoot():
                return f'"{root.name}"'

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

    async def _search(self, root: SearchRoot, variables: Variables, links: "_Links") -> str:
        query = checked_text(cast("str", root.query.of(variables)), "query", MAX_NAME_CHARACTERS)
        first = checked_count(_integer(root.first.of(variables)), self._settings.max_first)
        types = cast("Sequence[EntityType] | None", root.types.of(variables)) or ()
        hits = await search_written(self._pool, query, entity_types=types, limit=first)
        if not root.trees:
            return root.write(hits, ())
        ids = _ids_of(hits)
        return root.write(hits, [await self._read(tree, ids, variables, links) for tree in root.trees])


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


def _ids_of(hits: NameHits) -> Sequence[str] | Sequence[UUID]:
    if isinstance(hits, list):
        return [hit.entity_id for hit in hits]
    return hits.ids


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
