"""How many of the references between PEPs were found, and which were not."""

import json
from collections.abc import Iterable
from dataclasses import dataclass

MENTIONS = "mentions"
"""The relation of what is only named; sections of other documents count as named too."""
PRECISION_GOAL = 0.98
RECALL_GOAL = 0.99


@dataclass(frozen=True, slots=True, order=True)
class PepEdge:
    """`source` requires, supersedes, is superseded by or mentions `target`; both are numbers."""

    source: int
    relation: str
    target: int


@dataclass(frozen=True, slots=True)
class PepReport:
    """What was published and what was found.

    `stated` are the edges of header fields, `unanswered` those of them that the graph doesn't show; `outside` are those
    whose source isn't in the archive, of which `known_outside` are taken for documents of the collection.
    `dangling` are PEPs that are referred to and not in the collection.
    """

    documents: int
    mentions: frozenset[PepEdge]
    found_mentions: frozenset[PepEdge]
    stated: frozenset[PepEdge]
    found_stated: frozenset[PepEdge]
    outside: frozenset[PepEdge]
    known_outside: frozenset[PepEdge]
    unanswered: frozenset[PepEdge]
    dangling: int

    @property
    def precision(self) -> float:
        """The part of the found mentions that are published."""
        return _part(self.found_mentions & self.mentions, self.found_mentions)

    @property
    def recall(self) -> float:
        """The part of the published mentions that were found."""
        return _part(self.found_mentions & self.mentions, self.mentions)

    @property
    def shortfalls(self) -> tuple[str, ...]:
        """Which goals are missed."""
        found: list[str] = []
        if self.precision < PRECISION_GOAL:
            found.append(f"precision of mentions {self.precision:.3f}, less than {PRECISION_GOAL}")
        if self.recall < RECALL_GOAL:
            found.append(f"recall of mentions {self.recall:.3f}, less than {RECALL_GOAL}")
        if self.found_stated != self.stated:
            found.append(f"{len(self.found_stated ^ self.stated)} edges of headers missing or invented")
        if self.known_outside:
            found.append(f"{len(self.known_outside)} edges of documents outside of the collection")
        if self.unanswered:
            found.append(f"{len(self.unanswered)} edges of headers that the graph doesn't show")
        return tuple(found)

    def to_json(self) -> str:
        """Everything, for machines."""
        content = {
            "documents": self.documents,
            "mentions": {
                "published": len(self.mentions),
                "found": len(self.found_mentions),
                "precision": round(self.precision, 4),
                "recall": round(self.recall, 4),
                "missed": _rows(self.mentions - self.found_mentions),
                "beside": _rows(self.found_mentions - self.mentions),
            },
            "stated": {
                "published": len(self.stated),
                "right": len(self.stated & self.found_stated),
                "missed": _rows(self.stated - self.found_stated),
                "beside": _rows(self.found_stated - self.stated),
                "unanswered": _rows(self.unanswered),
            },
            "outside": {
                "asked": len(self.outside),
                "not_in_the_collection": len(self.outside - self.known_outside),
            },
            "dangling": self.dangling,
            "shortfalls": self.shortfalls,
        }
        return json.dumps(content, indent=1)

    def to_table(self) -> str:
        """One line a goal, for people."""
        lines = (
            f"{'documents':<40}{self.documents:>8}",
            f"{'mentions published, found':<40}{len(self.mentions):>8}{len(self.found_mentions):>8}",
            f"{'precision, recall of mentions':<40}{self.precision:>8.4f}{self.recall:>8.4f}",
            f"{'edges of headers published, right':<40}{len(self.stated):>8}{len(self.stated & self.found_stated):>8}",
            f"{'of them not shown by the graph':<40}{len(self.unanswered):>8}",
            f"{'asked of PEPs outside, said so':<40}{len(self.outside):>8}{len(self.outside - self.known_outside):>8}",
            f"{'PEPs referred to that are not here':<40}{self.dangling:>8}",
        )
        return "\n".join(lines)

    def to_failures(self) -> str:
        """Every edge that was missed, and every one that isn't published."""
        missed = (self.mentions | self.stated) - self.found_mentions - self.found_stated
        beside = (self.found_mentions | self.found_stated) - self.mentions - self.stated
        return "\n".join([*_lines("MISSED", missed), *_lines("BESIDE", beside)])


def _part(some: frozenset[PepEdge], of: frozenset[PepEdge]) -> float:
    return len(some) / len(of) if of else 0.0


def _rows(edges: Iterable[PepEdge]) -> list[tuple[int, str, int]]:
    return [(edge.source, edge.relation, edge.target) for edge in sorted(edges)]


def _lines(word: str, edges: Iterable[PepEdge]) -> Iterable[str]:
    return (f"{word} {edge.source} {edge.relation} {edge.target}" for edge in sorted(edges))
