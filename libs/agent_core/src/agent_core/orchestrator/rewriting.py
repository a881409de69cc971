"""The question in normal form: the rules' reading where it is obvious, else a model's with what the rules add."""

from agent_core.errors import SourceUnavailable
from agent_core.orchestrator.calling import StageCaller
from agent_core.orchestrator.conversation import leans_on_history, settle
from agent_core.orchestrator.fast_path import FIXED, OBVIOUS, is_obvious
from agent_core.orchestrator.readings import take_reading
from agent_core.orchestrator.retrieval import DatabaseLost
from agent_core.orchestrator.run import Run
from agent_core.orchestrator.trace import StepNote
from agent_core.schemas import Action, QueryRewrite, Stage, StepStatus


class Rewriting:
    """Reads the questions of runs."""

    def __init__(self, stages: StageCaller) -> None:
        self._stages = stages

    async def read(self, run: Run, *, may_skip: bool) -> None:
        """Give the run its rewrite. With `may_skip` a model is not asked what is obvious.

        Raises DatabaseLost, BudgetExhausted.
        """
        try:
            rewrite = await self._skipping(run) if run.has_model and may_skip else await self._reading(run, None)
        except SourceUnavailable as lost:
            raise DatabaseLost from lost
        request = run.request
        updates: dict[str, object] = {"parts": ()} if run.is_part and rewrite.parts else {}
        if request.language:
            updates["language"] = request.language
        if request.entity_types and not rewrite.entity_types:
            updates["entity_types"] = request.entity_types
        if not rewrite.needs_external_context and rewrite.fixed_answer is None:
            updates["needs_external_context"] = True
        settled = settle(rewrite.model_copy(update=updates) if updates else rewrite, run.settled)
        if settled.parts:
            run.rewrite = settled
        else:
            take_reading(run, settled)

    async def _skipping(self, run: Run) -> QueryRewrite:
        ruled = await self._stages.rule_based_rewrite(run)
        if ruled.parts and not run.is_part:
            return ruled
        may_mean_past = ruled.fixed_answer == "referent" and run.history
        if may_mean_past or not is_obvious(ruled, run.request):
            return await self._reading(run, ruled)
        run.is_fast = True
        reason = OBVIOUS if ruled.needs_external_context else FIXED
        run.trace.mark(Stage.REWRITE, "model", StepNote(StepStatus.SKIPPED), reason=reason)
        return ruled

    async def _reading(self, run: Run, ruled: QueryRewrite | None) -> QueryRewrite:
        if ruled is None and run.has_model and not run.is_part:
            # A model's normal form has room for one question.
            ruled = await self._stages.rule_based_rewrite(run)
            if ruled.parts:
                return ruled
        rewrite = await self._stages.rewrite(run)
        if not run.has_model or (rewrite.needs_external_context and rewrite.set_question is not None):
            return rewrite
        if rewrite.needs_external_context and not run.offered & {Action.GRAPH_QUERY, Action.DOCUMENT_SEARCH}:
            return rewrite
        if leans_on_history(rewrite, run.request.query):
            # The rules see the question without what it leans on, and would read another one.
            return rewrite
        ruled = ruled or await self._stages.rule_based_rewrite(run)
        if rewrite.needs_external_context:
            # No search can count: where the rules read the question of a whole set, or of documents, that goes before.
            added = ("set_question", "set_mentions", "document_question")
            return rewrite.model_copy(update={name: getattr(ruled, name) for name in added})
        return _confirmed(run, rewrite, ruled)


def _confirmed(run: Run, rewrite: QueryRewrite, ruled: QueryRewrite) -> QueryRewrite:
    """A model's word that nothing has to be looked up holds only when the rules say the same."""
    agree = not ruled.needs_external_context
    note = StepNote(StepStatus.OK if agree else StepStatus.REFUSED)
    run.trace.mark(Stage.VALIDATE, "no_retrieval", note, reason="a fixed answer must fit the question")
    return rewrite if agree else ruled
