"""Conditions in a question: years, seasons, genres, formats, status, source, scores."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from datastore.vocabulary import Season, WorkFormat, WorkSource, WorkStatus

from agent_core.agents.rule_based.cues import GenreCue, Mark, SeasonCue, SourceCue, StatusCue
from agent_core.agents.rule_based.items import Item
from agent_core.agents.rule_based.query_dates import find_days, names_a_day
from agent_core.agents.rule_based.text import NAME
from agent_core.document_contracts import DateSpan
from agent_core.schemas import DateRange, SearchFilters

_YEAR = r"(?:19|20)\d\d"
_DECADES = {
    "twenties": 2020,
    "tens": 2010,
    "noughties": 2000,
    "aughts": 2000,
    "nineties": 1990,
    "eighties": 1980,
    "seventies": 1970,
    "sixties": 1960,
    "fifties": 1950,
    "forties": 1940,
    "thirties": 1930,
}
_DECADE = r"(?:" + "|".join(_DECADES) + r")"
_RANGES = re.compile(
    rf"(?:between|from)? ?\b(?P<a>{_YEAR}) (?:(?:and|to|until|till|through|-|–|—) )?(?P<b>{_YEAR})\b"
    rf"|\b(?P<from>(?:19|20)\d0)s? ?(?:'s)?(?<=s)(?!\w)|(?<!\w)'? ?(?P<short>[5-9]0|00|10|20)s\b"
    rf"|\b(?:the )?(?P<word>{_DECADE})\b"
    rf"|\b(?:(?P<after>after|later than|newer than|post)|(?P<since>since|starting in|starting from|from"
    rf"|beginning in)) (?:the year )?(?P<lo>{_YEAR})(?P<on> on(?:wards?)?| and (?:later|after)"
    rf"| or (?:later|newer))?"
    rf"|\b(?:(?P<before>before|earlier than|older than|prior to|pre)|(?P<until>until|till"
    rf"|up to)) (?:the year )?(?P<hi>{_YEAR})"
    rf"|\b(?P<only>{_YEAR})(?P<later> or (?:later|newer)| and (?:later|newer)| onwards?)?\b"
)
_SCORE = re.compile(
    r"\b(?:(?:with |having )?(?:an? )?(?:average |mean |user )?(?:scores?|scored|scoring|ratings?"
    r"|rated|rating))(?: that (?:is|are))?(?: of)?"
    r" (?:is )?(?:above|over|at least|higher than|greater than|better than|more than|of at least"
    r"|exceeding|>=?|≥|minimum(?: of)?|from)(?: =)? (?P<a>\d+(?:[.,]\d+)?)"
    r"|\b(?:above|over|at least|higher than|better than|more than) (?P<b>\d+(?:[.,]\d+)?) (?:score"
    r"|rating|points|stars|out of|/ ?10)"
    r"|\b(?P<c>\d+(?:[.,]\d+)?) ?\+ (?:score|rating)|\b(?:scores?"
    r"|ratings?) (?P<d>\d+(?:[.,]\d+)?) (?:or (?:more|higher|better|above)|and (?:up|above)|\+)"
)
_FORMAT_WORDS: tuple[tuple[str, WorkFormat], ...] = (
    (r"(?:movie|film|feature film)", WorkFormat.MOVIE),
    (r"(?:tv (?:series|show|anime)|television (?:series|show))", WorkFormat.TV),
    (r"ova", WorkFormat.OVA),
    (r"ona", WorkFormat.ONA),
    (r"(?:tv )?special", WorkFormat.SPECIAL),
    (r"one ?shot", WorkFormat.ONE_SHOT),
    (r"light ?novel", WorkFormat.LIGHT_NOVEL),
    (r"novel", WorkFormat.NOVEL),
    (r"(?:manga|comic)", WorkFormat.MANGA),
)

_NEVER = DateSpan(first=date.max, last=date.max)
"""What no start meets."""


@dataclass(frozen=True, slots=True)
class YearFound:
    """A year or range at its place in the text."""

    years: DateRange
    start: int
    end: int


def find_years(text: str) -> YearFound | None:
    """The first range of years of a text."""
    match = _RANGES.search(text)
    if match is None:
        return None
    years = _range(match)
    return YearFound(years, match.start(), match.end()) if years else None


def _range(match: re.Match[str]) -> DateRange | None:
    part = match.groupdict()
    if part["a"] and part["b"]:
        first, last = sorted((int(part["a"]), int(part["b"])))
        return DateRange(first_year=first, last_year=last)
    decade = _decade(part)
    if decade is not None:
        return DateRange(first_year=decade, last_year=decade + 9)
    if part["lo"]:
        return _open_start(int(part["lo"]), part)
    if part["hi"]:
        return DateRange(last_year=int(part["hi"]) - bool(part["before"]))
    year = int(part["only"])
    return DateRange(first_year=year, last_year=None if part["later"] else year)


def _open_start(year: int, part: dict[str, str | None]) -> DateRange:
    if part["after"]:
        return DateRange(first_year=year + 1)
    is_open = part["on"] or part["since"] not in ("from", "starting in", "beginning in")
    return DateRange(first_year=year, last_year=None if is_open else year)


def _decade(part: dict[str, str | None]) -> int | None:
    if part["from"]:
        return int(part["from"])
    if part["word"]:
        return _DECADES[part["word"]]
    if part["short"]:
        short = int(part["short"])
        return 1900 + short if short >= 50 else 2000 + short
    return None


def find_score(text: str) -> float | None:
    """The least score that a text asks for, 0 to 100; a number up to 10 means tenfold."""
    match = _SCORE.search(text)
    if match is None:
        return None
    number = float(next(group for group in match.groups() if group).replace(",", "."))
    return min(100.0, number * 10 if number <= 10 else number)


def find_format(text: str) -> WorkFormat | None:
    """The format that `is X a …` asks about."""
    for pattern, found in _FORMAT_WORDS:
        if re.search(rf"{NAME} (?:really |actually |just |also )*(?:an? )(?:anime )?{pattern}(?: |$)", text):
            return found
    return None


def filters_of(items: Sequence[Item], text: str, work_format: WorkFormat | None) -> SearchFilters:
    """Every condition that the items and the text state."""
    genres, unwanted = _genres(items)
    either = len(genres) > 1 and any(item.text == "or" for item in items)
    days, years = _days(text), find_years(text)
    return SearchFilters(
        years=_years_of(days) if days else years.years if years else None,
        started=days,
        season=_first(items, SeasonCue, "season") if years or _is_season_asked(items) else None,
        format=work_format,
        status=_only_status(items),
        genres_any=genres if either else (),
        genres_all=() if either else genres,
        genres_none=unwanted,
        min_score=find_score(text),
        source=_first(items, SourceCue, "source"),
    )


def _days(text: str) -> DateSpan | None:
    """The days of a start that the text asks for; a day that can't be, it does not do without."""
    found = find_days(text)
    return found.days if found is not None else _NEVER if names_a_day(text) else None


