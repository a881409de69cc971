"""Header fields at the start of a document, and what `Requires: 234` or `Superseded-By: 387` say of two documents."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from references.model import Reference, ReferenceType, Relation

_FIELDS = {
    "requires": Relation.REQUIRES,
    "depends-on": Relation.REQUIRES,
    "setzt-voraus": Relation.REQUIRES,
    "replaces": Relation.SUPERSEDES,
    "supersedes": Relation.SUPERSEDES,
    "obsoletes": Relation.SUPERSEDES,
    "ersetzt": Relation.SUPERSEDES,
    "superseded-by": Relation.SUPERSEDED_BY,
    "replaced-by": Relation.SUPERSEDED_BY,
    "obsoleted-by": Relation.SUPERSEDED_BY,
    "ersetzt-durch": Relation.SUPERSEDED_BY,
    "updates": Relation.REFERENCES,
}
_LONGEST_HEADER = 20_000
_FENCE = re.compile(r"---[ \t]*\n")
_LINE = re.compile(
    r":?(?P<name>[^\W\d_][\w -]{0,40}?):(?:[ \t](?P<value>[^\n]*))?(?:\n|$)|(?P<more>[ \t]+[^\n]*)(?:\n|$)"
)
_NUMBER = re.compile(r"(?<![\w.])(?:(?P<series>[A-Z]{2,12})[ -]?)?(?P<number>\d{1,6})(?![\w.]\w)")
_PLAIN = re.compile(r"\s{0,80}\d{1,6}\s{0,80}")
_WHOLE_NAME = re.compile(r"[^,;\n]+")


@dataclass(frozen=True, slots=True)
class Field:
    """A header field by its name as written; `start` is where its value is, lines that continue it included."""

    name: str
    value: str
    start: int

    @property
    def key(self) -> str:
        """The name as it is compared: `superseded-by`."""
        return self.name.strip().casefold().replace(" ", "-").replace("_", "-")


def read_header(text: str) -> list[Field]:
    """The fields that `text` begins with, one a line, fenced by `---` or ended by an empty line; none without any."""
    fence = _FENCE.match(text)
    position = fence.end() if fence else 0
    fields: list[Field] = []
    while position < min(len(text), _LONGEST_HEADER):
        line = _LINE.match(text, position)
        if line is None or not line[0].strip() or (line["more"] is not None and not fields):
            break
        if line["more"] is not None:
            last = fields[-1]
            fields[-1] = Field(last.name, text[last.start : line.end()].rstrip("\n"), last.start)
        else:
            fields.append(Field(line["name"], line["value"] or "", line.end("name") + 2))
        position = line.end()
    return fields


def find_header_references(text: str) -> Iterator[Reference]:
    """What the header says of other documents.

    A bare number is one of the document's own series, which is the field that numbers it: `PEP: 255`.
    """
    fields = read_header(text)
    own_series = _own_number(fields).partition(" ")[0]
    for each in fields:
        relation = _FIELDS.get(each.key)
        if relation is not None:
            yield from _values(text, each, relation, own_series)


def own_number(text: str) -> str:
    """How a document numbers itself in its header, `PEP 255` for `PEP: 255`; empty when it does not."""
    return _own_number(read_header(text))


def _own_number(fields: list[Field]) -> str:
    numbers = (
        f"{each.name} {int(each.value)}" for each in fields if each.name.isupper() and _PLAIN.fullmatch(each.value)
    )
    return next(numbers, "")


def _values(text: str, field: Field, relation: Relation, own_series: str) -> Iterator[Reference]:
    for value in _WHOLE_NAME.finditer(field.value):
        number = _NUMBER.match(value[0].strip())
        series = (number["series"] or own_series) if number else ""
        name = f"{series} {int(number['number'])}" if number and series else value[0].strip()
        if not name:
            continue
        start = field.start + value.start() + len(value[0]) - len(value[0].lstrip())
        end = field.start + value.start() + len(value[0].rstrip())
        yield Reference(ReferenceType.DOCUMENT, text[start:end], start, end, document=name, relation=relation)
