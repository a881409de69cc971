"""Reading for an answer: the fixed work of the first turn, and the steps that were chosen."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import count

from datastore.edges import EdgeType
from datastore.vocabulary import WORK_TYPES

from agent_core.chain import effective_chain, namesakes_of, other_forms_of, roles_of
from agent_core.document_contracts import DocumentResult
from agent_core.errors import BudgetExhausted, IntentRefused, InvalidRequest, SourceUnavailable
from agent_core.evidence import EntityRef
from agent_core.orchestrator.calling import SourceCaller, note_unavailable
from agent_core.orchestrator.document_reads import PassagesFound
from agent_core.orchestrator.options import Sources
from agent_core.orchestrator.proposals import digest, subject
from agent_core.orchestrator.readings import give_up_set
from agent_core.orchestrator.run import Run, namesakes
from agent_core.orchestrator.trace import StepNote
from agent_core.protocols import DocumentExecutor, StepOutcome
from agent_core.query_results import GraphQueryResult
from agent_core.schemas import (
    Action,
    AgentRequest,
    GraphFilters,
    GraphIntent,
    GraphQueryType,
    GraphResult,
    MatchKind,
    NextStep,
    ResolvedMention,
    RetrievalResult,
    SearchIntent,
    Stage,
    StepStatus,
    Warning,
    WarningCode,
)

_TIMERS = {
    Action.QDRANT_SEARCH: "qdrant_ms",
    Action.PG_GRAPH: "pg_graph_ms",
    Action.GRAPH_QUERY: "graph_query_ms",
    Action.DOCUMENT_SEARCH: "documents_ms",
    Action.DOCUMENT_LOOKUP: "documents_ms",
    Action.FOLLOW_REFERENCES: "documents_ms",
    Action.WEB_SEARCH: "web_ms",
}
_KNOWN_FOR = (EdgeType.APPEARS_IN, EdgeType.EPISODE_OF, EdgeType.STAFF_OF, EdgeType.VOICES, EdgeType.PRODUCED)
MAX_PICTURES = 5

type StepResult = RetrievalResult | GraphResult | GraphQueryResult | PassagesFound


class DatabaseLost(Exception):
    """The source of truth can't be reached: nothing more can be read or checked in this run."""


@dataclass(frozen=True, slots=True)
class _Read:
    """What one step brought. `result` is None when the source failed or refused."""

    step: NextStep
    note: StepNote
    result: StepResult | None
    lost: SourceUnavailable | None = None
    refused: IntentRefused | None = None


