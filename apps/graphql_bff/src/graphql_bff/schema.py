"""The GraphQL schema: both search lanes, and entities by id."""

from collections.abc import Callable, Sequence

import strawberry
from datastore.postgres.entity_cards import EntityCard
from datastore.vocabulary import EntityType
from graphql import ExecutionResult as GraphQLExecutionResult
from graphql import GraphQLError
from strawberry.extensions import (
    AddValidationRules,
    DisableIntrospection,
    MaxTokensLimiter,
    ParserCache,
    SchemaExtension,
    ValidationCache,
)
from strawberry.schema.config import StrawberryConfig
from strawberry.types import ExecutionContext
from strawberry.types import ExecutionResult as StrawberryExecutionResult

from graphql_bff.catalogue.types import (
    ENTITY_TYPES,
    Anime,
    Character,
    Entity,
    Episode,
    Manga,
    Person,
    Request,
    Studio,
    entity_of,
)
from graphql_bff.context import parsed_id
from graphql_bff.errors import BadInput, present
from graphql_bff.limits import QueryLimits, limit_rule
from graphql_bff.search.resolvers import Budgets, SearchStrategy, ask, find_names
from graphql_bff.search.types import Answer, SearchHit
from graphql_bff.settings import Settings

_CACHED_DOCUMENTS = 500


async def _card(info: Request, text: str, entity_type: EntityType) -> EntityCard | None:
    card = await info.context.cards.load(parsed_id(text))
    return card if card is not None and card.entity_type is entity_type else None


@strawberry.type
class Query:
    """What can be asked."""

    @strawberry.field
    async def search(
        self, info: Request, query: str, types: list[EntityType] | None = None, first: int = 10
    ) -> list[SearchHit]:
        """Entities by name, as fast as typing: exact, then prefix, then word prefix, then typo; popular ones first."""
        return await find_names(info.context, query, types=types or (), first=first)

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
    ) -> Answer:
        """A grounded answer to a question in natural language."""
        return await ask(
            info.context,
            question,
            image_query=image_query,
            strategy=strategy,
            entity_types=entity_types or (),
            language=language,
            budgets=budgets,
        )

    @strawberry.field
    async def entities(self, info: Request, ids: list[strawberry.ID]) -> list[Entity | None]:
        """Entities by id: as many as ids, in their order, null where there is none."""
        limit = info.context.resources.settings.max_ids
        if len(ids) > limit:
            raise BadInput("ids", f"at most {limit}")
        keys = [parsed_id(text, f"ids[{index}]") for index, text in enumerate(ids)]
        return [entity_of(card) if card else None for card in await info.context.cards.load_many(keys)]

    @strawberry.field
    async def anime(self, info: Request, id: strawberry.ID) -> Anime | None:
        """One anime."""
        card = await _card(info, id, EntityType.ANIME)
        return Anime(card=card) if card else None

    @strawberry.field
    async def manga(self, info: Request, id: strawberry.ID) -> Manga | None:
        """One printed work."""
        card = await _card(info, id, EntityType.MANGA)
        return Manga(card=card) if card else None

    @strawberry.field
    async def character(self, info: Request, id: strawberry.ID) -> Character | None:
        """One character."""
        card = await _card(info, id, EntityType.CHARACTER)
        return Character(card=card) if card else None

    @strawberry.field
    async def person(self, info: Request, id: strawberry.ID) -> Person | None:
        """One person."""
        card = await _card(info, id, EntityType.PERSON)
        return Person(card=card) if card else None

    @strawberry.field
    async def studio(self, info: Request, id: strawberry.ID) -> Studio | None:
        """One studio."""
        card = await _card(info, id, EntityType.STUDIO)
        return Studio(card=card) if card else None

    @strawberry.field
    async def episode(self, info: Request, id: strawberry.ID) -> Episode | None:
        """One episode."""
        card = await _card(info, id, EntityType.EPISODE)
        return Episode(card=card) if card else None


class PresentErrors(SchemaExtension):
    """Replaces what went wrong by what a caller may see of it."""

    def on_operation(self):
        """After the operation: errors are rewritten in place."""
        yield
        result = self.execution_context.result
        if isinstance(result, (GraphQLExecutionResult, StrawberryExecutionResult)) and result.errors:
            result.errors = present(result.errors)


class Schema(strawberry.Schema):
    """Errors are logged where they are explained; the library's own log would print their text."""

    def process_errors(self, errors: list[GraphQLError], execution_context: ExecutionContext | None = None) -> None:
        """Nothing to do here."""


def build_schema(settings: Settings) -> strawberry.Schema:
    """The schema with the limits of `settings`; outside dev mode nothing describes it."""
    limits = QueryLimits(
        depth=settings.max_query_depth, aliases=settings.max_query_aliases, fields=settings.max_query_fields
    )
    rule = limit_rule(limits)
    extensions: list[type[SchemaExtension] | Callable[[], SchemaExtension]] = [
        lambda: MaxTokensLimiter(max_token_count=settings.max_query_tokens),
        lambda: AddValidationRules([rule]),
        lambda: ParserCache(maxsize=_CACHED_DOCUMENTS),
        lambda: ValidationCache(maxsize=_CACHED_DOCUMENTS),
        PresentErrors,
    ]
    if not settings.dev_mode:
        extensions.append(DisableIntrospection)
    types: Sequence[type] = ENTITY_TYPES
    return Schema(
        query=Query,
        types=types,
        extensions=extensions,
        config=StrawberryConfig(disable_field_suggestions=not settings.dev_mode),
    )
