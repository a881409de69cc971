"""Stages and sources that keep what they give, for whoever records the run; they behave as the ones they stand for."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol
from uuid import UUID

from agent_core.budget import Budget
from agent_core.document_contracts import DocumentIntent, DocumentResult, FollowIntent, LookupIntent, PassageReference
from agent_core.evidence import EntityRef, EntityRowEvidence, Evidence
from agent_core.protocols import (
    AnswerStage,
    Catalogue,
    DocumentExecutor,
    FollowUpReader,
    LoopView,
    PictureQuestionReader,
    ReferenceExecutor,
    Resolver,
    RewriteStage,
    SourceSelectorStage,
    Stages,
    SufficiencyStage,
    WebSearch,
)
from agent_core.recording.calls import CalledBy, kept
from agent_core.schemas import (
    Action,
    AgentRequest,
    DraftAnswer,
    Mention,
    NextStep,
    QueryRewrite,
    ResolvedMention,
    RetrievalResult,
    SufficiencyReport,
    WebIntent,
)
from agent_core.turns import CompleteQuestion, PastTurn

REWRITE, SELECT, ANSWER, JUDGE = "rewrite", "select", "answer", "judge"
PICTURE_QUESTION, FOLLOW_UP = "picture_question", "follow_up"


class Executes[Intent, Result](Protocol):
    """Any executor of one kind of intent."""

    async def execute(self, intent: Intent, *, timeout: float) -> Result: ...


def recorded_stages(stages: Stages, by: CalledBy) -> Stages:
    """The stages, each call kept as given by `by`."""
    return Stages(
        _Rewrite(stages.rewrite, by),
        _Selector(stages.source_selector, by),
        _Answer(stages.answer, by),
        _Sufficiency(stages.sufficiency, by),
        _PictureQuestions(stages.pictures, by) if stages.pictures is not None else None,
    )


@dataclass(frozen=True, slots=True)
class RecordedExecutor[Intent, Result]:
    """An executor whose results are kept under `name`."""

    inner: Executes[Intent, Result]
    name: str

    async def execute(self, intent: Intent, *, timeout: float) -> Result:
        return await kept(self.name, "source", self.inner.execute(intent, timeout=timeout))


@dataclass(frozen=True, slots=True)
class RecordedDocuments:
    """Documents whose passages are kept."""

    inner: DocumentExecutor

    async def search(self, intent: DocumentIntent, *, timeout: float) -> DocumentResult:
        return await kept(Action.DOCUMENT_SEARCH, "source", self.inner.search(intent, timeout=timeout))

    async def look_up(self, intent: LookupIntent, *, timeout: float) -> DocumentResult:
        return await kept(Action.DOCUMENT_LOOKUP, "source", self.inner.look_up(intent, timeout=timeout))

    async def same_texts(self, documents: Sequence[EntityRef], *, timeout: float) -> dict[UUID, tuple[EntityRef, ...]]:
        return await kept("same_texts", "source", self.inner.same_texts(documents, timeout=timeout))


@dataclass(frozen=True, slots=True)
class RecordedReferences:
    """References, and passages that they lead to, that are kept."""

    inner: ReferenceExecutor

    async def references(self, chunks: Sequence[UUID], *, timeout: float) -> tuple[PassageReference, ...]:
        return await kept("references", "source", self.inner.references(chunks, timeout=timeout))

    async def follow(self, intent: FollowIntent, *, timeout: float) -> DocumentResult:
        return await kept(Action.FOLLOW_REFERENCES, "source", self.inner.follow(intent, timeout=timeout))


@dataclass(frozen=True, slots=True)
class RecordedWeb:
    """A search on the web whose results are kept."""

    inner: WebSearch

    async def search(self, intent: WebIntent, *, timeout: float) -> RetrievalResult:
        return await kept(Action.WEB_SEARCH, "source", self.inner.search(intent, timeout=timeout))


@dataclass(frozen=True, slots=True)
class RecordedResolver:
    """A resolver whose results are kept."""

    inner: Resolver

    async def resolve(self, mentions: Sequence[Mention], *, timeout: float) -> tuple[ResolvedMention, ...]:
        return await kept("resolve", "source", self.inner.resolve(mentions, timeout=timeout))


@dataclass(frozen=True, slots=True)
class RecordedCatalogue:
    """A catalogue whose rows are kept."""

    inner: Catalogue

    async def rows(self, refs: Sequence[EntityRef], *, timeout: float) -> dict[UUID, EntityRowEvidence]:
        return await kept("rows", "source", self.inner.rows(refs, timeout=timeout))

    async def existing_edges(self, evidence: Sequence[Evidence], *, timeout: float) -> frozenset[str]:
        return await kept("existing_edges", "source", self.inner.existing_edges(evidence, timeout=timeout))


@dataclass(frozen=True, slots=True)
class RecordedFollowUps:
    """A reader of follow-up questions whose results are kept."""

    inner: FollowUpReader

    async def complete(self, question: str, history: Sequence[PastTurn], budget: Budget) -> CompleteQuestion:
        return await kept(FOLLOW_UP, "rules", self.inner.complete(question, history, budget))


@dataclass(frozen=True, slots=True)
class _Rewrite:
    inner: RewriteStage
    by: CalledBy

    async def run(self, request: AgentRequest, budget: Budget, history: Sequence[PastTurn] = ()) -> QueryRewrite:
        return await kept(REWRITE, self.by, self.inner.run(request, budget, history))


@dataclass(frozen=True, slots=True)
class _Selector:
    inner: SourceSelectorStage
    by: CalledBy

    async def run(self, view: LoopView, budget: Budget) -> NextStep:
        return await kept(SELECT, self.by, self.inner.run(view, budget))


@dataclass(frozen=True, slots=True)
class _Answer:
    inner: AnswerStage
    by: CalledBy

    async def run(self, view: LoopView, budget: Budget) -> DraftAnswer:
        return await kept(ANSWER, self.by, self.inner.run(view, budget))


@dataclass(frozen=True, slots=True)
class _Sufficiency:
    inner: SufficiencyStage
    by: CalledBy

    async def run(self, view: LoopView, draft: DraftAnswer, budget: Budget) -> SufficiencyReport:
        return await kept(JUDGE, self.by, self.inner.run(view, draft, budget))


@dataclass(frozen=True, slots=True)
class _PictureQuestions:
    inner: PictureQuestionReader
    by: CalledBy

    async def complete(self, question: str, shown: EntityRef, budget: Budget) -> CompleteQuestion | None:
        return await kept(PICTURE_QUESTION, self.by, self.inner.complete(question, shown, budget))
