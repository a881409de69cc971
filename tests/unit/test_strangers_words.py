"""Questions of documents in words that no text uses: frames, misspellings, keywords, and what still isn't there."""

from uuid import UUID

import pytest
from agent_core.agents.rule_based.document_frames import unframed
from agent_core.agents.rule_based.document_reading import read_document_question
from agent_core.document_contracts import Wanted
from agent_core.schemas import AgentRequest, AnswerStatus
from fixtures.document_world import DocumentWorld, demo_documents, documents

__all__ = ["demo_documents", "documents"]

_MILL = """The mill of Orvan was finished by Ada Lund in 1902.

## Flour

The upper store holds forty sacks of flour. It was painted green. Mill hands are allowed two loaves a week.

## Section 2 Noise

In August 1910 the wheel stood still for three weeks because the stream had dried up.
"""


@pytest.mark.parametrize(
    ("question", "rest"),
    [
        ("Could you please tell me who lit the lamp?", "who lit the lamp?"),
        ("I'd like to know how many lamps were lit.", "how many lamps were lit."),
        ("Do you happen to know when it was lit?", "when it was lit?"),
        ("I was wondering whether the lamp was lit", "the lamp was lit"),
        ("Please tell me for how long it burnt, if you know", "for how long it burnt"),
        ("Could you lend a lamp?", "Could you lend a lamp?"),
        ("Do you know?", "Do you know?"),
    ],
)
def test_what_is_said_of_the_asking_is_no_part_of_the_question(question: str, rest: str) -> None:
    assert unframed(question) == rest


@pytest.mark.parametrize(
    ("question", "wanted", "unit"),
    [
        ("mill standstill duration", Wanted.NUMBER, "weeks"),
        ("mill sack price", Wanted.NUMBER, "crowns"),
        ("What distance is it to the mill?", Wanted.NUMBER, "metres"),
        ("How big was the crowd at the mill?", Wanted.NUMBER, "people"),
        ("What was the size of the audience in the mill?", Wanted.NUMBER, "people"),
        ("How old is the miller?", Wanted.NUMBER, "years"),
        ("mill location", Wanted.PLACE, None),
        ("reason mill closed", Wanted.REASON, None),
        ("What colour is the store?", Wanted.COLOUR, None),
        ("May I borrow a sack when it rains?", Wanted.ANYTHING, None),
        ("What did the miller pay for after the flood?", Wanted.ANYTHING, None),
        ("What was paid for the mill?", Wanted.NUMBER, "crowns"),
    ],
)
def test_what_is_wanted_without_a_question_word_too(question: str, wanted: Wanted, unit: str | None) -> None:
    read = read_document_question(question, AgentRequest(query=question, request_id=UUID(int=1)))
    assert read is not None
    assert read.wanted is wanted
    assert unit is None or unit in read.counted


@pytest.mark.parametrize(
    ("question", "quote"),
    [
        ("How many sacks fit into the upper store?", "forty sacks"),
        ("how many sackss of flour in the upper store", "forty sacks"),
        ("Which colour does the upper store have?", "painted green"),
        ("mill wheel stood still reason", "because the stream had dried up"),
    ],
)
async def test_a_sentence_answers_that_says_it_in_other_words(
    documents: DocumentWorld, question: str, quote: str
) -> None:
    documents.add("The Mill", _MILL)
    response = await documents.ask(question)
    assert response.status is AnswerStatus.ANSWERED
    assert quote in response.answer


@pytest.mark.parametrize(
    "question",
    [
        "Who painted the mill of Orvan?",
        "How many sacks fit into the lower barn of Quindle?",
        "Which prize did the mill of Orvan win?",
        "How many sacks of flour will the mill hold in 2030?",
        "How many loaves per month are the mill hands allowed?",
        "When was the upper store sold?",
        "What does section 5 of “The Mill” say?",
        "mill of Orvan price",
    ],
)
async def test_what_is_not_there_is_refused_in_any_words(documents: DocumentWorld, question: str) -> None:
    documents.add("The Mill", _MILL, dated="2019-05")
    response = await documents.ask(question)
    assert response.status is AnswerStatus.NOT_FOUND, response.answer


async def test_what_else_belongs_to_a_list_is_quoted_too(demo_documents: DocumentWorld) -> None:
    response = await demo_documents.ask("What did Nori Castellane leave out of the recording?")
    assert "every bird that could not have lived" in response.answer
    assert "She also left out an aeroplane" in response.answer


async def test_who_asks_of_a_time_gets_the_rule_that_still_held_then(demo_documents: DocumentWorld) -> None:
    response = await demo_documents.ask("In 2021, could the period of the loan of a cel be extended?")
    assert "“The period can be extended once" in response.answer
    assert "no longer" not in response.answer


async def test_what_is_forbidden_is_no_sentence_that_forbids_nothing(documents: DocumentWorld) -> None:
    documents.add("Mill Rules", "Sacks may be carried by the mill hands. Lamps are not allowed on the mill floor.")
    response = await documents.ask("What is forbidden on the mill floor?")
    assert "carried" not in response.answer


async def test_the_part_that_goes_on_in_the_next_sentence_is_told_without_repeating_the_first(
    demo_documents: DocumentWorld,
) -> None:
    response = await demo_documents.ask("Who built the cardboard motorcycle and how long was it?")
    assert response.status is AnswerStatus.ANSWERED
    assert response.answer.count("Pupils of the Lower Kurokawa school") == 1
    assert "“It was four metres long" in response.answer
