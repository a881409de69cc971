"""Transcripts in the style of small models, replayed through the stage runner."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import yaml
from agent_core.agents.wire import QueryRewriteWire
from agent_core.budget import Budget, Limits
from agent_core.errors import StageFailed
from agent_core.llm.providers import ModelClient, ModelMode
from agent_core.llm.stage_runner import ModelStageRunner
from agent_core.testing import FakeClock
from fixtures.modelled_loop import opened, rewrite_call, rewrite_values
from fixtures.scripted_llm import Fill, ScriptedLLM
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
    """How a transcript went, and whether the model was told more when it was asked again."""

    outcome: str
    calls: int
    is_told: bool


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
    return Replayed(outcome, len(llm.requests), is_told=llm.messages()[-1] != first)


async def test_what_small_models_write_is_used_corrected_or_refused(scripted_llm: ScriptedLLM) -> None:
    async with (
        opened(scripted_llm, mode=ModelMode.JSON_SCHEMA) as by_schema,
        opened(scripted_llm, mode=ModelMode.TOOLS) as by_tools,
    ):
        clients = {ModelMode.JSON_SCHEMA: by_schema, ModelMode.TOOLS: by_tools}
        seen = {each.name: await replay(each, clients[each.mode], scripted_llm) for each in TRANSCRIPTS}
    # Whoever is asked again is told why.
    expected = {each.name: Replayed(each.outcome, each.calls, is_told=each.calls > 1) for each in TRANSCRIPTS}
    assert seen == expected


def test_there_are_enough_of_them_and_no_two_are_alike() -> None:
    assert len({each.name for each in TRANSCRIPTS}) == len(TRANSCRIPTS) >= 20
    assert len({(each.mode, each.replies, each.tools) for each in TRANSCRIPTS}) == len(TRANSCRIPTS)
