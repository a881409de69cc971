"""The GraphQL schema: both search lanes, and entities by id."""

from collections.abc import Iterable
from contextlib import aclosing
from typing import Any

import strawberry
from datastore.vocabulary import EntityType
from graphql import GraphQLError, GraphQLSchema
from strawberry.extensions import SchemaExtension
from strawberry.scalars import JSON
from strawberry.schema.schema import StreamResult
from strawberry.types import ExecutionContext, ExecutionResult
from strawberry.types.execution import PreExecutionError
from strawberry.types.graphql import OperationType

from graphql_bff.catalogue.entity import Entity, Request, entity_views
from graphql_bff.catalogue.resolvers import find_entities, find_entity
from graphql_bff.catalogue.types import Anime, Character, Document, Episode, Manga, Person, Studio
from graphql_bff.checking import UNNAMED, CheckDocuments, DocumentChecker
from graphql_bff.context import RequestContext
from graphql_bff.descriptions import describe
from graphql_bff.errors import present
from graphql_bff.execution import ShortExecution
from graphql_bff.graph.resolvers import check_query, describe_graph, run_query
from graphql_bff.graph.types import GraphDescription, GraphQueryCheck, GraphQueryResult
from graphql_bff.limits import QueryLimits
from graphql_bff.search.events import EVENT_TYPES
from graphql_bff.search.evidence import EVIDENCE_TYPES
from graphql_bff.search.hits import SearchHit
from graphql_bff.search.resolvers import Budgets, SearchStrategy, ask, find_names, search_request
from graphql_bff.search.subscriptions import Subscription
from graphql_bff.search.types import Answer
from graphql_bff.settings import Settings
from graphql_bff.shortcuts import shorten
from graphql_bff.traces.resolvers import find_trace, list_traces
from graphql_bff.traces.types import Trace


@strawberry.type
class Query:
    """What can be asked."""

    @strawberry.field
    async def search(
        self,
        info: Request,
        query: str,
        types: list[EntityType] | None = None,
        first: int = 10,
        after: str | None = None,
    ) -> list[SearchHit]:
        """Entities by name, as fast as typing: exact, then prefix, then word prefix, then typo; popular ones first."""
        return await find_names(info.context, query, types=types or (), first=first, after=after)

    @strawberry.field
    async def search_ai(
        self,
        info: Request,
        question: str,
        image_query: str | None = None,
        strategy: SearchStrategy = SearchStrategy.AUTO,
        entity_types: list[EntityType] | None = None,
        language: str | None = None,
        budgets: Budgets | None = None,
        session_id: strawberry.ID | None = None,
    ) -> Answer:
        """A grounded answer to a question in natural language. Questions of one session follow on each other."""
        request = search_request(
            question,
            image_query=image_query,
            strategy=strategy,
            entity_types=entity_types or (),
            language=language,
            budgets=budgets,
            session_id=session_id,
        )
        return await ask(info.context, request)

    @strawberry.field
    async def graph_schema(self, info: Request) -> GraphDescription:
        """What the catalogue's graph holds, for those who write queries."""
        return await describe_graph(info.context)

    @strawberry.field
    async def check_graph_query(self, info: Request, text: str, parameters: JSON | None = None) -> GraphQueryCheck:
        """Whether a query in the read-only subset of openCypher would run; nothing of it does."""
        return await check_query(info.context, text, parameters)

    @strawberry.field
    async def graph_query(
        self, info: Request, text: str, parameters: JSON | None = None, first: int = 100
    ) -> GraphQueryResult:
        """The rows that a query in the read-only subset of openCypher finds."""
        return await run_query(info.context, text, parameters, first)

    @strawberry.field
    async def trace(self, info: Request, id: strawberry.ID) -> Trace | None:
        """What the run of an answer did, by its `traceId`; null where the caller has no such run."""
        return await find_trace(info.context, id)

    @strawberry.field
    async def traces(self, info: Request, first: int = 20, before: strawberry.ID | None = None) -> list[Trace]:
        """The caller's last runs, newest first; with `before` those older than that run."""
        return await list_traces(info.context, first, before)

    @strawberry.field
    async def entities(self, info: Request, ids: list[strawberry.ID]) -> list[Entity | None]:
        """Entities by id: as many as ids, in their order, null where there is none."""
        return await find_entities(info, ids)

    @strawberry.field
    async def anime(self, info: Request, id: strawberry.ID) -> Anime | None:
        """One anime; null where the id belongs to nothing, or to something else."""
        return await find_entity(info, id, Anime)

    @strawberry.field
    async def manga(self, info: Request, id: strawberry.ID) -> Manga | None:
        """One printed work."""
        return await find_entity(info, id, Manga)

    @strawberry.field
    async def character(self, info: Request, id: strawberry.ID) -> Character | None:
        """One character."""
        return await find_entity(info, id, Character)

    @strawberry.field
    async def person(self, info: Request, id: strawberry.ID) -> Person | None:
        """One person."""
        return await find_entity(info, id, Person)

    @strawberry.field
    async def studio(self, info: Request, id: strawberry.ID) -> Studio | None:
        """One studio."""
        return await find_entity(info, id, Studio)

    @strawberry.field
    async def episode(self, info: Request, id: strawberry.ID) -> Episode | None:
        """One episode."""
        return await find_entity(info, id, Episode)

    @strawberry.field
    async def document(self, info: Request, id: strawberry.ID) -> Document | None:
        """One document."""
        return await find_entity(info, id, Document)


