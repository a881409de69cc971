"""Fixed work after a search of documents: what replaces the quoted ones, what holds their text, what they refer to."""

from collections.abc import Iterable, Sequence

from datastore.edges import EdgeType

from agent_core.document_contracts import DocumentHit, DocumentIntent, SearchMode
from agent_core.errors import SourceUnavailable
from agent_core.evidence import EntityRef
from agent_core.orchestrator.calling import SourceCaller, note_unavailable
from agent_core.orchestrator.options import Sources
from agent_core.orchestrator.proposals import digest
from agent_core.orchestrator.retrieval import Retrieval
from agent_core.orchestrator.run import Run
from agent_core.passages import Quote
from agent_core.schemas import Action, GraphIntent, GraphQueryType, NextStep, Stage

_SUCCESSION = (EdgeType.SUPERSEDED_BY, EdgeType.SUPERSEDES)
_QUERY_CHARACTERS = 400

MAX_READ_FOR_REFERENCES = 10
"""Of how many passages the references are read at once, the best first."""

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
            await self._prove_hops(run)
            return
        quotes = [quote for part in question.parts for quote in run.progress_of(part).passages.quotes]
        quoted = {quote.hit.evidence.document: quote for quote in reversed(quotes)}
        refs = list(quoted)[: run.options.max_expansions]
        steps: list[NextStep] = []
        if self._sources.graph is not None:
            steps += [_succession(ref) for ref in refs]
            steps += _hops(quoted[ref].hit for ref in refs)
        steps += await self._same_texts(run, [quoted[ref] for ref in refs])
        await self._retrieval.execute(run, [step for step in steps if digest(step) not in run.executed], Stage.EXPAND)
        if run.open_slots or not quoted:
            await self.read_references(run)
            run.refresh_slots()

    async def _prove_hops(self, run: Run) -> None:
        """Read the edges by which steps of a model came to passages, so that an answer can cite them."""
        if self._sources.graph is None:
            return
        found = (hit for outcome in run.outcomes for hit in outcome.passages)
        steps = list(_hops(found))[: run.options.max_expansions]
        await self._retrieval.execute(run, [step for step in steps if digest(step) not in run.executed], Stage.EXPAND)

    async def read_references(self, run: Run) -> None:
        """Read what the best passages refer to, each once. Raises BudgetExhausted.

        A model is offered them to follow; the rules follow those that the question asks about.
        """
        reader = self._sources.references
        if reader is None or not run.offered & {Action.FOLLOW_REFERENCES, Action.WEB_SEARCH}:
            return
        hits = sorted((hit for outcome in run.outcomes for hit in outcome.passages), key=lambda hit: -hit.score)
        ids = dict.fromkeys(hit.evidence.chunk_id for hit in hits)
        fresh = [each for each in ids if each not in run.read_for_references][:MAX_READ_FOR_REFERENCES]
        if not fresh:
            return
        run.read_for_references.update(fresh)
        with run.trace.step(Stage.EXPAND, "references", timer="documents_ms") as note:
            try:
                found = await self._caller.call(
                    "postgresql",
                    run.spend_tool_call,
                    run.budget,
                    lambda seconds: reader.references(fresh, timeout=seconds),
                )
            except SourceUnavailable as lost:
                note_unavailable(note, lost)
                return
            note.hits = len(found)
            run.references = (*run.references, *found)

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


def _hops(hits: Iterable[DocumentHit]) -> list[NextStep]:
    """Walks that bear out the references by which passages were come to."""
    hops = [hit.via.reference for hit in hits if hit.via is not None]
    stated = dict.fromkeys((each.document, each.edge) for each in hops)
    return [_neighbors(ref, (edge,), "the reference that was followed") for ref, edge in stated if edge]


def _succession(ref: EntityRef) -> NextStep:
    return _neighbors(ref, _SUCCESSION, "what replaces the quoted document")


def _neighbors(ref: EntityRef, edges: tuple[EdgeType, ...], reason: str) -> NextStep:
    intent = GraphIntent(rationale=reason, query_type=GraphQueryType.NEIGHBORS, start=ref, max_hops=1, edge_types=edges)
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
