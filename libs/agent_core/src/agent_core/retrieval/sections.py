"""Which sections of a document a person means by a number or a heading (pure)."""

import re
from collections.abc import Sequence

from datastore.folding import fold

_SIGNS = re.compile(r"^\s*(?:§+|section|sections|sec\.|article|artikel|art\.|chapter|kapitel|part)?\s*", re.IGNORECASE)
_NUMBER = re.compile(r"^(\d+(?:\.\d+)*[a-z]?)(?=$|[\s.):])\.?", re.IGNORECASE)


def section_positions(headings: Sequence[tuple[int, str | None]], asked: str) -> list[int]:
    """Positions of the chunks whose section it is, subsections included; none when the document has no such section.

    `headings` are the chunks' positions and headings in reading order. A number meets the same number and those below
    it; words meet an equal heading, else one that holds them.
    """
    number, words = _parted(asked)
    known = [(position, *_parted(heading)) for position, heading in headings if heading]
    if number and not words:
        return [position for position, its, _ in known if its == number or its.startswith(f"{number}.")]
    if not words:
        return []
    numbered = [(position, said) for position, its, said in known if not number or its == number]
    equal = [position for position, said in numbered if said == words]
    return equal or [position for position, said in numbered if f" {words} " in f" {said} "]


def _parted(heading: str) -> tuple[str, str]:
    """The number that a heading begins with, and its words, folded; `§ 5 Scope` is `5` and `scope`."""
    rest = _SIGNS.sub("", heading, count=1)
    found = _NUMBER.match(rest)
    if found is None:
        return "", fold(heading)
    words = rest[found.end() :].strip()
    return found[1].lower(), fold(words) if words else ""
