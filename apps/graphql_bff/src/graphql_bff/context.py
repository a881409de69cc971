"""What one request carries: who asks, its id, fresh loaders, and what the app opened once."""

from dataclasses import dataclass
from functools import cached_property
from uuid import UUID

from agent_api.client import AgentClient, Caller
from datastore.postgres.engine import ReadOnlyEngine
from strawberry.fastapi import BaseContext

from graphql_bff.catalogue.loaders import CardLoader, LinkLoader
from graphql_bff.errors import BadInput
from graphql_bff.settings import Settings


@dataclass(frozen=True, slots=True)
class Resources:
    """What the app opens once and closes at its end."""

    settings: Settings
    engine: ReadOnlyEngine
    agent: AgentClient

    @property
    def query_seconds(self) -> float:
        """The client-side limit of one batch of statements."""
        return self.settings.query_timeout_ms / 1000


class RequestContext(BaseContext):
    """One per request, never shared."""

    def __init__(self, resources: Resources, caller: Caller) -> None:
        super().__init__()
        self.resources = resources
        self.caller = caller

    @cached_property
    def cards(self) -> CardLoader:
        """Cards by id."""
        return CardLoader(self.resources.engine, timeout_seconds=self.resources.query_seconds)

    @cached_property
    def links(self) -> LinkLoader:
        """Links by entity."""
        return LinkLoader(self.resources.engine, timeout_seconds=self.resources.query_seconds)

    def checked_first(self, first: int) -> int:
        """`first` itself. Raises BadInput outside 1 to the limit."""
        limit = self.resources.settings.max_first
        if not 1 <= first <= limit:
            raise BadInput("first", f"must be between 1 and {limit}")
        return first


def parsed_id(text: str, field: str = "id") -> UUID:
    """A UUID. Raises BadInput that names the field."""
    try:
        return UUID(text)
    except ValueError:
        raise BadInput(field, "must be a UUID") from None
