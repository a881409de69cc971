"""The well-behaved scripted model, asked over HTTP by the real client: it has nothing but the prompt."""

from collections.abc import AsyncGenerator
from uuid import UUID

import pytest
from agent_core.agents.answer import ModelAnswer
from agent_core.agents.rewrite import ModelRewrite
from agent_core.agents.source_selector import ModelSourceSelector
from agent_core.agents.sufficiency import ModelSufficiency
from agent_core.llm.providers import ModelOptions, ModelProvider, open_model
from agent_core.llm.stage_runner import ModelStageRunner
from agent_core.orchestrator import LoopOptions, Orchestrator, Sources
from agent_core.orchestrator.outcomes import violations
from agent_core.protocols import Stages
from agent_core.schemas import AgentRequest, AgentResponse, AnswerStatus
from agent_core.testing import FakeClock
from agent_evals.dataset import Kind
from agent_evals.evaluators import Outcome
from agent_evals.model_report import ModelReport, ModelRun
from agent_evals.report import EvalReport, Result
from agent_evals.scripted_model.model import PromptModel
from agent_evals.scripted_model.server import ModelServer, serving
from fixtures.readings import INVENTED_NAMES
from fixtures.rule_based_world import RuleWorld


class Asking:
    """The invented catalogue, asked through the model at every stage."""

    def __init__(self, server: ModelServer, stages: Stages) -> None:
        self.server = server
        self._stages = stages
        self._world = RuleWorld()

    async def ask(self, question: str) -> AgentResponse:
        catalogue = self._world.catalogue
        loop = Orchestrator(
            stages=self._stages,
            rule_based=self._world.stages,
            sources=Sources(catalogue, catalogue, catalogue.search, catalogue.graph),
            clock=FakeClock(),
            options=LoopOptions(fast_path=False),
        )
        response = await loop.run(AgentRequest(query=question, request_id=UUID(int=1)))
        assert violations(response) == []
        return response


@pytest.fixture
async def asking() -> AsyncGenerator[Asking]:
    async with serving(PromptModel(INVENTED_NAMES).reply) as server:
        options = ModelOptions(ModelProvider.OPENAI_COMPATIBLE, "scripted", server.base_url)
        client = open_model(options)
        runner = ModelStageRunner(client)
        stages = Stages(
            ModelRewrite(runner), ModelSourceSelector(runner), ModelAnswer(runner), ModelSufficiency(runner)
        )
        yield Asking(server, stages)
        await client.close()


@pytest.mark.parametrize(
    ("question", "answer", "calls"),
    [
        ("How many episodes does Zorblax have?", "The episodes of Zorblax: 64 [1].", 3),
        ("Who directed Zorblax?", "Mirelle Ostrander worked on Zorblax (director) [1].", 3),
        ("How is Tavrik related to Nemmi?", "Nemmi is related to Tavrik (sibling) [1].", 4),
        (
            "What else did the director of Zorblax direct?",
            "Mirelle Ostrander worked on Zorblax Nights (director) [1].",
            4,
        ),
        ("Which other characters does the voice actor of Tavrik voice?", "Yuna Brask voices Ossa (ja) [1].", 4),
        ("Who wrote the manga that Zorblax is based on?", "Brennick Sorrel worked on Quindle Vortex (author) [1].", 4),
    ],
)
async def test_it_answers_from_the_cards(asking: Asking, question: str, answer: str, calls: int) -> None:
    response = await asking.ask(question)
    assert response.answer == answer
    assert response.status is AnswerStatus.ANSWERED
    assert (response.usage.model_calls, asking.server.calls, asking.server.corrections) == (calls, calls, 0)
    assert response.usage.prompt_tokens > 1_000


def result(kind: Kind, outcome: Outcome, calls: int, tokens: int) -> Result:
    return Result("c", kind, "q?", False, outcome, "", None, "", "", "", 0, (), 1.0, calls, tokens)


def test_the_report_sets_both_passes_side_by_side() -> None:
    before = EvalReport((result(Kind.LOOKUP, Outcome.RIGHT, 3, 900), result(Kind.LOOKUP, Outcome.WRONG, 4, 1_100)))
    after = EvalReport((result(Kind.LOOKUP, Outcome.RIGHT, 0, 0), result(Kind.LOOKUP, Outcome.RIGHT, 1, 400)))
    report = ModelReport(ModelRun(before, requests=8, corrections=2), ModelRun(after, requests=1, corrections=0))
    lines = report.to_table().split("\n")
    assert lines[1].split() == [
        "lookup",
        "2",
        *["50.0", "→", "100.0"],
        *["3.5", "→", "0.5"],
        *["1000", "→", "200"],
        "0",
    ]
    assert lines[-1] == "schema validity: 66.7% → 100.0%"
    assert report.shortfalls == (
        "every stage: 50.0% right of all, 85% wanted",
        "every stage: lookup: 50.0% right, 60% wanted",
    )