class Schema(strawberry.Schema):
    """The schema with the limits of `settings`; outside dev mode nothing describes it. `checker` knows them."""

    def __init__(self, settings: Settings) -> None:
        types = (*entity_views(), *EVIDENCE_TYPES, *EVENT_TYPES)
        describe((Query, Subscription, *types))
        self._is_dev = settings.dev_mode
        super().__init__(  # pyright: ignore[reportUnknownMemberType] - the library leaves a type argument open
            query=Query,
            subscription=Subscription,
            types=types,
            extensions=[self._check_documents],
            execution_context_class=ShortExecution,
        )
        shorten(self)
        self.checker = DocumentChecker(
            self._schema,
            QueryLimits(
                depth=settings.max_query_depth,
                aliases=settings.max_query_aliases,
                fields=settings.max_query_fields,
                repeats=settings.max_query_repeats,
                fragments=settings.max_query_fragments,
                operations=settings.max_query_operations,
            ),
            max_tokens=settings.max_query_tokens,
            describes_itself=settings.dev_mode,
        )

    @property
    def core(self) -> GraphQLSchema:
        """The schema as the library below sees it."""
        return self._schema

    async def execute(
        self,
        query: str | None,
        variable_values: dict[str, Any] | None = None,
        context_value: RequestContext | None = None,
        root_value: object = None,
        operation_name: str | None = None,
        allowed_operation_types: Iterable[OperationType] | None = None,
        operation_extensions: dict[str, Any] | None = None,
    ) -> ExecutionResult:
        """The one result of an operation. A subscription has many: it is refused here, where `stream` isn't asked."""
        allowed = set(allowed_operation_types or OperationType) - {OperationType.SUBSCRIPTION}
        name = self._asked_for(query, operation_name)
        return await super().execute(
            query, variable_values, context_value, root_value, name, allowed, operation_extensions
        )

    def _asked_for(self, query: str | None, operation_name: str | None) -> str | None:
        is_open = operation_name is None and query is not None and self.checker.leaves_open(query)
        return UNNAMED if is_open else operation_name

    async def stream(
        self,
        query: str | None,
        variable_values: dict[str, Any] | None = None,
        context_value: RequestContext | None = None,
        root_value: object = None,
        operation_name: str | None = None,
        operation_extensions: dict[str, Any] | None = None,
        allowed_operation_types: Iterable[OperationType] | None = None,
    ) -> StreamResult:
        """The results of an operation as they come, their errors fit for callers; with a context of its own."""
        context = context_value.for_operation() if context_value is not None else None
        results = await super().stream(
            query,
            variable_values,
            context,
            root_value,
            self._asked_for(query, operation_name),
            operation_extensions,
            allowed_operation_types,
        )
        return self._presented(results)

    async def _presented(self, results: StreamResult) -> StreamResult:
        async with aclosing(results):
            try:
                async for result in results:
                    if isinstance(result, ExecutionResult) and result.errors:
                        result.errors = present(result.errors, with_suggestions=self._is_dev)
                    yield result
            except GraphQLError as refused:  # what is no document at all
                yield PreExecutionError(data=None, errors=present([refused], with_suggestions=self._is_dev))

    def process_errors(self, errors: list[GraphQLError], execution_context: ExecutionContext | None = None) -> None:
        """Nothing: errors are logged where they are explained, the library's own log would print their text."""

    def _check_documents(self) -> SchemaExtension:
        return CheckDocuments(self.checker)
