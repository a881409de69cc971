"""A question as a row of items: names, cues, and the words between them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from agent_core.agents.rule_based.cues import Cue, Form, Found, Mark, MarkCue, RelationCue, TypeCue
from agent_core.agents.rule_based.text import NAME, Reading, name_index

_TOKEN = re.compile(r"\S+")
_NAME = re.compile(NAME)

CONNECTORS = frozenset(
    {"of", "to", "for", "in", "by", "from", "behind", "on", "at", "with", "into", "than", "about", "as"}
)
DETERMINERS = frozenset({"the", "a", "an", "any", "some", "all", "every", "its", "his", "her", "their", "that", "this"})
BE = frozenset({"is", "are", "was", "were", "been", "being", "be"})
DO = frozenset({"did", "does", "do", "has", "have", "had", "can", "could", "will", "would"})
ASKING = frozenset({"which", "what", "whose"})
WHO = frozenset({"who", "whom", "whoever"})
RELATIVE = frozenset({"who", "that", "which", "whom", "where"})


@dataclass(frozen=True, slots=True)
class Item:
    """One name (`name` ≥ 0), one cue, or one word, with its place in the text."""

    text: str
    start: int
    end: int
    cue: Cue | None = None
    name: int = -1

    @property
    def is_name(self) -> bool:
        """Whether this is a name's placeholder."""
        return self.name >= 0

    @property
    def relation(self) -> RelationCue | None:
        """The relation, if this is one."""
        return self.cue if isinstance(self.cue, RelationCue) else None

    @property
    def type(self) -> TypeCue | None:
        """The kind of entity, if this is a word for one."""
        return self.cue if isinstance(self.cue, TypeCue) else None

    def is_word(self, *sets: frozenset[str]) -> bool:
        """Whether this is a plain word out of these."""
        if self.cue is None and self.name < 0:
            for words in sets:
                if self.text in words:
                    return True
        return False

    def is_mark(self, *marks: Mark) -> bool:
        """Whether this is one of these steering words."""
        return isinstance(self.cue, MarkCue) and self.cue.mark in marks

    def is_form(self, *forms: Form) -> bool:
        """Whether this is a relation of one of these forms."""
        return isinstance(self.cue, RelationCue) and self.cue.form in forms


def items_of(reading: Reading, cues: Sequence[Found]) -> tuple[Item, ...]:
    """The items of a reading in order."""
    items: list[Item] = []
    by_start = {cue.start: cue for cue in cues}
    position = 0
    for match in _TOKEN.finditer(reading.text):
        if match.start() < position:
            continue
        cue = by_start.get(match.start())
        if cue is not None:
            items.append(Item(reading.text[cue.start : cue.end], cue.start, cue.end, cue.cue))
            position = cue.end
            continue
        is_name = _NAME.fullmatch(match.group()) is not None
        name = name_index(match.group()) if is_name else -1
        items.append(Item(match.group(), match.start(), match.end(), None, name))
    return tuple(items)
