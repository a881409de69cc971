"""How a question is read as one of documents: what it wants, of which document, of which days."""

from datetime import date
from uuid import UUID

import pytest
from agent_core.agents.rule_based.document_dates import find_dates
from agent_core.agents.rule_based.document_reading import read_document_question
from agent_core.document_contracts import DocumentQuestion, Wanted
from agent_core.passages.values import MONEY
from agent_core.schemas import AgentRequest, Strategy


def _read(question: str, **request: object) -> DocumentQuestion:
    read = read_document_question(
        question, AgentRequest.model_validate({"query": question, "request_id": UUID(int=1), **request})
    )
    assert read is not None
    return read


@pytest.mark.parametrize(
    "question",
    [
        "According to the article about lamps, how high is the tower?",
        "What does the report say about lamps?",
        "In the minutes of March 2022, what did members say about lamps?",
        "Which documents mention the lamp?",
        "Is there an article about lamps?",
        "According to “The Lamp Book”, how high is the tower?",
        "What does the Lamp Handbook say about oil?",
        "What does section 4.2 of the Lamp Handbook say about oil?",
    ],
)
def test_a_question_that_speaks_of_documents_is_explicit(question: str) -> None:
    assert _read(question).is_explicit


@pytest.mark.parametrize(
    "question",
    [
        "Who directed Zorblax?",
        "How many lamps are there in the tower?",
        "How many chapters are there in the Death Note manga?",
        "How long is Zorblax: The Movie in minutes?",
    ],
)
def test_any_other_is_not_unless_the_request_asks_for_documents(question: str) -> None:
    assert not _read(question).is_explicit
    assert _read(question, strategy=Strategy.DOCUMENTS).is_explicit
    assert _read(question, collections=("lamps",)).collections == ("lamps",)


@pytest.mark.parametrize(
    ("question", "document", "section", "is_title"),
    [
        ("According to “Lamps, Old and New”, who lit it?", "Lamps, Old and New", None, True),
        ("What does the Lamp Handbook say about oil?", "Lamp Handbook", None, False),
        ("What does Section 2.1 of the Lamp Handbook say?", "Lamp Handbook", "2.1", False),
        ("Who lit the tower of Vrell?", None, None, False),
    ],
)
def test_the_named_document_and_its_section(
    question: str, document: str | None, section: str | None, is_title: bool
) -> None:
    read = _read(question)
    assert (read.document, read.section, read.is_title) == (document, section, is_title)


@pytest.mark.parametrize(
    ("question", "wanted", "counted"),
    [
        ("How many green lamps were lit?", Wanted.NUMBER, ("green", "lamps")),
        ("When was the lamp lit?", Wanted.DATE, ()),
        ("In which year was the lamp lit?", Wanted.DATE, ()),
        ("Who lit the lamp when the wind fell?", Wanted.NAME, ()),
        ("Which lamp burns when the wind falls?", Wanted.ANYTHING, ()),
        ("Why was the lamp lit?", Wanted.REASON, ()),
        ("Where was the lamp lit?", Wanted.PLACE, ()),
        ("What was the lamp called?", Wanted.NAME, ()),
        ("What does the lamp cost?", Wanted.NUMBER, MONEY),
        ("What did Ossa pay for the lamp?", Wanted.NUMBER, MONEY),
        ("Who paid attention to the lamp?", Wanted.NAME, ()),
        ("How loud is the horn?", Wanted.NUMBER, ("decibels", "db")),
        ("In welchem Jahr brannte die Lampe?", Wanted.DATE, ()),
        ("Vor wie vielen Zuschauern brannte sie?", Wanted.NUMBER, ("Zuschauern", "brannte", "sie")),
        ("Who is Ossa Brask?", Wanted.ACCOUNT, ()),
        ("What does the report say about the lamp?", Wanted.ACCOUNT, ()),
    ],
)
def test_what_is_wanted(question: str, wanted: Wanted, counted: tuple[str, ...]) -> None:
    read = _read(question)
    assert (read.wanted, read.counted) == (wanted, counted)


@pytest.mark.parametrize(
    ("question", "relation"),
    [
        ("Who lit the red lamp?", "lit"),
        ("By whom was the scratched lens replaced?", "replaced"),
        ("How many lamps did the tower of Vrell buy?", "buy"),
        ("For how many days can I borrow a lamp?", "borrow"),
        ("Which gloves must be worn when a lamp burns?", "worn"),
        ("What did Ossa Brask clean the lens with?", "clean"),
        ("Who gave the keeper a lamp?", "gave"),
        ("What gave the keeper a lamp?", None),
        ("How high is the red lamp?", None),
        ("Wann wurde die Lampe ersetzt?", None),
    ],
)
def test_the_verb_of_a_question(question: str, relation: str | None) -> None:
    assert _read(question).relation == relation


def test_the_asked_words_leave_out_the_talk_about_documents() -> None:
    assert _read("According to the article, who lit the red lamp in March 2021?").asked == ("lit", "red", "lamp")


def test_everyday_words_with_capitals_are_names_and_asked_for() -> None:
    assert _read("How much did it cost to make Your Own Lamp?").asked == ("cost", "Your", "Own", "Lamp")
    assert _read("Who may have lit it when I was there?").asked == ("lit",)


def test_function_words_of_its_language_are_not_asked_for() -> None:
    german = _read("Wessen Lampe brannte in der Nacht, und bis wann?")
    assert (german.asked, german.language) == (("Lampe", "brannte", "Nacht"), "de")
    assert _read("How loud is the horn?").asked == ("horn",)


def test_a_distance_is_no_time() -> None:
    assert "weeks" in _read("How long did the lamp burn?").counted
    assert "weeks" not in _read("How far away is the lamp?").counted


def test_how_many_passages_are_wanted() -> None:
    assert (_read("Give me two passages about lamps").top_k, _read("What of lamps?").top_k) == (2, 3)


@pytest.mark.parametrize("question", ["?", "What does it say?", "How many?"])
def test_a_question_of_nothing_is_none(question: str) -> None:
    assert read_document_question(question, AgentRequest(query=question, request_id=UUID(int=1))) is None


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("in March 2024", date(2024, 3, 1), date(2024, 3, 31)),
        ("before 2023", None, date(2022, 12, 31)),
        ("after June 2021", date(2021, 7, 1), None),
        ("since 2021", date(2021, 1, 1), None),
        ("from May 2021 onwards", date(2021, 5, 1), None),
        ("between May and July 2021", date(2021, 5, 1), date(2021, 7, 31)),
        ("on 6 October 2018", date(2018, 10, 6), date(2018, 10, 6)),
        ("on October 6, 2018", date(2018, 10, 6), date(2018, 10, 6)),
        ("on 2018-10-06", date(2018, 10, 6), date(2018, 10, 6)),
        ("in the summer of 2020", date(2020, 6, 1), date(2020, 8, 31)),
        ("at the January 2021 meeting", date(2021, 1, 1), date(2021, 1, 31)),
        ("the 2021 edition", date(2021, 1, 1), date(2021, 12, 31)),
        ("im Oktober 2022", date(2022, 10, 1), date(2022, 10, 31)),
    ],
)
def test_days_that_a_question_names(text: str, first: date | None, last: date | None) -> None:
    hint = find_dates(f"What was lit {text}?")
    assert hint is not None
    assert (hint.days.first, hint.days.last) == (first, last)


@pytest.mark.parametrize("text", ["What is Blade Runner 2049?", "on 31 February 2021", "What of 1,900 lamps?"])
def test_what_is_no_day(text: str) -> None:
    assert find_dates(text) is None
