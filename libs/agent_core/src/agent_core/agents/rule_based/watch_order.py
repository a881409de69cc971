"""Watch orders: the queries that read a franchise, and the answer made of what they read."""

from collections.abc import Iterator, Sequence

from agent_core.agents.rule_based.composing import Composition
from agent_core.agents.rule_based.wording import joined
from agent_core.chain import chosen_of, franchise_of, franchise_queries, next_works, story_order, unplaced, unread_works
from agent_core.chain.watch_order import FRANCHISE_EDGES, FranchiseWork, Standing, StoryOrder
from agent_core.evidence import EntityRef
from agent_core.protocols import LoopView
from agent_core.schemas import Action, GraphQueryIntent
from agent_core.set_question import Watching

_TYPES = "|".join(edge.value.upper() for edge in FRANCHISE_EDGES)
_TEXT = (
    f"MATCH (k:Anime)-[:{_TYPES}*0..3]->(m:Anime) WHERE k.id IN $works WITH DISTINCT m "
    f"OPTIONAL MATCH (m)-[e:{_TYPES}]->(n:Anime) "
    "RETURN m.id AS id, m.name AS name, m.year AS year, m.start_date AS start_date, "
    "collect([type(e), n.id]) AS links ORDER BY start_date, name"
)
_PRECISIONS = (
    (len(""), "no release date", "in the order of release"),
    (len("2011"), "only the year", "among the works of that year"),
    (len("2011-04"), "only the month", "among the works of that month"),
)
_STANDINGS: dict[Standing, str] = {
    "main": "",
    "aside": "optional, beside the main story",
    "recap": "optional, a recap",
    "alternative": "optional, an alternative telling",
}


def franchise_query(view: LoopView, named: Sequence[EntityRef]) -> GraphQueryIntent | None:
    """The next query of the franchise of the named works: from these, then from what relations named last."""
    ran = sum(outcome.step.action is Action.GRAPH_QUERY for outcome in view.outcomes)
    starts = (
        next_works(franchise_of(view.evidence), queries=ran) if ran else tuple(dict.fromkeys(str(r.id) for r in named))
    )
    if not starts:
        return None
    return GraphQueryIntent(text=_TEXT, parameters={"works": list(starts)}, reason="the works of the franchise")


def say_watch_order(composition: Composition) -> None:
    """The works by release and by story; nothing when none was read."""
    view = composition.view
    question, works = view.rewrite.set_question, franchise_of(view.evidence)
    if question is None or not works:
        return
    named = tuple({ref.key: ref for ref in chosen_of(view.resolved, range(len(view.resolved)))}.values())
    told = story_order(works)
    if len(named) > 1:
        _say_which_first(composition, told, named)
        return
    ids = _ids(composition)
    if len(works) == 1:
        composition.found(works[0].ref)
        composition.say(f"{_entry(works[0])} stands alone: the catalogue links no other anime to it", *ids)
    elif question.watching is Watching.BEFORE:
        _say_before(composition, told, named, ids)
    else:
        _say_orders(composition, works, told.works, question.watching)
    _say_limits(composition, works, told.looped, ids)


def _say_orders(
    composition: Composition,
    by_release: Sequence[FranchiseWork],
    by_story: Sequence[FranchiseWork],
    watching: Watching,
) -> None:
    """Both orders, the asked one first; one when they are the same."""
    named = chosen_of(composition.view.resolved, range(len(composition.view.resolved)))
    ids = _ids(composition)
    orders = [
        f"In order of release: {_line(by_release, named)}",
        f"In the order of the story: {_line(by_story, named)}",
    ]
    if watching is Watching.BY_STORY:
        orders.reverse()
    if by_release == by_story:
        orders = [f"In order of release, which is also that of the story: {_line(by_release, named)}"]
    composition.found(*(work.ref for work in (by_story if watching is Watching.BY_STORY else by_release)))
    for order in orders:
        composition.say(order, *ids)
    queries = [item.id for item in franchise_queries(composition.view.evidence)]
    for note in _vague_dates(unplaced(by_release)):
        composition.say(note, *queries)


def _vague_dates(works: Sequence[FranchiseWork]) -> Iterator[str]:
    """What their dates don't tell of the places of these works, the vaguest first."""
    for length, known, among in _PRECISIONS:
        names = [work.name for work in works if len(work.date) == length]
        if names:
            rest = "so its place" if len(names) == 1 else "so their place"
            yield f"The catalogue has {known} of {joined(names)}, {rest} {among} isn't known"