class Retrieval:
    """Runs reads against the sources and keeps what they bring in the run."""

    def __init__(self, sources: Sources, caller: SourceCaller) -> None:
        self._sources = sources
        self._caller = caller

    async def look(self, run: Run) -> None:
        """Compare the picture that came with the question with those of the catalogue.

        Raises:
            InvalidRequest: it can't be used; in words for the caller.
            BudgetExhausted: no read is left.
        """
        step = look_step(run.request)
        if step.action not in run.offered:
            raise InvalidRequest("image_query", "needs the vector index, and a strategy that searches it")
        run.spend_tool_call()
        read = await self._read(run, step, Stage.EXPAND)
        if read.refused is not None:
            raise InvalidRequest(read.refused.field, read.refused.reason)
        self._keep(run, read, Stage.EXPAND)

    async def read_graph(self, run: Run) -> None:
        """Read once what queries can ask of; a model is offered none while it isn't known. Raises BudgetExhausted."""
        reader = self._sources.graph_schema
        if reader is None or run.is_graph_read or Action.GRAPH_QUERY not in run.offered:
            return
        run.is_graph_read = True
        with run.trace.step(Stage.SELECT, "graph_schema", timer="graph_query_ms") as note:
            try:
                run.graph = await self._caller.call(
                    "postgresql",
                    run.spend_tool_call,
                    run.budget,
                    lambda seconds: reader.describe(timeout=seconds),
                )
            except SourceUnavailable as lost:
                note_unavailable(note, lost)

    async def fixed_work(self, run: Run) -> None:
        """Resolve the mentions, read the chosen rows, expand them one hop, and see which slots that fills.

        Raises DatabaseLost, BudgetExhausted.
        """
        if run.rewrite.mentions:
            await self._resolve(run)
            if give_up_set(run):
                await self.fixed_work(run)
                return
            _tell_of_mentions(run)
        if run.is_ambiguous:
            await self._tell_apart(run)
            return
        chosen = [mention.chosen.entity for mention in run.resolved if mention.chosen]
        if chosen:
            others = (*namesakes_of(run.resolved), *other_forms_of(run.rewrite, run.resolved))
            await self._rows(run, list(dict.fromkeys((*chosen, *others))))
        await self.execute(run, self._expansions(run, chosen), Stage.EXPAND)

    async def _tell_apart(self, run: Run) -> None:
        """Read what namesakes that are no works are known for, as far as the tool calls reach."""
        open_mentions = (mention for mention in run.resolved if mention.is_ambiguous and not mention.chosen)
        refs = [candidate.entity for mention in open_mentions for candidate in namesakes(mention)]
        others = [ref for ref in dict.fromkeys(refs) if ref.entity_type not in WORK_TYPES]
        known = self._sources.graph is not None
        steps = [_neighbors(ref, _KNOWN_FOR) for ref in others[: run.options.max_expansions] if known]
        with suppress(BudgetExhausted):
            await self.execute(run, steps, Stage.EXPAND)

    async def execute(self, run: Run, steps: Sequence[NextStep], stage: Stage = Stage.EXECUTE) -> None:
        """Run steps together; each is spent, traced and counted singly. Raises DatabaseLost, BudgetExhausted.

        What was read is kept before anything is raised.
        """
        begun: list[NextStep] = []
        exhausted: BudgetExhausted | None = None
        for step in steps:
            try:
                run.spend_tool_call()
            except BudgetExhausted as error:
                exhausted = error
                break
            begun.append(step)
        reads = await self._read_together(run, begun, stage)
        for read in reads:
            self._keep(run, read, stage)
        run.refresh_slots()
        if any(_is_database(read.lost) for read in reads):
            raise DatabaseLost
        if exhausted is not None:
            raise exhausted

    async def _read_together(self, run: Run, steps: Sequence[NextStep], stage: Stage) -> list[_Read]:
        if len(steps) == 1:
            return [await self._read(run, steps[0], stage)]
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(self._read(run, step, stage)) for step in steps]
        return [task.result() for task in tasks]

    async def _resolve(self, run: Run) -> None:
        mentions = run.rewrite.mentions
        with run.trace.step(Stage.RESOLVE, "resolve", timer="resolver_ms") as note:
            try:
                run.resolved = await self._caller.call(
                    "postgresql",
                    run.spend_tool_call,
                    run.budget,
                    lambda seconds: self._sources.resolver.resolve(mentions, timeout=seconds),
                )
            except SourceUnavailable as lost:
                note_unavailable(note, lost)
                if lost.source == "postgresql":
                    raise DatabaseLost from lost
                _warn_lost(run, lost)
                run.resolved = tuple(ResolvedMention(mention=mention) for mention in mentions)
            note.hits = sum(mention.chosen is not None for mention in run.resolved)
            if note.status is StepStatus.OK and note.hits == 0:
                note.status = StepStatus.EMPTY

    async def _rows(self, run: Run, refs: Sequence[EntityRef]) -> None:
        with run.trace.step(Stage.EXPAND, "rows", timer="catalogue_ms") as note:
            try:
                rows = await self._caller.call(
                    "postgresql",
                    run.spend_tool_call,
                    run.budget,
                    lambda seconds: self._sources.catalogue.rows(refs, timeout=seconds),
                )
            except SourceUnavailable as lost:
                note_unavailable(note, lost)
                raise DatabaseLost from lost
            found = [rows[ref.id] for ref in refs if ref.id in rows]
            note.hits = len(found)
            run.add_evidence(found)

    def _expansions(self, run: Run, chosen: Sequence[EntityRef]) -> list[NextStep]:
        """One step for each start of the chain along its first edge; without a chain, all edges of every entity.

        A question about a whole set is answered by its query, and of a taste that goes on by a work's sequels.
        """
        question = run.rewrite.set_question
        if not chosen or self._sources.graph is None or (question is not None and not question.taste.goes_on):
            return []
        if question is not None:
            return [_neighbors(chosen[0], (EdgeType.SEQUEL,))]
        chain = effective_chain(run.rewrite, run.resolved)
        starts = chosen
        if chain:
            indexes = roles_of(run.rewrite).starts
            mentions = (run.resolved[index] for index in indexes if index < len(run.resolved))
            starts = [mention.chosen.entity for mention in mentions if mention.chosen]
        first = chain[0] if chain else None
        qualifier = first.qualifier if first and first.qualifier and "|" not in first.qualifier else None
        filters = GraphFilters(
            qualifier=qualifier, entity_types=(first.entity_type,) if first and first.entity_type else ()
        )
        unique = list(dict.fromkeys(starts))[: run.options.max_expansions]
        return [_neighbors(start, (first.edge,) if first else (), filters) for start in unique]

    async def _read(self, run: Run, step: NextStep, stage: Stage) -> _Read:
        """One step, with retries. Only cancellation leaves it as an exception."""
        action = step.graph_intent.query_type if step.graph_intent and stage is Stage.EXPAND else step.action
        hashed = digest(step)
        run.executed.add(hashed)
        with run.trace.step(stage, action, timer=_TIMERS[step.action], reason=step.rationale, digest=hashed) as note:
            try:
                result = await self._ask(run, step)
            except SourceUnavailable as lost:
                note_unavailable(note, lost)
                return _Read(step, note, None, lost)
            except IntentRefused as refused:
                note.status, note.error = StepStatus.REFUSED, f"{refused.field}: {refused.reason}"
                return _Read(step, note, None, refused=refused)
            except BudgetExhausted as exhausted:
                note.status, note.error = StepStatus.SKIPPED, f"budget: {exhausted.what}"
                return _Read(step, note, None)
            note.status, note.hits = result.status, result.count
            if note.status is StepStatus.REFUSED:
                note.error = result.summary[:200]
            return _Read(step, note, result)

    async def _ask(self, run: Run, step: NextStep) -> StepResult:
        spend = _spend_retries(run)
        if step.search_intent is not None and self._sources.search is not None:
            search, intent = self._sources.search, step.search_intent
            return await self._caller.call(
                "qdrant", spend, run.budget, lambda seconds: search.execute(intent, timeout=seconds)
            )
        if (walk := step.graph_intent) is not None and (graph := self._sources.graph) is not None:
            return await self._caller.call(
                "postgresql", spend, run.budget, lambda seconds: graph.execute(walk, timeout=seconds)
            )
        if step.graph_query_intent is not None and self._sources.graph_query is not None:
            queries, query = self._sources.graph_query, step.graph_query_intent
            return await self._caller.call(
                "postgresql", spend, run.budget, lambda seconds: queries.execute(query, timeout=seconds)
            )
        if step.web_intent is not None and self._sources.web is not None:
            web, asked = self._sources.web, step.web_intent
            return await self._caller.call("web", spend, run.budget, lambda seconds: web.search(asked, timeout=seconds))
        if (follow := step.follow_intent) is not None and (refs := self._sources.references) is not None:
            found = await self._caller.call(
                "documents", spend, run.budget, lambda seconds: refs.follow(follow, timeout=seconds)
            )
            return PassagesFound(_of_collections(found, run.request.collections))
        if self._sources.documents is not None:
            return await self._ask_documents(run, step, self._sources.documents, spend)
        raise IntentRefused("action", f"{step.action} has no source")

    async def _ask_documents(
        self, run: Run, step: NextStep, documents: DocumentExecutor, spend: Callable[[], None]
    ) -> PassagesFound:
        if (search := step.document_intent) is not None:
            found = await self._caller.call(
                "documents", spend, run.budget, lambda seconds: documents.search(search, timeout=seconds)
            )
        elif (lookup := step.lookup_intent) is not None:
            found = await self._caller.call(
                "documents", spend, run.budget, lambda seconds: documents.look_up(lookup, timeout=seconds)
            )
        else:
            raise IntentRefused("action", f"{step.action} has no source")
        return PassagesFound(_of_collections(found, run.request.collections))

    def _keep(self, run: Run, read: _Read, stage: Stage) -> None:
        new = run.add_evidence(read.result.evidence) if read.result else 0
        start = run.name_of(read.step.graph_intent.start) if read.step.graph_intent else None
        summary = read.result.summary if read.result else read.note.error or ""
        passages = read.result.passages if isinstance(read.result, PassagesFound) else ()
        searched = subject(read.step, start, asked=run.request.query)
        run.add_outcome(StepOutcome(read.step, read.note.status, summary, new, passages), searched)
        if stage is Stage.EXECUTE:
            run.count_step(is_empty=read.note.status is StepStatus.EMPTY, is_new=new > 0)
        if read.lost is not None:
            _warn_lost(run, read.lost)
            if read.lost.source != "postgresql":
                run.withdraw(read.step.action)
        if read.result is not None:
            _keep_warnings(run, read.result)


