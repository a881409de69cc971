"""Sessions: what was asked before completes the question, and what was answered is kept for the next one."""

from collections.abc import Sequence
from dataclasses import dataclass

import structlog
from datastore.folding import fold

from agent_core.budget import Budget
from agent_core.context.session_history import recent
from agent_core.errors import SourceUnavailable
from agent_core.events import WarningRaised
from agent_core.evidence import EntityRef
from agent_core.orchestrator.run import Run
from agent_core.protocols import FollowUpReader, SessionStore
from agent_core.schemas import AgentRequest, AgentResponse, Mention, QueryRewrite, Warning, WarningCode
from agent_core.turns import CompleteQuestion, PastMention, PastTurn

_log = structlog.get_logger(__name__)

MAX_REMEMBERED = 20
"""Entities of one answer that a later question can refer to."""

_QUERY_CHARACTERS = 2_000
_LOST = "The earlier turns of the session can't be read right now; the question was taken by itself."
_NOT_KEPT = "This turn can't be kept in the session right now."


@dataclass(frozen=True, slots=True)
class Conversation:
    """Where turns are kept, and who completes a question from them. `seconds` bound each read and write."""

    store: SessionStore
    reader: FollowUpReader
    seconds: float = 1.0

    async def complete(self, run: Run) -> CompleteQuestion:
        """The run's question, made complete. Raises SessionNotFound, BudgetExhausted; a lost store only warns."""
        request, budget = run.request, run.budget
        if request.session_id is None:
            return CompleteQuestion(text=request.query)
        try:
            history = await self._history(request, budget)
        except SourceUnavailable:
            run.warn(WarningCode.SESSION_UNAVAILABLE, _LOST)
            return CompleteQuestion(text=request.query)
        if not history:
            return CompleteQuestion(text=request.query)
        run.history = recent(history, turns=run.options.history_turns, tokens=run.options.history_tokens)
        return await self._completed(run, history)

    async def complete_part(self, run: Run) -> CompleteQuestion:
        """The question of a part, made complete by what the parts before it found. Raises BudgetExhausted."""
        complete = await self._completed(run, run.history)
        return complete.model_copy(update={"settled": (*complete.settled, *run.settled)})

    async def _completed(self, run: Run, history: Sequence[PastTurn]) -> CompleteQuestion:
        complete = await self.reader.complete(run.request.query, history, run.budget)
        return complete.model_copy(update={"text": complete.text[:_QUERY_CHARACTERS]})

    async def _history(self, request: AgentRequest, budget: Budget) -> Sequence[PastTurn]:
        assert request.session_id is not None
        return await self.store.history(request.session_id, request.principal, timeout=budget.timeout(self.seconds))

    async def keep(self, run: Run, response: AgentResponse) -> AgentResponse:
        """Remember the turn; the response says so when that failed. Raises SessionNotFound."""
        session_id = run.request.session_id
        if session_id is None or not run.rewrite.needs_external_context:
            return response
        try:
            await self.store.remember(
                session_id, run.request.principal, turn_of(run, response), trace_id=run.trace_id, timeout=self.seconds
            )
        except SourceUnavailable:
            _log.warning("turn_not_kept", request_id=str(run.request.request_id))
            warning = Warning(code=WarningCode.SESSION_UNAVAILABLE, message=_NOT_KEPT)
            run.trace.events.tell(lambda: WarningRaised(warning=warning))
            known = [each for each in response.warnings if each.code is not WarningCode.SESSION_UNAVAILABLE]
            return response.model_copy(update={"warnings": (*known, warning)})
        return response


def turn_of(run: Run, response: AgentResponse) -> PastTurn:
    """What of an answered question a later one may refer to."""

    def named(ref: EntityRef) -> EntityRef:
        return ref.model_copy(update={"name": run.name_of(ref) or ref.name})

    mentions = tuple(
        PastMention(text=each.mention.text, entity=named(each.chosen.entity) if each.chosen else None)
        for each in run.resolved
    )
    return PastTurn(
        question=run.rewrite.rewritten_query if leans_on_history(run.rewrite, run.request.query) else run.request.query,
        mentions=mentions,
        results=response.result_entities[:MAX_REMEMBERED],
        alternatives=response.alternatives[:MAX_REMEMBERED],
    )


def leans_on_history(rewrite: QueryRewrite, question: str) -> bool:
    """Whether a name that is settled stands in the rewrite alone: its question is the complete one then."""
    said = fold(question)
    return any(each.entity is not None and fold(each.text) not in said for each in rewrite.mentions)


def settle(rewrite: QueryRewrite, settled: Sequence[PastMention]) -> QueryRewrite:
    """The rewrite with each settled mention bound to its entity."""
    known = {mention.text.casefold(): mention.entity for mention in settled if mention.entity is not None}
    if not known:
        return rewrite

    def bound(mentions: Sequence[Mention]) -> tuple[Mention, ...]:
        found = (known.get(each.text.casefold(), each.entity) for each in mentions)
        return tuple(each.model_copy(update={"entity": entity}) for each, entity in zip(mentions, found, strict=True))

    return rewrite.model_copy(update={"mentions": bound(rewrite.mentions), "set_mentions": bound(rewrite.set_mentions)})
