"""Documents that are known by a number: `PEP 8`, `RFCs 2119 and 8174`, `ISO 8601`, `Directive 2000/31/EC`."""

import re
from collections.abc import Iterable, Iterator

from references.model import Reference, ReferenceType, Relation
from references.scanning import LIST_MARK, RANGE_MARK, SPACE

SERIES = (
    "PEP",
    "RFC",
    "BCP",
    "STD",
    "ISO",
    "IEC",
    "IEEE",
    "DIN",
    "EN",
    "ECMA",
    "ADR",
    "BIP",
    "EIP",
    "JEP",
    "JSR",
    "KEP",
    "XEP",
)
"""Series that are known without a registry."""

_MOST_ITEMS = 50
# Wider gaps are those between the columns of a table.
_GAP = r"[^\S\n]{0,2}\n[^\S\n]{0,12}|[^\S\n]{1,2}"
_MOST_IN_RANGE = 20
_PARTED = frozenset({"ISO", "IEC", "IEEE", "DIN", "EN"})
# Such a short name written small is a word of some language.
_SHORTEST_SMALL = 3

_EUROPEAN = re.compile(
    rf"(?:Verordnung|verordnung|Regulation|regulation|Richtlinie|richtlinie|Directive|directive){SPACE}"
    rf"(?:\((?:EU|EG|EC|EWG|EEC|Euratom)(?:,{SPACE}Euratom)?\){SPACE})?(?:(?:Nr|No)\.{SPACE})?"
    r"(?P<number>\d{1,4}/\d{1,4})(?:/(?:EU|EG|EC|EWG|EEC))?(?!\w)"
)
_LONGEST_WORD = 40


class NumberedDocuments:
    """Finds documents of some series by their numbers."""

    def __init__(self, series: Iterable[str] = ()) -> None:
        """`series` are names beside the usual ones."""
        self._names = {name.upper(): name for name in (*SERIES, *series)}
        known = list(self._names.values())
        small = [name.lower() for name in known if len(name) >= _SHORTEST_SMALL]
        large, either = _alternatives(known), _alternatives([*known, *small])
        number = r"(?P<number>\d{1,6}(?:-\d{1,3})?)(?!\w|-[a-z])"
        # Small letters with a hyphen are part of an address or of a name in a program.
        self._anchor = re.compile(
            rf"(?<![\w-])(?:(?P<series>{large})(?P<plural>s)?(?:{_GAP}|[/-])?"
            rf"|(?P<small>{_alternatives(small)})(?:{_GAP})?){number}"
        )
        self._role = re.compile(
            rf":(?P<series>{either}):`(?:[^`<]{{0,200}}<)?(?P<number>\d{{1,6}})(?:#(?P<anchor>[\w.-]{{1,100}}))?>?`"
        )
        self._next = re.compile(rf"(?:(?P<series>{large})s?(?:{_GAP}|-))?(?P<number>\d{{1,6}})(?!\w)")

    def find(self, text: str) -> Iterator[Reference]:
        """Every document of a series or of the European Union that `text` names by number."""
        for role in self._role.finditer(text):
            yield self._reference(text, role.span(), role["series"], role["number"], role["anchor"])
        for anchor in self._anchor.finditer(text):
            yield from self._listed(text, anchor)
        for act in _EUROPEAN.finditer(text):
            kind = "Regulation" if act[0].casefold().startswith(("verordnung", "regulation")) else "Directive"
            yield _document(text, (_word_start(text, act.start()), act.end()), f"{kind} {act['number']}")

    def _listed(self, text: str, anchor: re.Match[str]) -> Iterator[Reference]:
        series, number, start, end = anchor["series"] or anchor["small"], anchor["number"], anchor.start(), anchor.end()
        first, _, second = number.partition("-")
        if second and series.upper() not in _PARTED:
            number, end = first, end - len(second) - 1
        yield self._reference(text, (start, end), series, number)
        if not anchor["plural"]:
            return
        for _ in range(_MOST_ITEMS):
            is_range = RANGE_MARK.match(text, end)
            mark = is_range or LIST_MARK.match(text, end)
            item = self._next.match(text, mark.end()) if mark else None
            if item is None:
                return
            before = int(number) + 1 if is_range else int(item["number"])
            for between in _numbers(before, int(item["number"])):
                yield self._reference(text, item.span(), series, str(between))
            number, end = item["number"], item.end()

    def _reference(
        self, text: str, span: tuple[int, int], series: str, number: str, anchor: str | None = None
    ) -> Reference:
        section = f"#{anchor}" if anchor else ""
        plain = number.lstrip("0") or "0"
        return _document(text, span, f"{self._names[series.upper()]} {plain}", section)


def _alternatives(names: Iterable[str]) -> str:
    return "|".join(map(re.escape, sorted(set(names), key=lambda name: (-len(name), name))))


def _numbers(first: int, last: int) -> range:
    """All of a range that is short enough to be one."""
    return range(first, last + 1) if first <= last <= first + _MOST_IN_RANGE else range(last, last + 1)


def _word_start(text: str, position: int) -> int:
    """Where the compound begins whose last part is at `position`: "Durchführungsverordnung"."""
    start = position
    while start and text[start - 1].isalpha() and position - start < _LONGEST_WORD:
        start -= 1
    return start


def _document(text: str, span: tuple[int, int], name: str, section: str = "") -> Reference:
    start, end = span
    return Reference(
        type=ReferenceType.DOCUMENT,
        text=text[start:end],
        start=start,
        end=end,
        document=name,
        section=section,
        relation=Relation.MENTIONS,
    )
