"""What a graph query gives: rows, or why it was not run."""

from datetime import datetime

from pydantic import JsonValue

from agent_core.evidence import Contract, EntityRef, Evidence, QueryResultEvidence
from agent_core.schemas import StepStatus, Warning


class QueryRefusal(Contract):
    """Why a graph query was not run, and what to write instead."""

    line: int
    column: int
    message: str
    hint: str


class GraphQueryResult(Contract):
    """What a graph query returned. `row_count` counts all rows, of which `rows` may hold only the first."""

    status: StepStatus = StepStatus.OK
    summary: str = ""
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[JsonValue, ...], ...] = ()
    row_count: int = 0
    truncated: bool = False
    refusal: QueryRefusal | None = None
    data_date: datetime | None = None
    evidence: tuple[Evidence, ...] = ()
    warnings: tuple[Warning, ...] = ()

    @property
    def entities(self) -> tuple[EntityRef, ...]:
        """Those whose ids are among the rows or the parameters, with their names."""
        return tuple(ref for each in self.evidence if isinstance(each, QueryResultEvidence) for ref in each.entities)

    @property
    def count(self) -> int:
        """How many rows there are in all."""
        return self.row_count
