"""Questions of different names in one sentence are told apart; what is one question stays one."""

import pytest
from fixtures.readings import read


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        ("Who directed Zorblax and who wrote Quindle Vortex?", ("Who directed Zorblax", "who wrote Quindle Vortex?")),
        (
            "Who directed Zorblax? And who wrote Quindle Vortex?",
            ("Who directed Zorblax", "who wrote Quindle Vortex?"),
        ),
        (
            "Hello! Tell me who directed Zorblax and who voices Tavrik in Zorblax Nights.",
            ("Hello! Tell me who directed Zorblax", "who voices Tavrik in Zorblax Nights."),
        ),
        (
            "When did Zorblax start, when did Quindle Vortex start, and which studio made Vrell of the Marsh?",
            ("When did Zorblax start", "when did Quindle Vortex start", "which studio made Vrell of the Marsh?"),
        ),
        (
            "How many episodes does Zorblax have and how many does Vrell of the Marsh have?",
            ("How many episodes does Zorblax have", "How many episodes does Vrell of the Marsh have?"),
        ),
        ("Is Zorblax an anime, and is Quindle Vortex a manga?", ("Is Zorblax an anime", "is Quindle Vortex a manga?")),
        (
            "Who directed Zorblax and who is the mayor of Quindle Vortex?",
            ("Who directed Zorblax", "who is the mayor of Quindle Vortex?"),
        ),
        (
            "Which is longer, Zorblax or Vrell of the Marsh, and who wrote Quindle Vortex?",
            ("Which is longer, Zorblax or Vrell of the Marsh", "who wrote Quindle Vortex?"),
        ),
        (
            "Wer hat bei Zorblax Regie geführt und wer hat Quindle Vortex geschrieben?",
            ("Wer hat bei Zorblax Regie geführt", "wer hat Quindle Vortex geschrieben?"),
        ),
        (
            "¿Quién dirigió Zorblax y quién escribió Quindle Vortex?",
            ("Quién dirigió Zorblax", "quién escribió Quindle Vortex?"),
        ),
    ],
)
def test_questions_of_different_names_are_parts(question: str, parts: tuple[str, ...]) -> None:
    assert tuple(part.removeprefix("¿") for part in read(question).parts) == parts


@pytest.mark.parametrize(
    "question",
    [
        "Who directed Zorblax?",
        "Who directed Zorblax and Vrell of the Marsh?",
        "Who directed Zorblax and which studio made it?",
        "Who directed Zorblax and who composed the music of Zorblax?",
        "Who directed Zorblax and did he also write Quindle Vortex?",
        "Who wrote Quindle Vortex and did the music of Zorblax?",
        "Which person who directed Zorblax and who wrote Quindle Vortex is alive?",
        "How are Zorblax and who wrote Quindle Vortex related?",
        "Compare when Zorblax started and when Vrell of the Marsh started.",
        "Which studio made Zorblax, and is photography allowed?",
        "Zorblax has a director. Who wrote Quindle Vortex?",
        "Who directed Zorblax, and what of Quindle Vortex?",
        'Who wrote "Zorblax and who made Quindle Vortex"?',
    ],
)
def test_one_question_stays_one(question: str) -> None:
    assert read(question).parts == ()


def test_a_fourth_question_stays_with_the_third() -> None:
    question = "Who directed Zorblax, who wrote Quindle Vortex, who voices Tavrik and who voices Ossa?"
    assert read(question).parts == (
        "Who directed Zorblax",
        "who wrote Quindle Vortex",
        "who voices Tavrik and who voices Ossa?",
    )
