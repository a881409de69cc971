"""The rewrite stage without a model."""

from agent_core.agents.rule_based.question import rewrite_question
from agent_core.agents.rule_based.text import clean
from agent_core.budget import Budget
from agent_core.errors import SourceUnavailable
from agent_core.protocols import MentionFinder
from agent_core.schemas import AgentRequest, Mention, QueryRewrite

FINDER_SECONDS = 2.0


class RuleBasedRewrite:
    """Reads a question by cue words and grammar; names come from the catalogue's finder and from their place.

    Without a finder, or when it is unavailable, names are told by capitals, quotation marks and what else is left.
    """

    def __init__(self, mention_finder: MentionFinder | None) -> None:
        self._finder = mention_finder

    async def run(self, request: AgentRequest, budget: Budget) -> QueryRewrite:
        """The question in normal form. Raises BudgetExhausted."""
        known = await self._known(clean(request.query), budget)
        rewrite = rewrite_question(request.query, known, language=request.language)
        if request.entity_types and not rewrite.entity_types:
            return rewrite.model_copy(update={"entity_types": request.entity_types})
        return rewrite

    async def _known(self, text: str, budget: Budget) -> tuple[Mention, ...]:
        if self._finder is None or not text:
            return ()
        budget.spend_tool_call()
        try:
            return await self._finder.find(text, timeout=budget.timeout(FINDER_SECONDS))
        except SourceUnavailable:
            return ()
