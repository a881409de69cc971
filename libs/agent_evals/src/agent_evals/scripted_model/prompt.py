"""What a prompt of a stage shows, read back from its text."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

_ENTITY = re.compile(r"^(n\d+) = (.*) \((\w+)\)$")
_FENCED = re.compile(r"<<<DATA (\w+)>>>\n(.*?)\n<<<END \1>>>", re.DOTALL)
_LABEL = re.compile(r"\b[en]\d+\b")
_HEAD = re.compile(r"^(?:EVIDENCE (e\d+)|(ENTITIES|FOUND|NOT IN THE CATALOGUE|STILL MISSING|STEPS TAKEN|GRAPH))$")
_RELATION = re.compile(r"^relation:\d+: (\w+)(?: \(.*\))?(?: from ([^;]*?))?(?: to ([^;]*?))?(?:; evidence (.*))?$")


@dataclass(frozen=True, slots=True)
class Entity:
    """A labelled entity."""

    label: str
    name: str
    kind: str


@dataclass(frozen=True, slots=True)
class Card:
    """A labelled evidence: its title and the lines below it."""

    label: str
    title: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Part:
    """A relation of the question's chain: the labels that it starts from, leads to, and is said by."""

    edge: str
    starts: tuple[str, ...]
    ends: tuple[str, ...]
    evidence: tuple[str, ...]


@dataclass(slots=True)
class Shown:
    """Entities and evidence of one prompt, in its order, relations found and absent, and the input of the stage."""

    entities: list[Entity] = field(default_factory=list[Entity])
    cards: list[Card] = field(default_factory=list[Card])
    steps: list[str] = field(default_factory=list[str])
    found: list[Part] = field(default_factory=list[Part])
    absent: list[Part] = field(default_factory=list[Part])
    input: dict[str, Any] = field(default_factory=dict[str, Any])


def read_prompt(system: str, user: str) -> Shown:
    """What the fenced part of a prompt shows. A prompt without one shows its input alone."""
    shown = Shown(input=json.loads(user))
    fenced = _FENCED.search(system)
    if fenced is None:
        return shown
    for head, lines in _sections([line.removeprefix("| ") for line in fenced.group(2).split("\n")]):
        if head == "ENTITIES":
            found = (_ENTITY.match(line) for line in lines)
            shown.entities.extend(Entity(*match.groups()) for match in found if match is not None)
        elif head == "FOUND":
            shown.found.extend(part for part in map(read_part, lines) if part is not None)
        elif head == "NOT IN THE CATALOGUE":
            shown.absent.extend(part for part in map(read_part, lines) if part is not None)
        elif head == "STEPS TAKEN":
            shown.steps.extend(line for line in lines if line)
        elif head.startswith("e") and lines:
            shown.cards.append(Card(head, lines[0], tuple(line for line in lines[1:] if line)))
    return shown


def read_part(line: str) -> Part | None:
    """A line of what was found or is missing; None for one that tells of no relation."""
    match = _RELATION.match(line)
    if match is None:
        return None
    starts, ends, evidence = (tuple(_LABEL.findall(text or "")) for text in match.groups()[1:])
    return Part(match.group(1), starts, ends, evidence)


def _sections(lines: Sequence[str]) -> list[tuple[str, list[str]]]:
    sections: list[tuple[str, list[str]]] = []
    for line in lines:
        match = _HEAD.match(line)
        if match is not None:
            sections.append((match.group(1) or match.group(2), []))
        elif sections:
            sections[-1][1].append(line)
    return sections
