"""A question about `it` or `him`, where nothing says who that is, is asked back instead of answered with a guess."""

import pytest
from agent_core.schemas import AnswerStatus, TerminationReason
from fixtures.readings import read
from fixtures.rule_based_world import RuleWorld

OPEN = [
    "Who voices him?",
    "When did it start?",
    "What is her name in the second season?",
    "Which studio made that one?",
    "Is it finished?",
    "Is it an anime or a manga?",
    "How many episodes does it have?",
    "Who directed the first one?",
    "Who else did he work with in the first one?",
    "who is he",
    "What's it about?",
    "Tell me about it.",
]
CLEAR = [
    "When did Zorblax start, and who directed it?",
    "Who voices Tavrik and what is his sister called?",
    "What is that anime called where he turns into a girl?",
    "the one where she dies in the end",
    "Which anime has a boy who loses his memory?",
    "Which character dies in his first episode?",
    "Which studio has their own magazine?",
    "Which anime has the most episodes?",
    "It has 26 episodes and ran in 1998. Who directed it?",
    "When did zorblaks start and who directed it?",
    'Who directed "It"?',
    "Why did he leave the lighthouse?",
]


@pytest.mark.parametrize("question", OPEN)
def test_a_pronoun_without_anything_to_stand_for_is_asked_back(question: str) -> None:
    assert read(question).fixed_answer == "referent"


@pytest.mark.parametrize("question", CLEAR)
def test_what_is_named_or_described_is_looked_up(question: str) -> None:
    rewrite = read(question)
    assert rewrite.fixed_answer is None
    assert rewrite.needs_external_context


async def test_the_answer_asks_for_the_name() -> None:
    response = await RuleWorld().ask("When did it start?")
    assert response.answer.endswith("Please ask again with its name.")
    assert response.status is AnswerStatus.UNANSWERABLE
    assert response.termination_reason is TerminationReason.NO_RETRIEVAL_NEEDED
    assert response.evidence == ()
