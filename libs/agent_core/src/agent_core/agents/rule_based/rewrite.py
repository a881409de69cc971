"""The rewrite stage without a model."""

import threading
from collections.abc import Sequence
from functools import cache

from agent_core.agents.rule_based.document_reading import read_document_question
from agent_core.agents.rule_based.question import rewrite_question
from agent_core.agents.rule_based.seasons import find_season
from agent_core.agents.rule_based.series import numbered_mentions, without_series
from agent_core.agents.rule_based.text import clean
from agent_core.budget import Budget
from agent_core.errors import SourceUnavailable
from agent_core.protocols import MentionFinder
from agent_core.schemas import AgentRequest, Mention, QueryRewrite
from agent_core.turns import PastTurn

FINDER_SECONDS = 2.0


@cache
def _compile_patterns() -> None:
    """Patterns are compiled at first use. That takes longer than a question may, and a start need not wait for it."""
    threading.Thread(target=rewrite_question, args=("Who made it?", ()), name="patterns", daemon=True).start()


class RuleBasedRewrite:
    """Reads a question by cue words and grammar; names come from the catalogue's finder and from their place.

    Without a finder, or when it is unavailable, names are told by capitals, quotation marks and what else is left.
    """

    def __init__(self, mention_finder: MentionFinder | None) -> None:
        self._finder = mention_finder
        _compile_patterns()

    async def run(self, request: AgentRequest, budget: Budget, history: Sequence[PastTurn] = ()) -> QueryRewrite:
        """The question in normal form, as it stands by itself. Raises BudgetExhausted."""
        question = without_series(clean(request.query))
        known = await self._known(question, budget)
        known = (*known, *numbered_mentions(question, known))
        question, known = await self._with_season(question, known, budget)
        rewrite = rewrite_question(question, known, language=request.language)
        if rewrite.needs_external_context:
            asked = read_document_question(clean(request.query), request)
            parts = () if _all_of_documents(rewrite.parts, request) else rewrite.parts
            rewrite = rewrite.model_copy(update={"document_question": asked, "parts": parts})
        if request.entity_types and not rewrite.entity_types:
            return rewrite.model_copy(update={"entity_types": request.entity_types})
        return rewrite

    async def _with_season(
        self, question: str, known: tuple[Mention, ...], budget: Budget
    ) -> tuple[str, tuple[Mention, ...]]:
        """The question with `season 2 of X` under the name that the catalogue has for it, if it has one."""
        season = find_season(question, known)
        if season is None:
            return question, known
        found = await self._known(". ".join(season.candidates), budget)
        name = _first_of(season.candidates, found)
        if name is None:
            return question, known
        return question[: season.start] + name + question[season.end :], (*known, Mention(text=name))

    async def _known(self, text: str, budget: Budget) -> tuple[Mention, ...]:
        if self._finder is None or not text:
            return ()
        budget.spend_tool_call()
        try:
            return await self._finder.find(text, timeout=budget.timeout(FINDER_SECONDS))
        except SourceUnavailable:
            return ()


def _all_of_documents(parts: Sequence[str], request: AgentRequest) -> bool:
    """Whether one reading of documents takes in all parts."""
    read = [read_document_question(part, request) for part in parts]
    return all(asked is not None and asked.is_explicit for asked in read)


def _first_of(candidates: Sequence[str], found: Sequence[Mention]) -> str | None:
    """The first candidate that was found whole."""
    texts = {mention.text.casefold() for mention in found}
    return next((candidate for candidate in candidates if candidate.casefold() in texts), None)
