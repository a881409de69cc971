"""The GraphQL schema: both search lanes, and entities by id."""

from collections.abc import Sequence
from enum import Enum

import strawberry
from graphql import GraphQLError
from strawberry.extensions import AddValidationRules, DisableIntrospection, MaxTokensLimiter, ParserCache, ValidationCache
from strawberry.schema.config import StrawberryConfig
from strawberry.types import ExecutionContext

from datastore.postgres.entity_cards import EntityCard
from datastore.vocabulary import EntityType
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
