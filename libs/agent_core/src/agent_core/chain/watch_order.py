"""A franchise as its queries showed it, in the order of its release and of its story. Pure."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from datastore.edges import EdgeType
from pydantic import JsonValue

from agent_core.evidence import EntityRef, Evidence, QueryResultEvidence

FRANCHISE_COLUMNS = ("id", "name", "year", "start_date", "links")
FRANCHISE_EDGES: tuple[EdgeType, ...] = (
    EdgeType.PREQUEL,
    EdgeType.SEQUEL,
    EdgeType.PARENT_STORY,
    EdgeType.SIDE_STORY,
    EdgeType.SPIN_OFF,
    EdgeType.SUMMARY,
    EdgeType.FULL_STORY,
    EdgeType.COMPILATION_OF,
    EdgeType.CONTAINS,
    EdgeType.ALTERNATIVE,
    EdgeType.SAME_SETTING,
)
"""Edges that hold a franchise together. A crossover or an unnamed relation joins two of them, so it is none."""

MAX_QUERIES = 4
"""How often a franchise is read on; one query reaches four steps further."""

MAX_WORKS = 60
"""Franchises of more works are not read on."""

_MAX_STARTS = 40

Standing = Literal["main", "aside", "recap", "alternative"]

_EARLIER = frozenset({EdgeType.PREQUEL, EdgeType.PARENT_STORY, EdgeType.FULL_STORY, EdgeType.COMPILATION_OF})
_LATER = frozenset({EdgeType.SEQUEL, EdgeType.SIDE_STORY, EdgeType.SPIN_OFF, EdgeType.SUMMARY, EdgeType.CONTAINS})
_CHAIN = frozenset({EdgeType.PREQUEL, EdgeType.SEQUEL})
_UNDATED = "9999"
_DAY = len("2011-04-05")


@dataclass(frozen=True, slots=True)
class FranchiseWork:
    """A work of the franchise with its relations, `(what the other is to it, the other's id)`."""

    ref: EntityRef
    name: str
    year: int | None
    start_date: str | None
    links: tuple[tuple[EdgeType, str], ...]

    @property
    def id(self) -> str:
        """The work's id as rows write it."""
        return str(self.ref.id)

    @property
    def standing(self) -> Standing:
        """What it is to the rest: a recap retells wholly, an alternative its own way, an aside tells beside it."""
        edges = {edge for edge, _ in self.links}
        if edges & {EdgeType.FULL_STORY, EdgeType.COMPILATION_OF}:
            return "recap"
        if edges & _CHAIN:
            return "main"
        if EdgeType.ALTERNATIVE in edges:
            return "alternative"
        return "aside" if EdgeType.PARENT_STORY in edges else "main"

    @property
    def released(self) -> tuple[str, str, str]:
        """Sorts by release: what is known of a date to the month comes after the days of that month."""
        return ((self.date or _UNDATED).ljust(_DAY, "~"), self.name, self.id)

    @property
    def date(self) -> str:
        """The start as far as it is known, `2011-04-05`, `2011-04`, `2011`; empty where it isn't."""
        return self.start_date or (str(self.year) if self.year is not None else "")

    def came_out_before(self, other: "FranchiseWork") -> bool:
        """Whether the dates say so, which they don't where one is only the month or the year of the other."""
        known = min(len(self.date), len(other.date))
        return self.date[:known] < other.date[:known]

    def may_be_of(self, other: "FranchiseWork") -> bool:
        """Whether the date is no day, and the other's as close or closer within it: which came first isn't known."""
        return len(self.date) < _DAY and other.date.startswith(self.date)


@dataclass(frozen=True, slots=True)
class StoryOrder:
    """Works with what comes before each ahead of it, and those whose relations say that each precedes itself."""

    works: tuple[FranchiseWork, ...]
    looped: tuple[FranchiseWork, ...]

    def before(self, work: FranchiseWork) -> tuple[FranchiseWork, ...]:
        """The works that this one continues, however far back, in the order of the story."""
        ids = _before(work.id, _earlier(self.works))
        return tuple(each for each in self.works if each.id in ids and each.id != work.id)


