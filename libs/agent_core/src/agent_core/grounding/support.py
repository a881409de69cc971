"""What one evidence says: its words, its numbers, its dates."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from datastore.dates import PartialDate
from datastore.folding import fold

from agent_core.evidence import (
    ChunkEvidence,
    ComparisonEvidence,
    EntityRowEvidence,
    Evidence,
    PathEvidence,
    QueryResultEvidence,
    RankedListEvidence,
    WebPageEvidence,
    entities_of,
)
from agent_core.grounding.links import is_web_address
from agent_core.grounding.vocabulary import DATE_MONTHS, NUMBER_WORDS

_MONTH = "|".join(sorted(DATE_MONTHS, key=len, reverse=True))
_DATE_PATTERNS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"(?<!\d)(?P<y>\d{4})[-/](?P<m>\d{1,2})(?:[-/](?P<d>\d{1,2}))?(?!\d)",
        r"(?<!\d)(?P<y>\d{4})年(?:(?P<m>\d{1,2})月(?:(?P<d>\d{1,2})日)?)?",
        rf"(?<!\d)(?P<d>\d{{1,2}})(?:st|nd|rd|th|\.)?\s+(?:(?:of|de)\s+)?(?P<mn>{_MONTH})\b\.?,?\s+(?:de\s+)?"
        r"(?P<y>\d{4})(?!\d)",
        rf"\b(?P<mn>{_MONTH})\b\.?\s+(?P<d>\d{{1,2}})(?:st|nd|rd|th)?,?\s+(?P<y>\d{{4}})(?!\d)",
        rf"\b(?P<mn>{_MONTH})\b\.?,?\s+(?:(?:of|de)\s+)?(?P<y>\d{{4}})(?!\d)",
    )
)
_YEAR = re.compile(r"\d{4}")
_POSSESSIVE = re.compile(r"(?<=\w)['’]s\b")
_AT_LEAST = re.compile(r"at least (\d+) rows")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_WORD = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True)
class Support:
    """The folded words, numbers and dates of one evidence, and the addresses that it is itself read at."""

    strings: tuple[str, ...]
    links: frozenset[str] = frozenset()

    @cached_property
    def folded(self) -> str:
        """All strings folded, with a line break between two, so that no name runs from one into the next.

        A string with possessives is there without them too: of "Luffy's hat" also "luffy hat".
        """
        both = dict.fromkeys(part for text in self.strings for part in (text, _POSSESSIVE.sub("", text)))
        return "\n".join(f" {fold(text)} " for text in both)

    @cached_property
    def compact(self) -> str:
        """`folded` without spaces, for scripts that write none."""
        return self.folded.replace(" ", "")

    @cached_property
    def dates(self) -> frozenset[PartialDate]:
        """Every date in the strings."""
        return frozenset(date for text in self.strings for date in take_dates(text)[0])

    @cached_property
    def numbers(self) -> frozenset[str]:
        """Every number; of a date only the year."""
        found: set[str] = {str(date.year) for date in self.dates}
        for text in self.strings:
            if _AT_LEAST.fullmatch(text):
                continue
            rest = take_dates(text)[1]
            found.update(take_numbers(rest)[0])
            found.update(str(NUMBER_WORDS[word]) for word in _WORD.findall(rest.casefold()) if word in NUMBER_WORDS)
        return frozenset(found)

    @cached_property
    def lower_bounds(self) -> frozenset[str]:
        """Numbers of rows of which there may be more."""
        return frozenset(match.group(1) for text in self.strings if (match := _AT_LEAST.fullmatch(text)))

    def has_name(self, name: str) -> bool:
        """Whether the name stands here as whole words; inside running text for scripts without spaces."""
        if name in self.strings:
            return True
        folded = fold(name)
        if not folded:
            return True
        if is_spaceless(folded):
            return folded.replace(" ", "") in self.compact
        return f" {folded} " in self.folded

    def has_date(self, date: PartialDate) -> bool:
        """Whether a date here is the same as far as `date` goes; one that knows less does not count."""
        return any(
            known.year == date.year and date.month in (None, known.month) and date.day in (None, known.day)
            for known in self.dates
        )

    def has_number(self, number: str) -> bool:
        """Whether the number stands here."""
        return number in self.numbers

    def has_decade(self, first_year: int) -> bool:
        """Whether a year of that decade stands here."""
        return any(number.isdigit() and first_year <= int(number) < first_year + 10 for number in self.numbers)


def support_of(evidence: Evidence) -> Support:
    """What an evidence says."""
    return Support(tuple(dict.fromkeys(filter(None, _strings(evidence)))), _own_links(evidence))


def names_in(evidence: Evidence) -> tuple[str, ...]:
    """The names that an evidence puts forward: its title, its row's names, the names of its entities."""
    row_names = evidence.names if isinstance(evidence, EntityRowEvidence) else ()
    titles = () if isinstance(evidence, PathEvidence | ComparisonEvidence) else (evidence.title,)
    return (*titles, *row_names, *(ref.name for ref in entities_of(evidence) if ref.name))


