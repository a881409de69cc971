"""Citations of scholarly texts: `[3]`, `[1, 4–6]`, `(Smith et al., 2019)`, and the entries that they lead to."""

import re
from collections.abc import Iterator

from references.model import Reference, ReferenceType
from references.scanning import SPACE

_MOST_IN_RANGE = 20

_BRACKETS = re.compile(
    r"\[(?:(?P<list>\d{1,3}(?:[,;]? ?[–—-]? ?\d{1,3}){0,30})|[#^](?P<label>[\w.-]{1,60}))\](?![^\W_]|[(\[\]])"
)
_PIECE = re.compile(r"(\d{1,3})(?: ?[–—-] ?(\d{1,3}))?")
# What stands before a list or an index of a program, and never before a citation.
_OF_PROGRAMS = frozenset("=([{<>:+*/%&|~^@!?$-")
_KEYWORD = re.compile(r"(?:return|yield|print|assert|case|del) ?$")
_MOST_BEFORE = 12

_NAME = r"(?:(?:van|von|de|der|den|la|le|di|da|du) ){0,3}[A-ZÄÖÜÀ-Ý][\w'’-]{1,40}"
_AND = rf"{SPACE}(?:and|und|&){SPACE}"
_NAMES = rf"{_NAME}(?:,{SPACE}{_NAME}){{0,5}}+(?:,?{_AND}{_NAME})?+(?:,?{SPACE}(?:et{SPACE}al\.?|u\.{SPACE}a\.))?+"
_YEAR = r"(?:1[5-9]|20)\d\d[a-z]?(?!\w)"
_WORK = rf"(?P<names>{_NAMES}),?{SPACE}(?P<year>{_YEAR})"
_SHORTFORMS = re.compile(
    rf"(?<=[(;,])[^\S\n]?\n?(?:(?:see|cf\.|vgl\.|siehe|e\.g\.,?|z\.{SPACE}B\.){SPACE})?(?P<work>{_WORK})(?:,{SPACE}(?:pp?|S)\.{SPACE}\d{{1,5}}(?:[–-]\d{{1,5}})?)?(?=[);])"
)
_YEAR_IN_BRACKETS = re.compile(rf"\((?P<year>{_YEAR})\)")
_NAMES_BEFORE = re.compile(rf"\b(?P<names>{_NAMES}){SPACE}\Z")
_LONGEST_NAMES = 160
_MONTHS = frozenset(
    (
        *("January", "February", "March", "April", "May", "June", "July", "August", "September", "October"),
        *("November", "December", "Januar", "Februar", "März", "Mai", "Juni", "Juli", "Oktober", "Dezember"),
    )
)
_SURNAME = re.compile(r"[A-ZÄÖÜÀ-Ý][\w'’-]{1,40}")

_ENTRY = re.compile(
    rf"^[^\S\n]{{0,8}}(?:\.\.[ ])?\[[#^]?(?P<number>\d{{1,3}}|(?<=[#^])[\w.-]{{1,60}})\]:?(?=\s){SPACE}(?=\S)",
    re.MULTILINE,
)
_LONGEST_ENTRY = 2000


def find_citations(text: str) -> Iterator[Reference]:
    """Every bracket citation, an item of a list each, and every shortform."""
    for brackets in _BRACKETS.finditer(text):
        if not _is_of_a_program(text, brackets) and not _is_entry(text, brackets):
            yield from _numbered(brackets)
    for cited in _SHORTFORMS.finditer(text):
        yield from _shortform(text, cited.span("work"), cited["names"], cited["year"])
    for year in _YEAR_IN_BRACKETS.finditer(text):
        names = _NAMES_BEFORE.search(text, max(0, year.start() - _LONGEST_NAMES), year.start())
        if names is not None:
            yield from _shortform(text, (names.start(), year.end()), names["names"], year["year"])


def _shortform(text: str, span: tuple[int, int], names: str, year: str) -> Iterator[Reference]:
    surname = _SURNAME.search(names)
    if surname is not None and surname[0] not in _MONTHS:
        start, end = span
        yield Reference(
            type=ReferenceType.ACADEMIC_SHORTFORM,
            text=text[start:end],
            start=start,
            end=end,
            document=f"{surname[0]} {year}",
        )


def find_entries(text: str) -> dict[str, tuple[int, int]]:
    """The entries of a bibliography by their number in its usual form, `[3]`: the span of each one's own words.

    An entry ends at the next one, at an empty line, or after 2,000 code points.
    """
    entries: dict[str, tuple[int, int]] = {}
    for entry in _ENTRY.finditer(text):
        start = entry.end()
        end = min(start + _LONGEST_ENTRY, len(text))
        blank = text.find("\n\n", start, end)
        end = blank if blank >= 0 else end
        following = _ENTRY.search(text, start, end)
        words = text[start : following.start() if following else end].rstrip()
        entries.setdefault(f"[{entry['number']}]", (start, start + len(words)))
    return entries


def _numbered(brackets: re.Match[str]) -> Iterator[Reference]:
    for number in _numbers(brackets):
        yield Reference(
            type=ReferenceType.ACADEMIC_NUMBERED,
            text=brackets[0],
            start=brackets.start(),
            end=brackets.end(),
            section=f"[{number}]",
        )


def _numbers(brackets: re.Match[str]) -> Iterator[str]:
    if brackets["label"]:
        yield brackets["label"]
        return
    for piece in _PIECE.finditer(brackets["list"]):
        first, last = int(piece[1]), int(piece[2] or piece[1])
        yield from map(str, range(first, last + 1) if first <= last <= first + _MOST_IN_RANGE else (first, last))


def _is_of_a_program(text: str, brackets: re.Match[str]) -> bool:
    """Whether the brackets are a list or an index of a program rather than a citation."""
    before = text[max(0, brackets.start() - _MOST_BEFORE) : brackets.start()]
    line = before.rpartition("\n")[2]
    if not line.strip():
        # Alone on its line: what a program printed.
        return "," in brackets[0] and text[brackets.end() : brackets.end() + 1] in {"", "\n"}
    if line[-1].isalnum() or line[-1] in "_)]`'\"":
        return True
    if line.endswith((" (", "\n(")):
        return False
    return line.rstrip(" ")[-1:] in _OF_PROGRAMS or _KEYWORD.search(line) is not None


def _is_entry(text: str, brackets: re.Match[str]) -> bool:
    """Whether the brackets begin the entry that they name: at the start of a line, with a space after them."""
    line = text[max(0, brackets.start() - _MOST_BEFORE) : brackets.start()].rpartition("\n")[2]
    return not line.strip(" .") and text[brackets.end() : brackets.end() + 1] in {" ", ":", "\n"}
