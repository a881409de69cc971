"""Days that a question names: `in March 2024`, `before 2023`, `between May and July 2021`, `on 6 October 2018`."""

import calendar
import re
from dataclasses import dataclass
from datetime import date, timedelta

from agent_core.document_contracts import DateSpan

_GERMAN = {"januar": 1, "februar": 2, "märz": 3, "mai": 5, "juni": 6, "juli": 7, "oktober": 10, "dezember": 12}
_MONTHS: dict[str, int] = _GERMAN | {
    name.casefold(): number
    for names in (calendar.month_abbr, calendar.month_name)
    for number, name in enumerate(names)
    if name
}
_SEASONS = {"spring": (3, 5), "summer": (6, 8), "autumn": (9, 11)}

_M = "|".join(sorted(_MONTHS, key=len, reverse=True))
_S = "|".join(_SEASONS)
_Y = r"(?:19|20)\d{2}"
_YEAR = re.compile(_Y)
"""Stands in every time that is told; most questions hold none."""

_DAY = (
    rf"(?:{_Y}-\d{{2}}-\d{{2}}|\d{{1,2}}(?:st|nd|rd|th|\.)?\s+(?:of\s+)?(?:{_M})\.?,?\s+{_Y}"
    rf"|(?:{_M})\.?\s+\d{{1,2}}(?:st|nd|rd|th)?,?\s+{_Y})"
)
_POINT = rf"(?:{_DAY}|{_Y}-\d{{2}}(?!-)|(?:{_M})\.?,?\s+(?:of\s+)?{_Y}|(?:the\s+)?(?:{_S})\s+(?:of\s+)?{_Y}|{_Y})"
_ROLES = (
    ("between", rf"\b(?:between|from)\s+(?P<a>{_POINT}|{_M})\s+(?:and|to|until)\s+(?P<b>{_POINT})"),
    ("before", rf"\b(?:before|until|prior to|earlier than|up to|vor)\s+(?P<a>{_POINT})"),
    ("after", rf"\b(?:after|later than|nach)\s+(?P<a>{_POINT})"),
    ("since", rf"\b(?:since|seit)\s+(?P<a>{_POINT})|\bfrom\s+(?P<b>{_POINT})\s+on(?:ward|wards)?"),
    ("in", rf"\b(?:in|of|on|during|from|dated|at|im|am|vom)\s+(?:the\s+)?(?:year\s+)?(?P<a>{_POINT})"),
    (
        "in",
        rf"(?<![\w“\"])(?:the\s+)?(?P<a>{_DAY}|(?:{_M})\s+{_Y}|{_Y})(?=\s+(?:issue|meeting|minutes|edition|report|article))",
    ),
)
_PATTERNS = tuple((role, re.compile(f"{pattern}(?![\\w-])", re.IGNORECASE)) for role, pattern in _ROLES)


@dataclass(frozen=True, slots=True)
class DateHint:
    """Days, and where the question says them."""

    days: DateSpan
    start: int
    end: int


def find_dates(question: str) -> DateHint | None:
    """The first hint of a question; None when it names no day, month or year as a time."""
    if _YEAR.search(question) is None:
        return None
    for role, pattern in _PATTERNS:
        for match in pattern.finditer(question):
            named = [point for point in match.groups() if point]
            days = _days(role, named[0], named[-1])
            if days is not None:
                return DateHint(days, match.start(), match.end())
    return None


def _days(role: str, first: str, second: str) -> DateSpan | None:
    """The days from `first` to `second`; a month without a year is of the year of the second one."""
    begin, end = _span(first if re.search(_Y, first) else f"{first} {second[-4:]}"), _span(second)
    if begin is None or end is None:
        return None
    match role:
        case "before":
            return DateSpan(last=begin[0] - timedelta(days=1))
        case "after":
            return DateSpan(first=begin[1] + timedelta(days=1))
        case "since":
            return DateSpan(first=begin[0])
        case _:
            return DateSpan(first=begin[0], last=end[1]) if begin[0] <= end[1] else None


def _span(text: str) -> tuple[date, date] | None:
    """The first and the last day that a text names."""
    year = re.search(_Y, text)
    if year is None:
        return None
    words = re.findall(r"[^\W\d_]+", text.casefold())
    season = next((_SEASONS[word] for word in words if word in _SEASONS), None)
    months = [_MONTHS[word] for word in words if word in _MONTHS]
    iso = re.search(rf"{_Y}-(\d{{2}})(?:-(\d{{2}}))?", text)
    number = re.search(r"(?<![\d-])(\d{1,2})(?![\d-])", text)
    if season is not None:
        return _days_of(int(year.group()), season[0], season[1])
    if iso is not None:
        return _days_of(int(year.group()), int(iso.group(1)), day=int(iso.group(2)) if iso.group(2) else None)
    if months:
        return _days_of(int(year.group()), months[0], day=int(number.group(1)) if number else None)
    return _days_of(int(year.group()), 1, 12)


def _days_of(year: int, month: int, last: int | None = None, *, day: int | None = None) -> tuple[date, date] | None:
    last = last or month
    if not 1 <= month <= last <= 12:
        return None
    end = calendar.monthrange(year, last)[1]
    if day is None:
        return date(year, month, 1), date(year, last, end)
    return (date(year, month, day), date(year, month, day)) if 1 <= day <= end else None