def take_dates(text: str) -> tuple[list[PartialDate], str]:
    """The dates of a text, and the text with them blanked. An impossible date stays in the text."""
    rest = text if text.isascii() else unicodedata.normalize("NFKC", text)
    dates: list[PartialDate] = []
    if _YEAR.search(rest) is None:
        return dates, rest
    for pattern in _DATE_PATTERNS:
        for match in pattern.finditer(rest):
            date = _date(match)
            if date is not None:
                dates.append(date)
                rest = rest[: match.start()] + " " * len(match.group()) + rest[match.end() :]
    return dates, rest


def take_numbers(text: str) -> tuple[list[str], str]:
    """The numbers of a text in normal form, and the text with them blanked."""
    normal = text if text.isascii() else unicodedata.normalize("NFKC", text)
    if _NUMBER.search(normal) is None:
        return [], normal
    numbers = [_normal_number(match.group()) for match in _NUMBER.finditer(normal)]
    return numbers, _NUMBER.sub(lambda match: " " * len(match.group()), normal)


def is_spaceless(text: str) -> bool:
    """Whether a text holds letters of a script without upper case, such as kanji, kana or hangul."""
    if text.isascii():
        return False
    return any(character.isalpha() and character.lower() == character.upper() for character in text)


def _date(match: re.Match[str]) -> PartialDate | None:
    parts = match.groupdict()
    month_name = parts.get("mn")
    month = DATE_MONTHS[month_name.casefold()] if month_name else int(parts["m"]) if parts.get("m") else None
    day = int(parts["d"]) if parts.get("d") else None
    date = PartialDate.from_parts(int(parts["y"]), month, day)
    return date if date is not None and (date.month, date.day) == (month, day) else None


def _normal_number(text: str) -> str:
    if re.fullmatch(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?", text):
        text = text.replace(",", "")
    whole, _, fraction = text.replace(",", ".").partition(".")
    fraction = fraction.rstrip("0")
    return (whole.lstrip("0") or "0") + (f".{fraction}" if fraction else "")


def _strings(evidence: Evidence) -> tuple[str, ...]:
    names = tuple(ref.name or "" for ref in entities_of(evidence))
    base = (evidence.title, evidence.text, *names)
    match evidence:
        case EntityRowEvidence():
            return (*base, *evidence.names, *(field.value for field in evidence.fields))
        case PathEvidence():
            return (*base, *(step.qualifier for step in evidence.path.steps))
        case ComparisonEvidence():
            sides = (side or "" for difference in evidence.fields for side in (difference.left, difference.right))
            return (*base, *sides, *(shared.qualifier for shared in evidence.shared))
        case ChunkEvidence():
            return (*base, evidence.date or "", evidence.section or "")
        case RankedListEvidence():
            return (*base, *(entry.reason for entry in evidence.entries))
        case QueryResultEvidence():
            return (evidence.title, *names, *_query_strings(evidence))
        case _:
            return base


def _own_links(evidence: Evidence) -> frozenset[str]:
    """Where a web page was read. A link that merely stands in a text is a stranger's."""
    if not isinstance(evidence, WebPageEvidence) or not is_web_address(evidence.url):
        return frozenset()
    return frozenset({evidence.url})


def _query_strings(evidence: QueryResultEvidence) -> Iterator[str]:
    """What came back, and the values it was asked with. The query's own words, its columns among them, say nothing."""
    yield f"at least {evidence.row_count} rows" if evidence.has_more else str(evidence.row_count)
    if evidence.data_date is not None:
        yield evidence.data_date.date().isoformat()
    yield from (str(value) for value in evidence.parameters.values())
    for cell in (cell for row in evidence.sample for cell in row):
        yield str(cell)
        if isinstance(cell, float):
            yield f"{cell:.2f}"