def look_step(request: AgentRequest) -> NextStep:
    """The search by the picture that came with a question."""
    intent = SearchIntent(
        rationale="pictures that look like it",
        entity_types=request.entity_types,
        image_query=request.image_query,
        top_k=MAX_PICTURES,
    )
    return NextStep(action=Action.QDRANT_SEARCH, rationale=intent.rationale, search_intent=intent)


def _neighbors(start: EntityRef, edge_types: tuple[EdgeType, ...], filters: GraphFilters | None = None) -> NextStep:
    reason = "one hop around a named entity"
    intent = GraphIntent(
        rationale=reason,
        query_type=GraphQueryType.NEIGHBORS,
        start=start,
        max_hops=1,
        edge_types=edge_types,
        filters=filters or GraphFilters(),
    )
    return NextStep(action=Action.PG_GRAPH, rationale=reason, graph_intent=intent)


def _of_collections(found: DocumentResult, asked: Sequence[str]) -> DocumentResult:
    """Without what lies outside the collections that the request asks in."""
    if not asked:
        return found
    return found.model_copy(update={"hits": tuple(hit for hit in found.hits if hit.evidence.collection in asked)})


def _spend_retries(run: Run) -> Callable[[], None]:
    """Spends every attempt but the first, which was spent before the steps began."""
    attempts = count()

    def spend() -> None:
        if next(attempts) > 0:
            run.spend_tool_call()

    return spend


