"""Several finders of references, one list: duplicates are the same type and target, and a model's finds are checked."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from references.model import Method, Reference, ReferenceType, Relation


@dataclass(frozen=True, slots=True)
class Proposal:
    """A reference as a language model names it; `text` must be words of the text that it was given."""

    type: ReferenceType
    text: str
    document: str = ""
    section: str = ""


class ReferenceModel(Protocol):
    """Finds references in a text by means of its own, as far as what it may spend reaches; then none, without fail."""

    async def propose(self, text: str) -> Sequence[Proposal]:
        """The references of `text`, in any order."""
        ...


def locate(text: str, proposals: Iterable[Proposal], *, offset: int = 0) -> list[Reference]:
    """The proposals whose words are in `text`, where they first are; the others are inventions and left out.

    `offset` is where `text` begins in its document.
    """
    found: list[Reference] = []
    for proposal in proposals:
        start = text.find(proposal.text) if proposal.text.strip() else -1
        if start < 0:
            continue
        found.append(
            Reference(
                type=proposal.type,
                text=proposal.text,
                start=offset + start,
                end=offset + start + len(proposal.text),
                document=" ".join(proposal.document.split()),
                section=" ".join(proposal.section.split()),
                relation=_RELATIONS.get(proposal.type, Relation.REFERENCES),
                method=Method.LLM,
            )
        )
    return found


def merge(by_rules: Iterable[Reference], by_model: Iterable[Reference]) -> list[Reference]:
    """Both lists by where they start. What both found, by type and target or by type and place, is `hybrid`.

    Of such a pair the rules' form is kept: theirs is the usual one.
    """
    merged = list(by_rules)
    for proposed in by_model:
        place = next((place for place, each in enumerate(merged) if _is_same(each, proposed)), None)
        if place is None:
            merged.append(proposed)
        elif merged[place].method is Method.RULES:
            merged[place] = replace(merged[place], method=Method.HYBRID)
    return sorted(merged, key=lambda each: (each.start, each.end))


def _is_same(left: Reference, right: Reference) -> bool:
    if left.type is not right.type:
        return False
    overlaps = left.start < right.end and right.start < left.end
    return overlaps or left.target.casefold() == right.target.casefold()


_RELATIONS = {ReferenceType.DOCUMENT: Relation.MENTIONS, ReferenceType.DOCUMENT_MENTION: Relation.MENTIONS}
