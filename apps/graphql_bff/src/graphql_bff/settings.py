"""The environment of the GraphQL backend, read once. Every variable starts with `ENISHI_`."""

import re
from pathlib import Path
from typing import Literal, Self

from pydantic import Field, SecretStr, field_validator, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

LOOPBACK_HOSTS = frozenset({"127.0.0.1", "::1", "localhost"})
MIN_KEY_CHARACTERS = 16
# A principal travels as gRPC metadata, which is printable ASCII.
_PRINCIPAL = re.compile(r"[\x21-\x7e]{1,200}")


class Settings(BaseSettings):
    """What the GraphQL backend can be told."""

    model_config = SettingsConfigDict(env_prefix="ENISHI_", env_ignore_empty=True, frozen=True, extra="forbid")

    graphql_host: str = "127.0.0.1"
    graphql_port: int = Field(default=8000, ge=0, le=65_535)
    allow_remote: bool = Field(default=False, description="Allow a bind that other machines can reach.")
    api_keys: dict[str, SecretStr] = Field(
        default_factory=dict[str, SecretStr],
        description='Principal to key, as JSON: {"alice": "…"}. Empty: the caller is `local`.',
    )
    dev_mode: bool = Field(default=False, description="GraphiQL, introspection and suggestions.")

    agent_target: str = "127.0.0.1:50051"
    internal_token: SecretStr | None = None
    agent_timeout_seconds: float = Field(default=35.0, gt=0, le=310)
    max_message_bytes: int = Field(default=4 * 1024 * 1024, ge=65_536)

    postgres_dsn: SecretStr = SecretStr("postgresql://enishi@127.0.0.1:5432/enishi")
    postgres_role: str = Field(default="enishi_reader", description="The role that reads run as.")
    pool_min_size: int = Field(default=1, ge=0, le=100)
    pool_max_size: int = Field(default=8, ge=1, le=100)
    hot_postgres_dsn: SecretStr | None = Field(
        default=None,
        description="Where search and registered operations connect: the server itself, should ENISHI_POSTGRES_DSN be "
        "a pooler by transactions. The same by default.",
    )
    hot_pool_max_size: int = Field(default=4, ge=1, le=100, description="Connections for them.")
    hot_together: int = Field(
        default=32,
        ge=1,
        le=1_000,
        description="Callers that one statement answers when many ask.",
    )
    hot_waiting: int = Field(
        default=1_024,
        ge=1,
        le=100_000,
        description="Callers that may wait for that; the next one is refused.",
    )
    statement_timeout_ms: int = Field(default=2_000, ge=50, le=60_000)
    acquire_timeout_ms: int = Field(
        default=900, ge=50, le=60_000, description="How long the database may take to begin a read."
    )
    query_timeout_ms: int = Field(default=3_000, ge=50, le=60_000, description="Client-side limit of one read.")

    max_sockets: int = Field(default=200, ge=0, le=100_000, description="WebSockets that are open at one time.")
    max_socket_operations: int = Field(default=5, ge=1, le=1_000, description="Subscriptions of one WebSocket.")
    socket_init_seconds: float = Field(
        default=5.0, gt=0, le=300, description="How long a WebSocket may take to say who asks."
    )
    socket_ping_seconds: float = Field(
        default=20.0, gt=0, le=3_600, description="Between two pings, and how long one may go unanswered."
    )
    max_body_bytes: int = Field(default=256 * 1024, ge=1_024)
    body_seconds: float = Field(default=10.0, gt=0, le=300, description="How long a body may take to arrive.")
    max_json_depth: int = Field(default=32, ge=4, le=256)
    max_query_depth: int = Field(default=10, ge=2, le=64)
    max_query_aliases: int = Field(default=15, ge=0, le=1_000)
    max_query_tokens: int = Field(default=1_000, ge=50, le=100_000)
    max_query_fields: int = Field(default=500, ge=10, le=100_000)
    max_query_operations: int = Field(default=10, ge=1, le=1_000)
    max_query_fragments: int = Field(default=40, ge=0, le=1_000)
    max_query_repeats: int = Field(default=100, ge=0, le=10_000, description="Fields that merge into an earlier one.")
    max_first: int = Field(default=50, ge=1, le=500)
    max_ids: int = Field(default=500, ge=1, le=5_000)
    max_links: int = Field(default=5_000, ge=100, le=1_000_000, description="Links that one request may load.")
    graph_max_rows: int = Field(default=1_000, ge=1, le=20_000, description="Most rows of a graph query.")
    trusted_documents: Path | None = Field(
        default=None, description="A folder of `*.graphql`, or a JSON manifest of SHA-256 to text, to compile at start."
    )
    shipped_documents: bool = Field(default=True, description="Whether the operations that ship are compiled at start.")
    young_objects: int = Field(
        default=20_000,
        ge=0,
        le=10_000_000,
        description="New objects between two collections; 0 leaves Python's.",
    )
    otlp_endpoint: str | None = Field(
        default=None, pattern=r"^https?://\S+$", description="Where spans go, over gRPC, e.g. http://127.0.0.1:4317."
    )
    drain_seconds: int = Field(default=25, ge=0, le=300)
    log_level: Literal["debug", "info", "warning", "error"] = "info"

    @field_validator("api_keys")
    @classmethod
    def _keys_are_keys(cls, keys: dict[str, SecretStr]) -> dict[str, SecretStr]:
        for principal, key in keys.items():
            if not _PRINCIPAL.fullmatch(principal):
                raise ValueError("a principal is 1 to 200 printable ASCII characters without spaces")
            value = key.get_secret_value()
            if len(value) < MIN_KEY_CHARACTERS or not value.isascii() or not value.isprintable() or " " in value:
                raise ValueError(
                    f"the key of {principal} must have at least {MIN_KEY_CHARACTERS} printable ASCII characters"
                )
        if len({key.get_secret_value() for key in keys.values()}) < len(keys):
            raise ValueError("two principals share a key")
        return keys

    @model_validator(mode="after")
    def _remote_only_when_asked(self) -> Self:
        if self.graphql_host not in LOOPBACK_HOSTS:
            if not self.allow_remote:
                raise ValueError(
                    f"ENISHI_GRAPHQL_HOST={self.graphql_host} is reachable from other machines: "
                    "set ENISHI_ALLOW_REMOTE=true and ENISHI_API_KEYS, or bind 127.0.0.1"
                )
            if not self.api_keys:
                raise ValueError("ENISHI_API_KEYS is required when ENISHI_GRAPHQL_HOST is not loopback")
        return self
