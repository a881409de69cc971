"""The state of one run: what was asked, found, spent and said so far. It is never shared between requests."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from uuid import UUID

from agent_core.budget import Budget
from agent_core.context.cards import card, fit
from agent_core.context.labels import best_name
from agent_core.context.orders import looks_like_orders, may_hold_orders
from agent_core.document_contracts import Bands, DocumentQuestion, PassageReference
from agent_core.errors import BudgetExhausted
from agent_core.events import EvidenceAdded, WarningRaised
from agent_core.evidence import ChunkEvidence, EntityRef, Evidence, QueryResultEvidence, entities_of
from agent_core.graph_description import GraphDescription
from agent_core.grounding import Grounded
from agent_core.orchestrator.options import LoopOptions
from agent_core.orchestrator.trace import StepNote, Trace
from agent_core.passages import Progress, document_slot, elsewhere, progress_of
from agent_core.protocols import LoopView, Slot, StepOutcome
from agent_core.schemas import (
    Action,
    AgentRequest,
    Candidate,
    DraftAnswer,
    MatchKind,
    QueryRewrite,
    ResolvedMention,
    Stage,
    StepStatus,
    StepWarning,
    Warning,
    WarningCode,
)
from agent_core.slots import slot_table
from agent_core.turns import PastMention, PastTurn

RETRIEVAL_ACTIONS = frozenset(Action) - {Action.PLAN, Action.FINAL}

_DEFAULT_BANDS = Bands()

WHOLE_NAMES = frozenset({MatchKind.EXACT, MatchKind.FOLDED, MatchKind.ALIAS})


def namesakes(mention: ResolvedMention) -> tuple[Candidate, ...]:
    """The candidates that fit a mention as well as the first one does; merely similar names are left out."""
    if not mention.candidates:
        return ()
    best = mention.candidates[0].match
    alike = WHOLE_NAMES if best in WHOLE_NAMES else frozenset({best})
    return tuple(candidate for candidate in mention.candidates if candidate.match in alike)


def _words_of_others(item: Evidence) -> str:
    """What of an evidence may be a stranger's: of a query only what came back, not the query itself."""
    if isinstance(item, QueryResultEvidence):
        return "\n".join(cell for row in item.sample for cell in row if isinstance(cell, str))
    return card(item)


def _is_refused_query(outcome: StepOutcome) -> bool:
    return outcome.step.action is Action.GRAPH_QUERY and outcome.status is StepStatus.REFUSED


@dataclass(frozen=True, slots=True)
class Accepted:
    """A draft that passed validation: what is left of it, with the evidence it was checked against."""

    draft: DraftAnswer
    grounded: Grounded
    is_sufficient: bool
    missing: tuple[str, ...] = ()


