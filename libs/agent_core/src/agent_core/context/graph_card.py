"""The graph as a card for whoever writes queries: what the question is about first, within a size."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import takewhile

from pydantic import JsonValue

from agent_core.context.cards import estimate_tokens
from agent_core.graph_description import (
    GraphDescription,
    LabelDescription,
    PropertyDescription,
    RelationshipDescription,
)

_WORD = re.compile(r"[^\W\d_]+")
_STEM = 4
"""Words are taken for one when they begin alike, as `directed` and `director`: in so many letters at least, and in all
but two of the shorter."""

_MAY_DIFFER = 2
_LEAST_LETTERS = 4
_CUT_TOKENS = 12
_CUT = "… and more that is not shown"


@dataclass(frozen=True, slots=True)
class _Line:
    """One line of the card. `header` is the line that must stand above it, by its place in the whole."""

    text: str
    relevance: float
    header: int | None = None


def graph_card(description: GraphDescription, question: str, token_cap: int) -> str:
    """Labels with their properties, then relationship types, each with counts, in at most `token_cap` tokens.

    What shares words with the question stays longest, then labels and relationship types before properties, then what
    there is most of.
    """
    lines = list(_lines(description, frozenset(_words(question))))
    if sum(_size(line) for line in lines) <= token_cap:
        return "\n".join(line.text for line in lines)
    kept = _kept(lines, token_cap - _CUT_TOKENS)
    return "\n".join([*(lines[place].text for place in sorted(kept)), _CUT])


def _kept(lines: list[_Line], token_cap: int) -> set[int]:
    kept: set[int] = set()
    left = token_cap
    for place in sorted(range(len(lines)), key=lambda place: -lines[place].relevance):
        header = lines[place].header
        wanted = {place} if header is None or header in kept else {place, header}
        size = sum(_size(lines[each]) for each in wanted - kept)
        if size <= left:
            left -= size
            kept |= wanted
    return kept


def _size(line: _Line) -> int:
    return estimate_tokens(line.text + "\n")


def _lines(description: GraphDescription, asked: frozenset[str]) -> Iterator[_Line]:
    place = 0
    most = max((each.count for each in (*description.labels, *description.relationships)), default=0)
    for label in description.labels:
        header = place
        text = f"(:{label.name}) {label.count} nodes: {label.description}"
        yield _Line(text, _relevance(asked, label.name, label.description) + _weight(label, most))
        for each in label.properties:
            about = _relevance(asked, each.name, *_texts(each.samples))
            yield _Line(f"  .{_property(each)}", about + _relevance(asked, label.name) / 2, header)
        place += 1 + len(label.properties)
    for relationship in description.relationships:
        about = _relevance(asked, relationship.name, relationship.description)
        near = _relevance(asked, *relationship.starts, *relationship.ends) / 4
        yield _Line(_relationship(relationship), about + near + _weight(relationship, most))


def _weight(each: LabelDescription | RelationshipDescription, most: int) -> float:
    """Between a half and one, by count: what stands first where the question says nothing."""
    return 0.5 + 0.5 * each.count / most if most else 0.5


def _relationship(each: RelationshipDescription) -> str:
    held = ", ".join(part.name for part in each.properties)
    braces = f" {{{held}}}" if held else ""
    starts, ends = "|".join(each.starts), "|".join(each.ends)
    return f"(:{starts})-[:{each.name}{braces}]->(:{ends}) {each.count}: {each.description}"


def _property(each: PropertyDescription) -> str:
    samples = ", ".join(_sample(value) for value in each.samples)
    return f"{each.name} {each.type}" + (f", such as {samples}" if samples else "")


def _sample(value: JsonValue) -> str:
    if isinstance(value, list):
        return f"[{', '.join(_sample(member) for member in value)}]"
    return f"'{value}'" if isinstance(value, str) else str(value)


def _texts(values: Iterable[JsonValue]) -> Iterator[str]:
    for value in values:
        if isinstance(value, list):
            yield from _texts(value)
        elif isinstance(value, str):
            yield value


def _relevance(asked: frozenset[str], *texts: str) -> float:
    """How many different words of the question stand in these texts."""
    said = frozenset(word for text in texts for word in _words(text))
    return float(sum(any(_is_alike(word, other) for other in said) for word in asked))


def _words(text: str) -> Iterator[str]:
    parted = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", text)
    return (word for word in (each.casefold() for each in _WORD.findall(parted)) if len(word) >= _LEAST_LETTERS)


def _is_alike(word: str, other: str) -> bool:
    common = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(word, other, strict=False)))
    return word == other or common >= max(_STEM, min(len(word), len(other)) - _MAY_DIFFER)
