"""The date a document bears: read from what it says, with its precision, in one time zone. Pure.

The one rule for time zones: a time of day counts in UTC, and a time that names no zone is one in UTC. The date of a
document is the day of that instant.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime

from datastore.dates import PartialDate

_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "jan january januar jänner",
            "feb february februar",
            "mar march mär märz mrz",
            "apr april",
            "may mai",
            "jun june juni",
            "jul july juli",
            "aug august",
            "sep sept september",
            "oct october okt oktober",
            "nov november",
            "dec december dez dezember",
        ),
        start=1,
    )
    for name in names.split()
}
_WORD = r"(?P<month>[A-Za-zä]{3,9})\.?"
_INSTANT = re.compile(r"\d{4}-\d{2}-\d{2}[T ]\d{2}")
_PDF = re.compile(r"D:(\d{4})(\d{2})?(\d{2})?(?:(\d{2})(\d{2})(\d{2})?)?(Z|[+-]\d{2}'?\d{2}'?)?")
_COMPACT = re.compile(r"(?<!\d)(\d{4})(\d{2})(\d{2})(?!\d)")
_IN_NAME = re.compile(r"(?<!\d)(\d{4})-(\d{2})(?:-(\d{2}))?(?!\d)")
_DAY_FIRST = re.compile(
    rf"(?:[A-Za-z]{{2,10}},?\s+)?(?P<day>\d{{1,2}})(?:\.|st|nd|rd|th)?[\s-]+{_WORD}[\s,-]+(?P<year>\d{{4}})"
)
_MONTH_FIRST = re.compile(rf"(?:{_WORD})\s+(?:(?P<day>\d{{1,2}})(?:st|nd|rd|th)?,?\s+)?(?P<year>\d{{4}})")
_DOTTED = re.compile(r"(?P<day>\d{1,2})\.\s?(?P<month>\d{1,2})\.\s?(?P<year>\d{4})")


@dataclass(frozen=True, slots=True)
class DocumentDate:
    """The date as far as it is known, the instant where a time of day was given, and the text it was read from."""

    known: PartialDate | None
    instant: datetime | None
    raw: str

    @property
    def first_day(self) -> date | None:
        """The first day of what is known; dates are ordered by it, then by the instant, days without one first."""
        return self.known and date(self.known.year, self.known.month or 1, self.known.day or 1)

    @property
    def precision(self) -> str | None:
        """`year`, `month` or `day`."""
        return self.known and self.known.precision


def read_date(text: str) -> DocumentDate:
    """The date that `text` spells, in English, German or digits; of anything else only the text is kept."""
    raw = " ".join(text.split())[:200]
    if (instant := _instant(raw)) is not None:
        return DocumentDate(PartialDate(instant.year, instant.month, instant.day), instant, raw)
    for read in _READERS:
        if (known := read(raw)) is not None:
            return DocumentDate(known, None, raw)
    return DocumentDate(None, None, raw)


def date_in_name(stem: str) -> DocumentDate | None:
    """The date in a file's name, `20240131` or `2024-01-31` or `2024-01`; the first one that is possible."""
    for pattern in (_COMPACT, _IN_NAME):
        for match in pattern.finditer(stem):
            known = PartialDate.parse("-".join(part for part in match.groups() if part))
            if known is not None and 1400 <= known.year <= 2200:
                return DocumentDate(known, None, match[0])
    return None


def _instant(text: str) -> datetime | None:
    if (pdf := _PDF.fullmatch(text)) is not None:
        year, month, day, hour, minute, second, zone = pdf.groups()
        if hour is None:
            return None
        offset = "+00:00" if zone in (None, "Z") else f"{zone[:3]}:{zone[3:].strip(chr(39))}"
        text = f"{year}-{month}-{day}T{hour}:{minute}:{second or '00'}{offset}"
    if _INSTANT.match(text) is None:
        return None
    try:
        instant = datetime.fromisoformat(text)
        return (instant.replace(tzinfo=UTC) if instant.tzinfo is None else instant).astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def _from_pdf(text: str) -> PartialDate | None:
    match = _PDF.fullmatch(text)
    return match and PartialDate.parse("-".join(part for part in match.groups()[:3] if part))


def _compact(text: str) -> PartialDate | None:
    match = _COMPACT.fullmatch(text)
    return match and PartialDate.parse("-".join(match.groups()))


def _worded(pattern: re.Pattern[str]) -> Callable[[str], PartialDate | None]:
    def read(text: str) -> PartialDate | None:
        match = pattern.fullmatch(text)
        if match is None or (month := _month(match["month"])) is None:
            return None
        return PartialDate.parse("-".join(part for part in (match["year"], month, match["day"]) if part))

    return read


def _month(text: str) -> str | None:
    if text.isdigit():
        return text
    number = _MONTHS.get(text.lower())
    return None if number is None else str(number)


_READERS: tuple[Callable[[str], PartialDate | None], ...] = (
    PartialDate.parse,
    _from_pdf,
    _compact,
    _worded(_DOTTED),
    _worded(_DAY_FIRST),
    _worded(_MONTH_FIRST),
)
