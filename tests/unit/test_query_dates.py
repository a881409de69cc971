"""Months and days as conditions: each wording gets its days, and a date that is known less closely meets none."""

from datetime import date
from uuid import UUID

import pytest
from agent_core.agents.rule_based.conditions import filters_of
from agent_core.agents.rule_based.query_dates import find_days, is_inside_date
from agent_core.agents.rule_based.query_texts import intent_of
from agent_core.agents.rule_based.query_words import set_in_words
from agent_core.agents.rule_based.row_filters import meets
from agent_core.document_contracts import DateSpan
from agent_core.evidence import EntityRef, EntityRowEvidence, FieldValue
from agent_core.schemas import GraphQueryIntent, SearchFilters
from datastore.vocabulary import EntityType
from fixtures.readings import read

_EARLY = DateSpan(last=date(2004, 1, 9))
_LATE = DateSpan(first=date(2010, 3, 1))


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("before 10 january 2004", _EARLY),
        ("before january 10 , 2004", _EARLY),
        ("before the 10th of january 2004", _EARLY),
        ("before 2004 01 10", _EARLY),
        ("no later than 9 jan . 2004", _EARLY),
        ("since march 2010", _LATE),
        ("from march 2010 on", _LATE),
        ("2010 03 or later", _LATE),
        ("after february 2010", _LATE),
        ("after 3 may 1999", DateSpan(first=date(1999, 5, 4))),
        ("until june 2003", DateSpan(last=date(2003, 6, 30))),
        ("in february 2004", DateSpan(first=date(2004, 2, 1), last=date(2004, 2, 29))),
        ("on 5 april 2009", DateSpan(first=date(2009, 4, 5), last=date(2009, 4, 5))),
        ("between january 2001 and june 2003", DateSpan(first=date(2001, 1, 1), last=date(2003, 6, 30))),
        ("from may to july 2021", DateSpan(first=date(2021, 5, 1), last=date(2021, 7, 31))),
        ("between 3 and 10 january 2004", DateSpan(first=date(2004, 1, 3), last=date(2004, 1, 10))),
        ("between 2001 and june 2003", DateSpan(first=date(2001, 1, 1), last=date(2003, 6, 30))),
        (
            "after 3 may 1999 and before 10 january 2004",
            DateSpan(first=date(1999, 5, 4), last=date(2004, 1, 9)),
        ),
    ],
)
def test_each_wording_sets_its_days(text: str, days: DateSpan) -> None:
    found = find_days(f"anime {text}")
    assert found is not None
    assert (found.days, found.left.replace("·", "").split()) == (days, ["anime"])


@pytest.mark.parametrize(
    "text",
    [
        "anime from 2004 with at least 12 episodes",
        "anime from 2001 to 2003",
        "anime from 2010 12 episodes long",
        "anime that may end in 2010",
        "anime before 31 february 2004",
        "anime after may 2010 and before march 2009",
    ],
)
def test_years_and_days_that_no_calendar_has_are_no_days(text: str) -> None:
    assert find_days(text) is None


def test_the_month_of_a_date_is_no_name() -> None:
    question = "Did May appear between January 2001 and May 2003?"
    assert [is_inside_date(question, at, at + 3) for at in (4, question.rindex("May"))] == [False, True]
    assert is_inside_date(question, question.index("January"), question.index("January") + 7)
    assert read("Which movies by Plimf came out before 10 January 2004?").set_mentions[0].text == "Plimf"


def test_a_set_of_days_is_bound_and_said_as_what_is_known() -> None:
    question = read("Which anime started between January 2001 and June 2003?").set_question
    assert question is not None
    intent = intent_of(question, [], "a test")
    assert isinstance(intent, GraphQueryIntent)
    assert intent.text.startswith(
        "MATCH (m:Anime) WHERE m.start_date >= $first_start AND m.start_date <= $last_start"
        " AND NOT m.start_date IN $vague_starts RETURN"
    )
    assert intent.parameters == {"first_start": "2001", "last_start": "2003-06-30", "vague_starts": ["2003"]}
    assert set_in_words(question, []) == "anime known to have started from January 2001 to June 2003"


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Which anime started before 10 January 2004?", "up to 9 January 2004"),
        ("Which anime started since January 2010?", "from 2010 on"),
        ("Which anime started in January 2004?", "in January 2004"),
        ("Which anime aired on 5 April 2009?", "on 5 April 2009"),
    ],
)
def test_days_are_said_as_closely_as_they_were_asked(question: str, said: str) -> None:
    asked = read(question).set_question
    assert asked is not None
    assert set_in_words(asked, []) == f"anime known to have started {said}"


@pytest.mark.parametrize(
    ("start", "is_met"), [("2004-01-09", True), ("2004-01-10", False), ("2003", True), ("2004", False), ("", False)]
)
def test_a_row_meets_days_only_where_all_of_its_date_does(start: str, *, is_met: bool) -> None:
    ref = EntityRef(entity_type=EntityType.ANIME, id=UUID(int=1), name="X")
    fields = (FieldValue(name="start_date", value=start),) if start else ()
    row = EntityRowEvidence(
        id="row:1", source="s", title="X", text="X", content_hash="1", locator="x", entity=ref, fields=fields
    )
    assert meets(row, SearchFilters(started=_EARLY)) is is_met


def test_a_search_keeps_the_days_and_never_does_without_one_that_cannot_be() -> None:
    asked = filters_of((), "funny anime after 3 may 2010", None)
    assert (asked.started, asked.years and asked.years.first_year) == (DateSpan(first=date(2010, 5, 4)), 2010)
    never = filters_of((), "anime before 31 february 2004", None)
    assert never.started == DateSpan(first=date.max, last=date.max)
    assert filters_of((), "anime before 2004", None).started is None


def test_years_before_the_first_are_a_condition_too() -> None:
    asked = read("Which anime started before 1900?").set_question
    assert asked is not None
    assert asked.conditions.last_year == 1899
