"""What the loop needs from others: stages, executors, the resolver, the catalogue, a clock.

Implementations don't inherit from these; contract tests hold them to it. No vendor's word appears here.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol
from uuid import UUID

from pydantic import BaseModel

from agent_core.budget import Budget
from agent_core.document_contracts import (
    Bands,
    DocumentHit,
    DocumentIntent,
    DocumentResult,
    FollowIntent,
    LookupIntent,
    PassageReference,
)
from agent_core.evidence import EntityRef, EntityRowEvidence, Evidence
from agent_core.graph_description import GraphDescription
from agent_core.query_results import GraphQueryResult
from agent_core.schemas import (
    Action,
    AgentRequest,
    DraftAnswer,
    GraphIntent,
    GraphQueryIntent,
    GraphResult,
    Mention,
    NextStep,
    QueryRewrite,
    ResolvedMention,
    RetrievalResult,
    SearchIntent,
    StepStatus,
    SufficiencyReport,
    WebIntent,
)
from agent_core.turns import CompleteQuestion, PastTurn


@dataclass(frozen=True, slots=True)
class StepOutcome:
    """A step that was taken and how it ended; what the next selection sees. `passages` are what a document gave."""

    step: NextStep
    status: StepStatus
    summary: str
    new_evidence: int
    passages: tuple[DocumentHit, ...] = ()


@dataclass(frozen=True, slots=True)
class Slot:
    """One part of the question that an answer must fill. `state` is `empty`, `filled` or `absent` (proven so)."""

    name: str
    state: str
    evidence_ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LoopView:
    """All that a stage may see of a run: the question, what was found, what is still empty.

    `graph` is what queries can ask of, to be shown in at most `graph_tokens` tokens; None where it is not known.
    `references` are those of the passages that were read for them.
    """

    request: AgentRequest
    rewrite: QueryRewrite
    resolved: tuple[ResolvedMention, ...]
    evidence: tuple[Evidence, ...]
    slots: tuple[Slot, ...]
    outcomes: tuple[StepOutcome, ...]
    offered_actions: frozenset[Action]
    turn: int
    retry_rationale: str = ""
    graph: GraphDescription | None = None
    graph_tokens: int = 0
    bands: Bands = field(default_factory=Bands)
    references: tuple[PassageReference, ...] = ()


class RewriteStage(Protocol):
    """Turns a question into its normal form; `history` are the turns before it, oldest first."""

    async def run(self, request: AgentRequest, budget: Budget, history: Sequence[PastTurn] = ()) -> QueryRewrite: ...


class SourceSelectorStage(Protocol):
    """Chooses one bounded step."""

    async def run(self, view: LoopView, budget: Budget) -> NextStep: ...


class AnswerStage(Protocol):
    """Drafts an answer from the evidence shown, and from nothing else."""

    async def run(self, view: LoopView, budget: Budget) -> DraftAnswer: ...


class SufficiencyStage(Protocol):
    """Judges a draft that code has already validated."""

    async def run(self, view: LoopView, draft: DraftAnswer, budget: Budget) -> SufficiencyReport: ...


class PictureQuestionReader(Protocol):
    """Reads a question that came with a picture whose entity was found."""

    async def complete(self, question: str, shown: EntityRef, budget: Budget) -> CompleteQuestion | None:
        """The question with what is shown in its place; None when it asks no more than what is shown.

        Its text is empty when what more it asks was not understood. Raises BudgetExhausted.
        """
        ...


@dataclass(frozen=True, slots=True)
class Stages:
    """The four stages of one run. Without `pictures` a question with a picture asks what it shows, whatever it says."""

    rewrite: RewriteStage
    source_selector: SourceSelectorStage
    answer: AnswerStage
    sufficiency: SufficiencyStage
    pictures: PictureQuestionReader | None = None


@dataclass(frozen=True, slots=True)
class StagePrompt:
    """The fixed text of a stage, the same for every request: who it is, how it works, what it must return."""

    background: tuple[str, ...]
    steps: tuple[str, ...]
    output_instructions: tuple[str, ...]


class StageContext(Protocol):
    """What was retrieved, as text for one call; made anew for every call and never shared."""

    title: str

    def get_info(self) -> str:
        """The text, fenced as data."""
        ...


@dataclass(frozen=True, slots=True)
class StageCall[Out: BaseModel]:
    """One model call: the fixed prompt, the context, the input, and the type that the output must fill."""

    stage: str
    prompt: StagePrompt
    context: StageContext
    input: BaseModel
    output: type[Out]


class StageRunner(Protocol):
    """Runs one bounded model call that shares nothing with any other.

    Every HTTP attempt is spent on the budget before it is sent. Raises StageFailed, BudgetExhausted.
    """

    async def run[Out: BaseModel](self, call: StageCall[Out], budget: Budget) -> Out: ...


class SearchExecutor(Protocol):
    """Semantic search over the vector index. Raises SourceUnavailable, IntentRefused."""

    async def execute(self, intent: SearchIntent, *, timeout: float) -> RetrievalResult: ...


class GraphExecutor(Protocol):
    """Bounded traversals over the catalogue graph. Raises SourceUnavailable, IntentRefused."""

    async def execute(self, intent: GraphIntent, *, timeout: float) -> GraphResult: ...


class GraphQueryExecutor(Protocol):
    """Read-only queries over the whole catalogue; one that may not run comes back refused. Raises SourceUnavailable."""

    async def execute(self, intent: GraphQueryIntent, *, timeout: float) -> GraphQueryResult: ...


class GraphSchemaReader(Protocol):
    """Tells what the graph holds. Raises SourceUnavailable, TimeoutError."""

    async def describe(self, *, timeout: float) -> GraphDescription: ...


class DocumentExecutor(Protocol):
    """Searches and reads documents. Raises SourceUnavailable, IntentRefused."""

    async def search(self, intent: DocumentIntent, *, timeout: float) -> DocumentResult: ...

    async def look_up(self, intent: LookupIntent, *, timeout: float) -> DocumentResult: ...

    async def same_texts(self, documents: Sequence[EntityRef], *, timeout: float) -> dict[UUID, tuple[EntityRef, ...]]:
        """The other documents that hold the same text, by the id of each that has such."""
        ...


class ReferenceExecutor(Protocol):
    """Reads the references of documents, and reads on where they lead. Raises SourceUnavailable."""

    async def references(self, chunks: Sequence[UUID], *, timeout: float) -> tuple[PassageReference, ...]:
        """What stands in these pieces, in reading order."""
        ...

    async def follow(self, intent: FollowIntent, *, timeout: float) -> DocumentResult:
        """The passages that the references lead to, each with its hop, within the server's limits."""
        ...


