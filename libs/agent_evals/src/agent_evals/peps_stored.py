"""References between PEPs as the catalogue holds them, and what the graph answers about them."""

import re
from collections.abc import Iterable, Mapping
from typing import Protocol
from uuid import UUID

import sqlalchemy as sa
from agent_core.evidence import EntityRef
from agent_core.schemas import GraphIntent, GraphQueryType, GraphResult
from datastore.edges import EDGES, EdgeType
from datastore.postgres.catalogue import names
from datastore.postgres.documents import document_references, documents
from datastore.vocabulary import EntityType
from sqlalchemy.ext.asyncio import AsyncConnection

from agent_evals.peps_report import MENTIONS, PepEdge

_PEP = re.compile(r"PEP (\d+)")
_STATED = frozenset({EdgeType.REQUIRES, EdgeType.SUPERSEDES, EdgeType.SUPERSEDED_BY})
_SECONDS = 10.0


class Graph(Protocol):
    """Whatever traverses the catalogue's graph."""

    async def execute(self, intent: GraphIntent, *, timeout: float) -> GraphResult:
        """Run one intent."""
        ...


async def stored_numbers(connection: AsyncConnection, collection: str) -> dict[int, UUID]:
    """The documents of a collection that have the number of a PEP as a name."""
    statement = (
        sa.select(names.c.name, names.c.entity_id)
        .join(documents, documents.c.id == names.c.entity_id)
        .where(documents.c.collection == collection, names.c.name.regexp_match(r"^PEP \d+$"))
        .order_by(names.c.id)
    )
    rows = await connection.execute(statement)
    return {int(row.name.removeprefix("PEP ")): row.entity_id for row in rows}


async def stored_edges(connection: AsyncConnection, numbers: Mapping[int, UUID]) -> frozenset[PepEdge]:
    """Every stored reference to a PEP, whether it is in the collection or not; what one says of itself is none."""
    statement = (
        sa.select(document_references.c.document_id, document_references.c.edge, document_references.c.target_text)
        .where(document_references.c.edge.is_not(None), document_references.c.document_id.in_(numbers.values()))
        .distinct()
        .order_by(document_references.c.document_id, document_references.c.edge, document_references.c.target_text)
    )
    of_id = {id: number for number, id in numbers.items()}
    found: set[PepEdge] = set()
    for row in await connection.execute(statement):
        target = _PEP.match(row.target_text)
        source = of_id[row.document_id]
        if target and int(target[1]) != source:
            found.add(PepEdge(source, row.edge if EdgeType(row.edge) in _STATED else MENTIONS, int(target[1])))
    return frozenset(found)


async def unanswered(graph: Graph, edges: Iterable[PepEdge], numbers: Mapping[int, UUID]) -> frozenset[PepEdge]:
    """The edges that the graph doesn't show from both of their ends: what X requires, and what X is required by.

    An edge to what isn't in the collection is no question of the graph.
    """
    failed: set[PepEdge] = set()
    for edge in edges:
        if edge.source not in numbers or edge.target not in numbers:
            continue
        forth, inverse = EdgeType(edge.relation), EDGES[EdgeType(edge.relation)].inverse
        source, target = numbers[edge.source], numbers[edge.target]
        if not (await _leads(graph, source, forth, target) and await _leads(graph, target, inverse, source)):
            failed.add(edge)
    return frozenset(failed)


async def _leads(graph: Graph, start: UUID, edge: EdgeType, end: UUID) -> bool:
    intent = GraphIntent(
        rationale="what the document says of others",
        query_type=GraphQueryType.NEIGHBORS,
        start=EntityRef(entity_type=EntityType.DOCUMENT, id=start),
        edge_types=(edge,),
    )
    result = await graph.execute(intent, timeout=_SECONDS)
    return any(entity.id == end for path in result.paths for entity in path.nodes)
