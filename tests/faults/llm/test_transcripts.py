"""Transcripts in the style of small models, replayed through the stage runner."""

import asyncio
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml
from agent_core.agents.wire import QueryRewriteWire
from agent_core.budget import Budget, Limits
from agent_core.errors import StageFailed
from agent_core.llm.providers import ModelClient, ModelMode
from agent_core.llm.stage_runner import ModelStageRunner
from agent_core.testing import FakeClock
from fixtures.modelled_loop import opened, rewrite_call, rewrite_values
from fixtures.scripted_llm import Fill, ScriptedLLM, serve_scripted_llm
from pydantic import BaseModel, ConfigDict, TypeAdapter

FILLED = "filled"
GOOD = rewrite_values()


class Transcript(BaseModel):
    """What a model wrote, and what must come of it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    replies: tuple[str, ...]
    outcome: str
    calls: int
    mode: ModelMode = ModelMode.JSON_SCHEMA
    finish_reason: str | None = None
    tools: tuple[str | None, ...] = (None,)

    def script(self) -> list[Fill]:
        """The replies of the server. The last tool stands for all further ones."""
        tools = (*self.tools, *[self.tools[-1]] * len(self.replies))
        return [
            Fill(_filled_in(text), self.finish_reason, tool) for text, tool in zip(self.replies, tools, strict=False)
        ]


@dataclass(frozen=True, slots=True)
class Replayed:
    """How a transcript went; `told` is what the model was told after its first answer."""

    outcome: str
    calls: int
    told: str


def _filled_in(text: str) -> str:
    schema = json.dumps(QueryRewriteWire.model_json_schema())  # pyright: ignore[reportUnknownMemberType]
    return re.sub(r"<<good(?::(.*?))?>>", _good, text.replace("<<schema>>", schema), flags=re.DOTALL)


def _good(match: re.Match[str]) -> str:
    """An answer that fits, with the given raw text in the place of the fields that it names."""
    if match[1] is None:
        return json.dumps(GOOD)
    changed = json.loads(f"{{{match[1]}}}", strict=False)
    kept = json.dumps({name: value for name, value in GOOD.items() if name not in changed})
    return f"{{{match[1]}, {kept[1:]}"


TRANSCRIPTS: Sequence[Transcript] = TypeAdapter(tuple[Transcript, ...]).validate_python(
    yaml.safe_load((Path(__file__).parent / "transcripts.yaml").read_text(encoding="utf-8"))
)


@pytest.fixture(scope="module")
def replayed() -> dict[str, Replayed]:
    async def replay_all() -> dict[str, Replayed]:
        async with (
            serve_scripted_llm() as llm,
            opened(llm, mode=ModelMode.JSON_SCHEMA) as by_schema,
            opened(llm, mode=ModelMode.TOOLS) as by_tools,
        ):
            clients = {ModelMode.JSON_SCHEMA: by_schema, ModelMode.TOOLS: by_tools}
            return {each.name: await replay(each, clients[each.mode], llm) for each in TRANSCRIPTS}

    return asyncio.run(replay_all())


async def replay(transcript: Transcript, client: ModelClient, llm: ScriptedLLM) -> Replayed:
    llm.reset()
    llm.script("QueryRewriteWire", *transcript.script())
    budget = Budget.start(Limits(), FakeClock().monotonic)
    try:
        wire = await ModelStageRunner(client).run(rewrite_call(), budget)
        outcome = FILLED
        assert wire.rewritten_query == GOOD["rewritten_query"]
        assert [mention.text for mention in wire.mentions] == ["Luffy"]
    except StageFailed as failed:
        outcome = failed.kind.value
    assert budget.model_calls == len(llm.requests)
    first = llm.messages()[0]
    return Replayed(outcome, len(llm.requests), llm.messages()[-1].removeprefix(first))


@pytest.mark.parametrize("transcript", TRANSCRIPTS, ids=lambda each: each.name)
def test_what_small_models_write(transcript: Transcript, replayed: dict[str, Replayed]) -> None:
    seen = replayed[transcript.name]
    assert (seen.outcome, seen.calls) == (transcript.outcome, transcript.calls)
    # Whoever is asked again is told why.
    assert bool(seen.told) is (transcript.calls > 1)


def test_there_are_enough_of_them_and_no_two_are_alike() -> None:
    assert len({each.name for each in TRANSCRIPTS}) == len(TRANSCRIPTS) >= 20
    assert len({(each.mode, each.replies, each.tools) for each in TRANSCRIPTS}) == len(TRANSCRIPTS)
