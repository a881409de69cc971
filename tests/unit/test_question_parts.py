"""Several questions in one sentence are told apart; what is one question stays one."""

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
            "Who directed Zorblax and who composed the music of Zorblax?",
            ("Who directed Zorblax", "who composed the music of Zorblax?"),
        ),
        ("Who directed Zorblax & who wrote Quindle Vortex?", ("Who directed Zorblax", "who wrote Quindle Vortex?")),
        ("Who directed Zorblax or who wrote Quindle Vortex?", ("Who directed Zorblax", "who wrote Quindle Vortex?")),
        (
            "1. Who directed Zorblax? 2. Who wrote Quindle Vortex?",
            ("Who directed Zorblax", "Who wrote Quindle Vortex?"),
        ),
        (
            "I want to know two things: who directed Zorblax; who wrote Quindle Vortex.",
            ("who directed Zorblax", "who wrote Quindle Vortex."),
        ),
        (
            "What year did Zorblax start? Also, who wrote Quindle Vortex?",
            ("What year did Zorblax start", "who wrote Quindle Vortex?"),
        ),
        (
            "Who directed Zorblax? I'd also like to know who wrote Quindle Vortex.",
            ("Who directed Zorblax", "I'd also like to know who wrote Quindle Vortex."),
        ),
        (
            "Who directed Zorblax and do you know who wrote Quindle Vortex?",
            ("Who directed Zorblax", "do you know who wrote Quindle Vortex?"),
        ),
        ("Who directed Zorblax and is Quindle Vortex good?", ("Who directed Zorblax", "is Quindle Vortex good?")),
        (
            "Recommend me something like Zorblax, and who wrote Quindle Vortex?",
            ("Recommend me something like Zorblax", "who wrote Quindle Vortex?"),
        ),
        (
            "When did Zorblax start and which anime ended in the year that Vrell of the Marsh started?",
            ("When did Zorblax start", "which anime ended in the year that Vrell of the Marsh started?"),
        ),
        (
            'Who wrote "And Who Are You?" and who directed Zorblax?',
            ('Who wrote "And Who Are You?"', "who directed Zorblax?"),
        ),
        (
            "Which studio made Zorblax, and what does the handbook say about photography?",
            ("Which studio made Zorblax", "what does the handbook say about photography?"),
        ),
        (
            "What does the handbook say about photography, and who directed Zorblax?",
            ("What does the handbook say about photography", "who directed Zorblax?"),
        ),
        (
            "Zorblaxの監督は誰ですか？Quindle Vortexの作者は誰ですか？",
            ("Zorblaxの監督は誰", "Quindle Vortexの作者は誰ですか?"),
        ),
        (
            "Who directed Zorblax, who wrote Quindle Vortex, who voices Tavrik and who voices Ossa?",
            ("Who directed Zorblax", "who wrote Quindle Vortex", "who voices Tavrik", "who voices Ossa?"),
        ),
        (
            "Who are the director of Zorblax and the author of Quindle Vortex?",
            ("who is the director of Zorblax?", "who is the author of Quindle Vortex?"),
        ),
        (
            "the director of Zorblax and the main character of Zorblax Nights",
            ("the director of Zorblax?", "the main character of Zorblax Nights?"),
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
        "Who directed Zorblax and did he also write Quindle Vortex?",
        "Who wrote Quindle Vortex and did the music of Zorblax?",
        "Which person who directed Zorblax and who wrote Quindle Vortex is alive?",
        "How are Zorblax and who wrote Quindle Vortex related?",
        "Compare when Zorblax started and when Vrell of the Marsh started.",
        "Which studio made Zorblax, and is photography allowed?",
        "Zorblax has a director. Who wrote Quindle Vortex?",
        "Who directed Zorblax, and what of Quindle Vortex?",
        "Which anime that Mirelle Ostrander directed and which Brennick Sorrel composed is the longest?",
        "Did the person who directed Zorblax and who wrote Quindle Vortex also voice Tavrik?",
        "According to the magazine, how many people came to Zorblax?",
        "Who is both the director of Zorblax and the author of Quindle Vortex?",
        "Are the director of Zorblax and the author of Quindle Vortex the same?",
        "How are the director of Zorblax and the author of Quindle Vortex related?",
        "Who is the director of Zorblax and Quindle Vortex?",
        "Does Zorblax have more fans, or is Zorblax Nights better?",
        'Who wrote "Zorblax and who made Quindle Vortex"?',
    ],
)
def test_one_question_stays_one(question: str) -> None:
    assert read(question).parts == ()
