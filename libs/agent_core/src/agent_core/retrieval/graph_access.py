"""The catalogue's graph for callers outside the loop: described, and asked by queries of their own."""

from dataclasses import dataclass

from agent_core.graph_description import GraphDescription, GraphQueryCheck
from agent_core.query_results import GraphQueryResult
from agent_core.retrieval.graph_describer import GraphDescriber
from agent_core.retrieval.graph_query_executor import PostgresGraphQueryExecutor
from agent_core.schemas import GraphQueryIntent


@dataclass(frozen=True, slots=True)
class GraphAccess:
    """Every method raises SourceUnavailable when the database is away; a refused query is a result."""

    describer: GraphDescriber
    executor: PostgresGraphQueryExecutor

    async def describe(self, *, timeout: float) -> GraphDescription:
        """Labels, properties and relationship types, with counts and samples."""
        return await self.describer.describe(timeout=timeout)

    async def check(self, intent: GraphQueryIntent, *, timeout: float) -> GraphQueryCheck:
        """Whether a query would run."""
        return await self.executor.check(intent, timeout=timeout)

    async def run(self, intent: GraphQueryIntent, *, timeout: float, max_rows: int) -> GraphQueryResult:
        """The rows that a query finds."""
        return await self.executor.execute(intent, timeout=timeout, max_rows=max_rows)
