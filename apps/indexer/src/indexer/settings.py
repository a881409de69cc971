"""The environment of the indexer, read once. Every variable starts with `ENISHI_`."""

import os
from pathlib import Path
from typing import Literal, Self

from embeddings.options import EmbeddingFields
from pydantic import Field, SecretStr, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict


def _default_cache() -> Path:
    """Where things are kept that can be made again; the same folder as the command line's."""
    if os.geteuid() == 0:
        return Path("/var/cache/enishi")
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "enishi"


class Settings(EmbeddingFields, BaseSettings):
    """What the indexer can be told. The index is a server's, or an embedded one behind its owner's socket."""

    model_config = SettingsConfigDict(env_prefix="ENISHI_", env_ignore_empty=True, frozen=True, extra="forbid")

    postgres_dsn: SecretStr = SecretStr("postgresql://enishi@127.0.0.1:5432/enishi")
    pool_max_size: int = Field(default=4, ge=1, le=100)
    statement_timeout_ms: int = Field(default=10_000, ge=50, le=600_000)

    qdrant_url: str | None = None
    qdrant_api_key: SecretStr | None = None
    vector_socket: Path | None = Field(default=None, description="Socket of the embedded store's owner.")
    cache: Path = Field(default_factory=_default_cache, description="Folder of what can be made again.")

    otlp_endpoint: str | None = Field(
        default=None, pattern=r"^https?://\S+$", description="Where spans go, over gRPC, e.g. http://127.0.0.1:4317."
    )

    index_batch_size: int = Field(default=64, ge=1, le=1_000)
    index_lease_seconds: float = Field(default=60.0, ge=5, le=3_600)
    index_max_attempts: int = Field(default=5, ge=1, le=100)
    index_poll_seconds: float = Field(default=0.5, ge=0.05, le=60)
    log_level: Literal["debug", "info", "warning", "error"] = "info"

    @model_validator(mode="after")
    def _has_no_two_stores(self) -> Self:
        if self.qdrant_url is not None and self.vector_socket is not None:
            raise ValueError("set ENISHI_QDRANT_URL or ENISHI_VECTOR_SOCKET, not both")
        return self
