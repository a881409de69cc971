"""Months and days that a question sets as a condition: `before 10 January 2004`, `since March 2010`."""

import calendar
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache

from agent_core.agents.rule_based.text import blank
from agent_core.document_contracts import DateSpan

_MONTHS: dict[str, int] = {
    name.casefold(): number
    for names in (calendar.month_abbr, calendar.month_name)
    for number, name in enumerate(names)
    if name
} | {"sept": 9}
_M = rf"(?:{'|'.join(sorted(_MONTHS, key=len, reverse=True))})(?: ?\.)?"
_Y = r"(?:19|20)\d\d"
_D = r"\d{1,2}(?:st|nd|rd|th)?"
_ISO = rf"{_Y}[ -](?:0[1-9]|1[0-2])(?:[ -]\d\d)?(?! (?:episode|ep|chapter|volume|min|anime|movie|film|series|show))"
_DATE = (
    rf"(?:(?:the )?(?:year )?(?:(?:{_D} (?:of )?)?{_M} ?,? ?(?:of )?{_Y}|{_M} (?:the )?{_D} ?,? {_Y}|{_ISO})(?![\w-]))"
)
_ANY = rf"(?:{_DATE}|{_Y}(?!\w))"
_MONTH_OF = rf"(?:{_D} (?:of )?)?{_M}"
_ALONE = rf"(?! {_ANY})"
_LATER = rf"(?:(?:or|and) (?:later|after|newer)|on(?:wards?)?){_ALONE}"
_EARLIER = rf"(?:or|and) (?:earlier|before|older){_ALONE}"
_UNTIL = r"(?:no|not) later than|not after|on or before|at the latest|up until|until|till|up to|through|by"
_SINCE = r"(?:no|not) earlier than|not before|on or after|ever since|since"
_AND = r"(?:(?:and|but) )?"

