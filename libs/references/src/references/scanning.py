"""Small pieces that the patterns share. None of them can read a text twice: repetitions are bounded or possessive."""

import re

SPACE = r"[^\S\n]*+(?:\n[^\S\n]*+)?+"
"""Any space, at most one line break: a reference may be wrapped and never reaches into the next paragraph."""

SOME_SPACE = rf"(?=\s){SPACE}"

NUMBER = r"\d{1,4}+(?:\.\d{1,3}+)*+(?:[a-z](?![^\W_]))?(?=ff?\b|[\W_]|$)"
"""The number of a section: `5`, `4.2`, `69a`."""

LIST_MARK = re.compile(rf"(?:,{SPACE}(?:und|oder|sowie|and|or)?|{SOME_SPACE}(?:und|oder|sowie|and|or)\b){SPACE}")
RANGE_MARK = re.compile(rf"{SPACE}[–—-]{SPACE}|{SOME_SPACE}(?:bis|to|through)\b{SPACE}")

_LONGEST_MARK = 40


def is_heading(text: str, start: int) -> bool:
    """Whether `start` is in a Markdown heading, near its start: what is named there is the place itself."""
    line = text.rfind("\n", max(0, start - _LONGEST_MARK), start) + 1
    return text.startswith("#", line) and line >= start - _LONGEST_MARK


def number_order(number: str) -> tuple[tuple[int, str], ...]:
    """A key that sorts numbers of sections as they follow each other: 5, 5a, 6, 10."""
    parts = (re.fullmatch(r"(\d*)(.*)", part) for part in number.split("."))
    return tuple((int(part[1] or 0), part[2]) for part in parts if part is not None)
