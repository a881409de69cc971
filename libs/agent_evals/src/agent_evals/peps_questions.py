"""What PEPs say of each other, asked in words: each stated edge from its source, and from its target if it is there."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from uuid import UUID

from agent_core.schemas import AgentResponse, AnswerStatus
from datastore.edges import EDGES, EdgeType

from agent_evals.document_questions import Asking
from agent_evals.peps_report import PepEdge, PepQuestions

WORDINGS: Mapping[EdgeType, tuple[str, ...]] = {
    EdgeType.REQUIRES: (
        "What does PEP {n} require?",
        "Which documents does PEP {n} require?",
        "What is required by PEP {n}?",
        "What does PEP {n} depend on?",
        "Which PEPs does PEP {n} require?",
    ),
    EdgeType.REQUIRED_BY: (
        "What requires PEP {n}?",
        "Which PEPs require PEP {n}?",
        "What depends on PEP {n}?",
    ),
    EdgeType.SUPERSEDES: (
        "What does PEP {n} supersede?",
        "What does PEP {n} replace?",
        "Which PEP is replaced by PEP {n}?",
        "What was superseded by PEP {n}?",
    ),
    EdgeType.SUPERSEDED_BY: (
        "What supersedes PEP {n}?",
        "What is PEP {n} replaced by?",
        "Which PEP replaced PEP {n}?",
        "What was PEP {n} superseded by?",
    ),
}
_NOT_HERE = "not in the collection"


@dataclass(frozen=True, slots=True)
class _Question:
    """Of the document `number`: what it is linked to by `edge`, and the target that must be told."""

    number: int
    edge: EdgeType
    target: int

    @property
    def wordings(self) -> tuple[str, ...]:
        """The question in words."""
        return tuple(wording.format(n=self.number) for wording in WORDINGS[self.edge])


async def ask_edges(edges: Collection[PepEdge], numbers: Mapping[int, UUID], ask: Asking) -> PepQuestions:
    """Ask for each edge in every wording; each question is put once, however many edges it has for an answer."""
    asked: dict[str, AgentResponse] = {}
    failed: set[str] = set()
    wanted = _targets(edges)
    for question in _questions(edges, numbers):
        for wording in question.wordings:
            if wording not in asked:
                asked[wording] = await ask(wording)
            if not _is_right(question, asked[wording], numbers, wanted[question.number, question.edge]):
                failed.add(wording)
    outside = {
        wording for each in _questions(edges, numbers) if each.number not in numbers for wording in each.wordings
    }
    return PepQuestions(len(asked), len(outside), tuple(sorted(failed)))


def _questions(edges: Iterable[PepEdge], numbers: Collection[int]) -> Iterator[_Question]:
    for edge in sorted(edges):
        relation = EdgeType(edge.relation)
        yield _Question(edge.source, relation, edge.target)
        if edge.source in numbers and edge.target in numbers:
            yield _Question(edge.target, EDGES[relation].inverse, edge.source)


def _targets(edges: Iterable[PepEdge]) -> dict[tuple[int, EdgeType], set[int]]:
    """All that may be told of a document by an edge, whichever end states it."""
    targets: dict[tuple[int, EdgeType], set[int]] = {}
    for edge in edges:
        relation = EdgeType(edge.relation)
        targets.setdefault((edge.source, relation), set()).add(edge.target)
        targets.setdefault((edge.target, EDGES[relation].inverse), set()).add(edge.source)
    return targets


def _is_right(
    question: _Question, response: AgentResponse, numbers: Mapping[int, UUID], allowed: Collection[int]
) -> bool:
    """Whether the target is told and nothing else; of what isn't in the collection, that it isn't."""
    told = {entity.id for entity in response.result_entities}
    if question.number not in numbers:
        return response.status is AnswerStatus.NOT_FOUND and not told and _NOT_HERE in response.answer
    # Where the target isn't there, the answer is about the asked document itself.
    if not told <= {numbers[each] for each in (*allowed, question.number) if each in numbers}:
        return False
    if question.target in numbers:
        return response.status is not AnswerStatus.NOT_FOUND and numbers[question.target] in told
    return f"PEP {question.target}" in response.answer and _NOT_HERE in response.answer
