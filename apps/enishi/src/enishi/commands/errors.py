"""Trouble that a person can do something about: one sentence each, no traceback."""

from agent_api.errors import AgentError
from agent_service.server import PortInUse as AgentPortInUse
from datastore.errors import DatastoreError
from graphql_bff.server import AddressNotUsable, NotStarted
from graphql_bff.server import PortInUse as GraphqlPortInUse
from ingestion.errors import IngestionError

from enishi.migrating import MigrationFailed
from enishi.postgres_binaries import PostgresLauncherError
from enishi.stack_state import StackError

KNOWN_ERRORS = (
    AddressNotUsable,
    AgentError,
    AgentPortInUse,
    DatastoreError,
    GraphqlPortInUse,
    IngestionError,
    MigrationFailed,
    NotStarted,
    PostgresLauncherError,
    StackError,
)


def explain(error: BaseException) -> str:
    """The sentence for a person."""
    return str(error) or type(error).__name__
