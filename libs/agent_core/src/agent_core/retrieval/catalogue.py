"""Rows by id as evidence, and whether path evidence still stands: both read from the truth tables."""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from uuid import UUID

from datastore.edges import EDGES, EdgeType
from datastore.errors import DatabaseUnavailable
from datastore.postgres.document_reads import read_unresolved
from datastore.postgres.engine import ReadOnlyEngine
from datastore.postgres.entity_reads import read_cards
from datastore.postgres.graph_facts import RowKey, TruthRow, read_truth_rows
from datastore.postgres.graph_reads import links_between, locate
from datastore.postgres.graph_values import DERIVED_RULES, EdgeScope
from datastore.vocabulary import EntityType
from sqlalchemy.ext.asyncio import AsyncConnection

from agent_core.errors import SourceUnavailable
from agent_core.evidence import EntityRef, EntityRowEvidence, Evidence, PathEvidence, PathStep
from agent_core.retrieval.rows import row_evidence, with_unresolved

SOURCE = "postgresql"

_Hub = tuple[EdgeType, UUID, UUID, UUID]
"""A derived edge with its start, hub and end."""


class PostgresCatalogue:
    """The catalogue's rows and edges as they are now."""

    def __init__(self, engine: ReadOnlyEngine) -> None:
        self._engine = engine

    async def rows(self, refs: Sequence[EntityRef], *, timeout: float) -> dict[UUID, EntityRowEvidence]:
        """Rows that exist and are of the type asked, by the id asked; an id that was merged gives the living row."""
        if not refs:
            return {}
        types = {ref.id: ref.entity_type for ref in refs}
        try:
            async with self._engine.connect(timeout) as conn:
                cards = await read_cards(conn, [ref.id for ref in refs])
                documents = [card.id for card in cards.values() if card.entity_type is EntityType.DOCUMENT]
                unresolved = await read_unresolved(conn, documents)
        except DatabaseUnavailable as exc:
            raise SourceUnavailable(SOURCE, timed_out=exc.timed_out) from exc
        return {
            asked: with_unresolved(row_evidence(card), unresolved.get(card.id, ()))
            for asked, card in cards.items()
            if card.entity_type is types[asked]
        }

    async def existing_edges(self, evidence: Sequence[Evidence], *, timeout: float) -> frozenset[str]:
        """Ids of the path evidence whose every edge still stands: its truth row is there and says the same."""
        paths = [item for item in evidence if isinstance(item, PathEvidence)]
        if not paths:
            return frozenset()
        steps = [step for item in paths for step in item.path.steps]
        try:
            async with self._engine.connect(timeout) as conn:
                truths = await read_truth_rows(conn, _row_keys(steps))
                hubs = await _standing_hubs(conn, {hub for step in steps if (hub := _hub(step)) is not None})
        except DatabaseUnavailable as exc:
            raise SourceUnavailable(SOURCE, timed_out=exc.timed_out) from exc
        return frozenset(item.id for item in paths if all(_stands(step, truths, hubs) for step in item.path.steps))


def _row_key(step: PathStep) -> RowKey | None:
    """The truth row that a stored step names in its evidence id; None when the id is not of that form."""
    match step.evidence_id.split(":"):
        case ["edge", table, row_id, "in" | "out"] if row_id.isascii() and row_id.isdigit() and len(row_id) < 19:
            return table, int(row_id)
        case _:
            return None


def _row_keys(steps: Iterable[PathStep]) -> set[RowKey]:
    return {key for step in steps if (key := _row_key(step)) is not None}


def _hub(step: PathStep) -> _Hub | None:
    if step.hub is None or not EDGES[step.rel].derived:
        return None
    return step.rel, step.from_.id, step.hub.id, step.to.id


def _stands(step: PathStep, truths: dict[RowKey, TruthRow], hubs: frozenset[_Hub]) -> bool:
    if EDGES[step.rel].derived:
        return _hub(step) in hubs
    key = _row_key(step)
    truth = truths.get(key) if key is not None else None
    return truth is not None and truth.says(step.from_.id, step.rel, step.to.id, step.qualifier)


async def _standing_hubs(conn: AsyncConnection, hubs: set[_Hub]) -> frozenset[_Hub]:
    """The derived edges whose both halves still stand."""
    if not hubs:
        return frozenset()
    located = await locate(conn, [entity_id for _, *ids in hubs for entity_id in ids])
    keys = {entity_id: found.key for entity_id, found in located.items()}
    whole = [hub for hub in hubs if keys.keys() >= set(hub[1:])]
    if not whole:
        return frozenset()
    pairs = {(keys[a], keys[b]) for _, *ids in whole for a, b in pairwise(ids)}
    scope = EdgeScope(tuple({hub[0] for hub in whole}))
    links = await links_between(conn, sorted(pairs), scope)
    standing: set[_Hub] = set()
    for derived, start, hub, end in whole:
        rule = DERIVED_RULES[derived]
        to_hub = {link.edge for link in links.get((keys[start], keys[hub]), ())}
        from_hub = {link.edge for link in links.get((keys[hub], keys[end]), ())}
        if to_hub.intersection(rule.to_hub) and from_hub.intersection(rule.from_hub):
            standing.add((derived, start, hub, end))
    return frozenset(standing)
