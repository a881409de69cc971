"""What a question of two parts is told is what each of them is told alone, in their order."""

import re

import pytest
from agent_core.schemas import AgentResponse, AnswerStatus, TerminationReason
from fixtures.readings import read
from fixtures.rule_based_world import RuleWorld

_ANSWERED = frozenset({AnswerStatus.ANSWERED, AnswerStatus.ANSWERED_WITH_CAVEATS})
_CITED = re.compile(r"([^\[\]]+)((?:\[\d+\])*)")
_NAMED_PART = re.compile(r"^“[^”]*”: ")

ALONE = (
    "Who directed Zorblax?",
    "Who wrote Quindle Vortex?",
    "Which studio made Zorblax?",
    "When did Zorblax start?",
    "How many episodes does Vrell of the Marsh have?",
    "Who voices Tavrik?",
    "Who are the characters of Zorblax Nights?",
    "Is Quindle Vortex a manga?",
    "What was the budget of Zorblax?",
    "How are Tavrik and Nemmi related?",
    "Which is longer, Zorblax or Vrell of the Marsh?",
    "What is Zorblax about?",
    "Who composed the music of Zorblax Nights?",
    "Who wrote Blorgon Vexu?",
    "What else did Mirelle Ostrander direct?",
)


@pytest.mark.parametrize("first", ALONE)
async def test_two_questions_in_one_are_answered_as_each_alone(first: str) -> None:
    world = RuleWorld()
    alone = {question: await world.ask(question) for question in ALONE}
    for second in ALONE:
        if second == first:
            continue
        together = f"{first.rstrip('?')}, and {second[:1].lower()}{second[1:]}"
        assert len(read(together).parts) == 2, together
        response = await world.ask(together)
        one, two = alone[first], alone[second]
        assert _said(response) == _said(one) + _said(two), together
        assert response.status is _joined_status(one, two), together


def _said(response: AgentResponse) -> list[tuple[str, tuple[str, ...]]]:
    """What an answer says, each with the evidence that its markers stand for."""
    ids = {source.marker: source.evidence_id for source in response.sources}
    lines = (_NAMED_PART.sub("", line) for line in response.answer.split("\n"))
    pairs = (match.groups() for line in lines for match in _CITED.finditer(line))
    return [(text.strip(), tuple(ids[int(n)] for n in re.findall(r"\d+", marks))) for text, marks in pairs]


def _joined_status(one: AgentResponse, two: AgentResponse) -> AnswerStatus:
    statuses = {one.status, two.status}
    if len(statuses) == 1:
        return one.status
    if one.termination_reason is two.termination_reason is TerminationReason.SUFFICIENT:
        return AnswerStatus.ANSWERED_WITH_CAVEATS
    return AnswerStatus.PARTIAL if statuses & _ANSWERED else AnswerStatus.NOT_FOUND
