"""What one request carries: who asks, its id, fresh loaders, and what the app opened once."""

from dataclasses import dataclass

from agent_api.client import AgentClient, Caller
from datastore.postgres.engine import ReadOnlyEngine
from datastore.postgres.hot import HotPool

from graphql_bff.catalogue.loaders import CardLoader, LinkBudget, LinkLoader
from graphql_bff.reading import CatalogueReader
from graphql_bff.settings import Settings


@dataclass(frozen=True, slots=True)
class Resources:
    """What the app opens once and closes at its end. `reader` reads through `engine`; `hot` has its own connections."""

    settings: Settings
    engine: ReadOnlyEngine
    reader: CatalogueReader
    hot: HotPool
    agent: AgentClient


class RequestContext:
    """One per request, never shared."""

    def __init__(self, resources: Resources, caller: Caller) -> None:
        self.resources = resources
        self.caller = caller
        self.cards = CardLoader(resources.reader)
        self.links = LinkLoader(resources.reader, LinkBudget(resources.settings.max_links))
