"""`enishi trace` and `enishi replay` beside the running stack, in this process: what they print and how they exit."""

import json
from uuid import uuid4

import pytest
from agent_api.errors import InvalidQuestion
from enishi.asking import Asker
from enishi.commands.tracing import run_replay, run_trace
from enishi.settings import Settings
from fixtures.stack import Home

QUESTION = "Who directed Cowboy Bebop?"


async def test_a_run_is_shown_listed_and_not_replayed_without_its_texts(
    running_home: Home, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    settings = Settings(home=running_home.path)
    asker = Asker(running_home.state["agent_target"], seconds=settings.ask_seconds)
    trace_id = (await asker.ask(QUESTION)).trace_id
    await asker.close()

    assert await run_trace(settings, trace_id, limit=1, as_json=True) == 0
    exported = json.loads(capsys.readouterr().out)
    assert (exported["id"], exported["status"], exported["has_text"]) == (str(trace_id), "answered", False)
    assert "Bebop" not in json.dumps(exported)

    assert await run_trace(settings, trace_id, limit=1, as_json=False) == 0
    tree = capsys.readouterr().out
    assert tree.startswith(f"{trace_id}  answered, sufficient")
    assert "\x1b" not in tree

    assert await run_trace(settings, None, limit=2, as_json=False) == 0
    listed = capsys.readouterr().out.splitlines()
    assert listed[1].startswith(str(trace_id))
    assert len(listed) == 3

    assert await run_replay(settings, trace_id, as_json=False) == 2
    assert "ENISHI_TRACE_TEXT=true" in capsys.readouterr().err.replace("\n", " ")


async def test_an_unknown_trace_is_told_as_such(running_home: Home) -> None:
    settings = Settings(home=running_home.path)
    with pytest.raises(InvalidQuestion, match="id: names no trace of yours"):
        await run_trace(settings, uuid4(), limit=1, as_json=False)
