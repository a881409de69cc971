"""Follow-up questions about a document that was quoted."""

from uuid import UUID

import pytest
from agent_core.agents.rule_based.follow_up import complete_question
from agent_core.evidence import EntityRef
from agent_core.turns import PastMention, PastTurn
from datastore.vocabulary import EntityType

LAMP = EntityRef(id=UUID(int=1), entity_type=EntityType.DOCUMENT, name="The Lamp of Quindle")
BELL = EntityRef(id=UUID(int=2), entity_type=EntityType.DOCUMENT, name="The “Bell” of Vrell")
ZORBLAX = EntityRef(id=UUID(int=3), entity_type=EntityType.ANIME, name="Zorblax")
QUOTED = PastTurn(question="Who built the lamp of Quindle?", results=(LAMP,))


@pytest.mark.parametrize(
    ("question", "complete"),
    [
        ("Who built it?", "According to “The Lamp of Quindle”, who built it?"),
        ("And when was it lit?", "According to “The Lamp of Quindle”, when was it lit?"),
        ("What does it say about oil?", "What does “The Lamp of Quindle” say about oil?"),
        ("According to it, how much oil is burnt?", "According to “The Lamp of Quindle”, how much oil is burnt?"),
        ("Does the article mention a keeper?", "Does “The Lamp of Quindle” mention a keeper?"),
        ("Who wrote that report?", "Who wrote “The Lamp of Quindle”?"),
        ("How many bells are in Vrell?", "How many bells are in Vrell?"),
    ],
)
def test_a_question_that_leans_on_a_document_is_put_to_it(question: str, complete: str) -> None:
    assert complete_question(question, [], [QUOTED]).text == complete


def test_a_name_stands_for_itself_unless_the_text_is_meant() -> None:
    assert complete_question("Who directed Zorblax, and was it long?", ["Zorblax"], [QUOTED]).text == (
        "Who directed Zorblax, and was it long?"
    )
    about = complete_question("What does it say about Zorblax?", ["Zorblax"], [QUOTED])
    assert about.text == "What does “The Lamp of Quindle” say about Zorblax?"


def test_only_the_one_document_of_the_last_answer_is_meant() -> None:
    both = PastTurn(question="Who built the lamp and the bell?", results=(LAMP, BELL))
    assert complete_question("Who built it?", [], [QUOTED, both]).text == "Who built it?"
    nothing = PastTurn(question="Who sank the lamp of Quindle?")
    assert complete_question("Who built it?", [], [QUOTED, nothing]).text.startswith("According to “The Lamp")
    work = PastTurn(
        question="How long is Zorblax?", mentions=(PastMention(text="Zorblax", entity=ZORBLAX),), results=(ZORBLAX,)
    )
    assert complete_question("Who directed it?", [], [QUOTED, work]).text == "Who directed the anime Zorblax?"


def test_marks_inside_a_title_do_not_end_it() -> None:
    bell = PastTurn(question="Who cast the bell?", results=(BELL,))
    assert complete_question("When was it cast?", [], [bell]).text == (
        "According to “The ‘Bell’ of Vrell”, when was it cast?"
    )
