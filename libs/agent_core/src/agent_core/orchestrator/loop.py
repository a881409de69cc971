"""The loop itself: turns, gates and the reasons to stop."""

import asyncio
import copy
import unicodedata
from collections.abc import Awaitable, Callable
from uuid import uuid4

from agent_core.budget import Budget
from agent_core.errors import BudgetExhausted, InvalidRequest, SourceUnavailable
from agent_core.events import EventListener, EventSink, RunAborted, RunFinished, RunStarted
from agent_core.orchestrator.calling import SourceCaller, StageCaller
from agent_core.orchestrator.conversation import Conversation, turn_of
from agent_core.orchestrator.drafting import Drafting
from agent_core.orchestrator.fast_path import NOT_SURE, is_sure
from agent_core.orchestrator.finalize import Finalizer
from agent_core.orchestrator.following import Following
from agent_core.orchestrator.options import LoopOptions, Sources, limits_of
from agent_core.orchestrator.parts import joined, run_of
from agent_core.orchestrator.pictures import picture_rewrite, shown_in
from agent_core.orchestrator.readings import turn_to_documents
from agent_core.orchestrator.retrieval import DatabaseLost, Retrieval
from agent_core.orchestrator.rewriting import Rewriting
from agent_core.orchestrator.run import Run
from agent_core.orchestrator.stepping import Stepping
from agent_core.orchestrator.stopping import exhausted_budget, out_of_time, stopped
from agent_core.orchestrator.trace import StepNote, Trace
from agent_core.protocols import Clock, Stages
from agent_core.schemas import (
    AgentRequest,
    AgentResponse,
    FinalOutcome,
    QueryRewrite,
    Stage,
    StepStatus,
    TerminationReason,
    WarningCode,
)
from agent_core.turns import CompleteQuestion

_FAILED = RunAborted(error="failed")