def _say_before(composition: Composition, told: StoryOrder, named: Sequence[EntityRef], ids: Sequence[str]) -> None:
    """What the named work continues; recaps and the like are not needed."""
    asked = next((work for work in told.works if named and work.ref.key == named[0].key), None)
    if asked is None:
        return
    before = told.before(asked)
    needed = [work for work in before if work.standing == "main"]
    composition.about(asked.ref)
    if not needed:
        composition.say(f"Nothing in the catalogue comes before {_entry(asked)} in its story", *ids)
        return
    composition.found(*(work.ref for work in needed))
    verb = "comes" if len(needed) == 1 else "come"
    composition.say(f"Before {_entry(asked)} {verb} {_line(needed, named)} in the order of the story", *ids)


def _say_limits(
    composition: Composition, works: Sequence[FranchiseWork], looped: Sequence[FranchiseWork], ids: Sequence[str]
) -> None:
    if looped:
        names = joined([work.name for work in looped])
        composition.say(f"The relations of {names} run in a circle, so their order is that of release", *ids)
        composition.doubt(0.6)
    if unread_works(works):
        composition.say("There are more works of this franchise than were read", *ids)
        composition.doubt(0.6)


def _say_which_first(composition: Composition, told: StoryOrder, named: Sequence[EntityRef]) -> None:
    """The two that were named, when they belong together; else each for itself, by release."""
    keys = {ref.key for ref in named}
    ids = _ids(composition)
    by_release = sorted((work for work in told.works if work.ref.key in keys), key=lambda work: work.released)
    if len(by_release) < len(keys):
        return
    composition.found(*(work.ref for work in by_release))
    first, second = by_release[0], by_release[-1]
    composition.say(_release_of_two(first, second), *ids)
    if _are_joined(first, second, told.works):
        composition.say(_story_of_two(first, second, told), *ids)
    else:
        composition.say(f"The catalogue links {first.name} and {second.name} by no franchise", *ids)


def _release_of_two(first: FranchiseWork, second: FranchiseWork) -> str:
    if first.came_out_before(second):
        return f"{_entry(first)} came out before {_entry(second)}"
    if first.date == second.date and len(first.date) == len("2011-04-05"):
        return f"{_entry(first)} and {_entry(second)} came out on the same day"
    return f"The catalogue doesn't tell which of {_entry(first)} and {_entry(second)} came out first"


def _story_of_two(first: FranchiseWork, second: FranchiseWork, told: StoryOrder) -> str:
    """What the relations say; release alone says nothing of the story."""
    goes_first, comes_second = first in told.before(second), second in told.before(first)
    if goes_first and comes_second:
        return f"The relations of {first.name} and {second.name} run in a circle, so neither comes first in the story"
    if not goes_first and not comes_second:
        return f"The catalogue doesn't tell which of {first.name} and {second.name} comes first in the story"
    is_as_released = goes_first and first.came_out_before(second)
    return (
        f"In the order of the story {(first if goes_first else second).name} comes first{' as well' * is_as_released}"
    )


def _are_joined(first: FranchiseWork, second: FranchiseWork, works: Sequence[FranchiseWork]) -> bool:
    """Whether relations lead from the one to the other, whichever side states them."""
    near: dict[str, set[str]] = {work.id: set() for work in works}
    for work in works:
        for _, other in work.links:
            near[work.id].add(other)
            near.setdefault(other, set()).add(work.id)
    seen, pending = {first.id}, [first.id]
    while pending:
        fresh = near[pending.pop()] - seen
        seen |= fresh
        pending.extend(fresh)
    return second.id in seen


def _ids(composition: Composition) -> tuple[str, ...]:
    """The queries, and the rows of the named works: a name with a year behind it can be one of their other names."""
    named = chosen_of(composition.view.resolved, range(len(composition.view.resolved)))
    return (*(item.id for item in franchise_queries(composition.view.evidence)), *composition.row_ids(named))


def _line(works: Sequence[FranchiseWork], named: Sequence[EntityRef]) -> str:
    """The works one by one; what was asked about is not called optional."""
    asked = {ref.key for ref in named}
    return joined([_entry(work, "" if work.ref.key in asked else _STANDINGS[work.standing]) for work in works])


def _entry(work: FranchiseWork, standing: str = "") -> str:
    notes = [note for note in (str(work.year) if work.year else "", standing) if note]
    return f"{work.name} ({'; '.join(notes)})" if notes else work.name
