"""The parts of a question as stages read them: what was found, by which evidence, and where to go on from."""

import re
from collections.abc import Iterable, Sequence

from agent_core.chain import chosen_of, effective_chain, reached_at, roles_of, walks
from agent_core.context.labels import Labels
from agent_core.evidence import EntityRef
from agent_core.protocols import LoopView, Slot
from agent_core.schemas import AskedRelation

_RELATION = re.compile(r"relation:(\d+)")
_SHOWN = 24
"""Labels named of one part; a longer list says how many more there are."""


class Parts:
    """The slots of a view in the words of its labels.

    `relation:1: voiced_by from n2 to n5; evidence e4` was found; `relation:1: voiced_by from n2` is still missing.
    """

    def __init__(self, view: LoopView, labels: Labels) -> None:
        self._slots = view.slots
        self._chain = effective_chain(view.rewrite, view.resolved) if view.rewrite.relations else ()
        self._walked = walks(view.rewrite, view.resolved, view.evidence) if self._chain else ()
        self._starts = chosen_of(view.resolved, roles_of(view.rewrite).starts)
        self._entities = {entity.ref.key: entity.label for entity in labels.entities}
        self._evidence = {evidence_id: label for label, evidence_id in labels.evidence_ids.items()}

    @property
    def found(self) -> tuple[str, ...]:
        """A line for every filled part."""
        return tuple(self._found(slot) for slot in self._slots if slot.state == "filled")

    @property
    def missing(self) -> tuple[str, ...]:
        """A line for every part that nothing fills yet."""
        return tuple(self._missing(slot) for slot in self._slots if slot.state == "empty")

    @property
    def absent(self) -> tuple[str, ...]:
        """A line for every part that was looked for and is proven not to be there."""
        return tuple(self._missing(slot) for slot in self._slots if slot.state == "absent")

    def _found(self, slot: Slot) -> str:
        depth = self._depth(slot)
        ends = self._reached(depth + 1) if depth is not None else ()
        line = self._missing(slot) + (f" to {self._named(ends)}" if ends else "")
        shown = [self._evidence[each] for each in slot.evidence_ids if each in self._evidence]
        return f"{line}; evidence {_listed(shown)}" if shown else line

    def _missing(self, slot: Slot) -> str:
        depth = self._depth(slot)
        if depth is None:
            return slot.name
        starts = self._reached(depth)
        line = f"{slot.name}: {_words(self._chain[depth])}"
        return f"{line} from {self._named(starts)}" if starts else line

    def _depth(self, slot: Slot) -> int | None:
        match = _RELATION.fullmatch(slot.name)
        return int(match.group(1)) if match is not None and int(match.group(1)) < len(self._chain) else None

    def _reached(self, depth: int) -> Sequence[EntityRef]:
        return reached_at(self._walked, depth) if depth else self._starts

    def _named(self, refs: Iterable[EntityRef]) -> str:
        return _listed([self._entities[ref.key] for ref in refs if ref.key in self._entities])


def _words(relation: AskedRelation) -> str:
    qualifier = f" ({relation.qualifier.replace('|', ' or ')})" if relation.qualifier else ""
    return f"{relation.edge}{qualifier}"


def _listed(labels: Sequence[str]) -> str:
    more = len(labels) - _SHOWN
    return ", ".join(labels[:_SHOWN]) + (f" and {more} more" if more > 0 else "")
