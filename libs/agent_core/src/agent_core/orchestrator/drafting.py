"""From evidence to a draft that stands: draft, check against the evidence in code, then have it judged."""

from collections import Counter
from collections.abc import Iterable

from agent_core.events import DraftMade
from agent_core.evidence import Evidence, entities_of
from agent_core.grounding import CitationVerdict, Grounded, ground
from agent_core.orchestrator.calling import Drafted, StageCaller
from agent_core.orchestrator.run import Accepted, Run
from agent_core.orchestrator.trace import StepNote
from agent_core.schemas import DraftAnswer, Stage, StepStatus, SufficiencyReport, WarningCode


class Drafting:
    """Drafts and judges. Nothing is drafted without evidence, nothing is judged before it was checked."""

    def __init__(self, stages: StageCaller) -> None:
        self._stages = stages

    async def attempt(self, run: Run) -> Accepted | None:
        """A checked and judged draft, kept in the run; None when there is no evidence or no sentence stands."""
        run.drafted_from = frozenset(run.evidence)
        checked = await self._checked(run)
        if checked is None:
            return None
        draft, grounded = checked
        run.accepted = Accepted(draft, grounded, is_sufficient=False)
        if run.open_slots:
            # Code has judged already: a part of the question is open. A model's word would change nothing.
            open_parts = SufficiencyReport(sufficient=False, rationale="a part is open", missing=run.open_slots)
            run.trace.judged(open_parts, draft, by_code=True)
            return run.accepted
        report = await self._stages.judge(run, draft)
        run.trace.judged(report, draft, by_code=False)
        run.accepted = Accepted(draft, grounded, report.sufficient, () if report.sufficient else report.missing)
        run.retry_rationale = "" if report.sufficient else "; ".join(report.missing) or report.rationale
        return run.accepted

    async def best_effort(self, run: Run) -> Accepted | None:
        """A rule-based draft of what was found, checked but not judged; for a run that has to end now."""
        if not run.evidence:
            return None
        checked = self._check(run, await self._stages.rule_based_answer(run))
        if checked is None:
            return None
        run.accepted = Accepted(*checked, is_sufficient=False)
        return run.accepted

    async def _checked(self, run: Run) -> tuple[DraftAnswer, Grounded] | None:
        if not run.evidence:
            return None
        drafted = await self._stages.answer(run)
        checked = self._check(run, drafted)
        if checked is None and drafted.by_model:
            checked = self._check(run, await self._stages.rule_based_answer(run))
        return checked

    def _check(self, run: Run, drafted: Drafted) -> tuple[DraftAnswer, Grounded] | None:
        shown = {item.id: item for item in drafted.shown}
        grounded = ground(drafted.draft.answer, drafted.draft.evidence_ids, shown, asked=run.request.query)
        note = StepNote(hits=len(grounded.sources))
        if grounded.removed:
            run.removed_sentences += len(grounded.removed)
            note.error = ", ".join(sorted({removed.reason for removed in grounded.removed}))
        if grounded.is_refused:
            note.status = StepStatus.REFUSED
        counted = Counter(grounded.verdicts)
        told = ", ".join(f"{counted[verdict]} {verdict}" for verdict in CitationVerdict)
        reason = f"names, numbers, dates and markers against evidence; citations: {told}"
        run.trace.mark(Stage.VALIDATE, "citations", note, reason=reason)
        if grounded.removed:
            run.warn(
                WarningCode.CITATION_REMOVED, "A sentence or a citation that the evidence doesn't back was removed."
            )
        if grounded.is_refused:
            return None
        draft = cleaned(drafted.draft, grounded, shown.values())
        run.trace.events.tell(lambda: DraftMade(draft=draft))
        return draft, grounded


def cleaned(draft: DraftAnswer, grounded: Grounded, shown: Iterable[Evidence]) -> DraftAnswer:
    """The draft with the text that stands, its citations in marker order, and only entities that these are about."""
    cited_ids = [source.evidence_id for source in grounded.sources]
    cited = {item.id: item for item in shown if item.id in cited_ids}
    refs = {ref.key: ref for evidence_id in cited_ids for ref in entities_of(cited[evidence_id])}
    results = {ref.key: refs[ref.key] for ref in draft.result_entities if ref.key in refs}
    return DraftAnswer.trusted(
        answer=grounded.answer,
        evidence_ids=tuple(cited_ids),
        source_entities=tuple(refs.values()),
        result_entities=tuple(results.values()),
        confidence=draft.confidence,
    )
