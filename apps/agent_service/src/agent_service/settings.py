"""The environment of the agent service, read once. Every variable starts with `ENISHI_`."""

import os
from pathlib import Path
from typing import Literal, Self

from agent_core.llm.options import ModelOptions
from agent_core.orchestrator import FollowLimits
from agent_core.retrieval.web_search import TAVILY_URL, WebOptions, WebProvider
from embeddings.images.options import ImageFields
from pydantic import Field, SecretStr, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from agent_service.model_settings import KnownNames, ModelFields, model_options

LOOPBACK_HOSTS = frozenset({"127.0.0.1", "::1", "localhost"})


def _default_cache() -> Path:
    """Where things are kept that can be made again; the same folder as the command line's."""
    if os.geteuid() == 0:
        return Path("/var/cache/enishi")
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "enishi"


class Settings(ImageFields, ModelFields, BaseSettings):
    """What the agent service can be told. Limits here are ceilings: a request may ask for less, never for more."""

    model_config = SettingsConfigDict(
        env_prefix="ENISHI_", env_ignore_empty=True, frozen=True, extra="forbid", hide_input_in_errors=True
    )

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

    fast_path: bool = Field(default=True, description="Answer obvious lookups without asking the model.")

    max_turns: int = Field(default=6, ge=1, le=20)
    max_model_calls: int = Field(default=12, ge=0, le=100)
    max_tool_calls: int = Field(default=24, ge=1, le=200)
    max_tokens: int = Field(default=60_000, ge=0)
    max_cost: float | None = Field(default=None, gt=0, description="In the currency of ENISHI_LLM_PRICES.")
    request_seconds: float = Field(default=30.0, gt=0, le=300)

    web_search: Literal["none", "searxng", "tavily"] = Field(default="none", description="What searches the web.")
    web_url: str | None = Field(default=None, pattern=r"^https?://\S+$", description="Its address, without /search.")
    web_api_key: SecretStr | None = None
    web_results: int = Field(default=2, ge=1, le=20, description="Most pages that one search brings.")
    web_bytes: int = Field(default=1_000_000, ge=10_000, le=20_000_000, description="A longer answer is none.")

    follow_depth: int = Field(default=2, ge=1, le=10, description="How many references away from a passage is read.")
    follow_references: int = Field(default=8, ge=1, le=100, description="References of one document that are followed.")
    follow_tokens: int = Field(default=8_000, ge=100, le=1_000_000, description="What one following may read in all.")
    follow_visits: int = Field(default=3, ge=1, le=100, description="Visits of one document that end a following.")

    graph_loop_rows: int = Field(default=100, ge=1, le=1_000, description="Rows of a graph query that an answer reads.")
    graph_max_rows: int = Field(default=1_000, ge=1, le=20_000, description="Most rows of a graph query for a caller.")
    graph_max_cost: float = Field(
        default=20_000_000, gt=0, description="In the planner's units: a graph query expected to cost more is refused."
    )
    graph_schema_tokens: int = Field(
        default=1_500, ge=100, le=20_000, description="What the graph's description may take of a model's context."
    )

    passage_bands: tuple[float, float, float] | None = Field(
        default=None,
        description="From which average score on passages of documents are high, medium and low, e.g. "
        "`[0.55, 0.4, 0.25]`; those fitted for the model by default.",
    )

    session_days: int = Field(default=30, ge=1, le=3_650, description="How long a session is kept after its last turn.")
    session_turns: int = Field(default=50, ge=1, le=1_000, description="How many turns of a session are kept.")
    history_turns: int = Field(default=10, ge=0, le=10, description="Earlier turns of a session that a model is shown.")
    history_tokens: int = Field(
        default=800,
        ge=0,
        le=20_000,
        description="What earlier turns may take of a model's context; oldest go first.",
    )
    trace_days: int = Field(default=30, ge=0, le=3_650, description="How long a run's record is kept; 0 stores none.")
    trace_text: bool = Field(default=False, description="Keep questions, evidence and drafts in records of runs.")
    trace_queue: int = Field(default=100, ge=1, le=10_000, description="Runs that may wait to be stored.")
    trace_max_events: int = Field(default=1_000, ge=10, le=100_000, description="Events of one run that are kept.")
    trace_max_bytes: int = Field(default=1_000_000, ge=1_000, le=2_000_000, description="Most of one record.")

    metrics_host: str = "127.0.0.1"
    metrics_port: int | None = Field(default=None, ge=0, le=65_535, description="Where Prometheus reads; unset is off.")
    index_lag_seconds: float = Field(default=15.0, ge=1, le=3_600, description="How often the index's lag is measured.")
    otlp_endpoint: str | None = Field(
        default=None, pattern=r"^https?://\S+$", description="Where spans go, over gRPC, e.g. http://127.0.0.1:4317."
    )

    session_pool_size: int = Field(default=2, ge=1, le=100)

    max_concurrent_requests: int = Field(default=32, ge=1, le=10_000)
    max_message_bytes: int = Field(default=4 * 1024 * 1024, ge=65_536)
    stream_heartbeat_seconds: float = Field(default=10.0, gt=0, le=300, description="Of a stream that is silent.")
    run_events: int = Field(
        default=1_000, ge=10, le=100_000, description="Events of one run, from which on mere progress is dropped."
    )
    kept_runs: int = Field(default=100, ge=0, le=10_000, description="Runs that can be resumed, at one time.")
    kept_runs_per_principal: int = Field(default=20, ge=1, le=10_000, description="Of which of one principal.")
    kept_run_bytes: int = Field(default=64 * 1024 * 1024, ge=0, description="What the ended ones may hold together.")
    kept_run_max_bytes: int = Field(
        default=8 * 1024 * 1024, ge=0, description="A larger one can be resumed in its own process only."
    )
    kept_run_seconds: float = Field(default=60.0, ge=0, le=3_600, description="How long an ended one can be resumed.")
    detached_run_seconds: float = Field(
        default=15.0, ge=0, le=300, description="How long one goes on that nobody follows."
    )
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
        if self.metrics_port is not None and self.metrics_host not in LOOPBACK_HOSTS and not self.allow_remote:
            raise ValueError(
                f"ENISHI_METRICS_HOST={self.metrics_host} is reachable from other machines: "
                "set ENISHI_ALLOW_REMOTE=true, or use 127.0.0.1"
            )
        return self

    @model_validator(mode="after")
    def _bands_fall(self) -> Self:
        if self.passage_bands is not None:
            high, medium, low = self.passage_bands
            if not 1 >= high >= medium >= low >= 0:
                raise ValueError("ENISHI_PASSAGE_BANDS: three numbers from 1 to 0 that don't rise")
        return self

    @model_validator(mode="after")
    def _web_with_its_address(self) -> Self:
        if self.web_search == "searxng" and self.web_url is None:
            raise ValueError("ENISHI_WEB_SEARCH=searxng needs ENISHI_WEB_URL as well")
        if self.web_search == "tavily" and self.web_api_key is None:
            raise ValueError("ENISHI_WEB_SEARCH=tavily needs ENISHI_WEB_API_KEY as well")
        return self

    @property
    def web(self) -> WebOptions | None:
        """What searches the web; None where nothing does."""
        if self.web_search == "none":
            return None
        return WebOptions(
            provider=WebProvider(self.web_search),
            url=self.web_url or TAVILY_URL,
            api_key=self.web_api_key,
            max_results=self.web_results,
            max_bytes=self.web_bytes,
        )

    @property
    def following(self) -> FollowLimits:
        """How far references of documents are followed."""
        return FollowLimits(
            depth=self.follow_depth,
            tokens=self.follow_tokens,
            references=self.follow_references,
            same_document=self.follow_visits,
        )

    @property
    def bind_address(self) -> str:
        """The address in gRPC's form."""
        return self.agent_host if self.agent_host.startswith("unix:") else f"{self.agent_host}:{self.agent_port}"

    def model(self) -> ModelOptions | None:
        """The model to ask, if one is named. Raises ModelNotUsable."""
        return model_options(self, KnownNames(), max_cost=self.max_cost)
