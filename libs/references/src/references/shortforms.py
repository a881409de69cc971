"""Citations by name and year: `(Smith et al., 2019)`, `(Müller 2020a)`, `Smith and Jones (2004)`."""

import re
from collections.abc import Iterator

from references.model import Reference, ReferenceType
from references.scanning import SOME_SPACE, SPACE

_NAME = r"(?:(?:van|von|de|der|den|la|le|di|da|du) ){0,3}[A-ZÄÖÜÀ-Ý][\w'’-]{1,40}"
_AND = rf"{SPACE}(?:and|und|&){SPACE}"
_MORE = rf",?{SPACE}(?:et{SPACE}al\.?|u\.{SPACE}a\.)"
_NAMES = rf"{_NAME}(?:,{SPACE}{_NAME}){{0,5}}+(?:,?{_AND}{_NAME})?+(?:{_MORE})?+"
_YEAR = r"(?:1[5-9]|20)\d\d[a-z]?(?!\w)"
_SEE = rf"(?:see|cf\.|vgl\.|siehe|e\.g\.,?|z\.{SPACE}B\.){SPACE}"
_PAGES = rf",{SPACE}(?:pp?|S)\.{SPACE}\d{{1,5}}(?:[–-]\d{{1,5}})?"

_IN_BRACKETS = re.compile(
    rf"(?<=[(;,])[^\S\n]?\n?(?:{_SEE})?(?P<work>(?P<names>{_NAMES})(?:,{SPACE}|{SOME_SPACE})(?P<year>{_YEAR}))"
    rf"(?:{_PAGES})?(?=[);])"
)
_YEAR_IN_BRACKETS = re.compile(rf"\((?P<year>{_YEAR})\)")
# A single name before a year is as often a film and the year that it is of.
_SEVERAL_BEFORE = re.compile(rf"\b(?P<names>{_NAMES}){SPACE}\Z")
_IS_SEVERAL = re.compile(rf"{_AND}|{_MORE}")
_LONGEST_NAMES = 160
_SURNAME = re.compile(r"[A-ZÄÖÜÀ-Ý][\w'’-]{1,40}")
_NO_NAMES = frozenset(
    (
        *("January", "February", "March", "April", "May", "June", "July", "August", "September", "October"),
        *("November", "December", "Januar", "Februar", "März", "Mai", "Juni", "Juli", "Oktober", "Dezember"),
        *("Spring", "Summer", "Autumn", "Fall", "Winter", "Frühling", "Frühjahr", "Sommer", "Herbst"),
        *("In", "Since", "Until", "Before", "After", "Seit", "Bis", "Vor", "Nach", "Season", "Version", "Series"),
    )
)


def find_shortforms(text: str) -> Iterator[Reference]:
    """Every name with a year in brackets; before them, several names only."""
    for cited in _IN_BRACKETS.finditer(text):
        yield from _shortform(text, cited.span("work"), cited["names"], cited["year"])
    for year in _YEAR_IN_BRACKETS.finditer(text):
        names = _SEVERAL_BEFORE.search(text, max(0, year.start() - _LONGEST_NAMES), year.start())
        if names is not None and _IS_SEVERAL.search(names["names"]):
            yield from _shortform(text, (names.start(), year.end()), names["names"], year["year"])


def _shortform(text: str, span: tuple[int, int], names: str, year: str) -> Iterator[Reference]:
    surname = _SURNAME.search(names)
    if surname is None or surname[0] in _NO_NAMES or surname[0].isupper():
        return
    start, end = span
    yield Reference(
        type=ReferenceType.ACADEMIC_SHORTFORM,
        text=text[start:end],
        start=start,
        end=end,
        document=f"{surname[0]} {year}",
    )
