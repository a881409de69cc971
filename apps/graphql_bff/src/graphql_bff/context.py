"""What one request carries: who asks, its id, fresh loaders, and what the app opened once."""

from dataclasses import dataclass

from agent_api.client import AgentClient, Caller
from datastore.postgres.engine import ReadOnlyEngine

from graphql_bff.catalogue.loaders import CardLoader, LinkBudget, LinkLoader
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


class RequestContext:
    """One per request, never shared."""

    def __init__(self, resources: Resources, caller: Caller) -> None:
        engine, seconds = resources.engine, resources.query_seconds
        self.resources = resources
        self.caller = caller
        self.cards = CardLoader(engine, timeout_seconds=seconds)
        self.links = LinkLoader(engine, LinkBudget(resources.settings.max_links), timeout_seconds=seconds)
