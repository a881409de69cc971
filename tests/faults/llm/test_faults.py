"""Everything that a model can do wrong, through the real SDKs, and what the caller of the loop sees of it.

The same observations are written to `docs/llm-faults.md`: run with `--snapshot-update` to renew the page.
"""

import time
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path

import pytest
from agent_core.errors import ModelErrorKind
from agent_core.llm.providers import ModelClient, ModelMode, ModelProvider
from agent_core.schemas import AgentResponse, AnswerStatus, Stage, WarningCode
from fixtures.loop_world import World
from fixtures.modelled_loop import draft_values, loop_on, opened, rewrite_values, rules, script_honestly
from fixtures.scripted_llm import (
    COMPLETION_TOKENS,
    PROMPT_TOKENS,
    Drop,
    Fill,
    Hang,
    Page,
    Reply,
    Say,
    ScriptedLLM,
    Status,
    serve_scripted_llm,
)

PAGE = Path(__file__).parents[3] / "docs" / "llm-faults.md"
OF_MODEL = "Monkey D. Luffy appears in One Piece [1][2]."
OF_RULES = "Luffy is in One Piece [1][2]."
TRY_SECONDS, SHORT_TRY_SECONDS = 10.0, 0.3

GOOD = rewrite_values()
BAD = rewrite_values(answer_kind="poem")
RAW = '{"rationale": "a\x01b\nc"'


@dataclass(frozen=True, slots=True)
class Fault:
    """What the server does at one stage, and what must come of it. `tries_lost` are attempts that run out of time."""

    name: str
    replies: tuple[Reply, ...]
    calls: int
    kind: ModelErrorKind | None = None
    mode: ModelMode = ModelMode.TOOLS
    asked: str = "QueryRewriteWire"
    stage: Stage = Stage.REWRITE
    tries_lost: int = 0


@dataclass(frozen=True, slots=True)
class Observed:
    """How a fault went: HTTP calls of its stage, how the stage failed, and what the caller saw."""

    calls: int
    kind: str | None
    answer: str
    status: AnswerStatus
    warnings: tuple[str, ...]


