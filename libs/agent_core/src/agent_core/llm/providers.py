"""Options to one Instructor client for the whole process, whoever the provider is."""

import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING

import httpx

from agent_core.errors import AgentCoreError
from agent_core.llm.metering import MeteredTransport, TransportLimits
from agent_core.llm.options import CircuitOptions, ModelMode, ModelOptions, ModelProvider, Price

if TYPE_CHECKING:
    from instructor import AsyncInstructor

    from agent_core.llm.asking import Create

__all__ = [
    "CircuitOptions",
    "ModelClient",
    "ModelMode",
    "ModelOptions",
    "ModelProvider",
    "Price",
    "ProviderNotInstalled",
    "open_model",
]

_OPENAI_URL = "https://api.openai.com/v1"
_CONNECT_SECONDS = 5.0
_ANTHROPIC_VERSION = "2023-06-01"
_NO_KEY = "none"
_LOGGERS = ("openai", "anthropic", "google_genai", "httpx", "instructor")


class ProviderNotInstalled(AgentCoreError):
    """The SDK of a provider is missing. The message says what to install."""

    def __init__(self, provider: ModelProvider) -> None:
        super().__init__(
            f"the SDK of {provider} is not installed: install agent-core[{provider}], "
            "in a checkout by 'uv sync --group providers'"
        )
        self.provider = provider


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
    """Open the client of a model. Nothing is sent, and no proxy, key, address or header comes from the environment.

    Raises ProviderNotInstalled.
    """
    import instructor

    from agent_core.llm.asking import Asking

    limits = TransportLimits(
        try_seconds=options.try_timeout_seconds,
        max_body_bytes=options.max_body_bytes,
        retries=options.http_retries,
        retry_seconds=options.retry_seconds,
        max_retry_after_seconds=options.max_retry_after_seconds,
    )
    metered = MeteredTransport(transport or httpx.AsyncHTTPTransport(), limits, _headers(options))
    http = httpx.AsyncClient(
        transport=metered,
        timeout=httpx.Timeout(options.try_timeout_seconds, connect=_CONNECT_SECONDS),
        follow_redirects=False,
        trust_env=False,
    )
    mode = {
        ModelMode.TOOLS: instructor.Mode.TOOLS,
        ModelMode.JSON_SCHEMA: instructor.Mode.JSON_SCHEMA,
        ModelMode.JSON: instructor.Mode.JSON,
    }[options.resolved_mode]
    # Built by hand: instructor.from_openai forbids a JSON schema at addresses it takes for OpenAI's.
    create = Asking(_create(options, metered, http), options).create
    _keep_prompts_out_of_logs()
    client = instructor.AsyncInstructor(client=None, create=instructor.patch(create=create, mode=mode), mode=mode)
    return ModelClient(options, client, http)


def _keep_prompts_out_of_logs() -> None:
    """SDKs log whole prompts below this level, and OPENAI_LOG or ANTHROPIC_LOG asks them to when they are imported."""
    for name in _LOGGERS:
        logging.getLogger(name).setLevel(logging.WARNING)


def _headers(options: ModelOptions) -> dict[str, str]:
    """What a provider has to be told beside the body. A server without keys gets a word that is none."""
    key = options.api_key or _NO_KEY
    match options.provider:
        case ModelProvider.ANTHROPIC:
            return {"x-api-key": key, "anthropic-version": _ANTHROPIC_VERSION}
        case ModelProvider.GOOGLE:
            return {"x-goog-api-key": key}
        case ModelProvider.OPENAI | ModelProvider.OPENAI_COMPATIBLE:
            return {"authorization": f"Bearer {key}"}


def _create(options: ModelOptions, metered: MeteredTransport, http: httpx.AsyncClient) -> "Create":
    """The function that asks the provider in the form of OpenAI's chat completions."""
    try:
        match options.provider:
            case ModelProvider.ANTHROPIC:
                from agent_core.llm.anthropic_chat import AnthropicChat

                return AnthropicChat(metered, api_key=options.api_key, base_url=options.base_url).create
            case ModelProvider.GOOGLE:
                from agent_core.llm.google_chat import GoogleChat

                return GoogleChat(http, api_key=options.api_key, base_url=options.base_url).create
            case ModelProvider.OPENAI | ModelProvider.OPENAI_COMPATIBLE:
                import openai
    except ModuleNotFoundError:
        raise ProviderNotInstalled(options.provider) from None
    sdk = openai.AsyncOpenAI(
        api_key=options.api_key or _NO_KEY,
        base_url=options.base_url or _OPENAI_URL,
        max_retries=0,
        timeout=options.try_timeout_seconds,
        http_client=http,
    )
    return sdk.chat.completions.create
