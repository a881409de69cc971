"""What users of other systems complain of, made impossible here: small models, and cost."""

import re
from collections.abc import AsyncGenerator
from pathlib import Path
from uuid import uuid4

import pytest
from agent_core.agents.wire import QueryRewriteWire
from agent_core.budget import Budget, Limits
from agent_core.errors import BudgetExhausted
from agent_core.llm.options import Price
from agent_core.llm.providers import ModelClient, ModelMode
from agent_core.llm.stage_runner import ModelStageRunner
from agent_core.schemas import AgentRequest, AnswerStatus, WarningCode
from agent_core.testing import FakeClock, scripted
from fixtures.loop_world import ENOUGH, World, cite_everything, codes, concept_rewrite, search
from fixtures.modelled_loop import (
    CONCEPT,
    SUFFICIENT,
    Values,
    about_all,
    loop_on,
    opened,
    rewrite_call,
    rewrite_values,
    rules,
    script_honestly,
    step_values,
)
from fixtures.scripted_llm import COMPLETION_TOKENS, PROMPT_TOKENS, Fill, Say, ScriptedLLM

IMPORT = re.compile(r"^\s*(?:from|import) (\w+)", re.MULTILINE)
ROOT = Path(__file__).parents[3]
PRICE = Price(prompt=1_000.0, completion=5_000.0)
ASKERS = frozenset({"agent_core", "anthropic", "atomic_agents", "google", "instructor", "litellm", "openai"})
ECHO: Values = QueryRewriteWire.model_json_schema()  # pyright: ignore[reportUnknownMemberType]
LACKING_TWO = {name: value for name, value in rewrite_values().items() if name not in ("answer_kind", "language")}


@pytest.fixture
async def client(scripted_llm: ScriptedLLM) -> AsyncGenerator[ModelClient]:
    async with opened(scripted_llm, mode=ModelMode.JSON_SCHEMA, prices={"scripted": PRICE}) as client:
        yield client


def budget(**limits: float) -> Budget:
    return Budget.start(Limits(**limits), FakeClock().monotonic)  # pyright: ignore[reportArgumentType]


async def test_d13_the_schema_is_enforced_by_the_server_and_its_echo_is_corrected(
    scripted_llm: ScriptedLLM, client: ModelClient
) -> None:
    scripted_llm.script("*", Fill(ECHO), Fill(rewrite_values()))
    wire = await ModelStageRunner(client).run(rewrite_call(), budget())
    assert [mention.text for mention in wire.mentions] == ["Luffy"]
    for body in scripted_llm.requests:
        schema = body["response_format"]["json_schema"]["schema"]
        assert set(schema["required"]) == set(QueryRewriteWire.model_fields)
    assert len(scripted_llm.requests) == 2


async def test_d14_a_tool_that_is_not_available_is_no_choice_and_ends_in_an_answer(
    scripted_llm: ScriptedLLM, client: ModelClient
) -> None:
    llm = scripted_llm
    llm.script("QueryRewriteWire", Fill(CONCEPT))
    llm.script("NextStepWire", Fill(step_values("web_search")))
    llm.script("DraftAnswerWire", Fill(about_all("One Piece is the work.")))
    llm.script("SufficiencyReportWire", Fill(SUFFICIENT))
    behind = scripted(
        concept_rewrite(),
        steps=[search("pirates")],
        drafts=[cite_everything("One Piece is the work")],
        reports=[ENOUGH],
    )
    response = await loop_on(client, llm, World()).ask(behind)
    schemas = [body["response_format"]["json_schema"] for body in llm.requests]
    offered = [each["schema"]["properties"]["action"]["enum"] for each in schemas if each["name"] == "NextStepWire"]
    assert offered == [["qdrant_search", "plan", "final"]] * 2
    assert response.answer == "One Piece is the work [1]."
    assert codes(response) == {WarningCode.LLM_UNAVAILABLE}


async def test_d15_two_missing_fields_cost_one_correction_and_never_the_answer(
    scripted_llm: ScriptedLLM, client: ModelClient
) -> None:
    script_honestly(scripted_llm)
    scripted_llm.script("QueryRewriteWire", Fill(LACKING_TWO))
    response = await loop_on(client, scripted_llm, World()).ask(rules())
    assert scripted_llm.asked().count("QueryRewriteWire") == 2
    assert response.status is AnswerStatus.ANSWERED_WITH_CAVEATS
    assert response.answer == "Monkey D. Luffy appears in One Piece [1][2]."


async def test_d16_a_correction_carries_what_was_wrong(scripted_llm: ScriptedLLM) -> None:
    replies = {
        "two missing fields": (Fill(LACKING_TWO), ("answer_kind", "language")),
        "no tool call": (Say("Luffy is in One Piece."), ("Invalid JSON",)),
        "another tool": (Fill(rewrite_values(), tool="web_search"), ("answer_kind", "language")),
    }
    async with opened(scripted_llm, mode=ModelMode.TOOLS) as client:
        for name, (reply, told) in replies.items():
            scripted_llm.reset()
            scripted_llm.script("*", reply, Fill(rewrite_values()))
            await ModelStageRunner(client).run(rewrite_call(), budget())
            last = scripted_llm.requests[1]["messages"][-1]
            assert last["role"] == "tool", name
            assert all(word in last["content"] for word in told), name


async def test_e17_calls_tokens_and_money_are_refused_before_they_are_spent(
    scripted_llm: ScriptedLLM, client: ModelClient
) -> None:
    scripted_llm.script("*", Fill({}))
    cost = PRICE.of(prompt_tokens=PROMPT_TOKENS, completion_tokens=COMPLETION_TOKENS)
    for limits, sent in (
        ({"model_calls": 0}, 0),
        ({"model_calls": 1}, 1),
        ({"tokens": PROMPT_TOKENS + COMPLETION_TOKENS}, 1),
        ({"cost": cost}, 1),
    ):
        scripted_llm.requests.clear()
        with pytest.raises(BudgetExhausted) as caught:
            await ModelStageRunner(client).run(rewrite_call(), budget(**limits))
        assert [caught.value.what] == list(limits)
        assert len(scripted_llm.requests) == sent


async def test_e18_what_was_used_comes_back_with_the_answer(scripted_llm: ScriptedLLM, client: ModelClient) -> None:
    script_honestly(scripted_llm)
    response = await loop_on(client, scripted_llm, World()).ask(rules())
    usage = response.usage
    assert (usage.model_calls, usage.prompt_tokens, usage.completion_tokens) == (3, 300, 60)
    assert usage.cost == pytest.approx(3 * PRICE.of(prompt_tokens=100, completion_tokens=20))
    async with opened(scripted_llm) as unpriced:
        scripted_llm.requests.clear()
        response = await loop_on(unpriced, scripted_llm, World()).ask(rules())
        assert response.usage.cost is None
        request = AgentRequest(query="Which anime is Luffy in?", request_id=uuid4(), max_model_calls=0)
        scripted_llm.requests.clear()
        response = await loop_on(unpriced, scripted_llm, World()).ask(rules(), request)
        assert response.answer == "Luffy is in One Piece [1][2]."


def test_e19_nothing_that_imports_or_indexes_can_ask_a_model() -> None:
    for package in ("libs/ingestion", "libs/embeddings", "libs/datastore", "apps/indexer"):
        modules = sorted((ROOT / package / "src").rglob("*.py"))
        assert modules
        for module in modules:
            assert not imported(module) & ASKERS, module


def imported(module: Path) -> frozenset[str]:
    """The top-level packages that a module names in its imports, wherever they stand."""
    return frozenset(IMPORT.findall(module.read_text(encoding="utf-8")))
