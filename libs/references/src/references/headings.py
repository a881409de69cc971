"""Which headings of a document a section in its usual form means."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from references.scanning import number_order
from references.sections import first_number

_MARKS = re.compile(r"[#\s]*+(?:\(X+\)\s*+)?+")
_BARE = re.compile(r"(\d{1,4}+(?:\.\d{1,3}+)*+[a-z]?)\.?(?:\s|$)")
_NOT_LETTERS = re.compile(r"[\W_]+")
# Where no heading is of the kind that is asked for: what it may be called instead; "" is a number without a word.
_ALIKE = {"§": frozenset({"", "Section"}), "Section": frozenset({"", "§"}), "Chapter": frozenset({""})}

type _Order = tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class _Numbered:
    kind: str
    first: _Order
    last: _Order


class Headings:
    """The headings of one document, in its order."""

    def __init__(self, headings: Sequence[str]) -> None:
        self._slugs = [_slug(each) for each in headings]
        self._numbered = [(place, read) for place, each in enumerate(headings) if (read := _read(each))]

    def find(self, section: str, until: str = "") -> list[int]:
        """The places that `section` names, and for a range all up to `until`; empty when there are none.

        A heading names itself by its number (`§ 5 Title`, `4.2 Title`, `Article 6`, `§§ 3 bis 5`) or, for `#anchor`, by
        its words. What stands below it (`§ 5 Abs. 2`) is in it. A number alone may be of any kind.
        """
        if section.startswith("#"):
            return [place for place, slug in enumerate(self._slugs) if slug == _slug(section)][:1]
        wanted = _read(section)
        if wanted is None:
            return []
        last = _read(until)
        end = last.last if last else wanted.first
        inside = [(place, each) for place, each in self._numbered if each.first <= end and wanted.first <= each.last]
        found = [place for place, each in inside if each.kind == wanted.kind]
        if not found:
            alike = _ALIKE.get(wanted.kind, frozenset())
            found = [place for place, each in inside if each.kind in alike or not wanted.kind]
        return found if until else found[:1]


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
