"""Which model to ask and within what bounds. Pure: nothing of a provider is imported here."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType


class ModelProvider(StrEnum):
    """Whose protocol is spoken. `openai_compatible` is Ollama, the llama.cpp server, vLLM, LM Studio and their like."""

    OPENAI = "openai"
    OPENAI_COMPATIBLE = "openai_compatible"
    ANTHROPIC = "anthropic"
    GOOGLE = "google"


class ModelMode(StrEnum):
    """How the model is made to fill a type. `auto` takes what suits the provider."""

    AUTO = "auto"
    TOOLS = "tools"
    JSON_SCHEMA = "json_schema"
    JSON = "json"


_AUTO = {
    ModelProvider.OPENAI: ModelMode.TOOLS,
    ModelProvider.OPENAI_COMPATIBLE: ModelMode.JSON_SCHEMA,
    ModelProvider.ANTHROPIC: ModelMode.TOOLS,
    ModelProvider.GOOGLE: ModelMode.JSON_SCHEMA,
}


@dataclass(frozen=True, slots=True)
class Price:
    """What a model costs per million tokens, in any one currency."""

    prompt: float
    completion: float

    def of(self, *, prompt_tokens: int, completion_tokens: int) -> float:
        """What these tokens cost."""
        return (self.prompt * prompt_tokens + self.completion * completion_tokens) / 1_000_000


@dataclass(frozen=True, slots=True)
class CircuitOptions:
    """After `outages` in a row nothing is asked for `open_seconds`, then one call probes."""

    outages: int = 5
    open_seconds: float = 5.0


@dataclass(frozen=True, slots=True)
class ModelOptions:
    """One provider's models and the bounds of a call to them.

    `stage_models` names other models for single stages, `prices` what models cost; what a model without a price costs
    is not known. `http_retries` are repeats of an attempt that failed on the way, the first after `retry_seconds`, each
    further one after twice as long; `output_attempts` counts the first answer and its corrections. All of them are
    spent on the request's budget.
    """

    provider: ModelProvider
    model: str
    base_url: str | None = None
    api_key: str = field(default="", repr=False)
    mode: ModelMode = ModelMode.AUTO
    stage_models: Mapping[str, str] = MappingProxyType({})
    prices: Mapping[str, Price] = MappingProxyType({})
    max_tokens: int = 1_500
    temperature: float | None = None
    try_timeout_seconds: float = 12.0
    stage_timeout_seconds: float = 20.0
    http_retries: int = 1
    retry_seconds: float = 0.5
    output_attempts: int = 2
    max_retry_after_seconds: float = 2.0
    max_body_bytes: int = 512_000
    circuit: CircuitOptions = CircuitOptions()

    def __post_init__(self) -> None:
        if self.provider is ModelProvider.OPENAI_COMPATIBLE and not self.base_url:
            raise ValueError("base_url: required for provider 'openai_compatible'")

    @property
    def resolved_mode(self) -> ModelMode:
        """The mode with `auto` decided: tools at OpenAI itself and Anthropic, a JSON schema elsewhere."""
        return _AUTO[self.provider] if self.mode is ModelMode.AUTO else self.mode

    def model_of(self, stage: str) -> str:
        """The model that runs a stage."""
        return self.stage_models.get(stage, self.model)

    def cost(self, model: str, *, prompt_tokens: int, completion_tokens: int) -> float | None:
        """What these tokens cost; None where the model's price is not known."""
        price = self.prices.get(model)
        return None if price is None else price.of(prompt_tokens=prompt_tokens, completion_tokens=completion_tokens)