def _is_database(lost: SourceUnavailable | None) -> bool:
    return lost is not None and lost.source == "postgresql" and not lost.timed_out


def _warn_lost(run: Run, lost: SourceUnavailable) -> None:
    if lost.source == "qdrant":
        run.warn(
            WarningCode.VECTOR_UNAVAILABLE, "The search by meaning is out of reach; names and relations were used."
        )
    elif lost.source == "web":
        run.warn(WarningCode.WEB_UNAVAILABLE, "The web could not be searched.")
    elif lost.timed_out:
        run.warn(WarningCode.SOURCE_TIMEOUT, "A read of the catalogue took too long and was given up.", lost.source)
    else:
        run.warn(WarningCode.DATABASE_UNAVAILABLE, "The catalogue can't be reached right now.")


def _tell_of_mentions(run: Run) -> None:
    for mention in run.resolved:
        run.searched.setdefault(f"names: '{mention.mention.text}'")
        _warn_of_mention(run, mention)


def _warn_of_mention(run: Run, mention: ResolvedMention) -> None:
    text = mention.mention.text
    if mention.is_ambiguous:
        run.warn(WarningCode.AMBIGUOUS_ENTITY, f"'{text}' fits more than one entity.", text)
    chosen = mention.chosen
    if chosen and chosen.match is MatchKind.TYPO:
        run.warn(WarningCode.SPELLING_CORRECTED, f"'{text}' was taken for '{chosen.matched_name}'.", text)
    if chosen and chosen.match is MatchKind.VECTOR:
        run.warn(WarningCode.NAME_GUESSED, f"No name is '{text}'; '{chosen.matched_name}' is a guess.", text)


def _keep_warnings(run: Run, result: StepResult) -> None:
    evidence_ids = frozenset(item.id for item in result.evidence)
    warnings: list[Warning] = list(result.warnings)
    is_cut = isinstance(result, GraphResult) and result.truncated
    if is_cut and not any(warning.code is WarningCode.GRAPH_TRUNCATED for warning in warnings):
        message = "A list of relations was cut at its limit; there are more."
        warnings.append(Warning(code=WarningCode.GRAPH_TRUNCATED, message=message))
    for warning in warnings:
        run.keep_warning(warning, evidence_ids)
