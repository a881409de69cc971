"""One step a turn: chosen by the model or the rules, checked by code, run."""

from agent_core.errors import IntentRefused
from agent_core.orchestrator.calling import StageCaller
from agent_core.orchestrator.following import Following
from agent_core.orchestrator.options import LoopOptions
from agent_core.orchestrator.pictures import has_only_a_picture
from agent_core.orchestrator.proposals import StepRefused, checked, digest, single_steps
from agent_core.orchestrator.retrieval import Retrieval
from agent_core.orchestrator.run import Run
from agent_core.orchestrator.trace import StepNote
from agent_core.schemas import Action, FinalIntent, FinalOutcome, NextStep, Stage, StepStatus, WarningCode


class Stepping:
    """Takes the steps of runs. What a model proposes and code refuses, the rules may choose instead."""

    def __init__(self, stages: StageCaller, retrieval: Retrieval, following: Following, options: LoopOptions) -> None:
        self._stages = stages
        self._retrieval = retrieval
        self._following = following
        self._options = options

    async def take(self, run: Run) -> FinalOutcome | None:
        """Choose and run this turn's step. None when something was run or refused, else the selector's last word."""
        if not run.open_slots and run.slots and not run.retry_rationale:
            run.trace.mark(Stage.SELECT, Action.FINAL, StepNote(), reason="every part of the question is filled")
            return FinalOutcome.ENOUGH
        if run.budget.is_last_turn and not run.is_first_turn:
            run.trace.mark(Stage.SELECT, Action.FINAL, StepNote(), reason="the last turn is kept for answering")
            return None
        by_model = self.is_by_model(run)
        if by_model:
            await self._retrieval.read_graph(run)
            await self._following.read_references(run)
        choose = self._stages.select if by_model else self._stages.rule_based_step
        try:
            step = self._accepted_step(run, await choose(run), by_model=by_model)
        except (StepRefused, IntentRefused) as refused:
            self._note_refusal(run, refused.reason)
            if not by_model:
                return None
            step = await self._second_choice(run)
        final = await self._taken(run, step)
        if by_model and run.may_repair_query and run.refused_queries > self._options.max_query_repairs:
            run.withdraw(Action.GRAPH_QUERY)
            self._note_refusal(
                run, f"{run.refused_queries} queries were refused; no other is tried", Action.GRAPH_QUERY
            )
            final = await self._taken(run, await self._second_choice(run))
        return final

    def is_by_model(self, run: Run) -> bool:
        """Whether a model chooses the steps. A set question that the rules read has one query, which they write."""
        is_ruled = run.rewrite.set_question is not None or run.rewrite.document_question is not None
        return run.asks_model and not is_ruled and not has_only_a_picture(run)

    async def _taken(self, run: Run, step: NextStep | None) -> FinalOutcome | None:
        """Run an accepted step; the outcome of one that ends the retrieval."""
        if step is None:
            return None
        if step.final is not None:
            return step.final.outcome
        await self._retrieval.execute(run, [s for s in single_steps(step) if digest(s) not in run.executed])
        await self._following.follow(run)
        return None

    async def _second_choice(self, run: Run) -> NextStep | None:
        """What the rules would do, when a model's proposal was refused."""
        try:
            return self._accepted_step(run, await self._stages.rule_based_step(run), by_model=False)
        except (StepRefused, IntentRefused) as refused:
            self._note_refusal(run, refused.reason)
            return None

    def _accepted_step(self, run: Run, proposed: NextStep, *, by_model: bool) -> NextStep:
        step = checked(
            proposed,
            offered=run.offered,
            request=run.request,
            known=run.known_entities,
            known_chunks=run.known_chunks,
        )
        if step.final is not None:
            self._check_final(run, step.final, by_model=by_model)
        else:
            self._check_new(run, step)
        run.trace.selected(step, turn=run.budget.turns, by_model=by_model)
        return step

    def _check_new(self, run: Run, step: NextStep) -> None:
        digests = [digest(single) for single in single_steps(step)]
        run.proposals.update(digests)
        if all(done in run.executed for done in digests):
            raise StepRefused("the same step was taken before")

    def _check_final(self, run: Run, final: FinalIntent, *, by_model: bool) -> None:
        if final.outcome is FinalOutcome.AMBIGUOUS and not any(len(m.candidates) > 1 for m in run.resolved):
            raise StepRefused("no name fits several entities")
        if by_model and final.outcome is not FinalOutcome.AMBIGUOUS and run.open_slots:
            raise StepRefused(f"still open: {', '.join(run.open_slots)}")

    def _note_refusal(self, run: Run, reason: str, given_up: str = "") -> None:
        """Write down why a proposal is not run; `given_up` is an action that will not be tried again."""
        run.trace.mark(Stage.SELECT, "refused", StepNote(StepStatus.REFUSED, error=reason[:200]), reason=reason)
        message = f"Every {given_up} that was proposed was refused." if given_up else "A proposed step was refused."
        run.warn(WarningCode.STEP_REFUSED, message, given_up)
        run.retry_rationale = reason[:200]
