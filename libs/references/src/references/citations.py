"""Citations by number, `[3]` and `[1, 4–6]`, and the entries of the bibliography that they lead to."""

import re
from collections.abc import Iterator

from references.model import Reference, ReferenceType
from references.scanning import SPACE

_MOST_IN_RANGE = 20

_BRACKETS = re.compile(
    r"\[(?:(?P<list>\d{1,3}(?:(?:[,;] ?| ?[–—-] ?)\d{1,3}){0,30})|[#^](?P<label>[\w.-]{1,60}))\](?![^\W_]|[(\[\]])"
)
_RANGE = re.compile(r"[–—-]")
_PIECE = re.compile(r"(\d{1,3})(?: ?[–—-] ?(\d{1,3}))?")
# What stands before a list or an index of a program, and never before a citation.
_OF_PROGRAMS = frozenset("=([{<>:+*/%&|~^@!?$-")
# "8 [2-20]": an interval.
_VALUE_BEFORE = re.compile(r"\d%? ?$")
_KEYWORD = re.compile(r"(?:return|yield|print|assert|case|del) ?$")
_MOST_BEFORE = 12

_ENTRY = re.compile(
    rf"^[^\S\n]{{0,8}}(?:\.\.[ ])?\[[#^]?(?P<number>\d{{1,3}}|(?<=[#^])[\w.-]{{1,60}})\]:?(?=\s){SPACE}(?=\S)",
    re.MULTILINE,
)
_LONGEST_ENTRY = 2000


def find_citations(text: str) -> Iterator[Reference]:
    """Every citation in brackets, one an item of a list."""
    for brackets in _BRACKETS.finditer(text):
        if not _is_of_another_kind(text, brackets) and not _is_entry(text, brackets):
            yield from _numbered(brackets)


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


def _is_of_another_kind(text: str, brackets: re.Match[str]) -> bool:
    """Whether the brackets are a list, an index or an interval rather than a citation."""
    before = text[max(0, brackets.start() - _MOST_BEFORE) : brackets.start()]
    line = before.rpartition("\n")[2]
    if not line.strip():
        # Alone on its line: what a program printed.
        return "," in brackets[0] and text[brackets.end() : brackets.end() + 1] in {"", "\n"}
    if line[-1].isalnum() or line[-1] in "_)]`'\"":
        return True
    if line.endswith((" (", "\n(")):
        return False
    if "," not in brackets[0] and _VALUE_BEFORE.search(line) and _RANGE.search(brackets[0]):
        return True
    return line.rstrip(" ")[-1:] in _OF_PROGRAMS or _KEYWORD.search(line) is not None


def _is_entry(text: str, brackets: re.Match[str]) -> bool:
    """Whether the brackets begin the entry that they name: at the start of a line, with a space after them."""
    line = text[max(0, brackets.start() - _MOST_BEFORE) : brackets.start()].rpartition("\n")[2]
    return not line.strip(" .") and text[brackets.end() : brackets.end() + 1] in {" ", ":", "\n"}
