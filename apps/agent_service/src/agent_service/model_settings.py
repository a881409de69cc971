"""Which model is asked, from the environment. Without `ENISHI_LLM_MODEL` none is, whatever keys lie about."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal
from urllib.parse import urlsplit

from agent_core.llm.options import CircuitOptions, ModelMode, ModelOptions, ModelProvider, Price
from pydantic import BaseModel, ConfigDict, Field, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict

_OLLAMA_PORT = 11434


class ModelNotUsable(Exception):
    """The settings name a model and leave open how to ask it. The message says what to set."""


class PriceField(BaseModel):
    """What a model costs per million tokens, in any one currency."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    prompt: float = Field(ge=0)
    completion: float = Field(ge=0)


class ModelFields(BaseSettings):
    """The settings of the model; names that start with `llm_`."""

    llm_provider: Literal["openai", "openai_compatible", "anthropic", "google"] | None = Field(
        default=None, description="Whose protocol is spoken; told by the address or by the only key there is, if unset."
    )
    llm_model: str | None = Field(default=None, description="The model. Without it the rules answer alone.")
    llm_model_rewrite: str | None = Field(default=None, description="Another model for reading the question.")
    llm_model_select: str | None = Field(default=None, description="Another model for choosing where to look.")
    llm_model_answer: str | None = Field(default=None, description="Another model for writing the answer.")
    llm_model_sufficiency: str | None = Field(default=None, description="Another model for judging the answer.")
    llm_base_url: str | None = Field(default=None, description="The server's address, e.g. http://127.0.0.1:8080/v1.")
    llm_api_key: SecretStr | None = None
    llm_mode: Literal["auto", "tools", "json_schema", "json"] = "auto"
    llm_max_tokens: int = Field(default=1_500, ge=64, le=32_000, description="Longest output of one call.")
    llm_temperature: float | None = Field(default=None, ge=0, le=2, description="Unset: the provider's own.")
    llm_try_seconds: float = Field(default=12.0, gt=0, le=300, description="Time of one HTTP attempt.")
    llm_stage_seconds: float = Field(default=20.0, gt=0, le=300, description="Time of a stage, repeats included.")
    llm_http_retries: int = Field(default=1, ge=0, le=3, description="Repeats of an attempt that failed on the way.")
    llm_retry_seconds: float = Field(default=0.5, ge=0, le=30, description="Pause before the first of them.")
    llm_retry_after_seconds: float = Field(default=2.0, ge=0, le=60, description="Longest Retry-After waited for.")
    llm_output_attempts: int = Field(default=2, ge=1, le=4, description="An output that doesn't fit and corrections.")
    llm_max_body_bytes: int = Field(default=512_000, ge=4_096, le=16_000_000, description="Largest answer read.")
    llm_prices: dict[str, PriceField] = Field(
        default={}, description='{"model": {"prompt": 2.5, "completion": 10}} per million tokens; unset is not known.'
    )
    llm_circuit_outages: int = Field(default=5, ge=1, le=1_000, description="Outages in a row before a pause.")
    llm_circuit_seconds: float = Field(default=5.0, gt=0, le=3_600, description="The pause, then one call probes.")


class KnownNames(BaseSettings):
    """Names under which people have keys and addresses already. They are read only for a model that is named."""

    model_config = SettingsConfigDict(env_ignore_empty=True, frozen=True, extra="ignore", hide_input_in_errors=True)

    openai_api_key: SecretStr | None = None
    openai_base_url: str | None = None
    anthropic_api_key: SecretStr | None = None
    google_api_key: SecretStr | None = None
    gemini_api_key: SecretStr | None = None
    ollama_host: str | None = None


@dataclass(frozen=True, slots=True)
class _Access:
    """A provider with the address and the key that belong together: no key is ever sent to another's address."""

    provider: ModelProvider
    base_url: str | None = None
    api_key: SecretStr | None = None


