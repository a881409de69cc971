"""Which references of what was read to follow, where to look, and when to stop; nothing is read here."""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from references.model import Reference, ReferenceType
from references.resolution import Outcome, Resolution


class Route(StrEnum):
    """Where a reference leads to."""

    SECTION = "section"
    """A section of a document: look it up, and search inside the document when it has no such section."""
    DOCUMENT = "document"
    """A document: search inside it."""
    SEARCH = "search"
    """Nothing that is known: search everywhere for the words of the reference."""


class Stop(StrEnum):
    """Why no further reference is followed."""

    DEPTH = "depth"
    TOKENS = "tokens"
    CONVERGED = "converged"


@dataclass(frozen=True, slots=True)
class FollowLimits:
    """How far references are followed.

    `depth` counts steps away from where the reading began, `tokens` what is read in all, `references` those of one
    place, `same_document` how often one document is come to before the reading goes in circles.
    """

    depth: int = 2
    tokens: int = 50_000
    references: int = 8
    same_document: int = 3


@dataclass(frozen=True, slots=True)
class FollowStep[Id: Hashable]:
    """One reference to follow. `document` is None for a search everywhere.

    `query` is what to search for, also where a look-up or a search inside the document finds nothing. `depth` is how
    many steps away from the start that leads.
    """

    reference: Reference
    route: Route
    document: Id | None
    section: str
    until: str
    query: str
    depth: int

    @property
    def target(self) -> Hashable:
        """What is followed, the same for every way of writing it."""
        return self.query.casefold() if self.document is None else (self.document, self.section, self.until)


class Follower[Id: Hashable]:
    """The state of one reading: what was visited, what was spent, and whether it goes in circles."""

    def __init__(self, limits: FollowLimits | None = None) -> None:
        self._limits = limits or FollowLimits()
        self._visited: set[Hashable] = set()
        self._reads: dict[Id, int] = {}
        self._tokens = 0

    def stop(self, depth: int) -> Stop | None:
        """Why nothing that stands `depth` steps away from the start may be followed; None when it may."""
        if depth >= self._limits.depth:
            return Stop.DEPTH
        if self._tokens >= self._limits.tokens:
            return Stop.TOKENS
        if max(self._reads.values(), default=0) >= self._limits.same_document:
            return Stop.CONVERGED
        return None

    def choose(
        self,
        found: Iterable[Resolution[Id]],
        *,
        own: Id,
        depth: int = 0,
        entries: dict[str, str] | None = None,
    ) -> Sequence[FollowStep[Id]]:
        """The steps for the references of a place in the document `own`, sections first; each target once a reading.

        Where a section of a document is meant, the document isn't searched besides.

        `entries` are the bibliography's words by number (`[3]`), which a citation by number is searched with. Addresses
        outside, ambiguous names and citations without an entry are not followed.
        """
        if self.stop(depth) is not None:
            return ()
        steps: dict[Hashable, FollowStep[Id]] = {}
        for each in found:
            step = _step(each, own, depth + 1, entries or {})
            if step is not None and step.target not in self._visited:
                steps.setdefault(step.target, step)
        narrowed = {step.document for step in steps.values() if step.route is Route.SECTION}
        wanted = (each for each in steps.values() if each.route is not Route.DOCUMENT or each.document not in narrowed)
        chosen = sorted(wanted, key=lambda step: _ORDER.index(step.route))[: self._limits.references]
        self._visited.update(step.target for step in chosen)
        return chosen

    def record(self, document: Id, tokens: int) -> None:
        """Count what a step read of `document`, with the length of all its passages."""
        self._reads[document] = self._reads.get(document, 0) + 1
        self._tokens += tokens


_ORDER = (Route.SECTION, Route.DOCUMENT, Route.SEARCH)


def _step[Id: Hashable](
    resolution: Resolution[Id], own: Id, depth: int, entries: dict[str, str]
) -> FollowStep[Id] | None:
    reference = resolution.reference
    if reference.type is ReferenceType.ACADEMIC_NUMBERED:
        entry = entries.get(reference.section)
        return FollowStep(reference, Route.SEARCH, None, "", "", entry, depth) if entry else None
    match resolution.outcome:
        case Outcome.OWN if reference.section:
            return FollowStep(reference, Route.SECTION, own, reference.section, reference.until, reference.text, depth)
        case Outcome.RESOLVED:
            route = Route.SECTION if reference.section else Route.DOCUMENT
            target = resolution.documents[0]
            return FollowStep(reference, route, target, reference.section, reference.until, reference.text, depth)
        case Outcome.CITATION | Outcome.DANGLING:
            return FollowStep(reference, Route.SEARCH, None, "", "", reference.target, depth)
        case _:
            return None