def _years_of(days: DateSpan) -> DateRange | None:
    """The years that days lie in, for reads that know no more than the year."""
    if days == _NEVER:
        return None
    return DateRange(
        first_year=days.first.year if days.first is not None else None,
        last_year=days.last.year if days.last is not None else None,
    )


def _only_status(items: Sequence[Item]) -> WorkStatus | None:
    """The status that is said; none when several are, as in `finished or still running`."""
    said = {item.cue.status for item in items if isinstance(item.cue, StatusCue)}
    return said.pop() if len(said) == 1 else None


def _is_season_asked(items: Sequence[Item]) -> bool:
    return any(isinstance(item.cue, SeasonCue) for item in items) and any(item.type for item in items)


def _first[T: (Season, WorkStatus, WorkSource)](items: Sequence[Item], kind: type, attribute: str) -> T | None:
    return next((getattr(item.cue, attribute) for item in items if isinstance(item.cue, kind)), None)


def _genres(items: Sequence[Item]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    wanted: list[str] = []
    unwanted: list[str] = []
    negated_until = -1
    for index, item in enumerate(items):
        if item.is_mark(Mark.NOT):
            negated_until = index + 3
        elif isinstance(item.cue, GenreCue):
            is_negated = index <= negated_until
            (unwanted if is_negated else wanted).append(item.cue.genre)
            if is_negated:
                negated_until = index + 2
        elif item.text in (",", "but", "with") and index > negated_until - 2:
            negated_until = -1
    return tuple(dict.fromkeys(wanted)), tuple(dict.fromkeys(unwanted))
