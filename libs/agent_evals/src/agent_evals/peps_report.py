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
class PepQuestions:
    """Questions in words: how many there were, how many of them about documents outside, and those answered wrongly."""

    asked: int = 0
    outside: int = 0
    failed: tuple[str, ...] = ()


NONE_ASKED = PepQuestions()


@dataclass(frozen=True, slots=True)
class PepReport:
    """What was published and what was found.

    `stated` are the edges of header fields, `unanswered` those of them that the graph doesn't show; `outside` are those
    whose source isn't in the archive, of which `known_outside` are taken for documents of the collection.
    `dangling` are PEPs that are referred to and not in the collection, `questions` what was asked in words.
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
    questions: PepQuestions = NONE_ASKED

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
        if self.questions.failed:
            found.append(f"{len(self.questions.failed)} questions answered wrongly")
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
            "questions": {
                "asked": self.questions.asked,
                "about_documents_outside": self.questions.outside,
                "right": self.questions.asked - len(self.questions.failed),
                "failed": self.questions.failed,
            },
            "shortfalls": self.shortfalls,
        }
        return json.dumps(content, indent=1)

    def to_table(self) -> str:
        """One line a goal, for people."""
        asked = self.questions
        lines = (
            f"{'documents':<40}{self.documents:>8}",
            f"{'mentions published, found':<40}{len(self.mentions):>8}{len(self.found_mentions):>8}",
            f"{'precision, recall of mentions':<40}{self.precision:>8.4f}{self.recall:>8.4f}",
            f"{'edges of headers published, right':<40}{len(self.stated):>8}{len(self.stated & self.found_stated):>8}",
            f"{'of them not shown by the graph':<40}{len(self.unanswered):>8}",
            f"{'asked of PEPs outside, said so':<40}{len(self.outside):>8}{len(self.outside - self.known_outside):>8}",
            f"{'PEPs referred to that are not here':<40}{self.dangling:>8}",
            f"{'questions in words, right':<40}{asked.asked:>8}{asked.asked - len(asked.failed):>8}",
        )
        return "\n".join(lines)

    def to_failures(self) -> str:
        """Every edge that was missed, and every one that isn't published."""
        missed = (self.mentions | self.stated) - self.found_mentions - self.found_stated
        beside = (self.found_mentions | self.found_stated) - self.mentions - self.stated
        wrong = (f"WRONG {question}" for question in self.questions.failed)
        return "\n".join([*_lines("MISSED", missed), *_lines("BESIDE", beside), *wrong])


def _part(some: frozenset[PepEdge], of: frozenset[PepEdge]) -> float:
    return len(some) / len(of) if of else 0.0


def _rows(edges: Iterable[PepEdge]) -> list[tuple[int, str, int]]:
    return [(edge.source, edge.relation, edge.target) for edge in sorted(edges)]


def _lines(word: str, edges: Iterable[PepEdge]) -> Iterable[str]:
    return (f"{word} {edge.source} {edge.relation} {edge.target}" for edge in sorted(edges))
