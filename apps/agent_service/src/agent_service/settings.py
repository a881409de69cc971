"""The environment of the agent service, read once. Every variable starts with `ENISHI_`."""

import os
from pathlib import Path
from typing import Literal, Self

from embeddings.images.options import ImageFields
from pydantic import Field, SecretStr, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

LOOPBACK_HOSTS = frozenset({"127.0.0.1", "::1", "localhost"})


def _default_cache() -> Path:
    """Where things are kept that can be made again; the same folder as the command line's."""
    if os.geteuid() == 0:
        return Path("/var/cache/enishi")
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "enishi"


class Settings(ImageFields, BaseSettings):
    """What the agent service can be told. Limits here are ceilings: a request may ask for less, never for more."""

    model_config = SettingsConfigDict(env_prefix="ENISHI_", env_ignore_empty=True, frozen=True, extra="forbid")

    agent_host: str = "127.0.0.1"
    agent_port: int = Field(default=50051, ge=0, le=65_535)
    allow_remote: bool = Field(default=False, description="Allow a bind that other machines can reach.")
    internal_token: SecretStr | None = Field(default=None, description="Secret that callers must present.")

    postgres_dsn: SecretStr = SecretStr("postgresql://enishi@127.0.0.1:5432/enishi")
    postgres_role: str = Field(default="enishi_reader", description="The role that reads run as.")
    pool_min_size: int = Field(default=1, ge=0, le=100)
    pool_max_size: int = Field(default=8, ge=1, le=100)
    hot_postgres_dsn: SecretStr | None = Field(
        default=None,
        description="Where names are looked up: the server itself, should ENISHI_POSTGRES_DSN be a pooler by "
        "transactions. The same by default.",
    )
    hot_pool_max_size: int = Field(default=4, ge=1, le=100, description="Connections for that.")
    statement_timeout_ms: int = Field(default=2_000, ge=50, le=60_000)
    query_timeout_ms: int = Field(default=3_000, ge=50, le=60_000, description="Client-side limit of one query.")

    qdrant_url: str | None = None
    qdrant_api_key: SecretStr | None = None
    vector_socket: Path | None = Field(default=None, description="Socket of the embedded store's owner.")
    cache: Path = Field(default_factory=_default_cache, description="Folder of what can be made again.")

    llm_base_url: str | None = None
    llm_api_key: SecretStr | None = None
    llm_model: str | None = None
    llm_mode: Literal["auto", "tools", "json_schema", "json"] = "auto"
    fast_path: bool = Field(default=True, description="Answer obvious lookups without asking the model.")

    max_turns: int = Field(default=6, ge=1, le=20)
    max_model_calls: int = Field(default=12, ge=0, le=100)
    max_tool_calls: int = Field(default=24, ge=1, le=200)
    max_tokens: int = Field(default=60_000, ge=0)
    request_seconds: float = Field(default=30.0, gt=0, le=300)

    graph_loop_rows: int = Field(default=100, ge=1, le=1_000, description="Rows of a graph query that an answer reads.")
    graph_max_rows: int = Field(default=1_000, ge=1, le=20_000, description="Most rows of a graph query for a caller.")
    graph_max_cost: float = Field(
        default=20_000_000, gt=0, description="In the planner's units: a graph query expected to cost more is refused."
    )
    graph_schema_tokens: int = Field(
        default=1_500, ge=100, le=20_000, description="What the graph's description may take of a model's context."
    )

    session_days: int = Field(default=30, ge=1, le=3_650, description="How long a session is kept after its last turn.")
    session_turns: int = Field(default=50, ge=1, le=1_000, description="How many turns of a session are kept.")
    session_pool_size: int = Field(default=2, ge=1, le=100)

    max_concurrent_requests: int = Field(default=32, ge=1, le=10_000)
    max_message_bytes: int = Field(default=4 * 1024 * 1024, ge=65_536)
    drain_seconds: float = Field(default=25.0, ge=0, le=300)
    log_level: Literal["debug", "info", "warning", "error"] = "info"

    @model_validator(mode="after")
    def _remote_only_when_asked(self) -> Self:
        if self.agent_host not in LOOPBACK_HOSTS and not self.agent_host.startswith("unix:"):
            if not self.allow_remote:
                raise ValueError(
                    f"ENISHI_AGENT_HOST={self.agent_host} is reachable from other machines: "
                    "set ENISHI_ALLOW_REMOTE=true and ENISHI_INTERNAL_TOKEN, or bind 127.0.0.1"
                )
            if self.internal_token is None:
                raise ValueError("ENISHI_INTERNAL_TOKEN is required when ENISHI_AGENT_HOST is not loopback")
        return self

    @property
    def bind_address(self) -> str:
        """The address in gRPC's form."""
        return self.agent_host if self.agent_host.startswith("unix:") else f"{self.agent_host}:{self.agent_port}"
