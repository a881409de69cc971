"""Fixed work after a search of documents: what replaces the quoted ones, and which others hold the same text."""

from collections.abc import Sequence

from datastore.edges import EdgeType

from agent_core.document_contracts import DocumentIntent, SearchMode
from agent_core.errors import SourceUnavailable
from agent_core.evidence import EntityRef
from agent_core.orchestrator.calling import SourceCaller, note_unavailable
from agent_core.orchestrator.options import Sources
from agent_core.orchestrator.proposals import digest
from agent_core.orchestrator.retrieval import Retrieval
from agent_core.orchestrator.run import Run
from agent_core.passages import Quote, progress_of
from agent_core.schemas import Action, GraphIntent, GraphQueryType, NextStep, Stage

_SUCCESSION = (EdgeType.SUPERSEDED_BY, EdgeType.SUPERSEDES)
_QUERY_CHARACTERS = 400

MAX_SAME = 5
"""In how many documents of the same text a quote is looked for."""


class Following:
    """Reads on from the documents that an answer would quote."""

    def __init__(self, sources: Sources, caller: SourceCaller, retrieval: Retrieval) -> None:
        self._sources = sources
        self._caller = caller
        self._retrieval = retrieval

    async def follow(self, run: Run) -> None:
        """Read which documents replace the quoted ones or hold their text. Raises DatabaseLost, BudgetExhausted."""
        question = run.rewrite.document_question
        if question is None:
            return
        passages = progress_of(question, tuple(run.evidence.values()), run.outcomes, run.bands).passages
        quoted = {quote.hit.evidence.document: quote for quote in reversed(passages.quotes)}
        refs = list(quoted)[: run.options.max_expansions]
        steps = [_succession(ref) for ref in refs] if self._sources.graph is not None else []
        steps += await self._same_texts(run, [quoted[ref] for ref in refs])
        await self._retrieval.execute(run, [step for step in steps if digest(step) not in run.executed], Stage.EXPAND)

    async def _same_texts(self, run: Run, quotes: Sequence[Quote]) -> list[NextStep]:
        """Searches for the quotes in other documents that hold the whole text."""
        documents = self._sources.documents
        known = {hit.evidence.document.id for outcome in run.outcomes for hit in outcome.passages}
        fresh = [quote for quote in quotes if quote.hit.evidence.document.id not in run.compared]
        if documents is None or not fresh:
            return []
        refs = [quote.hit.evidence.document for quote in fresh]
        run.compared.update(ref.id for ref in refs)
        with run.trace.step(Stage.EXPAND, "same_texts", timer="documents_ms") as note:
            try:
                same = await self._caller.call(
                    "postgresql",
                    run.spend_tool_call,
                    run.budget,
                    lambda seconds: documents.same_texts(refs, timeout=seconds),
                )
            except SourceUnavailable as lost:
                note_unavailable(note, lost)
                return []
            note.hits = sum(map(len, same.values()))
        steps: list[NextStep] = []
        for quote in fresh:
            others = [ref for ref in same.get(quote.hit.evidence.document.id, ()) if ref.id not in known]
            steps += [_within(quote, others[:MAX_SAME])] if others else []
        return steps


def _succession(ref: EntityRef) -> NextStep:
    reason = "what replaces the quoted document"
    intent = GraphIntent(
        rationale=reason, query_type=GraphQueryType.NEIGHBORS, start=ref, max_hops=1, edge_types=_SUCCESSION
    )
    return NextStep(action=Action.PG_GRAPH, rationale=reason, graph_intent=intent)


def _within(quote: Quote, documents: Sequence[EntityRef]) -> NextStep:
    intent = DocumentIntent(
        rationale="the quote in documents of the same text",
        query=quote.text[:_QUERY_CHARACTERS],
        mode=SearchMode.KEYWORD,
        documents=tuple(ref.id for ref in documents),
        top_k=2 * len(documents),
    )
    return NextStep(action=Action.DOCUMENT_SEARCH, rationale=intent.rationale, document_intent=intent)
