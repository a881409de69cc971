"""Which model is asked: settings, the names people have already, and what is left unsaid."""

import pytest
from agent_core.llm.options import ModelMode, ModelOptions, ModelProvider, Price
from agent_service.model_settings import ModelNotUsable
from agent_service.settings import Settings
from pydantic import ValidationError

OTHERS = ("OPENAI_API_KEY", "OPENAI_BASE_URL", "ANTHROPIC_API_KEY", "GOOGLE_API_KEY", "GEMINI_API_KEY", "OLLAMA_HOST")


@pytest.fixture(autouse=True)
def _no_keys(monkeypatch: pytest.MonkeyPatch) -> None:  # pyright: ignore[reportUnusedFunction]
    for name in OTHERS:
        monkeypatch.delenv(name, raising=False)


def model(monkeypatch: pytest.MonkeyPatch, **environment: str) -> ModelOptions | None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    return Settings().model()


def access(monkeypatch: pytest.MonkeyPatch, **environment: str) -> tuple[str, str | None, str]:
    options = model(monkeypatch, ENISHI_LLM_MODEL="m", **environment)
    assert options is not None
    return options.provider, options.base_url, options.api_key


def test_a_key_alone_asks_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    assert model(monkeypatch, **dict.fromkeys(OTHERS, "http://somewhere")) is None


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({"OPENAI_API_KEY": "k"}, ("openai", None, "k")),
        ({"OPENAI_API_KEY": "k", "OPENAI_BASE_URL": "http://a/v1"}, ("openai_compatible", "http://a/v1", "k")),
        (
            {"OPENAI_API_KEY": "k", "OPENAI_BASE_URL": "http://a/v1", "ENISHI_LLM_PROVIDER": "openai"},
            ("openai", "http://a/v1", "k"),
        ),
        ({"ANTHROPIC_API_KEY": "k"}, ("anthropic", None, "k")),
        ({"GOOGLE_API_KEY": "k", "GEMINI_API_KEY": "other"}, ("google", None, "k")),
        ({"GEMINI_API_KEY": "k"}, ("google", None, "k")),
        ({"OLLAMA_HOST": "0.0.0.0"}, ("openai_compatible", "http://127.0.0.1:11434/v1", "")),
        ({"OLLAMA_HOST": "box:8080"}, ("openai_compatible", "http://box:8080/v1", "")),
        ({"OLLAMA_HOST": "https://box"}, ("openai_compatible", "https://box:443/v1", "")),
        ({"ENISHI_LLM_API_KEY": "mine"}, ("openai", None, "mine")),
        ({"ENISHI_LLM_API_KEY": "mine", "OPENAI_API_KEY": "k"}, ("openai", None, "mine")),
        ({"ENISHI_LLM_API_KEY": "mine", "ANTHROPIC_API_KEY": "k"}, ("anthropic", None, "mine")),
        (
            {"ENISHI_LLM_PROVIDER": "google", "ANTHROPIC_API_KEY": "k", "GEMINI_API_KEY": "g", "OPENAI_API_KEY": "o"},
            ("google", None, "g"),
        ),
        ({"ENISHI_LLM_BASE_URL": "http://b/v1", "OPENAI_API_KEY": "k"}, ("openai_compatible", "http://b/v1", "")),
        (
            {"ENISHI_LLM_BASE_URL": "http://b/v1", "OPENAI_BASE_URL": "http://b/v1", "OPENAI_API_KEY": "k"},
            ("openai_compatible", "http://b/v1", "k"),
        ),
    ],
)
def test_who_is_asked_where_and_with_which_key(
    monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], expected: tuple[str, str | None, str]
) -> None:
    assert access(monkeypatch, **environment) == expected


@pytest.mark.parametrize(
    ("environment", "told"),
    [
        ({}, "ENISHI_LLM_PROVIDER"),
        ({"OPENAI_API_KEY": "k", "ANTHROPIC_API_KEY": "k"}, "ENISHI_LLM_PROVIDER"),
        ({"ENISHI_LLM_PROVIDER": "anthropic"}, "ENISHI_LLM_API_KEY"),
        ({"ENISHI_LLM_PROVIDER": "openai_compatible"}, "ENISHI_LLM_BASE_URL"),
        (
            {"ENISHI_LLM_PROVIDER": "anthropic", "ENISHI_LLM_BASE_URL": "http://b", "ANTHROPIC_API_KEY": "sk-theirs"},
            "ENISHI_LLM_API_KEY",
        ),
        ({"OPENAI_API_KEY": "k", "ENISHI_MAX_COST": "1"}, "ENISHI_LLM_PRICES"),
    ],
)
def test_what_is_left_unsaid_is_asked_for(
    monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], told: str
) -> None:
    with pytest.raises(ModelNotUsable, match=told) as caught:
        model(monkeypatch, ENISHI_LLM_MODEL="m", **environment)
    assert "sk-theirs" not in str(caught.value)


def test_every_bound_is_a_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    options = model(
        monkeypatch,
        ENISHI_LLM_MODEL="m",
        OPENAI_API_KEY="k",
        ENISHI_LLM_MODEL_SELECT="small",
        ENISHI_LLM_MODE="json",
        ENISHI_LLM_MAX_TOKENS="700",
        ENISHI_LLM_TEMPERATURE="0",
        ENISHI_LLM_TRY_SECONDS="3",
        ENISHI_LLM_STAGE_SECONDS="4",
        ENISHI_LLM_HTTP_RETRIES="0",
        ENISHI_LLM_OUTPUT_ATTEMPTS="1",
        ENISHI_LLM_CIRCUIT_OUTAGES="2",
        ENISHI_LLM_CIRCUIT_SECONDS="9",
        ENISHI_LLM_PRICES='{"m": {"prompt": 2, "completion": 10}, "small": {"prompt": 0, "completion": 0}}',
        ENISHI_MAX_COST="0.5",
    )
    assert options is not None
    assert options.resolved_mode is ModelMode.JSON
    assert (options.model_of("source_selector"), options.model_of("answer")) == ("small", "m")
    assert (options.max_tokens, options.temperature) == (700, 0.0)
    assert (options.try_timeout_seconds, options.stage_timeout_seconds) == (3.0, 4.0)
    assert (options.http_retries, options.output_attempts) == (0, 1)
    assert (options.circuit.outages, options.circuit.open_seconds) == (2, 9.0)
    assert options.prices["m"] == Price(2.0, 10.0)
    assert options.cost("m", prompt_tokens=1_000_000, completion_tokens=100_000) == 3.0
    assert options.cost("small", prompt_tokens=9, completion_tokens=9) == 0.0
    assert options.cost("unheard-of", prompt_tokens=9, completion_tokens=9) is None


def test_keys_are_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    options = model(monkeypatch, ENISHI_LLM_MODEL="m", OPENAI_API_KEY="sk-theirs", ENISHI_LLM_API_KEY="sk-mine")
    assert options is not None
    assert options.provider is ModelProvider.OPENAI
    assert "sk-" not in repr(options) + repr(Settings()) + str(Settings())
    monkeypatch.setenv("ENISHI_AGENT_HOST", "0.0.0.0")
    with pytest.raises(ValidationError) as caught:
        Settings()
    assert "sk-" not in str(caught.value)
