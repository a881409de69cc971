"""`enishi doctor --llm` against the scripted server: what a model can do, which mode works, what is never printed."""

import json
from typing import Any

import pytest
from agent_service.settings import Settings as AgentSettings
from enishi.commands.doctor_model import configured_model, run_doctor_model
from enishi.settings import Settings
from fixtures.modelled_loop import SUFFICIENT, Values, draft_values, rewrite_values, search_values, step_values
from fixtures.scripted_llm import Fill, ScriptedLLM, Status

KEY = "sk-never-shown"
MENTION: Values = {"text": "Monkey D. Luffy", "entity_types": [], "year": None, "within": None}


@pytest.fixture
def llm(scripted_llm: ScriptedLLM, monkeypatch: pytest.MonkeyPatch) -> ScriptedLLM:
    monkeypatch.setenv("ENISHI_LLM_MODEL", "scripted")
    monkeypatch.setenv("ENISHI_LLM_BASE_URL", scripted_llm.base_url)
    monkeypatch.setenv("ENISHI_LLM_API_KEY", KEY)
    monkeypatch.setenv("ENISHI_LLM_RETRY_SECONDS", "0.01")
    scripted_llm.script("QueryRewriteWire", Fill(rewrite_values(mentions=[MENTION])))
    scripted_llm.script("NextStepWire", Fill(step_values("qdrant_search", search_intent=search_values("lighthouse"))))
    scripted_llm.script("DraftAnswerWire", Fill(draft_values()))
    return scripted_llm


async def doctor(capsys: pytest.CaptureFixture[str]) -> tuple[int, dict[str, Any]]:
    code = await run_doctor_model(Settings(), as_json=True)
    out = capsys.readouterr()
    assert KEY not in out.out + out.err
    return code, json.loads(out.out)


def found(document: dict[str, Any]) -> dict[str, tuple[bool | None, str]]:
    return {row["name"]: (row["ok"], row["details"]) for row in document["checks"]}


async def test_a_good_model_can_do_everything(llm: ScriptedLLM, capsys: pytest.CaptureFixture[str]) -> None:
    code, document = await doctor(capsys)
    rows = found(document)
    assert code == 0
    assert document["mode"] == "json_schema"
    assert rows["mode json_schema"] == (True, "structured output: the name was found")
    assert rows["mode tools"] == (None, "structured output: the name was found")
    assert rows["a step"] == (True, "chose qdrant_search")
    assert rows["a refusal"] == (True, "wrote nothing that the evidence doesn't say")
    assert rows["spent"][1].startswith("5 calls, 500 + 100 tokens, cost unknown")
    assert len(llm.requests) == 5
    assert document["settings"]["ENISHI_LLM_API_KEY"] == "**********"


async def test_the_mode_that_works_is_named(llm: ScriptedLLM, capsys: pytest.CaptureFixture[str]) -> None:
    good = rewrite_values(mentions=[MENTION])
    llm.script("QueryRewriteWire", Fill(lambda body: good if "tools" in body else {}))
    code, document = await doctor(capsys)
    rows = found(document)
    assert code == 1
    assert document["mode"] == "tools"
    assert rows["mode json_schema"] == (False, "no structured output: bad_output")
    assert rows["mode json"] == (None, "no structured output: bad_output")
    assert rows["mode in force"] == (False, "set ENISHI_LLM_MODE=tools: json_schema fails")
    assert rows["a step"] == (True, "chose qdrant_search")


async def test_a_model_that_makes_things_up_is_told_of_and_passes(
    llm: ScriptedLLM, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ENISHI_LLM_MODE", "tools")
    llm.script("DraftAnswerWire", Fill(draft_values(("The director eats rice.", ["e1"]))))
    llm.script("SufficiencyReportWire", Fill(SUFFICIENT))
    code, document = await doctor(capsys)
    rows = found(document)
    assert code == 0
    assert list(rows) == ["model", "mode tools", "a step", "a refusal", "spent"]
    assert rows["a refusal"][0] is None
    assert rows["a refusal"][1].startswith("answers what it can't know")


async def test_a_step_that_is_not_allowed_fails(llm: ScriptedLLM, capsys: pytest.CaptureFixture[str]) -> None:
    llm.script("NextStepWire", Fill(step_values("drop_table")))
    code, document = await doctor(capsys)
    assert code == 1
    assert found(document)["a step"] == (False, "bad_output")


async def test_a_server_that_is_down_is_asked_once(llm: ScriptedLLM, capsys: pytest.CaptureFixture[str]) -> None:
    llm.script("*", Status(500))
    llm.script("QueryRewriteWire", Status(500))
    code, document = await doctor(capsys)
    assert code == 1
    assert document["mode"] is None
    assert list(found(document)) == ["model", "mode tools", "spent"]
    assert len(llm.requests) == 2


async def test_a_table_for_people_hides_the_key(llm: ScriptedLLM, capsys: pytest.CaptureFixture[str]) -> None:
    assert await run_doctor_model(Settings(), as_json=False) == 0
    out = capsys.readouterr().out
    assert "a refusal" in out
    assert KEY not in out


async def test_without_a_model_there_is_nothing_to_ask(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ENISHI_LLM_MODEL", raising=False)
    code, document = await doctor(capsys)
    assert code == 1
    assert found(document) == {"model": (False, "none is configured: set ENISHI_LLM_MODEL")}
    assert configured_model(AgentSettings())[1] is None
