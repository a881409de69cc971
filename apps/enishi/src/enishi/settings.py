"""The environment of the command line and the embedded stack, read once. Every variable starts with `ENISHI_`."""

import os
from pathlib import Path
from typing import Literal

from pydantic import Field
from pydantic_settings import BaseSettings, SettingsConfigDict


def _default_home() -> Path:
    """Where the embedded stack keeps its data. Root's home is closed to the account that PostgreSQL then runs as."""
    if os.geteuid() == 0:
        return Path("/var/lib/enishi")
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "enishi"


def _default_cache() -> Path:
    """Where things are kept that can be made again. Root's home is closed here too."""
    if os.geteuid() == 0:
        return Path("/var/cache/enishi")
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "enishi"


class Settings(BaseSettings):
    """What the command line can be told. Ports of 0 are chosen by the system."""

    model_config = SettingsConfigDict(env_prefix="ENISHI_", env_ignore_empty=True, frozen=True, extra="forbid")

    home: Path = Field(default_factory=_default_home, description="Folder of the embedded stack's data.")
    cache: Path = Field(default_factory=_default_cache, description="Folder of what can be made again: benchmark data.")
    data: Path | None = Field(default=None, description="Folder of the public data that `enishi eval` reads.")
    graphql_host: str = "127.0.0.1"
    graphql_port: int = Field(default=8000, ge=0, le=65_535)
    agent_port: int = Field(default=50051, ge=0, le=65_535)
    start_seconds: float = Field(default=60.0, gt=0, le=600)
    ask_seconds: float = Field(default=30.0, gt=0, le=300)
    npm_registry: str = Field(
        default="https://registry.npmjs.org", pattern=r"^https?://\S+$", description="Where packages are imported from."
    )
    npm_seconds: float = Field(default=120.0, gt=0, le=3_600, description="How long fetching one package may take.")
    import_loss_share: float = Field(
        default=0.05, ge=0, le=1, description="Share of what a source said before that a new dump may lack unasked."
    )
    import_loss_minimum: int = Field(default=3, ge=1, description="Fewer than this many never hold an import back.")
    chunk_tokens: int = Field(default=200, ge=20, le=4_000, description="How large a chunk of a document may be.")
    chunk_overlap: int = Field(default=40, ge=0, le=1_000, description="Tokens a chunk may repeat from the one before.")
    document_file_bytes: int = Field(
        default=64 * 1024 * 1024, ge=1_024, le=1024**3, description="A larger file, or line of JSON, is refused."
    )
    document_unpacked_bytes: int = Field(
        default=256 * 1024 * 1024, ge=1_024, le=4 * 1024**3, description="What a packed document may hold in all."
    )
    document_characters: int = Field(default=20_000_000, ge=1_000, le=200_000_000, description="A text's length.")
    document_seconds: float = Field(default=60.0, gt=0, le=3_600, description="How long reading one document may take.")
    document_pages: int = Field(default=5_000, ge=1, le=100_000, description="Pages of a PDF.")
    log_level: Literal["debug", "info", "warning", "error"] = "warning"


def prepare_environment() -> None:
    """Set what libraries read from the environment; call it before gRPC is imported.

    With its fork support gRPC starts threads in every forked child, which PostgreSQL's programs are until they are
    executed; no process of ours forks to go on with gRPC.
    """
    os.environ.setdefault("GRPC_ENABLE_FORK_SUPPORT", "0")


def unknown_variables(known: frozenset[str]) -> list[str]:
    """Names of set environment variables that start with `ENISHI_` and that nobody reads."""
    return sorted(name for name in os.environ if name.startswith("ENISHI_") and name not in known)
