"""The judgement without a model: every part of the question is filled or proven absent, the draft says something."""

from typing import Literal

from agent_core.budget import Budget
from agent_core.protocols import LoopView
from agent_core.schemas import Action, DraftAnswer, SufficiencyReport
from agent_core.slots import EMPTY


class RuleBasedSufficiency:
    """Judges by the slot table. What the draft claims was checked against the evidence before."""

    async def run(self, view: LoopView, draft: DraftAnswer, budget: Budget) -> SufficiencyReport:
        """Whether the draft may go out."""
        return judge(view, draft)


def judge(view: LoopView, draft: DraftAnswer) -> SufficiencyReport:
    """The report for a draft."""
    open_slots = tuple(slot.name for slot in view.slots if slot.state == EMPTY)
    if open_slots:
        return SufficiencyReport(
            sufficient=False,
            rationale="a part of the question is open",
            missing=open_slots,
            suggested_next_action=_suggested(open_slots, view.offered_actions),
        )
    shown = {item.id for item in view.evidence}
    if not draft.answer.strip() or not draft.evidence_ids:
        return SufficiencyReport(sufficient=False, rationale="the draft says nothing", missing=("an answer",))
    if not shown.issuperset(draft.evidence_ids):
        return SufficiencyReport(
            sufficient=False, rationale="the draft cites what was not shown", missing=("evidence",)
        )
    return SufficiencyReport(sufficient=True, rationale="every part of the question is filled or proven absent")


def _suggested(
    open_slots: tuple[str, ...], offered: frozenset[Action]
) -> Literal[Action.QDRANT_SEARCH, Action.PG_GRAPH] | None:
    if all(name.startswith(("search", "field:")) for name in open_slots) and Action.QDRANT_SEARCH in offered:
        return Action.QDRANT_SEARCH
    return Action.PG_GRAPH if Action.PG_GRAPH in offered else None
