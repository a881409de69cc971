"""Gold answers: computed by SQL from the truth tables, never by product code."""

import re
from dataclasses import dataclass
from uuid import UUID

import asyncpg

from agent_evals.dataset import Case, DatasetError, NameBook, Parameter
from agent_evals.gold_queries import QUERIES

type Connection = asyncpg.Connection[asyncpg.Record]

_REF = re.compile(r"^[a-z0-9_]+:[a-z0-9_]+:\S+$")
_LISTS = frozenset({"works", "liked", "disliked"})
_SINGLE_AS_LIST = frozenset({("work_field", "work")})


@dataclass(frozen=True, slots=True)
class GoldRow:
    """One expected entity or value. `names` are all the names the entity goes by."""

    entity: UUID | None
    value: str | None
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Gold:
    """What a right answer consists of; no rows when there is no answer.

    `field` is what a comparison is about, `units` are what a quantity may be counted in.
    """

    rows: tuple[GoldRow, ...]
    subjects: frozenset[UUID]
    field: str | None = None
    units: tuple[str, ...] = ()

    @property
    def entities(self) -> frozenset[UUID]:
        """The expected entities."""
        return frozenset(row.entity for row in self.rows if row.entity is not None)

    @property
    def values(self) -> tuple[str, ...]:
        """The expected values."""
        return tuple(row.value for row in self.rows if row.value is not None)


class GoldSource:
    """Reads gold answers from one database over one connection."""

    def __init__(self, connection: Connection, names: NameBook) -> None:
        self._connection = connection
        self._names = names

    async def gold(self, case: Case) -> Gold:
        """What the catalogue says about `case` right now.

        Raises:
            DatasetError: a reference of the case is not in the catalogue.
        """
        query = QUERIES[case.gold.query]
        arguments = [
            await self._argument(case.gold.query, name, case.gold.parameters.get(name)) for name in query.places
        ]
        records = await self._connection.fetch(query.sql, *arguments)
        names = await self._names_of([record["entity"] for record in records if record["entity"] is not None])
        rows = tuple(GoldRow(record["entity"], record["value"], names.get(record["entity"], ())) for record in records)
        subjects = [await self._id(ref) for ref in case.subjects]
        field = case.gold.parameters.get("field")
        return Gold(rows, frozenset(subjects), field if isinstance(field, str) else None, case.units)

    async def _argument(self, query: str, name: str, value: Parameter) -> object:
        if isinstance(value, str):
            filled = self._names.fill(value)
            argument = await self._id(filled) if _REF.match(filled) else filled
            return [argument] if (query, name) in _SINGLE_AS_LIST else argument
        if isinstance(value, list) and name in _LISTS:
            return [await self._id(ref) for ref in value]
        return value

    async def _id(self, ref: str) -> UUID:
        source, kind, external_id = ref.split(":", 2)
        found = await self._connection.fetchval(
            "SELECT entity_id FROM external_ids WHERE source = $1 AND kind = $2 AND external_id = $3",
            source,
            kind,
            external_id,
        )
        if not isinstance(found, UUID):
            raise DatasetError(f"{ref} is not in the catalogue")
        return found

    async def _names_of(self, ids: list[UUID]) -> dict[UUID, tuple[str, ...]]:
        records = await self._connection.fetch(
            """
            SELECT entity_id, array_agg(name ORDER BY kind <> 'main', id) AS names
            FROM names WHERE entity_id = ANY($1) GROUP BY entity_id
            """,
            ids,
        )
        return {record["entity_id"]: tuple(record["names"]) for record in records}
