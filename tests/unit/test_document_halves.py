"""Questions of documents in several parts: each is answered, or the answer says which one isn't."""

from uuid import UUID

import pytest
from agent_core.agents.rule_based.document_halves import halves_of
from agent_core.agents.rule_based.document_reading import read_document_question
from agent_core.document_contracts import Wanted
from agent_core.schemas import AgentRequest, AnswerStatus
from fixtures.document_world import DocumentWorld, demo_documents, documents

__all__ = ["demo_documents", "documents"]

_LAMPS = """The lamp of Vrell was built in 1911 by Ossa Brask.

## Oil

It burns 40 litres of oil a night. Keepers fill the lamp at noon.
"""


@pytest.mark.parametrize(
    ("question", "halves"),
    [
        ("How long may lamps be borrowed, and by whom?", ("How long may lamps be borrowed", "by whom")),
        ("Who lit it and when?", ("Who lit it", "when")),
        ("When was it lit? Who lit it?", ("When was it lit", "Who lit it")),
        ("Who lit the lamp when the wind fell?", ("Who lit the lamp when the wind fell",)),
        ("What does “Lamps, and Who Lit Them” say?", ("What does “Lamps, and Who Lit Them” say",)),
        ("According to the article, who lit the lamp?", ("According to the article, who lit the lamp",)),
    ],
)
def test_where_a_question_falls_into_parts(question: str, halves: tuple[str, ...]) -> None:
    assert halves_of(question) == halves


def test_what_a_later_part_leaves_unsaid_is_what_the_first_one_says() -> None:
    question = "How long may lamps be borrowed, and by whom?"
    read = read_document_question(question, AgentRequest(query=question, request_id=UUID(int=1)))
    assert read is not None
    assert [(part.asked, part.relation, part.wanted) for part in read.parts] == [
        (("lamps", "borrowed"), "borrowed", Wanted.NUMBER),
        (("lamps", "borrowed"), "borrowed", Wanted.NAME),
    ]


async def test_both_parts_are_answered_each_from_its_place(documents: DocumentWorld) -> None:
    documents.add("The Lamp", _LAMPS)
    response = await documents.ask("Who built the lamp, and how many litres of oil does it burn a night?")
    assert (response.status, response.answer) == (
        AnswerStatus.ANSWERED,
        "“The Lamp”: “The lamp of Vrell was built in 1911 by Ossa Brask” [1]. “It burns 40 litres of oil a night” [2].",
    )


async def test_one_sentence_that_answers_both_is_quoted_once(documents: DocumentWorld) -> None:
    documents.add("The Lamp", _LAMPS)
    response = await documents.ask("When was the lamp of Vrell built, and by whom?")
    assert response.answer == "“The Lamp”: “The lamp of Vrell was built in 1911 by Ossa Brask” [1]."


async def test_the_part_that_nothing_answers_is_named(documents: DocumentWorld) -> None:
    documents.add("The Lamp", _LAMPS)
    response = await documents.ask("Who built the lamp, and what did it cost?")
    assert response.status is AnswerStatus.ANSWERED_WITH_CAVEATS
    assert response.answer == (
        "“The Lamp”: “The lamp of Vrell was built in 1911 by Ossa Brask” [1]. "
        "No passage that was found answers this: what did it cost [1][2]."
    )
    assert response.confidence_reasons[-1] == "a part of the question is answered by no passage"


async def test_where_nothing_answers_any_part_nothing_is_said(documents: DocumentWorld) -> None:
    documents.add("The Lamp", _LAMPS)
    response = await documents.ask("Who painted the lamp, and what did the paint cost?")
    assert response.status is AnswerStatus.NOT_FOUND


async def test_how_long_cels_are_borrowed_and_by_whom(demo_documents: DocumentWorld) -> None:
    response = await demo_documents.ask("How long may cels be borrowed, and by whom?")
    assert response.status is AnswerStatus.ANSWERED
    assert "“A cel may be borrowed for 21 days”" in response.answer
    assert "“It applies to everyone who borrows cels or layout sheets from the Harbour Archive”" in response.answer


async def test_a_part_that_the_quoted_sentence_answers_too_is_not_called_unanswered(documents: DocumentWorld) -> None:
    documents.add(
        "The Stair", "The stair of the lamp of Vrell is 2 kilometres long and takes most keepers two hours.\n"
    )
    response = await documents.ask("How long is the stair of the lamp, and how much time does it take?")
    assert (response.status, response.answer) == (
        AnswerStatus.ANSWERED,
        "“The Stair”: “The stair of the lamp of Vrell is 2 kilometres long and takes most keepers two hours” [1].",
    )