class Orchestrator:
    """Answers questions. One for a process: all state of a question lives in its run.

    `stages` are asked first; `rule_based` stands behind them and may be the same object when no model is configured.
    """

    def __init__(
        self,
        *,
        stages: Stages,
        rule_based: Stages,
        sources: Sources,
        clock: Clock,
        options: LoopOptions | None = None,
        conversation: Conversation | None = None,
        on_close: Callable[[], Awaitable[None]] | None = None,
    ) -> None:
        self._options = options or LoopOptions()
        self._sources = sources
        self._clock = clock
        caller = SourceCaller(self._options, clock)
        self._retrieval = Retrieval(sources, caller)
        self._following = Following(sources, caller, self._retrieval)
        self._ask(StageCaller(stages, rule_based))
        self._finalizer = Finalizer(sources, caller)
        self._conversation = conversation
        self._on_close = on_close

    @property
    def has_model(self) -> bool:
        """Whether a model's stages are asked before the rules."""
        return self._stages.has_model

    def with_stages(self, stages: Stages | None, conversation: Conversation | None) -> "Orchestrator":
        """A loop over the same sources with other stages before the same rules; None leaves the rules alone."""
        other = copy.copy(self)
        other._ask(self._stages.with_stages(stages))
        other._conversation = conversation
        other._on_close = None
        return other

    def _ask(self, stages: StageCaller) -> None:
        """Take these stages, and all that works with them."""
        self._stages = stages
        self._rewriting = Rewriting(stages)
        self._drafting = Drafting(stages)
        self._stepping = Stepping(stages, self._retrieval, self._following, self._options)

    async def close(self) -> None:
        """Release what was opened for this loop alone, such as a model's connections."""
        if self._on_close is not None:
            await self._on_close()

    async def run(self, request: AgentRequest, *, listener: EventListener | None = None) -> AgentResponse:
        """Answer one question within its budget and deadline.

        `listener` hears of all that happens as it happens; its events fold to the answer. Raises InvalidRequest and
        SessionNotFound; trouble with sources, models and budgets ends in an answer that says so. Cancellation goes
        through unchanged.
        """
        run = self._start(request, listener)
        run.trace.log("run_started", strategy=request.strategy)
        response = await self._answered(run)
        run.trace.log(
            "run_finished",
            trace_id=str(response.trace_id),
            status=response.status,
            reason=response.termination_reason,
            turns=run.budget.turns,
            model_calls=run.budget.model_calls,
            tool_calls=run.budget.tool_calls,
            ms=response.usage.ms.get("total_ms"),
        )
        return response

    async def _answered(self, run: Run) -> AgentResponse:
        """The response of a run, told as its last event; what ends it without one is told and goes on up."""
        run.trace.events.tell(lambda: _start_of(run))
        ending: RunFinished | RunAborted = _FAILED
        try:
            response = await self._concluded(run)
            if self._conversation is not None:
                response = await self._conversation.keep(run, response)
            ending = RunFinished.trusted(kind="run_finished", response=response)
        except asyncio.CancelledError:
            ending = RunAborted(error="cancelled")
            run.trace.log("run_cancelled", steps=len(run.trace.steps))
            raise
        except InvalidRequest:
            ending = RunAborted(error="invalid_request")
            raise
        finally:
            run.trace.events.tell(lambda: ending)
        return response

    async def _concluded(self, run: Run) -> AgentResponse:
        """The response to a question, or to the parts that it consists of, each answered in turn while that can be."""
        reason = await self._within_deadline(run)
        if reason is not None:
            return await self._finalizer.finish(run, reason)
        answers: list[tuple[Run, AgentResponse]] = []
        for number in range(len(run.rewrite.parts)):
            part = run_of(run, number, [turn_of(*answered) for answered in answers])
            run.budget.keep_for_later(number + 1, of=len(run.rewrite.parts))
            answers.append((part, await self._concluded(part)))
            run.offered, run.has_model = part.offered, part.has_model
        return joined(run, answers)

    def _start(self, request: AgentRequest, listener: EventListener | None) -> Run:
        query = _clean(request.query)
        if not query:
            raise InvalidRequest("query", "must hold at least one visible character")
        if query != request.query:
            request = request.model_copy(update={"query": query})
        limits = limits_of(request, self._options.limits)
        budget = Budget.start(limits, self._clock.monotonic)
        return Run(
            request=request,
            trace_id=uuid4(),
            budget=budget,
            trace=Trace(budget, str(request.request_id), EventSink(self._clock.now, listener)),
            options=self._options,
            rewrite=QueryRewrite(rewritten_query=query, needs_external_context=True, rationale="not rewritten yet"),
            offered=self._sources.offered(request.strategy),
            has_model=self._stages.has_model and limits.model_calls > 0,
        )

    async def _within_deadline(self, run: Run) -> TerminationReason | None:
        """Run the loop so that time is left to finish; whatever stops it, what was found is still drafted.

        None for a question that consists of several.
        """
        limit = run.budget.remaining_seconds
        try:
            async with asyncio.timeout(max(limit - self._options.finalize_seconds, limit / 2)):
                return await self._loop(run)
        except TimeoutError:
            reason = out_of_time(run)
        except BudgetExhausted as exhausted:
            reason = exhausted_budget(run, exhausted)
        except DatabaseLost:
            run.warn(WarningCode.DATABASE_UNAVAILABLE, "The catalogue can't be reached right now.")
            reason = TerminationReason.DEPENDENCY_LOST
        if run.accepted is None and run.budget.remaining_seconds > 0:
            try:
                async with asyncio.timeout(run.budget.remaining_seconds / 2):
                    await self._drafting.best_effort(run)
            except (TimeoutError, BudgetExhausted, SourceUnavailable):
                run.trace.mark(Stage.ANSWER, "rules", StepNote(StepStatus.SKIPPED, error="no time left"))
        return reason

    async def _loop(self, run: Run) -> TerminationReason | None:
        await self._rewrite(run)
        if run.rewrite.parts:
            return None
        if not run.rewrite.needs_external_context:
            return TerminationReason.NO_RETRIEVAL_NEEDED
        reason = await self._turns(run)
        # What the catalogue does not answer documents may: only then is it said that nothing does.
        return await self._from_documents(run, reason) or stopped(run, reason)

    async def _from_documents(self, run: Run, reason: TerminationReason) -> TerminationReason | None:
        """How a question that the catalogue does not answer ends when documents are asked; None when they don't."""
        if reason is TerminationReason.AMBIGUOUS or run.budget.is_last_turn:
            return None
        aside = turn_to_documents(run)
        if aside is None:
            return None
        run.is_fast = False
        reason_of_documents: TerminationReason | None = None
        try:
            reason_of_documents = await self._turns(run)
        finally:
            is_answered = run.accepted is not None and run.accepted.is_sufficient and run.has_answer
            if not is_answered:
                aside.take_back(run)
        return reason_of_documents if is_answered else None

    async def _turns(self, run: Run) -> TerminationReason:
        """Why a reading of the question is left: it is answered, or nothing further can be had by it."""
        while True:
            run.budget.spend_turn()
            known = len(run.evidence)
            if run.rewrite.document_question is not None:
                run.refresh_slots()
            elif run.is_first_turn:
                await self._fixed_work(run)
                if run.is_ambiguous:
                    return TerminationReason.AMBIGUOUS
            final = await self._stepping.take(run)
            if final is FinalOutcome.AMBIGUOUS:
                return TerminationReason.AMBIGUOUS
            if len(run.evidence) > known:
                run.idle_turns = 0
            elif not (run.may_repair_query and self._stepping.is_by_model(run)):
                run.idle_turns += 1
            stop = self._reason_to_stop(run, final)
            if run.open_slots and stop is None:
                continue
            reason = await self._answer(run, stop)
            if reason is not None:
                return reason

    async def _rewrite(self, run: Run) -> None:
        if run.is_part:
            if run.leans and self._conversation is not None:
                self._take(run, await self._conversation.complete_part(run))
            await self._rewriting.read(run, may_skip=self._options.fast_path)
            return
        if self._conversation is not None:
            self._take(run, await self._conversation.complete(run))
        if run.request.image_query is not None:
            complete = await self._picture_question(run)
            if complete is None:
                run.rewrite = picture_rewrite(run.request)
                return
            self._take(run, complete)
        await self._rewriting.read(run, may_skip=self._options.fast_path)

    def _take(self, run: Run, complete: CompleteQuestion) -> None:
        run.request = run.request.model_copy(update={"query": complete.text})
        run.settled = complete.settled

    async def _fixed_work(self, run: Run) -> None:
        """Resolve, read and expand; where that doesn't bear out the fast path, the model reads the question after all.

        What was found until then is kept.
        """
        await self._retrieval.fixed_work(run)
        if not run.is_fast or is_sure(run):
            return
        run.trace.mark(Stage.REWRITE, "fast_path", StepNote(StepStatus.REFUSED), reason=NOT_SURE)
        run.is_fast, run.resolved = False, ()
        await self._rewriting.read(run, may_skip=False)
        if run.rewrite.document_question is None:
            await self._retrieval.fixed_work(run)

    async def _picture_question(self, run: Run) -> CompleteQuestion | None:
        """The question with what its picture shows in its place. None when no more is asked than what that is."""
        await self._retrieval.look(run)
        shown = shown_in(run)
        complete = await self._stages.read_picture_question(run, shown) if shown is not None else None
        if complete is not None and not complete.text:
            run.warn(WarningCode.PICTURE_ONLY, "Only what the picture shows is answered; the rest was not understood.")
            return None
        return complete

    def _reason_to_stop(self, run: Run, final: FinalOutcome | None) -> TerminationReason | None:
        """Why no further turn can bring anything; None while one may."""
        options = self._options
        if run.empty_steps >= options.max_empty_steps:
            return TerminationReason.NO_MATCH_AFTER_MAX_TURNS
        is_repeating = any(count >= options.max_proposals for count in run.proposals.values())
        if run.idle_turns >= options.max_idle_turns or is_repeating:
            return TerminationReason.NO_PROGRESS
        if final is not None and (run.open_slots or not run.has_news):
            return TerminationReason.NO_PROGRESS
        if run.budget.is_last_turn:
            return TerminationReason.BUDGET_EXHAUSTED
        return None

    async def _answer(self, run: Run, stop: TerminationReason | None) -> TerminationReason | None:
        """Draft and judge when there is something new to draft from. None when another turn should follow."""
        if run.evidence and run.has_news:
            accepted = await self._drafting.attempt(run)
            if run.is_fast and not (accepted is not None and accepted.is_sufficient):
                run.is_fast = False
                accepted = await self._drafting.attempt(run)
            if accepted is not None and accepted.is_sufficient:
                return TerminationReason.SUFFICIENT
        return stop


def _start_of(run: Run) -> RunStarted:
    request = run.request
    return RunStarted(
        run_id=run.trace_id,
        request_id=request.request_id,
        session_id=request.session_id,
        query=request.query,
        strategy=request.strategy,
    )


def _clean(query: str) -> str:
    """The question without control, invisible and lone-surrogate characters, blanks at its ends cut."""
    if not query.isprintable():
        blanks = (" " if c in "\n\r\t" else c for c in query)
        query = "".join(c for c in blanks if unicodedata.category(c) not in ("Cc", "Cs"))
    return query.strip()
