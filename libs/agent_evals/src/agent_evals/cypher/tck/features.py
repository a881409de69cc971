"""The TCK's feature files as scenarios, with each outline expanded into one scenario for every row of its examples."""

import re
import tarfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import count, takewhile
from pathlib import PurePosixPath
from typing import IO

_KEYWORDS = re.compile(r"(Feature|Background|Scenario Outline|Scenario|Examples):\s*(.*)")
_STEP = re.compile(r"(?:Given|When|Then|And|But)\s+(.*)")
_ERROR = re.compile(r"an? (\w+) should be raised at (compile time|runtime|any time): (\S+)")
_ESCAPES = {"\\n": "\n", "\\|": "|", "\\\\": "\\"}

type Table = tuple[tuple[str, ...], ...]


class Phase(StrEnum):
    """When an error has to be raised."""

    COMPILE_TIME = "compile time"
    RUN_TIME = "runtime"
    ANY = "any time"


@dataclass(frozen=True, slots=True)
class ExpectedError:
    """An error that the query has to end with."""

    kind: str
    phase: Phase
    detail: str


@dataclass(frozen=True, slots=True)
class ExpectedRows:
    """The answer that the query has to give, in the TCK's notation."""

    columns: tuple[str, ...]
    rows: Table
    is_ordered: bool
    lists_are_ordered: bool


@dataclass(frozen=True, slots=True)
class Scenario:
    """One query, the graph it is asked of, and what has to come of it.

    `setup` are statements that write; `graph` names a graph of the archive when that isn't empty at first.
    """

    folder: str
    name: str
    graph: str
    setup: tuple[str, ...]
    parameters: Mapping[str, str]
    query: str
    expected: ExpectedRows | ExpectedError


@dataclass(frozen=True, slots=True)
class Archive:
    """All scenarios in the order of their files, and the statements of the named graphs."""

    scenarios: tuple[Scenario, ...]
    graphs: Mapping[str, str]


@dataclass(slots=True)
class _Step:
    text: str
    document: list[str] | None = None
    table: list[tuple[str, ...]] = field(default_factory=list[tuple[str, ...]])


@dataclass(slots=True)
class _Block:
    keyword: str
    title: str
    steps: list[_Step] = field(default_factory=list[_Step])
    table: list[tuple[str, ...]] = field(default_factory=list[tuple[str, ...]])


def read_archive(file: IO[bytes]) -> Archive:
    """The content of the TCK's archive, a packed tar."""
    found: list[Scenario] = []
    graphs: dict[str, str] = {}
    with tarfile.open(fileobj=file) as tar:
        for member in sorted(tar.getmembers(), key=lambda each: each.name):
            path = PurePosixPath(member.name)
            content = tar.extractfile(member)
            if content is None or path.suffix not in (".feature", ".cypher"):
                continue
            text = content.read().decode()
            if path.suffix == ".cypher":
                graphs[path.stem] = text
            else:
                found.extend(scenarios_of(path.parent.name, path.stem, text))
    return Archive(tuple(found), graphs)


def scenarios_of(folder: str, feature: str, text: str) -> Iterator[Scenario]:
    """The scenarios of one feature file, outlines expanded."""
    background: list[_Step] = []
    outline = _Block("", "")
    numbers = count(1)
    for block in _blocks(text.splitlines()):
        match block.keyword:
            case "Background":
                background = block.steps
            case "Scenario":
                yield _scenario(folder, f"{feature} {block.title}", [*background, *block.steps])
            case "Scenario Outline":
                outline, numbers = block, count(1)
            case "Examples":
                names, *rows = block.table
                for row in rows:
                    values = dict(zip(names, row, strict=True))
                    steps = [_filled(step, values) for step in [*background, *outline.steps]]
                    yield _scenario(folder, f"{feature} {outline.title} #{next(numbers)}", steps)
            case _:
                pass


def _blocks(lines: Sequence[str]) -> Iterator[_Block]:
    block = _Block("", "")
    rest = iter(lines)
    for line in rest:
        content = line.strip()
        if opened := _KEYWORDS.fullmatch(content):
            yield block
            block = _Block(opened[1], opened[2])
        elif content == '"""':
            indent = len(line) - len(line.lstrip())
            block.steps[-1].document = [
                inner[indent:] if not inner[:indent].strip() else inner.lstrip()
                for inner in takewhile(lambda each: each.strip() != '"""', rest)
            ]
        elif content.startswith("|"):
            rows = block.table if block.keyword == "Examples" else block.steps[-1].table
            rows.append(_cells(content))
        elif step := _STEP.fullmatch(content):
            block.steps.append(_Step(step[1]))
    yield block


def _cells(line: str) -> tuple[str, ...]:
    inner = re.split(r"(?<!\\)((?:\\\\)*)\|", line)
    # The group of the split holds the backslashes right before a bar, which belong to the cell.
    cells = [before + slashes for before, slashes in zip(inner[::2], inner[1::2], strict=False)][1:]
    return tuple(re.sub(r"\\[n|\\]", lambda each: _ESCAPES[each[0]], cell.strip()) for cell in cells)


def _filled(step: _Step, values: Mapping[str, str]) -> _Step:
    def fill(text: str) -> str:
        return re.sub(r"<([^<>\s|]+)>", lambda found: values.get(found[1], found[0]), text)

    document = None if step.document is None else [fill(line) for line in step.document]
    return replace(step, text=fill(step.text), document=document, table=[tuple(map(fill, row)) for row in step.table])


def _scenario(folder: str, name: str, steps: Sequence[_Step]) -> Scenario:
    queries = [place for place, step in enumerate(steps) if step.text.startswith("executing query")]
    first = queries[0]
    before = steps[:first]
    return Scenario(
        folder=folder,
        name=name,
        graph=next((step.text.removeprefix("the ") for step in before if step.text.startswith("the ")), ""),
        setup=tuple(_document(step) for step in before if step.text.startswith("having executed")),
        parameters={row[0]: row[1] for step in before if step.text.startswith("parameters are") for row in step.table},
        query=_document(steps[first]),
        expected=_expected(steps[first + 1]),
    )


def _document(step: _Step) -> str:
    return "\n".join(step.document or [])


def _expected(step: _Step) -> ExpectedRows | ExpectedError:
    if error := _ERROR.fullmatch(step.text):
        return ExpectedError(error[1], Phase(error[2]), error[3])
    columns, *rows = step.table or [()]
    return ExpectedRows(columns, tuple(rows), "in order" in step.text, "ignoring element order" not in step.text)