FAULTS = (
    Fault("a valid answer, as a tool call", (Fill(GOOD),), 1),
    Fault("a valid answer, by JSON schema", (Fill(GOOD),), 1, mode=ModelMode.JSON_SCHEMA),
    Fault("a valid answer, in JSON mode", (Fill(GOOD),), 1, mode=ModelMode.JSON),
    Fault("invalid, then corrected", (Fill(BAD), Fill(GOOD)), 2),
    Fault("invalid JSON, then corrected", (Fill("{'"), Fill(GOOD)), 2, mode=ModelMode.JSON_SCHEMA),
    Fault("invalid for ever", (Fill(BAD),), 2, ModelErrorKind.BAD_OUTPUT),
    Fault("an empty object for ever", (Fill("{}"),), 2, ModelErrorKind.BAD_OUTPUT, ModelMode.JSON_SCHEMA),
    Fault("nothing at all", (Fill(""),), 2, ModelErrorKind.BAD_OUTPUT, ModelMode.JSON_SCHEMA),
    Fault("truncated tool call", (Fill('{"rationale": "cut', "length"),), 1, ModelErrorKind.TRUNCATED),
    Fault(
        "truncated JSON",
        (Fill('{"rationale": "cut', "length"),),
        1,
        ModelErrorKind.TRUNCATED,
        ModelMode.JSON_SCHEMA,
    ),
    Fault("another tool", (Fill(GOOD, tool="drop_table"),), 2, ModelErrorKind.BAD_OUTPUT),
    Fault("two tool calls", (Fill(GOOD, copies=2),), 2, ModelErrorKind.BAD_OUTPUT),
    Fault("plain text instead of a tool call", (Say("Luffy is in One Piece."),), 2, ModelErrorKind.BAD_OUTPUT),
    Fault(
        "plain text instead of JSON",
        (Say("Luffy is in One Piece."),),
        2,
        ModelErrorKind.BAD_OUTPUT,
        ModelMode.JSON_SCHEMA,
    ),
    Fault("refusal", (Say("I can't help with that.", is_refusal=True),), 1, ModelErrorKind.BAD_OUTPUT),
    Fault(
        "refusal instead of JSON",
        (Say("I can't help with that.", is_refusal=True),),
        1,
        ModelErrorKind.BAD_OUTPUT,
        ModelMode.JSON_SCHEMA,
    ),
    Fault("JSON as text instead of a tool call", (Say(Fill(GOOD).text({})),), 1),
    Fault(
        "raw control characters in JSON",
        (Fill(RAW + str(Fill(GOOD).text({})).replace('{"rationale": "r"', "")),),
        1,
        mode=ModelMode.JSON_SCHEMA,
    ),
    Fault("1 MB", (Fill({**GOOD, "rationale": "x" * 1_000_000}),), 1, ModelErrorKind.BAD_OUTPUT),
    Fault("an HTML page", (Page("<html>gateway</html>"),), 1, ModelErrorKind.BAD_OUTPUT),
    Fault("JSON of another kind", (Page("[]", "application/json"),), 1, ModelErrorKind.BAD_OUTPUT),
    Fault("400", (Status(400),), 1, ModelErrorKind.REJECTED),
    Fault("401", (Status(401),), 1, ModelErrorKind.REJECTED),
    Fault("a redirect", (Status(307, {"Location": "http://127.0.0.1:1/"}),), 1, ModelErrorKind.REJECTED),
    Fault("429, Retry-After in time", (Status(429, {"Retry-After": "0.01"}), Fill(GOOD)), 2),
    Fault("429 for ever", (Status(429, {"Retry-After": "0.01"}),), 2, ModelErrorKind.RATE_LIMITED),
    Fault("429, Retry-After a minute", (Status(429, {"Retry-After": "60"}),), 1, ModelErrorKind.RATE_LIMITED),
    Fault(
        "429, Retry-After a date far off",
        (Status(429, {"Retry-After": "Wed, 01 Jan 2098 00:00:00 GMT"}),),
        1,
        ModelErrorKind.RATE_LIMITED,
    ),
    Fault("500, then an answer", (Status(500), Fill(GOOD)), 2),
    Fault("500 for ever", (Status(500),), 2, ModelErrorKind.UNAVAILABLE),
    Fault("connection dropped", (Drop(),), 2, ModelErrorKind.UNAVAILABLE),
    Fault("hang", (Hang(),), 2, ModelErrorKind.TIMEOUT, tries_lost=2),
    Fault("hang after headers", (Hang(after_headers=True),), 2, ModelErrorKind.TIMEOUT, tries_lost=2),
    Fault(
        "evidence that was not shown",
        (Fill(draft_values(("Zoro is in Bleach.", ["e999"]))),),
        2,
        ModelErrorKind.BAD_OUTPUT,
        asked="DraftAnswerWire",
        stage=Stage.ANSWER,
    ),
    Fault(
        "a hostile answer",
        (Fill(draft_values(("See https://evil.example/ for One Piece.", ["e1"]))),),
        1,
        asked="DraftAnswerWire",
        stage=Stage.ANSWER,
    ),
)


async def observe(fault: Fault, client: ModelClient, llm: ScriptedLLM) -> Observed:
    """Ask one question of the loop while the server has the fault."""
    llm.reset()
    script_honestly(llm)
    llm.script(fault.asked, *fault.replies)
    started = time.monotonic()
    response = await loop_on(client, llm, World()).ask(rules())
    passed = time.monotonic() - started
    lost = fault.tries_lost * client.options.try_timeout_seconds
    assert lost <= passed < lost + TRY_SECONDS
    return _observed(fault, llm, response)


