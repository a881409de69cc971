"""What the truth tables say about entities, edges and versions; SQL of its own, sharing nothing with the product."""

from collections.abc import Iterable
from dataclasses import dataclass
from uuid import UUID

import asyncpg
from datastore.edges import DERIVED_EDGES, EDGES, EdgeType

type Connection = asyncpg.Connection[asyncpg.Record]


@dataclass(frozen=True, slots=True)
class EntityFacts:
    """The identity of one entity as stored."""

    entity_type: str
    name: str
    version: int


# Every stored link once, as its truth table writes it: (a)-[rel]->(b).
_EDGE_EXISTS = """
SELECT EXISTS (
    SELECT FROM (
        SELECT work_id AS a, relation AS rel, related_work_id AS b FROM work_relations
        UNION ALL SELECT character_id, 'appears_in', work_id FROM appearances
        UNION ALL SELECT character_id, 'voiced_by', person_id FROM voices
        UNION ALL SELECT person_id, 'staff_of', work_id FROM staff_credits
        UNION ALL SELECT work_id, 'produced_by', studio_id FROM studio_credits
        UNION ALL SELECT id, 'episode_of', anime_id FROM episodes
        UNION ALL SELECT character_id, 'character_relation', related_character_id FROM character_relations
        UNION ALL SELECT document_id, edge, target_id FROM document_references
    ) AS truth
    WHERE (a = $1 AND b = $2 AND rel = ANY($3::text[])) OR (a = $2 AND b = $1 AND rel = ANY($4::text[]))
)
"""

# A derived edge holds when both ends are linked to the hub in the same way.
_HUB_LINKS = """
SELECT count(DISTINCT node) = 2 FROM (
    SELECT studio_id AS hub, work_id AS node, 'same_studio' AS rel FROM studio_credits
    UNION ALL SELECT person_id, work_id, 'shared_staff' FROM staff_credits
    UNION ALL SELECT person_id, work_id, 'shared_voice_actor' FROM voices WHERE work_id IS NOT NULL
    UNION ALL SELECT person_id, character_id, 'shared_voice_actor' FROM voices
    UNION ALL SELECT work_id, character_id, 'co_appears' FROM appearances
    UNION ALL SELECT work_id, related_work_id, 'shares_franchise' FROM work_relations
    UNION ALL SELECT related_work_id, work_id, 'shares_franchise' FROM work_relations
) AS link
WHERE hub = $1 AND node = ANY($2::uuid[]) AND rel = $3
"""

_ROW_VERSION = {
    "work_relations": "SELECT version FROM work_relations WHERE id = $1",
    "appearances": "SELECT version FROM appearances WHERE id = $1",
    "character_relations": "SELECT version FROM character_relations WHERE id = $1",
    "voices": "SELECT version FROM voices WHERE id = $1",
    "staff_credits": "SELECT version FROM staff_credits WHERE id = $1",
    "document_references": "SELECT e.version FROM document_references r JOIN entities e ON e.id = r.document_id "
    "WHERE r.id = $1",
    "studio_credits": "SELECT version FROM studio_credits WHERE id = $1",
}

_FIELDS = """
SELECT episodes::text AS episodes, NULL AS chapters, NULL AS volumes, duration_minutes::text AS duration,
       concat_ws('-', start_year, lpad(start_month::text, 2, '0'), lpad(start_day::text, 2, '0')) AS start_date,
       concat_ws('-', end_year, lpad(end_month::text, 2, '0'), lpad(end_day::text, 2, '0')) AS end_date
FROM anime WHERE id = $1
UNION ALL
SELECT NULL, chapters::text, volumes::text, NULL,
       concat_ws('-', start_year, lpad(start_month::text, 2, '0'), lpad(start_day::text, 2, '0')),
       concat_ws('-', end_year, lpad(end_month::text, 2, '0'), lpad(end_day::text, 2, '0'))
FROM manga WHERE id = $1
"""


class CatalogueTruth:
    """Reads single facts over one connection."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    async def all_names(self) -> frozenset[str]:
        """Every name of every entity, as written."""
        records = await self._connection.fetch("SELECT DISTINCT name FROM names")
        return frozenset(record["name"] for record in records)

    async def entities(self, ids: set[UUID]) -> dict[UUID, EntityFacts]:
        """Those of `ids` that exist."""
        records = await self._connection.fetch(
            "SELECT id, entity_type, name, version FROM entities WHERE id = ANY($1)", list(ids)
        )
        return {
            record["id"]: EntityFacts(record["entity_type"], record["name"], record["version"]) for record in records
        }

    async def has_edge(self, from_: UUID, rel: EdgeType, to: UUID, hub: UUID | None) -> bool:
        """Whether `(from_)-[rel]->(to)` follows from the truth tables, read in either direction."""
        if rel in DERIVED_EDGES:
            return hub is not None and bool(await self._connection.fetchval(_HUB_LINKS, hub, [from_, to], rel.value))
        inverses = {edge.type.value for edge in EDGES.values() if edge.inverse is rel} | {EDGES[rel].inverse.value}
        return bool(await self._connection.fetchval(_EDGE_EXISTS, from_, to, [rel.value], sorted(inverses)))

    async def document_texts(self, documents: Iterable[UUID]) -> dict[UUID, str]:
        """The stored texts of documents, by id; those that are gone are missing."""
        rows = await self._connection.fetch("SELECT id, text FROM documents WHERE id = ANY($1)", list(documents))
        return {row["id"]: row["text"] for row in rows}

    async def row_version(self, table: str, row_id: int) -> int | None:
        """The version of a role or relation row; None when there is no such row."""
        statement = _ROW_VERSION.get(table)
        version: int | None = await self._connection.fetchval(statement, row_id) if statement is not None else None
        return version

    async def fields(self, work: UUID) -> dict[str, str]:
        """Numbers and dates of a work, as far as they are known, by the names that evidence uses."""
        record = await self._connection.fetchrow(_FIELDS, work)
        return {name: value for name, value in record.items() if value} if record is not None else {}
