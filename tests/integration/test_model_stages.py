"""One stage call over real HTTP: the real SDK, Instructor and agents against a scripted server."""

import asyncio
import sys
import time
from dataclasses import replace

import pytest
import structlog
from agent_core.agents.wire import QueryRewriteWire
from agent_core.budget import Budget, Limits
from agent_core.errors import BudgetExhausted, ModelErrorKind, StageFailed
from agent_core.llm.providers import ModelMode, ModelOptions, ModelProvider, Price, ProviderNotInstalled, open_model
from agent_core.llm.stage_runner import ModelStageRunner
from agent_core.protocols import StageCall
from fixtures.modelled_loop import opened, rewrite_call, rewrite_values
from fixtures.scripted_llm import Fill, Hang, Page, Reply, ScriptedLLM, Status

GOOD = rewrite_values()
BAD = rewrite_values(answer_kind="poem")
SECRET = "what-only-the-prompt-knows"


def fresh_budget(**limits: int) -> Budget:
    return Budget.start(Limits(**limits), time.monotonic)


def call(question: str = "Which anime is Luffy in?", cards: tuple[str, ...] = (SECRET,)) -> StageCall[QueryRewriteWire]:
    return rewrite_call(question, cards)


async def failure(llm: ScriptedLLM, budget: Budget, *replies: Reply, **changes: object) -> ModelErrorKind:
    llm.script("*", *replies)
    async with opened(llm, **changes) as client:
        with pytest.raises(StageFailed) as caught:
            await ModelStageRunner(client).run(call(), budget)
    assert SECRET not in str(caught.value)
    assert caught.value.__cause__ is None
    return caught.value.kind


@pytest.mark.parametrize("mode", [ModelMode.TOOLS, ModelMode.JSON_SCHEMA, ModelMode.JSON])
async def test_a_valid_answer_fills_the_type_in_every_mode(scripted_llm: ScriptedLLM, mode: ModelMode) -> None:
    scripted_llm.script("QueryRewriteWire", Fill(GOOD))
    budget = fresh_budget()
    async with opened(scripted_llm, mode=mode) as client:
        wire = await ModelStageRunner(client).run(call(), budget)
    assert type(wire) is QueryRewriteWire
    assert wire.mentions[0].text == "Luffy"
    assert (budget.model_calls, budget.prompt_tokens, budget.completion_tokens) == (1, 100, 20)


async def test_the_prompt_ends_with_the_fenced_context(scripted_llm: ScriptedLLM) -> None:
    scripted_llm.script("*", Fill(GOOD))
    async with opened(scripted_llm) as client:
        await ModelStageRunner(client).run(call(), fresh_budget())
    (body,) = scripted_llm.requests
    system, user = body["messages"]
    assert system["role"] == "system"
    assert system["content"].index("INTERNAL ASSISTANT STEPS") < system["content"].index("<<<DATA")
    assert f"| {SECRET}" in system["content"]
    assert user == {"role": "user", "content": '{"question":"Which anime is Luffy in?","language":null}'}


async def test_an_invalid_answer_is_corrected_once_with_the_reason(scripted_llm: ScriptedLLM) -> None:
    scripted_llm.script("*", Fill(BAD), Fill(GOOD))
    budget = fresh_budget()
    async with opened(scripted_llm, mode=ModelMode.TOOLS) as client:
        assert (await ModelStageRunner(client).run(call(), budget)).answer_kind == "list"
    assert budget.model_calls == 2
    assert budget.prompt_tokens == 200
    assert "answer_kind" in scripted_llm.messages()[1]
    assert "Validation Error" in scripted_llm.messages()[1]


async def test_nobody_listening_is_unavailable(scripted_llm: ScriptedLLM) -> None:
    budget = fresh_budget()
    assert await failure(scripted_llm, budget, base_url="http://127.0.0.1:1/v1") is ModelErrorKind.UNAVAILABLE
    assert budget.model_calls == 2


@pytest.mark.parametrize("calls", [0, 1])
async def test_no_attempt_is_sent_that_the_budget_does_not_hold(scripted_llm: ScriptedLLM, calls: int) -> None:
    scripted_llm.script("*", Fill(BAD))
    budget = fresh_budget(model_calls=calls)
    async with opened(scripted_llm) as client:
        with pytest.raises(BudgetExhausted) as caught:
            await ModelStageRunner(client).run(call(), budget)
    assert caught.value.what == "model_calls"
    assert len(scripted_llm.requests) == calls


