"""Over gRPC: what SearchAI answers is the fold of what StreamSearchAI tells, whatever is asked and whatever is lost."""

import asyncio
import re
from contextlib import AsyncExitStack
from uuid import uuid4

from agent_api.client import Caller
from agent_core.errors import SourceUnavailable
from agent_core.events import EventListener
from agent_core.orchestrator import Orchestrator
from agent_core.schemas import AgentRequest, AgentResponse, AnswerStatus
from agent_evals.dataset import places
from agent_evals.shipped import Dataset, load_shipped
from agent_service.converters import response_from_proto
from fixtures.rule_based_world import RuleWorld
from fixtures.streaming import StreamingAgent, asking, folded, streaming_agent, without_timings
from hypothesis import given, settings
from hypothesis import strategies as st

EXAMPLES = 40
SECONDS = 20
CALLER = Caller(request_id=uuid4())

NAMES = {
    "anime": ("Zorblax", "Zorblax Nights", "Vrell of the Marsh"),
    "manga": ("Quindle Vortex",),
    "character": ("Tavrik", "Nemmi", "Ossa"),
    "person": ("Mirelle Ostrander", "Yuna Brask", "Brennick Sorrel"),
    "studio": ("Studio Plimf",),
}
UNKNOWN = "Grundle Fennimore"
SOURCES = {"resolve": "postgresql", "rows": "postgresql", "search": "qdrant", "graph": "postgresql"}

type Fault = tuple[str, bool]
"""The method that fails, and whether by its time."""


WORDINGS = [text for case in load_shipped(Dataset.DEMO) for text in case.wordings]


@st.composite
def questions(draw: st.DrawFn) -> str:
    """A wording of the question file about this catalogue, or about what no catalogue has."""
    wording = draw(st.sampled_from(WORDINGS))
    for place in places(wording):
        known = NAMES.get(place.ref.split(":")[1], ())
        wording = wording.replace(place.text, draw(st.sampled_from((*known, UNKNOWN))), 1)
    return wording


class Latest:
    """Answers with the loop that a test put there last."""

    loop: Orchestrator

    async def run(self, request: AgentRequest, *, listener: EventListener | None = None) -> AgentResponse:
        return await self.loop.run(request, listener=listener)


def faulty(faults: list[Fault]) -> Orchestrator:
    """A loop over the same catalogue each time, whose reads fail in the same way."""
    world = RuleWorld()
    for method, timed_out in faults:
        world.catalogue.fail(method, SourceUnavailable(SOURCES[method], timed_out=timed_out))
    return world.loop


async def both(agent: StreamingAgent, answers: Latest, question: str, faults: list[Fault]) -> AgentResponse:
    """The unary answer, once it is what the stream folds to."""
    answers.loop = faulty(faults)
    message = await agent.client.search_ai(asking(question).start, caller=CALLER, timeout=SECONDS)
    answers.loop = faulty(faults)
    streamed = folded(await agent.events(asking(question)))
    unary = response_from_proto(message)
    assert without_timings(streamed) == without_timings(unary)
    return unary


def test_the_unary_answer_is_the_fold_of_the_stream() -> None:
    seen: set[AnswerStatus] = set()
    answers, opened = Latest(), AsyncExitStack()
    with asyncio.Runner() as runner:
        agent = runner.run(opened.enter_async_context(streaming_agent(answers)))

        @settings(max_examples=EXAMPLES, deadline=None)
        @given(
            question=questions(),
            faults=st.lists(st.tuples(st.sampled_from([*SOURCES]), st.booleans()), max_size=2),
        )
        def check(question: str, faults: list[Fault]) -> None:
            assert not re.search("[{}]", question)
            seen.add(runner.run(both(agent, answers, question, faults)).status)

        try:
            check()
        finally:
            runner.run(opened.aclose())
    assert len(seen) >= 3
