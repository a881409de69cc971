"""Which model to ask and how: settings to one Instructor client for the whole process."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

import httpx

from agent_core.llm.metering import MeteredTransport, TransportLimits

if TYPE_CHECKING:
    from instructor import AsyncInstructor

_OPENAI_URL = "https://api.openai.com/v1"
_CONNECT_SECONDS = 5.0


class ModelProvider(StrEnum):
    """Whose protocol is spoken. `openai_compatible` is Ollama, the llama.cpp server, vLLM, LM Studio and their like."""

    OPENAI = "openai"
    OPENAI_COMPATIBLE = "openai_compatible"


class ModelMode(StrEnum):
    """How the model is made to fill a type. `auto` takes what suits the provider."""

    AUTO = "auto"
    TOOLS = "tools"
    JSON_SCHEMA = "json_schema"
    JSON = "json"


@dataclass(frozen=True, slots=True)
class ModelOptions:
    """One model and the bounds of a call to it. Prices are per million tokens, in any one currency; None is unknown.

    `http_retries` are repeats of an attempt that failed on the way; `output_attempts` counts the first answer and its
    corrections. All of them are spent on the request's budget.
    """

    provider: ModelProvider
    model: str
    base_url: str | None = None
    api_key: str = field(default="", repr=False)
    mode: ModelMode = ModelMode.AUTO
    max_tokens: int = 1_500
    temperature: float | None = None
    try_timeout_seconds: float = 12.0
    stage_timeout_seconds: float = 20.0
    http_retries: int = 1
    output_attempts: int = 2
    max_retry_after_seconds: float = 2.0
    max_body_bytes: int = 512_000
    prompt_price: float | None = None
    completion_price: float | None = None

    def __post_init__(self) -> None:
        if self.provider is ModelProvider.OPENAI_COMPATIBLE and not self.base_url:
            raise ValueError("base_url: required for provider 'openai_compatible'")

    @property
    def resolved_mode(self) -> ModelMode:
        """The mode with `auto` decided: tools at OpenAI itself, a JSON schema elsewhere."""
        if self.mode is not ModelMode.AUTO:
            return self.mode
        return ModelMode.TOOLS if self.provider is ModelProvider.OPENAI else ModelMode.JSON_SCHEMA

    def cost(self, *, prompt_tokens: int, completion_tokens: int) -> float:
        """What these tokens cost; 0 for a price that is not known."""
        prompt = (self.prompt_price or 0.0) * prompt_tokens
        return (prompt + (self.completion_price or 0.0) * completion_tokens) / 1_000_000


@dataclass(frozen=True, slots=True)
class ModelClient:
    """An open client with its options. One for a process; closed by whoever opened it."""

    options: ModelOptions
    instructor: "AsyncInstructor"
    http: httpx.AsyncClient

    async def close(self) -> None:
        """Close the connections."""
        await self.http.aclose()


def open_model(options: ModelOptions, *, transport: httpx.AsyncBaseTransport | None = None) -> ModelClient:
    """Open the client of a model. Nothing is sent, and no proxy, key or address comes from the environment."""
    import instructor
    import openai

    limits = TransportLimits(options.try_timeout_seconds, options.max_body_bytes, options.max_retry_after_seconds)
    http = httpx.AsyncClient(
        transport=MeteredTransport(transport or httpx.AsyncHTTPTransport(), limits),
        timeout=httpx.Timeout(options.try_timeout_seconds, connect=_CONNECT_SECONDS),
        follow_redirects=False,
        trust_env=False,
    )
    sdk = openai.AsyncOpenAI(
        api_key=options.api_key or "none",
        base_url=options.base_url or _OPENAI_URL,
        max_retries=options.http_retries,
        timeout=options.try_timeout_seconds,
        http_client=http,
    )
    mode = {
        ModelMode.TOOLS: instructor.Mode.TOOLS,
        ModelMode.JSON_SCHEMA: instructor.Mode.JSON_SCHEMA,
        ModelMode.JSON: instructor.Mode.JSON,
    }[options.resolved_mode]
    # Built by hand: instructor.from_openai forbids a JSON schema at addresses it takes for OpenAI's.
    client = instructor.AsyncInstructor(
        client=sdk, create=instructor.patch(create=sdk.chat.completions.create, mode=mode), mode=mode
    )
    return ModelClient(options, client, http)
