"""Follow-up questions read by rules, with the catalogue's own word on what is a name."""

from collections.abc import Sequence

from agent_core.agents.rule_based.follow_up import complete_question
from agent_core.agents.rule_based.text import clean
from agent_core.budget import Budget
from agent_core.errors import SourceUnavailable
from agent_core.protocols import MentionFinder
from agent_core.turns import CompleteQuestion, PastTurn

FINDER_SECONDS = 2.0


class RuleBasedFollowUps:
    """Completes follow-up questions; see FollowUpReader."""

    def __init__(self, mention_finder: MentionFinder) -> None:
        self._finder = mention_finder

    async def complete(self, question: str, history: Sequence[PastTurn], budget: Budget) -> CompleteQuestion:
        """The complete question; as it is when no name can be told. Raises BudgetExhausted."""
        text = clean(question)
        budget.spend_tool_call()
        try:
            found = await self._finder.find(text, timeout=budget.timeout(FINDER_SECONDS))
        except SourceUnavailable:
            return CompleteQuestion(text=question)
        return complete_question(text, [mention.text for mention in found], history)