_KINDS: tuple[tuple[str, str], ...] = (
    (
        "between",
        rf"(?:(?:between|from) (?P<day>{_D})|(?:(?:between|from) )?(?P<a>{_ANY}|{_MONTH_OF}))"
        rf" (?:and|to|until|till|through|-|–|—) (?P<b>{_ANY})",
    ),
    ("until", rf"{_AND}(?:{_UNTIL}) (?P<a>{_DATE})|(?P<b>{_DATE}) (?:{_EARLIER})"),
    (
        "since",
        rf"{_AND}(?:{_SINCE}) (?P<a>{_DATE})"
        rf"|(?:(?:from|starting(?: from| in| on)?|beginning in) )?(?P<b>{_DATE}) (?:{_LATER})",
    ),
    ("before", rf"{_AND}(?:before|earlier than|older than|prior to|pre) (?P<a>{_DATE})"),
    ("after", rf"{_AND}(?:after|later than|newer than|post) (?P<a>{_DATE})"),
    ("in", rf"(?:(?:in|on|of|during|from) )?(?P<a>{_DATE})"),
)
_PATTERNS = tuple((kind, re.compile(rf"(?<![\w'-])(?:{pattern})", re.IGNORECASE)) for kind, pattern in _KINDS)
_STRETCH = re.compile(rf"(?<![\w'-]){_DATE}", re.IGNORECASE)
_BEFORE_A_DATE = re.compile(
    rf"(?<![\w'-])(?:between|from) (?P<m>{_MONTH_OF}) (?:and|to|until|-) (?={_DATE})", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class DaysFound:
    """The days that all conditions of a text leave, and the text with those conditions blanked."""

    days: DateSpan
    left: str


def find_days(text: str) -> DaysFound | None:
    """What a text says of months and days; None where it names none, or where no day meets it all."""
    left, first, last = text, date.min, date.max
    while _STRETCH.search(left) is not None and (found := _first_days(left)) is not None:
        days, start, end = found
        first, last = max(first, days.first or first), min(last, days.last or last)
        left = blank(left, start, end)
    if left == text or first > last:
        return None
    return DaysFound(DateSpan(first=first if first > date.min else None, last=last if last < date.max else None), left)


def _first_days(text: str) -> tuple[DateSpan, int, int] | None:
    """The days of one condition, and where it stands; years alone are none."""
    for kind, pattern in _PATTERNS:
        for match in pattern.finditer(text):
            said = [point for point in match.groups() if point]
            days = _days(kind, said[0], said[-1]) if _STRETCH.search(match.group()) is not None else None
            if days is not None:
                return days, match.start(), match.end()
    return None


def names_a_day(text: str) -> bool:
    """Whether a text sets a month or a day of a year, if only one that no calendar has."""
    return _STRETCH.search(text) is not None


def days_at(text: str) -> tuple[int, int] | None:
    """Where the first condition of months and days stands."""
    found = _first_days(text)
    return found[1:] if found is not None else None


def is_inside_date(question: str, start: int, end: int) -> bool:
    """Whether the characters are part of a date with its year, so that `May` is nobody's name there."""
    return any(first <= start and end <= last for first, last in _stretches(question))


@lru_cache(maxsize=16)
def _stretches(question: str) -> tuple[tuple[int, int], ...]:
    return tuple(_dated(question))


def _dated(question: str) -> Iterator[tuple[int, int]]:
    for match in _STRETCH.finditer(question):
        if span_of(match.group()) is not None:
            yield match.span()
    for match in _BEFORE_A_DATE.finditer(question):
        yield match.span("m")


def _days(kind: str, first: str, second: str) -> DateSpan | None:
    """The days that are meant; what the first date lacks is that of the second one: `between 3 and 10 January 2004`."""
    begin, end = span_of(first if re.search(_Y, first) else f"{first} {_rest_of(second, first)}"), span_of(second)
    if begin is None or end is None or begin[0] > end[1]:
        return None
    match kind:
        case "before":
            return DateSpan(last=begin[0] - timedelta(days=1))
        case "until":
            return DateSpan(last=end[1])
        case "after":
            return DateSpan(first=end[1] + timedelta(days=1))
        case "since":
            return DateSpan(first=begin[0])
        case _:
            return DateSpan(first=begin[0], last=end[1])


def _rest_of(second: str, first: str) -> str:
    """The month and year of a date for a day, the year for what has a month."""
    year = re.findall(_Y, second)[-1]
    months = re.findall(_M, second, re.IGNORECASE) if re.search(_M, first, re.IGNORECASE) is None else []
    return " ".join((*months[:1], year))


def span_of(text: str) -> tuple[date, date] | None:
    """The first and the last day that a date names, in words or as rows have it; None for one in no calendar."""
    years = re.findall(_Y, text)
    words = re.findall(r"[^\W\d_]+", text.casefold())
    numbers = [int(number) for number in re.findall(r"(?<!\d)\d\d?(?!\d)", text)]
    months = [_MONTHS[word] for word in words if word in _MONTHS] or numbers[:1]
    days = numbers[:1] if any(word in _MONTHS for word in words) else numbers[1:]
    if not years:
        return None
    year = int(years[-1])
    if not months:
        return date(year, 1, 1), date(year, 12, 31)
    if not 1 <= months[0] <= 12:
        return None
    last = calendar.monthrange(year, months[0])[1]
    if not days:
        return date(year, months[0], 1), date(year, months[0], last)
    day = days[0]
    return (date(year, months[0], day), date(year, months[0], day)) if 1 <= day <= last else None


def opening(day: date) -> str:
    """The shortest date that begins with this day: `2010-05` for the first of May."""
    text = day.isoformat()
    return text[:4] if text.endswith("-01-01") else text[:7] if day.day == 1 else text


def closing(day: date) -> str:
    """The shortest date that ends with this day: `2003-06` for the 30th of June."""
    text = day.isoformat()
    if text.endswith("-12-31"):
        return text[:4]
    return text[:7] if day.day == calendar.monthrange(day.year, day.month)[1] else text