def _key(fault: Fault) -> tuple[ModelMode, float]:
    return fault.mode, SHORT_TRY_SECONDS if fault.tries_lost else TRY_SECONDS


async def observe_all(provider: ModelProvider) -> dict[str, Observed]:
    """All faults at one provider, one after the other."""
    async with serve_scripted_llm() as llm, AsyncExitStack() as clients:
        by_key: dict[tuple[ModelMode, float], ModelClient] = {}
        for mode, seconds in sorted({_key(fault) for fault in FAULTS}):
            client = opened(llm, provider=provider, mode=mode, try_timeout_seconds=seconds)
            by_key[mode, seconds] = await clients.enter_async_context(client)
        return {fault.name: await observe(fault, by_key[_key(fault)], llm) for fault in FAULTS}


def _observed(fault: Fault, llm: ScriptedLLM, response: AgentResponse) -> Observed:
    failed = [step.error for step in response.steps if step.stage is fault.stage and step.action == "model"]
    usage = response.usage
    if fault.kind is None and fault.mode is ModelMode.TOOLS and "429" not in fault.name and "500" not in fault.name:
        assert (usage.prompt_tokens, usage.completion_tokens) == (
            usage.model_calls * PROMPT_TOKENS,
            usage.model_calls * COMPLETION_TOKENS,
        )
    return Observed(
        calls=llm.asked().count(fault.asked),
        kind=failed[0],
        answer=response.answer,
        status=response.status,
        warnings=tuple(f"{each.code}: {each.message}" for each in response.warnings),
    )


@pytest.mark.parametrize("provider", [ModelProvider.OPENAI_COMPATIBLE, ModelProvider.ANTHROPIC, ModelProvider.GOOGLE])
async def test_every_fault_has_one_outcome_at_every_provider(
    provider: ModelProvider, request: pytest.FixtureRequest
) -> None:
    observations = await observe_all(provider)
    expected = {fault.name: (fault.calls, fault.kind) for fault in FAULTS}
    assert {name: (each.calls, each.kind) for name, each in observations.items()} == expected
    for name, each in observations.items():
        assert each.answer in (OF_MODEL, OF_RULES), name
        assert each.status in (AnswerStatus.ANSWERED, AnswerStatus.ANSWERED_WITH_CAVEATS), name
        lost = [text for text in each.warnings if text.startswith(WarningCode.LLM_UNAVAILABLE)]
        assert len(lost) == (0 if each.kind is None else 1), name
    page = _page(observations)
    if request.config.option.update_snapshots:
        PAGE.write_text(page, encoding="utf-8")
    assert PAGE.read_text(encoding="utf-8") == page


def _page(observations: dict[str, Observed]) -> str:
    """The observations as a page. It names no provider: what one of them does differently fails its test."""
    rows = [
        "# What a model can do wrong, and what the caller sees",
        "",
        "Each row is one question, asked through the real SDK of a server that does this at one stage and answers well",
        "at the others. It holds for all providers alike: OpenAI and compatible servers, Anthropic, Google. Calls are",
        "HTTP requests of that stage, all of them spent on the request's budget. The time is what the fault costs:",
        "nothing to speak of, or time-outs of one attempt (`ENISHI_LLM_TRY_SECONDS`). Written by",
        "`uv run pytest tests/faults/llm --snapshot-update`.",
        "",
        "| fault | mode | calls | kind | time | answer | the caller saw |",
        "|---|---|---|---|---|---|---|",
    ]
    for fault in FAULTS:
        seen = observations[fault.name]
        lost = f"{fault.tries_lost} time-outs" if fault.tries_lost else "–"
        written = "the model's" if seen.answer == OF_MODEL else "the rules'"
        told = "<br>".join((seen.status, *seen.warnings))
        cells = (fault.name, fault.mode, str(seen.calls), seen.kind or "–", lost, written, told)
        rows.append(f"| {' | '.join(cells)} |")
    return "\n".join(rows) + "\n"
