"""Trouble that a person can do something about: one sentence each, no traceback."""

import sys
from collections.abc import Mapping, Sequence


class UsageError(Exception):
    """An argument that can't be used; the message names it. Nothing was started for it."""


_KNOWN: Mapping[str, Sequence[str]] = {
    "agent_api.errors": ("AgentError",),
    "agent_core.llm.providers": ("ProviderNotInstalled",),
    "agent_evals.dataset": ("DatasetError",),
    "agent_service.model_settings": ("ModelNotUsable",),
    "agent_service.server": ("PortInUse",),
    "datastore.errors": ("DatastoreError",),
    "embeddings.protocol": ("EmbedderUnavailable",),
    "enishi.migrating": ("MigrationFailed",),
    "enishi.postgres_binaries": ("PostgresLauncherError",),
    "enishi.stack_state": ("StackError",),
    "graphql_bff.server": ("AddressNotUsable", "NotStarted", "PortInUse"),
    "ingestion.errors": ("IngestionError",),
}
"""By module, so that a command pays for the parts that it uses: what wasn't imported can't have been raised."""


def is_known(error: Exception) -> bool:
    """Whether the error's own message is fit for people."""
    if isinstance(error, UsageError):
        return True
    kinds = tuple(
        getattr(sys.modules[module], name)
        for module, names in _KNOWN.items()
        if module in sys.modules
        for name in names
    )
    return isinstance(error, kinds)


def explain(error: Exception) -> str:
    """The sentence for a person."""
    return str(error) or type(error).__name__
