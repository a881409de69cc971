"""FastAPI and Strawberry as their documentation starts one: no caches, no plan; the same search behind the same field.

Run as a module it serves one database on one port until it is ended. Not to be imported beside the GraphQL backend:
both make GraphQL types of the same classes.
"""

import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from enum import StrEnum

import strawberry
import uvicorn
from datastore.postgres.engine import PostgresOptions, open_read_only
from datastore.postgres.name_search import search_names
from datastore.vocabulary import EntityType, NameKind
from fastapi import FastAPI
from strawberry.fastapi import GraphQLRouter

_POOL_SIZE = 8


class NameMatch(StrEnum):
    """How a name met a search."""

    EXACT = "exact"
    PREFIX = "prefix"
    WORD_PREFIX = "word_prefix"
    TYPO = "typo"


for _enum in (EntityType, NameKind, NameMatch):
    strawberry.enum(_enum)


@strawberry.type
class SearchHit:
    """One entity with a name that matches."""

    entity_type: EntityType
    id: strawberry.ID
    name: str
    matched_name: str
    matched_kind: NameKind
    match: NameMatch
    popularity: float
    version: int


def build_app(dsn: str) -> FastAPI:
    """The application over the database at `dsn`."""
    engine = open_read_only(PostgresOptions(dsn=dsn, pool_max_size=_POOL_SIZE))

    @strawberry.type
    class Query:
        @strawberry.field
        async def search(self, query: str, types: list[EntityType] | None = None, first: int = 10) -> list[SearchHit]:
            async with engine.connect() as connection:
                hits = await search_names(connection, query, entity_types=types or (), limit=first)
            return [
                SearchHit(
                    entity_type=hit.entity_type,
                    id=strawberry.ID(str(hit.entity_id)),
                    name=hit.name,
                    matched_name=hit.matched_name,
                    matched_kind=hit.kind,
                    match=NameMatch(hit.match),
                    popularity=hit.popularity,
                    version=hit.version,
                )
                for hit in hits
            ]

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncGenerator[None]:
        yield
        await engine.close()

    app = FastAPI(lifespan=lifespan)
    app.include_router(GraphQLRouter(strawberry.Schema(Query)), prefix="/graphql")
    return app


if __name__ == "__main__":
    uvicorn.run(build_app(sys.argv[1]), host="127.0.0.1", port=int(sys.argv[2]), log_level="error")
