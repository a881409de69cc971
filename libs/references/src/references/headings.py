"""Which headings of a document a section in its usual form means."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from references.scanning import number_order
from references.sections import first_number

_MARKS = re.compile(r"[#\s]*+(?:\(X+\)\s*+)?+")
_BARE = re.compile(r"(\d{1,4}+(?:\.\d{1,3}+)*+[a-z]?)\.?(?:\s|$)")
_NOT_LETTERS = re.compile(r"[\W_]+")
# A number without a word before it may stand for any of these.
_BARE_KINDS = frozenset({"§", "Section", "Chapter"})
_SAME = {"§": "Section"}

type _Order = tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class _Numbered:
    kind: str
    first: _Order
    last: _Order


def find_headings(section: str, headings: Sequence[str], *, until: str = "") -> list[int]:
    """The places in `headings` that `section` names, and for a range all up to `until`, in the document's order.

    A heading names itself by its number (`§ 5 Title`, `4.2 Title`, `Article 6`, `§§ 3 bis 5`) or, for `#anchor`, by its
    words. What stands below it (`§ 5 Abs. 2`) is in it. Empty when there is no such heading.
    """
    if section.startswith("#"):
        return [place for place, each in enumerate(headings) if _slug(each) == _slug(section)][:1]
    wanted = _read(section)
    if wanted is None:
        return []
    last = _read(until) if until else None
    end = last.last if last else wanted.first
    found = [
        place
        for place, each in enumerate(map(_read, headings))
        if each and _same_kind(each, wanted) and each.first <= end and wanted.first <= each.last
    ]
    return found if until else found[:1]


def _same_kind(heading: _Numbered, wanted: _Numbered) -> bool:
    if not heading.kind:
        return wanted.kind in _BARE_KINDS
    return _SAME.get(heading.kind, heading.kind) == _SAME.get(wanted.kind, wanted.kind)


def _read(heading: str) -> _Numbered | None:
    text = _MARKS.sub("", heading, count=1)
    numbered = first_number(text)
    if numbered is not None:
        kind, first, last = numbered
        return _Numbered(kind, number_order(first), number_order(last))
    bare = _BARE.match(text)
    return _Numbered("", number_order(bare[1]), number_order(bare[1])) if bare else None


def _slug(text: str) -> str:
    return _NOT_LETTERS.sub("-", text.casefold()).strip("-")
