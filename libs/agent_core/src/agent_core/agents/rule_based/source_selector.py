"""The selection without a model: the next bounded step that fills an open slot, or the word that retrieval is over."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise

from datastore.vocabulary import WORK_TYPES

from agent_core.agents.rule_based.document_steps import document_step
from agent_core.agents.rule_based.query_texts import intent_of
from agent_core.agents.rule_based.superlatives import superlative_of
from agent_core.agents.rule_based.text import clean
from agent_core.agents.rule_based.understanding import understand
from agent_core.agents.rule_based.watch_order import franchise_query
from agent_core.budget import Budget
from agent_core.chain import (
    QUERY_SLOT,
    Layer,
    Unread,
    chosen_of,
    effective_chain,
    intents,
    roles_of,
    targets_of,
    walks,
)
from agent_core.evidence import EntityRef
from agent_core.protocols import LoopView
from agent_core.schemas import (
    MAX_HOPS,
    MAX_RESULTS,
    MAX_TOP_K,
    Action,
    AnswerKind,
    FinalIntent,
    FinalOutcome,
    GraphFilters,
    GraphIntent,
    GraphLimits,
    GraphQueryType,
    NextStep,
    PlannedStep,
    SearchFilters,
    SearchIntent,
)
from agent_core.set_question import SetTask
from agent_core.slots import EMPTY, needs_search, unread_rows

MAX_PLANNED = 4
DEFAULT_HOPS = 3
_TRAVERSED_FROM = 9
_QUERY_CHARACTERS = 400
_ALL = GraphLimits(max_results=MAX_RESULTS, max_fanout_per_hop=MAX_RESULTS)


class RuleBasedSourceSelector:
    """Chooses by the slot table. The same view gives the same step; a step that was tried is never chosen again."""

    async def run(self, view: LoopView, budget: Budget) -> NextStep:
        """The next step."""
        return choose_step(view)


def choose_step(view: LoopView) -> NextStep:
    """The next step for a view: the first of the rules that has one, else the final word."""
    if view.rewrite.document_question is not None:
        return document_step(view) or _final(view)
    rules: tuple[Callable[[LoopView], NextStep | None], ...] = (
        _ambiguous,
        _unknown,
        _set,
        _path,
        _comparison,
        _chain,
        _proof,
        _rows,
        _search,
    )
    return next((step for rule in rules if (step := rule(view)) is not None), _final(view))


def _ambiguous(view: LoopView) -> NextStep | None:
    names = [each.mention.text for each in view.resolved if each.chosen is None and each.is_ambiguous]
    if not names:
        return None
    return _ended(FinalOutcome.AMBIGUOUS, f"{', '.join(names)} fits several entities", names)


def _unknown(view: LoopView) -> NextStep | None:
    """A name that nothing in the catalogue answers ends the search: no other step can find what it lacks."""
    scopes = roles_of(view.rewrite).scopes
    names = [
        each.mention.text for index, each in enumerate(view.resolved) if each.chosen is None and index not in scopes
    ]
    if not names:
        return None
    return _ended(FinalOutcome.NOT_FOUND, f"not in the catalogue: {', '.join(names)}", names)


def _set(view: LoopView) -> NextStep | None:
    """The one query that answers a question about a whole set."""
    question = view.rewrite.set_question
    if question is None or not _is_open(view, QUERY_SLOT) or not _offers(view, Action.GRAPH_QUERY):
        return None
    named = chosen_of(view.resolved, range(len(view.resolved)))
    if len(named) < len(view.rewrite.mentions):
        return None
    if question.task is SetTask.WATCH_ORDER:
        intent = franchise_query(view, named)
    elif any(outcome.step.action is Action.GRAPH_QUERY for outcome in view.outcomes):
        return None
    else:
        intent = intent_of(question, named, f"{question.task.value} of {question.noun}")
    if intent is None:
        return None
    return NextStep(action=Action.GRAPH_QUERY, rationale=intent.reason, graph_query_intent=intent)


def _path(view: LoopView) -> NextStep | None:
    if view.rewrite.answer_kind is not AnswerKind.PATH or not _is_open(view, "path"):
        return None
    ends = chosen_of(view.resolved, roles_of(view.rewrite).starts)[:2]
    if len(ends) < 2 or ends[0].key == ends[1].key or not _offers(view, Action.PG_GRAPH):
        return None
    longest = view.rewrite.max_hops or MAX_HOPS
    tried = [intent.max_hops for intent in _graph_intents(view) if intent.query_type is GraphQueryType.PATH]
    hops = longest if tried else min(DEFAULT_HOPS, longest)
    if hops in tried:
        return None
    intent = GraphIntent(
        rationale="the shortest chains between the two",
        query_type=GraphQueryType.PATH,
        start=ends[0],
        end=ends[1],
        max_hops=hops,
        edge_types=tuple(relation.edge for relation in view.rewrite.relations),
    )
    return _graph_step([intent], f"link the two entities in at most {hops} hops")


def _comparison(view: LoopView) -> NextStep | None:
    if view.rewrite.answer_kind is not AnswerKind.COMPARISON or not _is_open(view, "comparison"):
        return None
    ends = chosen_of(view.resolved, roles_of(view.rewrite).starts)
    if not _offers(view, Action.PG_GRAPH):
        return None
    tried = {
        frozenset((intent.start.key, intent.end.key))
        for intent in _graph_intents(view)
        if intent.query_type is GraphQueryType.COMPARE and intent.end is not None
    }
    wanted = [
        _compare(left, right)
        for left, right in pairwise(ends)
        if left.key != right.key and frozenset((left.key, right.key)) not in tried
    ]
    return _graph_step(wanted, "set the entities side by side") if wanted else None


def _compare(left: EntityRef, right: EntityRef) -> GraphIntent:
    return GraphIntent(
        rationale="fields and links of both", query_type=GraphQueryType.COMPARE, start=left, end=right, max_hops=1
    )


def _chain(view: LoopView) -> NextStep | None:
    """Read on along the chain: the first depth at which edges are unread."""
    if not view.rewrite.relations or not _offers(view, Action.PG_GRAPH) or _is_shaped(view):
        return None
    walked = walks(view.rewrite, view.resolved, view.evidence, view.outcomes)
    if not walked:
        return None
    for depth in range(len(walked[0])):
        unread = list(dict.fromkeys(each for walk in walked for each in walk[depth].unread))
        if not unread:
            continue
        if len(unread) >= _TRAVERSED_FROM:
            starts = chosen_of(view.resolved, roles_of(view.rewrite).starts)
            wide = [start for start, walk in zip(starts, walked, strict=True) if walk[depth].unread]
            return _traversals(view, wide, depth)
        return _graph_step([_neighbours(each) for each in unread[:MAX_PLANNED]], f"read step {depth + 1} of the chain")
    return None


def _is_shaped(view: LoopView) -> bool:
    return view.rewrite.answer_kind in (AnswerKind.PATH, AnswerKind.COMPARISON)


def _neighbours(unread: Unread) -> GraphIntent:
    return GraphIntent(
        rationale="the next step of the chain",
        query_type=GraphQueryType.NEIGHBORS,
        start=unread.entity,
        max_hops=1,
        edge_types=unread.edges,
        filters=GraphFilters(qualifier=unread.qualifier),
        limits=_ALL,
    )


def _traversals(view: LoopView, starts: Sequence[EntityRef], depth: int) -> NextStep:
    """Many entities at once: one bounded traversal from each start instead of a read for each of them."""
    chain = effective_chain(view.rewrite, view.resolved)[: depth + 1]
    wanted = [
        GraphIntent(
            rationale="the chain as far as it was read, and one step more",
            query_type=GraphQueryType.K_HOP,
            start=start,
            max_hops=min(depth + 1, MAX_HOPS),
            edge_types=tuple(dict.fromkeys(relation.edge for relation in chain)),
            limits=_ALL,
        )
        for start in starts
    ]
    return _graph_step(wanted, f"follow the chain for {depth + 1} steps")


def _proof(view: LoopView) -> NextStep | None:
    """Whether the chain leads to a target although its neighbours were too many to read."""
    roles = roles_of(view.rewrite)
    starts, targets = chosen_of(view.resolved, roles.starts), targets_of(view.rewrite, view.resolved)
    if not targets or not starts or _is_shaped(view) or not _offers(view, Action.PG_GRAPH):
        return None
    walked = walks(view.rewrite, view.resolved, view.evidence, view.outcomes)
    last: Layer | None = walked[0][-1] if walked and walked[0] else None
    if last is None or last.is_complete or any(ref.key == targets[0].key for ref in last.reached):
        return None
    if any(intent.query_type is GraphQueryType.PATH for intent in _graph_intents(view)):
        return None
    chain = effective_chain(view.rewrite, view.resolved)
    intent = GraphIntent(
        rationale="whether the two are linked so",
        query_type=GraphQueryType.PATH,
        start=starts[0],
        end=targets[0],
        max_hops=min(len(chain), MAX_HOPS),
        edge_types=tuple(dict.fromkeys(relation.edge for relation in chain)),
    )
    return _graph_step([intent], "prove or refute the link itself")


def _rows(view: LoopView) -> NextStep | None:
    """Rows of entities whose fields or conditions matter: by id from the index, else by comparison with a known one."""
    missing = [ref for ref in unread_rows(view.rewrite, view.resolved, view.evidence) if not _was_fetched(view, ref)]
    if not missing:
        return None
    if _offers(view, Action.QDRANT_SEARCH) and not any(intent.filters.ids for intent in _search_intents(view)):
        intent = SearchIntent(
            rationale="rows of the entities that were reached",
            entity_types=tuple(dict.fromkeys(ref.entity_type for ref in missing)),
            filters=SearchFilters(ids=tuple(ref.id for ref in missing[:MAX_TOP_K])),
            top_k=min(len(missing), MAX_TOP_K),
        )
        return NextStep(action=Action.QDRANT_SEARCH, rationale="read the rows that were reached", search_intent=intent)
    starts = chosen_of(view.resolved, roles_of(view.rewrite).starts)
    if not starts or not _offers(view, Action.PG_GRAPH):
        return None
    pairs = [_compare(starts[0], ref) for ref in missing if ref.key != starts[0].key]
    return _graph_step(pairs[:MAX_PLANNED], "read the fields that were reached") if pairs else None


def _was_fetched(view: LoopView, ref: EntityRef) -> bool:
    return any(
        intent.query_type is GraphQueryType.COMPARE and intent.end is not None and intent.end.key == ref.key
        for intent in _graph_intents(view)
    )


def _search(view: LoopView) -> NextStep | None:
    """A search, broadened each time it came back empty: first as asked, then with conditions given up."""
    if not needs_search(view.rewrite) or not _is_open(view, "search") or not _offers(view, Action.QDRANT_SEARCH):
        return None
    if view.request.image_query is not None and not view.rewrite.mentions:
        # What is asked is the picture, and that was looked for; its words would find anything.
        return None
    tried = [intent for intent in _search_intents(view) if not intent.filters.ids]
    attempts = [attempt for attempt in _attempts(view) if all(not _same(attempt, intent) for intent in tried)]
    if not attempts:
        return None
    intent = attempts[0]
    return NextStep(action=Action.QDRANT_SEARCH, rationale=intent.rationale, search_intent=intent)


def _attempts(view: LoopView) -> Iterator[SearchIntent]:
    rewrite = view.rewrite
    query = _search_text(view)
    is_whole_list = rewrite.answer_kind in (AnswerKind.LIST, AnswerKind.COUNT) and not rewrite.filters.is_empty
    is_extreme = superlative_of(understand(clean(view.request.query), ()).text) is not None
    top_k = MAX_TOP_K if is_extreme or is_whole_list else rewrite.top_k + 1
    as_asked = SearchIntent(
        rationale="search as asked",
        entity_types=rewrite.entity_types,
        query=query,
        filters=rewrite.filters,
        top_k=top_k,
    )
    yield as_asked
    filters = rewrite.filters
    if not filters.is_empty:
        eased = SearchFilters(
            years=filters.years,
            started=filters.started,
            genres_all=filters.genres_all,
            genres_any=filters.genres_any,
        )
        if eased != filters:
            yield _relaxed(as_asked, eased, "nothing matched; FILTER_RELAXED to year and genre")
        yield _relaxed(as_asked, SearchFilters(), "nothing matched; FILTER_RELAXED entirely")
    if rewrite.concepts and WORK_TYPES.issubset(rewrite.entity_types):
        yield as_asked.model_copy(update={"entity_types": (), "filters": SearchFilters(), "rationale": "any entity"})
    whole = as_asked.model_copy(update={"query": view.request.query[:_QUERY_CHARACTERS]})
    # The words alone are the sharper query, the sentence the one that reaches further.
    yield whole.model_copy(update={"filters": SearchFilters(), "rationale": "the whole question"})
    yield whole.model_copy(update={"entity_types": (), "filters": SearchFilters(), "rationale": "any type of entity"})


def _relaxed(intent: SearchIntent, filters: SearchFilters, rationale: str) -> SearchIntent:
    query = intent.query or rationale
    return intent.model_copy(update={"filters": filters, "rationale": rationale, "query": query})


def _search_text(view: LoopView) -> str:
    """What to search for: the content words."""
    words = " ".join((*view.rewrite.concepts, *_condition_words(view)))
    return (words or view.rewrite.rewritten_query)[:_QUERY_CHARACTERS]


def _condition_words(view: LoopView) -> tuple[str, ...]:
    """The conditions as words, which descriptions in the index carry too."""
    filters = view.rewrite.filters
    years = filters.years
    year = str(years.first_year) if years and years.first_year and years.first_year == years.last_year else ""
    work_format = filters.format.value.replace("_", " ") if filters.format else ""
    if filters.is_empty and view.rewrite.concepts:
        return ()
    words = (*view.rewrite.entity_types, work_format, year, *filters.genres_all, *filters.genres_any)
    return tuple(dict.fromkeys(word for word in words if word))


def _same(left: SearchIntent, right: SearchIntent) -> bool:
    return (left.query, left.filters, set(left.entity_types)) == (right.query, right.filters, set(right.entity_types))


def _final(view: LoopView) -> NextStep:
    missing = [slot.name for slot in view.slots if slot.state == EMPTY]
    if missing or not view.evidence:
        return _ended(FinalOutcome.NOT_FOUND, "no step is left that could fill what is open", missing)
    return _ended(FinalOutcome.ENOUGH, "every part of the question is filled or proven absent", ())


def _ended(outcome: FinalOutcome, rationale: str, missing: Sequence[str]) -> NextStep:
    final = FinalIntent(outcome=outcome, missing=tuple(missing))
    return NextStep(action=Action.FINAL, rationale=rationale, final=final)


def _graph_step(wanted: Sequence[GraphIntent], rationale: str) -> NextStep:
    """One walk as it is, several as a plan of independent ones."""
    if len(wanted) == 1:
        return NextStep(action=Action.PG_GRAPH, rationale=rationale, graph_intent=wanted[0])
    plan = tuple(PlannedStep(action=Action.PG_GRAPH, graph_intent=intent) for intent in wanted[:MAX_PLANNED])
    return NextStep(action=Action.PLAN, rationale=rationale, plan=plan)


def _offers(view: LoopView, action: Action) -> bool:
    return action in view.offered_actions


def _is_open(view: LoopView, name: str) -> bool:
    return any(slot.name == name and slot.state == EMPTY for slot in view.slots)


def _graph_intents(view: LoopView) -> Iterable[GraphIntent]:
    return (intent for intent, _ in intents(view.outcomes) if isinstance(intent, GraphIntent))


def _search_intents(view: LoopView) -> Iterable[SearchIntent]:
    return (intent for intent, _ in intents(view.outcomes) if isinstance(intent, SearchIntent))