def model_options(fields: ModelFields, known: KnownNames, *, max_cost: float | None = None) -> ModelOptions | None:
    """The model to ask; None without `ENISHI_LLM_MODEL`. Under a limit of cost every model needs its price.

    Raises ModelNotUsable.
    """
    if fields.llm_model is None:
        return None
    access = _access(fields, known)
    if access.provider is not ModelProvider.OPENAI_COMPATIBLE and access.api_key is None:
        raise ModelNotUsable(
            f"ENISHI_LLM_API_KEY is not set, and no key of another name was given for {access.provider} at this address"
        )
    if access.provider is ModelProvider.OPENAI_COMPATIBLE and access.base_url is None:
        raise ModelNotUsable("ENISHI_LLM_BASE_URL is required for ENISHI_LLM_PROVIDER=openai_compatible")
    stage_models = _stage_models(fields)
    unpriced = sorted({fields.llm_model, *stage_models.values()} - fields.llm_prices.keys())
    if max_cost is not None and unpriced:
        raise ModelNotUsable(f"ENISHI_MAX_COST needs the price of {', '.join(unpriced)} in ENISHI_LLM_PRICES")
    return ModelOptions(
        provider=access.provider,
        model=fields.llm_model,
        base_url=access.base_url,
        api_key=access.api_key.get_secret_value() if access.api_key else "",
        mode=ModelMode(fields.llm_mode),
        stage_models=stage_models,
        prices={name: Price(price.prompt, price.completion) for name, price in fields.llm_prices.items()},
        max_tokens=fields.llm_max_tokens,
        temperature=fields.llm_temperature,
        try_timeout_seconds=fields.llm_try_seconds,
        stage_timeout_seconds=fields.llm_stage_seconds,
        http_retries=fields.llm_http_retries,
        retry_seconds=fields.llm_retry_seconds,
        output_attempts=fields.llm_output_attempts,
        max_retry_after_seconds=fields.llm_retry_after_seconds,
        max_body_bytes=fields.llm_max_body_bytes,
        circuit=CircuitOptions(fields.llm_circuit_outages, fields.llm_circuit_seconds),
    )


def _stage_models(fields: ModelFields) -> Mapping[str, str]:
    by_stage = {
        "rewrite": fields.llm_model_rewrite,
        "source_selector": fields.llm_model_select,
        "answer": fields.llm_model_answer,
        "sufficiency": fields.llm_model_sufficiency,
    }
    return {stage: model for stage, model in by_stage.items() if model is not None}


def _access(fields: ModelFields, known: KnownNames) -> _Access:
    own = _Access(_provider(fields, known), fields.llm_base_url, fields.llm_api_key)
    if own.base_url is not None and own.api_key is not None:
        return own
    theirs = next((each for each in _known_accesses(known, own.provider) if each.provider is own.provider), None)
    if theirs is None:
        return own
    if own.base_url is None:
        return _Access(own.provider, theirs.base_url, own.api_key or theirs.api_key)
    # A key goes to the address it was given for: the provider's own, or the one named beside it.
    return own if theirs.base_url != own.base_url else _Access(own.provider, own.base_url, theirs.api_key)


def _provider(fields: ModelFields, known: KnownNames) -> ModelProvider:
    if fields.llm_provider is not None:
        return ModelProvider(fields.llm_provider)
    if fields.llm_base_url is not None:
        return ModelProvider.OPENAI_COMPATIBLE
    providers = [each.provider for each in _known_accesses(known, None)]
    if len(providers) == 1:
        return providers[0]
    if not providers and fields.llm_api_key is not None:
        return ModelProvider.OPENAI
    found = f"keys or addresses of {', '.join(providers)} are set" if providers else "no key and no address is set"
    raise ModelNotUsable(f"ENISHI_LLM_MODEL is set, but not whose it is ({found}): set ENISHI_LLM_PROVIDER")


def _known_accesses(known: KnownNames, wanted: ModelProvider | None) -> list[_Access]:
    """What the known names give, at most one for each provider. At another address is OpenAI only who is said to be."""
    accesses: list[_Access] = []
    if known.openai_base_url is not None:
        provider = ModelProvider.OPENAI if wanted is ModelProvider.OPENAI else ModelProvider.OPENAI_COMPATIBLE
        accesses.append(_Access(provider, known.openai_base_url, known.openai_api_key))
    elif known.openai_api_key is not None:
        accesses.append(_Access(ModelProvider.OPENAI, None, known.openai_api_key))
    if known.anthropic_api_key is not None:
        accesses.append(_Access(ModelProvider.ANTHROPIC, None, known.anthropic_api_key))
    google = known.google_api_key or known.gemini_api_key
    if google is not None:
        accesses.append(_Access(ModelProvider.GOOGLE, None, google))
    if known.ollama_host is not None and known.openai_base_url is None:
        accesses.append(_Access(ModelProvider.OPENAI_COMPATIBLE, _ollama_url(known.ollama_host)))
    return accesses


def _ollama_url(host: str) -> str:
    """The address of Ollama's compatible endpoint, from what its server binds or its clients use."""
    parts = urlsplit(host if "://" in host else f"http://{host}")
    name = "127.0.0.1" if parts.hostname in (None, "0.0.0.0") else parts.hostname
    port = parts.port or (443 if parts.scheme == "https" else _OLLAMA_PORT)
    return f"{parts.scheme}://{name}:{port}/v1"
