"""What one request carries: who asks, its id, fresh loaders, and what the app opened once."""

from dataclasses import dataclass

from agent_api.client import AgentClient, Caller
from datastore.postgres.engine import ReadOnlyEngine
from datastore.postgres.hot import HotPool

from graphql_bff.catalogue.loaders import ExternalIdsLoader, LinkBudget, LinkLoader, NamesLoader, RowLoader
from graphql_bff.looking_ahead import LookAhead
from graphql_bff.reading import CatalogueReader
from graphql_bff.settings import Settings


@dataclass(frozen=True, slots=True)
class Resources:
    """What the app opens once and closes at its end. `reader` reads through `hot`; `engine` is asked for readiness."""

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
        reader = resources.reader
        self.rows = RowLoader(reader)
        self.names = NamesLoader(reader)
        self.external_ids = ExternalIdsLoader(reader)
        self.look_ahead = LookAhead()
        self.links = LinkLoader(reader, self.rows, LinkBudget(resources.settings.max_links))

    def for_operation(self) -> "RequestContext":
        """The context of one operation: this one, where a request holds no more than one."""
        return self