async def test_repeats_of_the_sdk_are_refused_too(scripted_llm: ScriptedLLM) -> None:
    scripted_llm.script("*", Status(500, {"Retry-After": "0.01"}))
    budget = fresh_budget(model_calls=1)
    async with opened(scripted_llm) as client:
        with pytest.raises(BudgetExhausted):
            await ModelStageRunner(client).run(call(), budget)
    assert len(scripted_llm.requests) == 1


async def test_tokens_of_the_first_attempt_stop_the_second(scripted_llm: ScriptedLLM) -> None:
    scripted_llm.script("*", Fill(BAD))
    async with opened(scripted_llm) as client:
        with pytest.raises(BudgetExhausted) as caught:
            await ModelStageRunner(client).run(call(), fresh_budget(tokens=120))
    assert caught.value.what == "tokens"
    assert len(scripted_llm.requests) == 1


async def test_money_is_counted_where_prices_are_known(scripted_llm: ScriptedLLM) -> None:
    scripted_llm.script("*", Fill(GOOD))
    budget = fresh_budget()
    async with opened(scripted_llm, prices={"scripted": Price(prompt=2.0, completion=10.0)}) as client:
        await ModelStageRunner(client).run(call(), budget)
    assert budget.cost == pytest.approx(0.0004)


async def test_what_an_unpriced_model_costs_is_not_known(scripted_llm: ScriptedLLM) -> None:
    scripted_llm.script("*", Fill(GOOD))
    budget = fresh_budget()
    async with opened(scripted_llm, prices={"another": Price(prompt=2.0, completion=10.0)}) as client:
        await ModelStageRunner(client).run(call(), budget)
    assert budget.cost is None


async def test_a_stage_may_have_a_model_of_its_own(scripted_llm: ScriptedLLM) -> None:
    scripted_llm.script("*", Fill(GOOD))
    budget = fresh_budget()
    prices = {"small": Price(prompt=1.0, completion=1.0)}
    async with opened(scripted_llm, stage_models={"rewrite": "small"}, prices=prices) as client:
        runner = ModelStageRunner(client)
        await runner.run(call(), budget)
        await runner.run(replace(call(), stage="answer"), fresh_budget())
    assert [body["model"] for body in scripted_llm.requests] == ["small", "scripted"]
    assert budget.cost == pytest.approx(0.00012)


async def test_a_server_without_usage_is_counted_by_size(scripted_llm: ScriptedLLM) -> None:
    page = '{"id":"c","object":"chat.completion","created":1,"model":"m","choices":[]}'
    scripted_llm.script("*", Page(page, "application/json"))
    budget = fresh_budget()
    assert await failure(scripted_llm, budget, Page(page, "application/json")) is ModelErrorKind.BAD_OUTPUT
    assert budget.prompt_tokens > 500
    assert budget.completion_tokens == len(page) // 4


async def test_a_stage_ends_within_its_own_time(scripted_llm: ScriptedLLM) -> None:
    started = time.monotonic()
    kind = await failure(scripted_llm, fresh_budget(), Hang(), try_timeout_seconds=20.0, stage_timeout_seconds=0.3)
    assert kind is ModelErrorKind.TIMEOUT
    assert time.monotonic() - started < 10


async def test_calls_at_once_share_nothing(scripted_llm: ScriptedLLM) -> None:
    scripted_llm.script("*", Fill(GOOD))
    budgets = [fresh_budget() for _ in range(20)]
    async with opened(scripted_llm) as client:
        runner = ModelStageRunner(client)
        await asyncio.gather(
            *(runner.run(call(f"question-{n}?", (f"secret-{n}.",)), budget) for n, budget in enumerate(budgets))
        )
    assert [budget.model_calls for budget in budgets] == [1] * 20
    for text in scripted_llm.messages():
        number = text.split("question-")[1].split("?")[0]
        assert text.count("secret-") == 1
        assert f"secret-{number}." in text


KEYS = {
    ModelProvider.OPENAI: {"authorization": "Bearer given"},
    ModelProvider.OPENAI_COMPATIBLE: {"authorization": "Bearer given"},
    ModelProvider.ANTHROPIC: {"x-api-key": "given", "anthropic-version": "2023-06-01"},
    ModelProvider.GOOGLE: {"x-goog-api-key": "given"},
}


