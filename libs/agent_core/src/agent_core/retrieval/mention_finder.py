"""Catalogue names inside a question, found with one statement."""

import asyncio
from collections.abc import Collection, Iterable, Sequence

from datastore.errors import DatabaseUnavailable
from datastore.folding import fold
from datastore.postgres.engine import ReadOnlyEngine, translating_postgres_errors
from datastore.postgres.hot import HotPool
from datastore.postgres.name_search import names_equal

from agent_core.errors import SourceUnavailable
from agent_core.retrieval.spans import QuestionText, Span
from agent_core.schemas import Mention

SOURCE = "postgresql"
MAX_MENTIONS = 12


class CatalogueMentionFinder:
    """Finds the longest stretches of a text that are names of the catalogue; see agent_core.retrieval.spans."""

    def __init__(self, engine: ReadOnlyEngine, *, hot: HotPool | None = None) -> None:
        self._engine = engine
        self._hot = hot

    async def find(self, text: str, *, timeout: float) -> tuple[Mention, ...]:
        """Mentions in text order, at most MAX_MENTIONS, types left open; a name with two years is two mentions.

        Raises SourceUnavailable.
        """
        question = QuestionText.read(text)
        folded = {span: fold(question.slice(span)) for span in question.spans()}
        if not folded:
            return ()
        try:
            known = await self._known(sorted(set(folded.values())), timeout)
        except DatabaseUnavailable as exc:
            raise SourceUnavailable(SOURCE, timed_out=exc.timed_out) from exc
        named = (span for span, name in folded.items() if name in known and question.is_meant_as_name(span))
        mentions = [mention for span in _longest(named) for mention in _mentions(question, span)]
        return tuple(mentions[:MAX_MENTIONS])

    async def _known(self, folded: Sequence[str], timeout: float) -> Collection[str]:
        if self._hot is None:
            async with self._engine.connect(timeout) as conn:
                return await names_equal(conn, folded, limit_per_name=1)
        with translating_postgres_errors():
            async with asyncio.timeout(timeout):
                return await names_equal(self._hot, folded, limit_per_name=1)


def _mentions(question: QuestionText, span: Span) -> list[Mention]:
    again = question.dated_again(span)
    if again is not None:
        return [Mention(text=question.slice(span)), Mention(text=again[0], year=again[1])]
    return [Mention(text=question.slice(span), year=year) for year in question.years(span)]


def _longest(spans: Iterable[Span]) -> list[Span]:
    """The longest spans that don't overlap, in text order."""
    kept: list[Span] = []
    for span in sorted(spans, key=lambda span: (span.start - span.end, span.start)):
        if all(span.end <= other.start or other.end <= span.start for other in kept):
            kept.append(span)
    return sorted(kept, key=lambda span: span.start)
