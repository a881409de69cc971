"""References to documents: what the registry makes of them, and what has no document at all."""

from collections.abc import Hashable
from dataclasses import dataclass
from enum import StrEnum

from references.model import Reference, ReferenceType
from references.registry import Found, Match, Registry


class Outcome(StrEnum):
    """What became of a reference."""

    RESOLVED = "resolved"
    """One document is meant."""
    OWN = "own"
    """A part of the document that the reference stands in."""
    AMBIGUOUS = "ambiguous"
    """Several documents have that name."""
    DANGLING = "dangling"
    """No document of the collection has that name."""
    EXTERNAL = "external"
    """An address outside of the collection."""
    CITATION = "citation"
    """A scholarly work; its text is what to search for."""


@dataclass(frozen=True, slots=True)
class Resolution[Id: Hashable]:
    """A reference with the documents that it may mean: one when it is resolved, several when it is ambiguous."""

    reference: Reference
    outcome: Outcome
    documents: tuple[Id, ...] = ()
    match: Match | None = None


def resolve[Id: Hashable](reference: Reference, registry: Registry[Id], own: Id | None = None) -> Resolution[Id]:
    """What `reference` leads to, when it stands in the document `own`."""
    if not reference.document:
        return Resolution(reference, Outcome.OWN)
    found = _look_up(reference, registry)
    if own is not None and own in found.ids and len(found.ids) == 1:
        return Resolution(reference, Outcome.OWN, found.ids, found.match)
    if len(found.ids) == 1:
        return Resolution(reference, Outcome.RESOLVED, found.ids, found.match)
    if found.ids:
        return Resolution(reference, Outcome.AMBIGUOUS, found.ids, found.match)
    return Resolution(reference, WITHOUT_DOCUMENT.get(reference.type, Outcome.DANGLING))


WITHOUT_DOCUMENT = {
    ReferenceType.EXTERNAL: Outcome.EXTERNAL,
    ReferenceType.ACADEMIC_SHORTFORM: Outcome.CITATION,
}
"""What becomes of a reference that no document answers to, where that isn't to dangle."""


def _look_up[Id: Hashable](reference: Reference, registry: Registry[Id]) -> Found[Id]:
    match reference.type:
        case ReferenceType.EXTERNAL:
            return registry.resolve_address(reference.document)
        case ReferenceType.DOCUMENT:
            found = registry.resolve(reference.document)
            return found if found.ids else registry.resolve_address(reference.document)
        case _:
            return registry.resolve(reference.document)