@pytest.mark.parametrize("provider", ModelProvider)
async def test_nothing_is_read_from_the_environment(
    scripted_llm: ScriptedLLM, monkeypatch: pytest.MonkeyPatch, provider: ModelProvider
) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    for name in ("OPENAI", "ANTHROPIC", "GOOGLE", "GEMINI"):
        monkeypatch.setenv(f"{name}_BASE_URL", "http://127.0.0.1:1/v1")
        monkeypatch.setenv(f"{name}_API_KEY", "from-the-environment")
    monkeypatch.setenv("GOOGLE_GEMINI_BASE_URL", "http://127.0.0.1:1")
    monkeypatch.setenv("GOOGLE_GENAI_USE_VERTEXAI", "true")
    for name in ("OPENAI", "ANTHROPIC"):
        custom = "X-Tenant: from-the-environment\nAuthorization: Bearer from-the-environment"
        custom += "\nX-Api-Key: from-the-environment\nAnthropic-Version: from-the-environment\nAccept: text/html"
        monkeypatch.setenv(f"{name}_CUSTOM_HEADERS", custom)
    for name in ("OPENAI_ORG_ID", "OPENAI_PROJECT_ID", "OPENAI_ADMIN_KEY", "ANTHROPIC_AUTH_TOKEN"):
        monkeypatch.setenv(name, "from-the-environment")
    scripted_llm.script("*", Fill(GOOD))
    async with opened(scripted_llm, provider=provider, api_key="given") as client:
        await ModelStageRunner(client).run(call(), fresh_budget())
    (sent,) = scripted_llm.headers
    of_body = {"host", "content-length", "content-type", "accept", "accept-encoding"}
    assert {name.lower(): value for name, value in sent.items() if name.lower() not in of_body} == KEYS[provider]
    assert (sent["Content-Type"], sent["Accept"]) == ("application/json", "application/json")


@pytest.mark.parametrize("provider", ModelProvider)
@pytest.mark.parametrize(
    "reply", [Status(401), Page("<html></html>"), Fill(BAD)], ids=lambda value: type(value).__name__
)
async def test_no_key_and_no_prompt_comes_out_of_a_failure(
    scripted_llm: ScriptedLLM,
    provider: ModelProvider,
    reply: Reply,
    caplog: pytest.LogCaptureFixture,
    capsys: pytest.CaptureFixture[str],
) -> None:
    caplog.set_level("DEBUG")
    # What OPENAI_LOG and ANTHROPIC_LOG do.
    for name in ("openai", "anthropic", "google_genai", "instructor"):
        caplog.set_level("DEBUG", name)
    scripted_llm.script("*", reply)
    async with opened(scripted_llm, provider=provider, api_key="sk-given") as client:
        with structlog.testing.capture_logs() as logs, pytest.raises(StageFailed) as caught:
            await ModelStageRunner(client).run(call(), fresh_budget())
        shown = "".join((repr(client), repr(client.options), repr(caught.value), str(logs), *capsys.readouterr()))
    assert "sk-given" not in shown + caplog.text
    assert SECRET not in shown + caplog.text
    assert [line["error"] for line in logs if line["event"] == "model_called"] == [caught.value.kind]


@pytest.mark.parametrize(
    ("provider", "module"),
    [(ModelProvider.ANTHROPIC, "anthropic"), (ModelProvider.GOOGLE, "google.genai")],
)
def test_a_provider_that_is_not_installed_is_named(
    monkeypatch: pytest.MonkeyPatch, provider: ModelProvider, module: str
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    monkeypatch.delitem(sys.modules, f"agent_core.llm.{provider}_chat", raising=False)
    with pytest.raises(ProviderNotInstalled, match=rf"agent-core\[{provider}\]"):
        open_model(ModelOptions(provider=provider, model="m", api_key="k"))


@pytest.mark.parametrize(
    ("provider", "mode", "field"),
    [
        (ModelProvider.OPENAI, ModelMode.TOOLS, "max_completion_tokens"),
        (ModelProvider.OPENAI_COMPATIBLE, ModelMode.JSON_SCHEMA, "max_tokens"),
    ],
)
async def test_each_provider_gets_its_mode_and_its_limit(
    scripted_llm: ScriptedLLM, provider: ModelProvider, mode: ModelMode, field: str
) -> None:
    scripted_llm.script("*", Fill(GOOD))
    async with opened(scripted_llm, provider=provider, mode=ModelMode.AUTO, temperature=0.5) as client:
        assert client.options.resolved_mode is mode
        await ModelStageRunner(client).run(call(), fresh_budget())
    (body,) = scripted_llm.requests
    assert body[field] == 1_500
    assert body["temperature"] == 0.5
    assert ("tools" in body) is (mode is ModelMode.TOOLS)


def test_a_compatible_server_needs_an_address() -> None:
    with pytest.raises(ValueError, match="base_url"):
        ModelOptions(provider=ModelProvider.OPENAI_COMPATIBLE, model="m")


def test_the_key_is_not_shown() -> None:
    shown = repr(ModelOptions(provider=ModelProvider.OPENAI, model="m", api_key="sk-secret"))
    assert "sk-secret" not in shown
