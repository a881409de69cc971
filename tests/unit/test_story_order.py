"""The order of a franchise: each work once, what comes before ahead, and an end whatever the relations say."""

from uuid import UUID

from agent_core.chain import next_works, story_order, unplaced, unread_works
from agent_core.chain.watch_order import MAX_QUERIES, FranchiseWork, Standing
from agent_core.evidence import EntityRef
from datastore.edges import EDGES, EdgeType
from datastore.vocabulary import EntityType
from hypothesis import example, given
from hypothesis import strategies as st

type Links = list[tuple[EdgeType, int]]

_EDGES = st.sampled_from([EdgeType.SEQUEL, EdgeType.PREQUEL, EdgeType.SIDE_STORY, EdgeType.SUMMARY])
_RELATIONS = st.lists(st.tuples(st.integers(1, 7), _EDGES, st.integers(1, 7)), max_size=14)


def work(number: int, *links: tuple[EdgeType, int], start_date: str | None = None) -> FranchiseWork:
    ref = EntityRef(entity_type=EntityType.ANIME, id=UUID(int=number), name=f"Work {number}")
    told = tuple((edge, str(UUID(int=other))) for edge, other in links)
    return FranchiseWork(ref, f"Work {number}", 2000 + number, start_date or f"{2000 + number}-01", told)


def numbers(works: tuple[FranchiseWork, ...]) -> list[int]:
    return [each.ref.id.int for each in works]


def test_a_prequel_that_came_out_later_goes_first_in_the_story() -> None:
    told = story_order([work(1), work(2, (EdgeType.SEQUEL, 1)), work(3, (EdgeType.PREQUEL, 1))])
    assert numbers(told.works) == [2, 1, 3]
    assert told.looped == ()
    assert numbers(told.before(told.works[2])) == [2, 1]


def test_what_is_told_beside_a_work_comes_after_it() -> None:
    told = story_order([work(1, (EdgeType.PARENT_STORY, 3)), work(2, (EdgeType.FULL_STORY, 3)), work(3)])
    assert numbers(told.works) == [3, 1, 2]


def test_a_circle_is_told_and_ordered_by_release() -> None:
    told = story_order([work(1, (EdgeType.SEQUEL, 2)), work(2, (EdgeType.SEQUEL, 1)), work(3, (EdgeType.PREQUEL, 2))])
    assert numbers(told.works) == [1, 2, 3]
    assert numbers(told.looped) == [1, 2]


def test_days_come_before_a_month_alone_and_dates_before_none() -> None:
    undated = FranchiseWork(work(1).ref, "Work 1", None, None, ())
    works = [undated, work(2, start_date="2001-04"), work(3, start_date="2001-04-30")]
    assert numbers(story_order(works).works) == [3, 2, 1]


def test_a_place_is_unknown_where_a_date_is_no_closer_than_that_of_another() -> None:
    days = [work(1, start_date="2001-04-02"), work(2, start_date="2001-04-02")]
    assert unplaced(days) == ()
    month, year, lone = work(3, start_date="2001-04"), work(4, start_date="2001"), work(5, start_date="2002")
    undated = FranchiseWork(work(6).ref, "Work 6", None, None, ())
    assert unplaced([*days, month, year, lone, undated]) == (month, year, undated)
    assert unplaced([undated]) == unplaced([year, lone]) == ()
    assert unplaced([lone, work(7, start_date="2002")]) == (lone, work(7, start_date="2002"))


def test_a_work_of_which_only_the_year_is_told_is_ordered_by_it() -> None:
    of_year = FranchiseWork(work(1).ref, "Work 1", 2001, None, ())
    assert numbers(story_order([work(2, start_date="2005"), of_year]).works) == [1, 2]


def test_what_a_work_is_to_the_others() -> None:
    standings: list[tuple[EdgeType, Standing]] = [
        (EdgeType.SEQUEL, "main"),
        (EdgeType.PARENT_STORY, "aside"),
        (EdgeType.FULL_STORY, "recap"),
        (EdgeType.COMPILATION_OF, "recap"),
        (EdgeType.ALTERNATIVE, "alternative"),
        (EdgeType.SAME_SETTING, "main"),
    ]
    assert [(edge, work(1, (edge, 2)).standing) for edge, _ in standings] == standings


def test_a_franchise_is_read_on_from_works_nobody_read_until_its_queries_are_spent() -> None:
    works = [work(1, (EdgeType.SEQUEL, 2)), work(2, (EdgeType.SEQUEL, 3))]
    assert unread_works(works) == (str(UUID(int=3)),)
    assert next_works(works, queries=1) == unread_works(works)
    assert next_works(works, queries=MAX_QUERIES) == ()
    assert next_works([*works, work(3)], queries=1) == ()


@given(_RELATIONS)
@example(
    [
        (1, EdgeType.SEQUEL, 2),
        *((2, edge, 3) for edge in (EdgeType.SEQUEL, EdgeType.PREQUEL)),
        (4, EdgeType.SEQUEL, 1),
        *((4, edge, 5) for edge in (EdgeType.SEQUEL, EdgeType.PREQUEL)),
    ]
)
def test_any_relations_end_with_each_work_once(relations: list[tuple[int, EdgeType, int]]) -> None:
    links: dict[int, Links] = {number: [] for number in range(1, 8)}
    for start, edge, end in relations:
        if start != end:
            links[start].append((edge, end))
    told = story_order([work(number, *own) for number, own in links.items()])
    assert sorted(numbers(told.works)) == list(range(1, 8))
    place = {number: at for at, number in enumerate(numbers(told.works))}
    looped = set(numbers(told.looped))
    for start, own in links.items():
        for edge, end in own:
            first, second = (start, end) if edge is not EdgeType.PREQUEL else (end, start)
            assert place[first] < place[second] or {first, second} <= looped


def test_edges_that_say_earlier_and_later_are_inverses() -> None:
    assert EDGES[EdgeType.SEQUEL].inverse is EdgeType.PREQUEL
    assert EDGES[EdgeType.SUMMARY].inverse is EdgeType.FULL_STORY