def franchise_of(evidence: Sequence[Evidence]) -> tuple[FranchiseWork, ...]:
    """The works that franchise queries read, each once, in order of release."""
    found: dict[str, FranchiseWork] = {}
    for item in franchise_queries(evidence):
        refs = {str(ref.id): ref for ref in item.entities}
        for work_id, name, year, start_date, links in item.sample:
            if isinstance(work_id, str) and work_id in refs and work_id not in found:
                found[work_id] = FranchiseWork(
                    refs[work_id],
                    str(name),
                    year if isinstance(year, int) else None,
                    start_date if isinstance(start_date, str) else None,
                    tuple(_links(links)),
                )
    return tuple(sorted(found.values(), key=lambda work: work.released))


def franchise_queries(evidence: Sequence[Evidence]) -> tuple[QueryResultEvidence, ...]:
    """The results that show works of a franchise with their relations."""
    return tuple(
        item for item in evidence if isinstance(item, QueryResultEvidence) and item.columns == FRANCHISE_COLUMNS
    )


def next_works(works: Sequence[FranchiseWork], *, queries: int) -> tuple[str, ...]:
    """Ids of the works from which the franchise is read on after so many queries; none when it is read enough."""
    if queries >= MAX_QUERIES or len(works) > MAX_WORKS:
        return ()
    return unread_works(works)[:_MAX_STARTS]


def unread_works(works: Sequence[FranchiseWork]) -> tuple[str, ...]:
    """Ids of works that relations name and no query has read."""
    known = {work.id for work in works}
    return tuple(sorted({other for work in works for _, other in work.links} - known))


def unplaced(works: Sequence[FranchiseWork]) -> tuple[FranchiseWork, ...]:
    """The works whose place by release no date tells: others are of the month or year that is all they have."""
    return tuple(work for work in works if any(work.may_be_of(other) for other in works if other.id != work.id))


def story_order(works: Sequence[FranchiseWork]) -> StoryOrder:
    """Prequels before sequels and parents before what is told beside them, by release where neither is said.

    Ends for any relations: of works that wait for each other, and for nothing else, the first released goes first.
    """
    earlier = _earlier(works)
    looped = {work.id for work in works if work.id in _before(work.id, earlier)}
    waiting = {work.id: work for work in sorted(works, key=lambda work: work.released)}
    placed: list[FranchiseWork] = []
    while waiting:
        free = (work for work in waiting.values() if not earlier[work.id] & waiting.keys())
        chosen = next(free, None) or _first_of_a_circle(waiting, earlier)
        placed.append(waiting.pop(chosen.id))
    return StoryOrder(tuple(placed), tuple(work for work in placed if work.id in looped))


def _first_of_a_circle(waiting: dict[str, FranchiseWork], earlier: dict[str, set[str]]) -> FranchiseWork:
    """The first released work of a circle that waits for nothing but itself; where no work is free, there is one.

    What comes after a circle has more before it than what is in the circle.
    """
    open_links = {each: earlier[each] & waiting.keys() for each in waiting}
    before = {each: _before(each, open_links) for each in waiting}
    return min((work for work in waiting.values() if work.id in before[work.id]), key=lambda work: len(before[work.id]))


def _earlier(works: Sequence[FranchiseWork]) -> dict[str, set[str]]:
    """What each work follows at once, whichever of the two says so."""
    earlier: dict[str, set[str]] = {work.id: set() for work in works}
    for work in works:
        for edge, other in work.links:
            if edge in _EARLIER and other in earlier:
                earlier[work.id].add(other)
            elif edge in _LATER and other in earlier:
                earlier[other].add(work.id)
    return earlier


def _before(start: str, earlier: dict[str, set[str]]) -> set[str]:
    """All that comes before a work, itself too when the relations run in a circle."""
    seen: set[str] = set()
    pending = list(earlier[start])
    while pending:
        current = pending.pop()
        if current not in seen:
            seen.add(current)
            pending.extend(earlier[current])
    return seen


def _links(cell: JsonValue) -> Iterable[tuple[EdgeType, str]]:
    for pair in cell if isinstance(cell, list) else ():
        match pair:
            case [str(edge), str(other)]:
                yield EdgeType(edge.lower()), other
            case _:
                continue