class WebSearch(Protocol):
    """Searches the web; what it finds was written by strangers. Raises SourceUnavailable."""

    async def search(self, intent: WebIntent, *, timeout: float) -> RetrievalResult: ...


class Resolver(Protocol):
    """Mentions to entities: exact, folded, alias, prefix, typo, then vector. Raises SourceUnavailable."""

    async def resolve(self, mentions: Sequence[Mention], *, timeout: float) -> tuple[ResolvedMention, ...]: ...


class MentionFinder(Protocol):
    """Finds catalogue names inside a text: the longest spans whose folded form is a name. Raises SourceUnavailable."""

    async def find(self, text: str, *, timeout: float) -> tuple[Mention, ...]: ...


class Catalogue(Protocol):
    """Rows by id, as evidence, read from the source of truth. Raises SourceUnavailable."""

    async def rows(self, refs: Sequence[EntityRef], *, timeout: float) -> dict[UUID, EntityRowEvidence]:
        """Rows that exist, by id; the others are missing from the mapping."""
        ...

    async def existing_edges(self, evidence: Sequence[Evidence], *, timeout: float) -> frozenset[str]:
        """Ids of the path evidence whose every edge still stands in the catalogue."""
        ...


class SessionStore(Protocol):
    """Turns of sessions, each of one principal. Raises SourceUnavailable, SessionNotFound."""

    async def history(self, session_id: UUID, principal: str, *, timeout: float) -> tuple[PastTurn, ...]:
        """The last turns, oldest first; none for an id that nobody has used yet."""
        ...

    async def remember(
        self, session_id: UUID, principal: str, turn: PastTurn, *, trace_id: UUID, timeout: float
    ) -> None:
        """Add a turn; an id that nobody has used becomes the principal's session."""
        ...


class FollowUpReader(Protocol):
    """Completes a question that leans on the turns before it; any other comes back as it is."""

    async def complete(self, question: str, history: Sequence[PastTurn], budget: Budget) -> CompleteQuestion: ...


class Clock(Protocol):
    """Time, so that tests can own it."""

    def monotonic(self) -> float:
        """Seconds that never run backwards."""
        ...

    def now(self) -> datetime:
        """The wall time, aware, UTC."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        ...