@dataclass(slots=True)
class Run:
    """One question on its way to an answer."""

    request: AgentRequest
    trace_id: UUID
    budget: Budget
    trace: Trace
    options: LoopOptions
    rewrite: QueryRewrite
    offered: frozenset[Action]
    other_reading: QueryRewrite | None = None
    settled: tuple[PastMention, ...] = ()
    history: tuple[PastTurn, ...] = ()
    document_reading: QueryRewrite | None = None
    resolved: tuple[ResolvedMention, ...] = ()
    evidence: dict[str, Evidence] = field(default_factory=dict[str, Evidence])
    outcomes: list[StepOutcome] = field(default_factory=list[StepOutcome])
    slots: tuple[Slot, ...] = ()
    warnings: dict[tuple[WarningCode, str], Warning] = field(default_factory=dict[tuple[WarningCode, str], Warning])
    step_warnings: list[tuple[frozenset[str], Warning]] = field(default_factory=list[tuple[frozenset[str], Warning]])
    proposals: Counter[str] = field(default_factory=Counter[str])
    executed: set[str] = field(default_factory=set[str])
    compared: set[UUID] = field(default_factory=set[UUID])
    read_for_references: set[UUID] = field(default_factory=set[UUID])
    references: tuple[PassageReference, ...] = ()
    searched: dict[str, None] = field(default_factory=dict[str, None])
    trimmed: frozenset[str] = frozenset()
    read_for_orders: set[str] = field(default_factory=set[str])
    idle_turns: int = 0
    empty_steps: int = 0
    has_model: bool = False
    is_part: bool = False
    leans: bool = False
    began_at: int = 0
    is_fast: bool = False
    accepted: Accepted | None = None
    removed_sentences: int = 0
    drafted_from: frozenset[str] = frozenset()
    retry_rationale: str = ""
    graph: GraphDescription | None = None
    is_graph_read: bool = False
    _found: tuple[Evidence, ...] | None = field(default=None, init=False)
    _tried: tuple[StepOutcome, ...] | None = field(default=None, init=False)

    @property
    def found(self) -> tuple[Evidence, ...]:
        """All evidence; one object until more is found."""
        if self._found is None:
            self._found = tuple(self.evidence.values())
        return self._found

    @property
    def tried(self) -> tuple[StepOutcome, ...]:
        """All outcomes; one object until another step ends."""
        if self._tried is None:
            self._tried = tuple(self.outcomes)
        return self._tried

    @property
    def is_first_turn(self) -> bool:
        """Whether the turn is this run's first; the parts of a question share one budget."""
        return self.budget.turns == self.began_at + 1

    @property
    def asks_model(self) -> bool:
        """Whether stages are a model's now; on the fast path they are the rules' although there is one."""
        return self.has_model and not self.is_fast

    def warn(self, code: WarningCode, message: str, subject: str = "") -> None:
        """Tell the caller something, once for each subject."""
        if (code, subject) not in self.warnings:
            warning = self.warnings[code, subject] = Warning(code=code, message=message, subject=subject)
            self.trace.events.tell(lambda: WarningRaised(warning=warning))

    def keep_warning(self, warning: Warning, evidence_ids: frozenset[str]) -> None:
        """Keep what a step warned of, beside what it is about: the evidence it names, else all that the step found."""
        concerns = warning.concerns if isinstance(warning, StepWarning) else ()
        self.step_warnings.append((frozenset(concerns) or evidence_ids, warning))

    def adopt_warnings(self, cited: frozenset[str] | None) -> None:
        """Tell the caller what the sources warned of, where it touches the cited evidence; all of it without an answer.

        A list that was cut says nothing about an answer that doesn't rest on it.
        """
        for evidence_ids, warning in self.step_warnings:
            if cited is None or not evidence_ids or evidence_ids & cited:
                self.warn(warning.code, warning.message, warning.subject)

    def spend_tool_call(self) -> None:
        """Begin one read of a source. Raises BudgetExhausted while what validation needs is still left."""
        if self.budget.tool_calls_left <= self.options.validation_calls:
            raise BudgetExhausted("tool_calls")
        self.budget.spend_tool_call()

    def withdraw(self, action: Action) -> None:
        """Stop offering an action whose source is down; `plan` goes with the last one."""
        left = self.offered - {action}
        self.offered = left if left & RETRIEVAL_ACTIONS else left - {Action.PLAN}

    def count_step(self, *, is_empty: bool, is_new: bool) -> None:
        """Count empty steps in a row; only new evidence ends the row."""
        self.empty_steps = self.empty_steps + 1 if is_empty else 0 if is_new else self.empty_steps

    def add_evidence(self, found: Iterable[Evidence]) -> int:
        """Keep what was found; an id that is here already is not new, and its newer row replaces the older one."""
        new = 0
        kept: list[Evidence] = []
        for item in found:
            known = self.evidence.get(item.id)
            if known is None:
                new += 1
            if known is None or (item.row_version or 0) > (known.row_version or 0):
                self.evidence[item.id] = item
                kept.append(item)
        if kept:
            self._found = None
            self.trace.events.tell(lambda: EvidenceAdded(evidence=tuple(kept)))
        return new

    def add_outcome(self, outcome: StepOutcome, searched: str) -> None:
        """Keep how a step ended, for the slots and for the next selection."""
        self.outcomes.append(outcome)
        self._tried = None
        self.searched.setdefault(searched)

    def refresh_slots(self) -> None:
        """Work out anew which parts of the question are filled."""
        question = self.rewrite.document_question
        if question is not None:
            self.slots = tuple(document_slot(part, self.progress_of(part)) for part in question.parts)
            return
        self.slots = slot_table(self.rewrite, self.resolved, self.found, self.tried)

    def progress_of(self, question: DocumentQuestion) -> Progress:
        """How far the question of documents has come."""
        unresolved = elsewhere(self.references, self.offered)
        return progress_of(question, self.found, self.outcomes, self.bands, unresolved)

    @property
    def open_slots(self) -> tuple[str, ...]:
        """Names of the parts that are neither filled nor proven absent."""
        return tuple(slot.name for slot in self.slots if slot.state == "empty")

    @property
    def bands(self) -> Bands:
        """What parts the average scores of passages."""
        return self.options.bands or _DEFAULT_BANDS

    @property
    def has_answer(self) -> bool:
        """Whether some part of the question beside its names is filled."""
        return any(slot.state == "filled" and not slot.name.startswith("mention:") for slot in self.slots)

    @property
    def is_ambiguous(self) -> bool:
        """Whether a name fits several entities and none of them is clearly meant."""
        return any(mention.is_ambiguous and mention.chosen is None for mention in self.resolved)

    @property
    def has_news(self) -> bool:
        """Whether something was found since the last draft."""
        return frozenset(self.evidence) != self.drafted_from

    @property
    def refused_queries(self) -> int:
        """How many queries were refused."""
        return sum(map(_is_refused_query, self.outcomes))

    @property
    def may_repair_query(self) -> bool:
        """Whether the last step was a query that was refused and may be written anew."""
        return bool(self.outcomes) and _is_refused_query(self.outcomes[-1]) and Action.GRAPH_QUERY in self.offered

    @property
    def known_entities(self) -> tuple[EntityRef, ...]:
        """Every entity that this run has read: candidates of mentions, and what evidence is about."""
        candidates = [candidate.entity for mention in self.resolved for candidate in mention.candidates]
        chosen = [mention.chosen.entity for mention in self.resolved if mention.chosen]
        return (*chosen, *candidates, *(ref for item in self.found for ref in entities_of(item)))

    @property
    def known_chunks(self) -> frozenset[UUID]:
        """Every piece of a document that this run has read."""
        return frozenset(item.chunk_id for item in self.evidence.values() if isinstance(item, ChunkEvidence))

    def name_of(self, ref: EntityRef) -> str | None:
        """The best name known so far."""
        return best_name(ref, self.resolved, self.found)

    def view(self, *, for_model: bool) -> LoopView:
        """What a stage may see. A model's view is kept within the context's token cap, and the trace says what went."""
        evidence = self.found
        if for_model:
            fitted = fit(evidence, self.slots, self.options.context_tokens)
            evidence = fitted.shown
            self._note_trimmed(fitted.dropped)
            self.note_orders(evidence)
        return LoopView(
            request=self.request,
            rewrite=self.rewrite,
            resolved=self.resolved,
            evidence=evidence,
            slots=self.slots,
            outcomes=self.tried,
            offered_actions=self.offered,
            turn=self.budget.turns,
            retry_rationale=self.retry_rationale,
            graph=self.graph if for_model else None,
            graph_tokens=self.options.graph_tokens,
            bands=self.bands,
            references=self.references,
        )

    def note_orders(self, evidence: Iterable[Evidence]) -> None:
        """Tell the caller and the trace of evidence that reads like orders to a model, each once."""
        unread = {item.id: _words_of_others(item) for item in evidence if item.id not in self.read_for_orders}
        self.read_for_orders.update(unread)
        if not may_hold_orders("\n".join(unread.values())):
            return
        for evidence_id, words in unread.items():
            if looks_like_orders(words):
                note = StepNote(status=StepStatus.REFUSED, hits=1)
                self.trace.mark(Stage.OBSERVE, "orders", note, reason="a text that reads like orders is data only")
                message = "A text that was read looks like orders to a model; none were followed."
                self.warn(WarningCode.INJECTION_SUSPECTED, message, evidence_id)

    def _note_trimmed(self, dropped: tuple[str, ...]) -> None:
        newly = frozenset(dropped) - self.trimmed
        if not newly:
            return
        self.trimmed |= newly
        note = StepNote(status=StepStatus.TRUNCATED, hits=len(newly))
        self.trace.mark(Stage.OBSERVE, "trim", note, reason=f"{len(newly)} cards left out, oldest and unused first")
        self.warn(WarningCode.CONTEXT_TRIMMED, "Some of what was found was too much to show to the model.")
