"""Numbered sections in running text: `§ 5 Abs. 2`, `§§ 3 bis 5`, `Article 6(1)`, `Section 4.2`, `Anhang A`."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from references.model import Reference, ReferenceType
from references.scanning import LIST_MARK, NUMBER, RANGE_MARK, SOME_SPACE, SPACE, is_heading, number_order

_MOST_ITEMS = 100
_MOST_PARTS = 12

_ONE = {
    "§": ("§",),
    "Art.": ("Artikels", "Article", "Art.", "Art"),
    "Section": ("Section", "section", "Sec.", "sec.", "Abschnittes", "Abschnitts", "Abschnitt", "Clause", "clause"),
    "Chapter": ("Chapter", "chapter", "Kapitels", "Kapitel"),
    "Part": ("Part", "Teiles", "Teils", "Teil"),
    "Appendix": ("Appendix", "appendix", "Annex", "annex", "Anhangs", "Anhang", "Anlage"),
}
_SEVERAL = {
    "§": ("§§",),
    # One word for one and for several.
    "Art.": ("Artikeln", "Artikel", "Articles", "Arts."),
    "Section": ("Sections", "sections", "Secs.", "secs.", "Abschnitten", "Abschnitte", "Clauses", "clauses"),
    "Chapter": ("Chapters", "chapters", "Kapiteln"),
    "Part": ("Parts", "Teilen", "Teile"),
    "Appendix": ("Appendices", "appendices", "Anlagen"),
}
_KINDS = {word: kind for words in (_ONE, _SEVERAL) for kind in words for word in words[kind]}
_PLURALS = frozenset(word for words in _SEVERAL.values() for word in words)
_LEGAL = frozenset({"§", "Art."})
_LETTERED = frozenset({"Chapter", "Part", "Appendix"})
# Plain words, so that the search skips what begins with no letter of theirs.
_ANCHOR = re.compile("|".join(map(re.escape, sorted(_KINDS, key=len, reverse=True))))

# The word before "Part", or the mark: a title goes on after a capital, a number, a colon and a quotation mark.
_WORD_BEFORE = re.compile(r"[\w:\"“„]+[^\S\n]?\Z")
_LONGEST_WORD = 40
_OPENERS = frozenset({"See", "In", "The", "Of", "Under", "From", "To", "And", "Siehe", "Im", "Nach", "Aus", "Und"})

_NUMBER = re.compile(SPACE + rf"(?P<value>{NUMBER})")
_LETTER = re.compile(rf"{SOME_SPACE}(?P<value>[IVXLC]{{2,7}}+|[A-Z])(?![\w.])")
_FOLLOWING = re.compile(rf"{SPACE}ff?\b\.?")

_PART_WORDS = {
    "Abs.": r"Abs(?:atz(?:es)?|ätzen?|\.)|[Pp]aragraphs?|[Pp]aras?\.?|[Ss]ubsections?",
    "Unterabs.": r"Unterabs(?:atz(?:es)?|ätze|\.)|UAbs\.?|[Ss]ubparagraphs?",
    "Satz": r"Satz(?:es)?|Sätzen?|S\.|[Ss]entences?",
    "Halbs.": r"Halbs(?:atz|\.)",
    "Nr.": r"Nummern?|Nrn?\.|Nos?\.|[Pp]oints?",
    "lit.": r"Buchst(?:aben?s?|\.)|lit\.|[Ll]etters?",
    "Alt.": r"Alt(?:ernative|\.)",
}
_PART = re.compile(
    rf"{SPACE}(?:"
    + "|".join(f"(?P<p{place}>{word})" for place, word in enumerate(_PART_WORDS.values()))
    + rf"){SPACE}(?P<value>\d{{1,4}}+[a-z]?|[a-z]{{1,2}})(?!\w)"
)
_PART_NAMES = tuple(_PART_WORDS)
_BRACKET = re.compile(r"[^\S\n]?\((?P<value>\d{1,3}[a-z]?|[ivx]{2,4}|[a-z]|([a-z])\2)\)")
_MORE_NUMBERS = re.compile(r"(?P<value>\d{1,4}+[a-z]?)(?!\w)")
_MORE_LETTERS = re.compile(r"(?P<value>[a-z]{1,2})(?!\w)")


@dataclass(frozen=True, slots=True)
class _Item:
    number: str
    parts: str
    end: int
    """Where the item ends, with all of its parts."""


def find_sections(text: str) -> Iterator[Reference]:
    """Every numbered section that is named in `text`, in order; the document is left open.

    Lists give one an item, ranges one with `until`. A Markdown heading is the section itself, no reference.
    """
    done = 0
    for anchor in _ANCHOR.finditer(text):
        start = anchor.start()
        if start < done or not _is_reference(text, anchor):
            continue
        for reference in _listed(text, anchor):
            done = reference.end
            yield reference


def _is_reference(text: str, anchor: re.Match[str]) -> bool:
    """Whether a section is named here, and no part of a word, of a heading or of a title ("Rocky Part 2")."""
    start = anchor.start()
    if text[max(0, start - 1) : start].isalnum() or is_heading(text, start):
        return False
    if _KINDS[anchor[0]] != "Part":
        return True
    before = _WORD_BEFORE.search(text, max(0, start - _LONGEST_WORD), start)
    return before is None or before[0][:1].islower() or before[0].rstrip() in _OPENERS


def first_number(text: str) -> tuple[str, str, str] | None:
    """The kind and the number that `text` begins with, and the last number of a range, else the same again."""
    anchor = _ANCHOR.match(text)
    if anchor is None:
        return None
    kind = _KINDS[anchor[0]]
    item = _read_item(text, anchor.end(), kind, is_plural=True)
    if item is None:
        return None
    last = _range_end(text, item, kind, is_plural=True)
    return kind, item.number, (last or item).number


def _listed(text: str, anchor: re.Match[str]) -> Iterator[Reference]:
    """The sections after one `§`, `Article` or `Section`."""
    kind, is_plural, start = _KINDS[anchor[0]], anchor[0] in _PLURALS, anchor.start()
    item = _read_item(text, anchor.end(), kind, is_plural=is_plural)
    for _ in range(_MOST_ITEMS):
        if item is None:
            return
        last = _range_end(text, item, kind, is_plural=is_plural)
        yield _reference(text, start, kind, item, last)
        mark = LIST_MARK.match(text, (last or item).end)
        if mark is None:
            return
        start = mark.end()
        following = _read_item(text, start, kind, is_plural=is_plural)
        item = following if following and _continues(following, last or item, is_plural=is_plural) else None


def _range_end(text: str, first: _Item, kind: str, *, is_plural: bool) -> _Item | None:
    mark = RANGE_MARK.match(text, first.end)
    if mark is None:
        return None
    last = _read_item(text, mark.end(), kind, is_plural=is_plural)
    return last if last and number_order(last.number) > number_order(first.number) else None


def _continues(following: _Item, before: _Item, *, is_plural: bool) -> bool:
    """Whether a number after a comma or "and" is a further section. After a single `§` it must look like one."""
    if number_order(following.number) <= number_order(before.number):
        return False
    return is_plural or bool(following.parts) or following.number[-1].isalpha()


def _reference(text: str, start: int, kind: str, item: _Item, last: _Item | None) -> Reference:
    end = (last or item).end
    return Reference(
        type=ReferenceType.LEGAL_SECTION if kind in _LEGAL else ReferenceType.SECTION,
        text=text[start:end],
        start=start,
        end=end,
        section=f"{kind} {item.number}{item.parts}",
        until=f"{kind} {last.number}{last.parts}" if last else "",
    )


def _read_item(text: str, position: int, kind: str, *, is_plural: bool) -> _Item | None:
    number = _NUMBER.match(text, position)
    if number is None and kind in _LETTERED:
        number = _LETTER.match(text, position)
    if number is None:
        return None
    end = number.end()
    following = _FOLLOWING.match(text, end)
    end = following.end() if following else end
    path, end = _read_path(text, end, number["value"], is_plural=is_plural)
    return _Item(number["value"], "".join(f" {part}" for part in path), end)


def _read_path(text: str, position: int, number: str, *, is_plural: bool) -> tuple[list[str], int]:
    """The parts below a number, `Abs. 2`, `Satz 3`, and where they end.

    The path is that of the first: a list of values (`Abs. 1 und 2 Satz 1`) or a second paragraph ends it.
    """
    path: dict[str, str] = {}
    is_open = True
    for _ in range(_MOST_PARTS):
        part = _read_part(text, position)
        if part is None:
            break
        name, value, end = part
        is_open = is_open and name not in path
        if is_open:
            path[name] = f"{name} {value}"
        values = _MORE_NUMBERS if value[0].isdigit() else _MORE_LETTERS
        position = _more_values(text, end, values, number if is_plural else "")
        is_open = is_open and position == end
    return list(path.values()), position


def _read_part(text: str, position: int) -> tuple[str, str, int] | None:
    """Name and value of `Abs. 2`, or `(2)`, and where it ends; a part of a second paragraph begins after a comma."""
    bracket = _BRACKET.match(text, position)
    if bracket:
        value = bracket["value"]
        return ("Abs." if value[0].isdigit() else "lit."), value, bracket.end()
    mark = LIST_MARK.match(text, position)
    part = _PART.match(text, mark.end() if mark else position)
    if part is None:
        return None
    name = next(name for place, name in enumerate(_PART_NAMES) if part[f"p{place}"])
    return name, part["value"], part.end()


def _more_values(text: str, position: int, values: re.Pattern[str], number: str) -> int:
    """Where the values of a part end: `Absatz 1, 3 und 5 bis 7`.

    In a list of sections, of which `number` is the one at hand, a larger number is the next section.
    """
    for _ in range(_MOST_ITEMS):
        mark = LIST_MARK.match(text, position) or RANGE_MARK.match(text, position)
        value = values.match(text, mark.end()) if mark else None
        if value is None or (number and number_order(value["value"]) > number_order(number)):
            return position
        position = value.end()
    return position
