"""The lists of common prefixes, against brute force over every prefix of every key."""

import random
from itertools import groupby

import pytest
from datastore.top_lists import (
    ALL_TYPES,
    LISTED,
    PART_PREFERENCE,
    TOP,
    Keys,
    Order,
    TopList,
    leaf_of,
    leaves,
    top_lists,
)

type Row = tuple[str, int, int, int]
type Lists = dict[tuple[str, str], list[tuple[int, int, int]]]

_TYPES = ("anime", "manga", "character")


def invented(seed: int, count: int, letters: str, entities: int) -> tuple[list[Row], Order]:
    """Sorted keys (text, node, name, preference) that begin with one letter, and the order of their entities."""
    chance = random.Random(seed)
    nodes = chance.sample(range(10 * entities), entities)
    order = Order.of(nodes, [chance.choice(_TYPES) for _ in nodes])
    rows = [
        (
            "a" + "".join(chance.choices(letters, k=chance.randint(0, 5))) + "\x01",
            chance.choice(nodes),
            name_id,
            chance.randint(1, 300) + chance.choice([0, PART_PREFERENCE]),
        )
        for name_id in range(1, count + 1)
    ]
    return sorted(rows), order


def by_brute_force(rows: list[Row], order: Order) -> Lists:
    found: Lists = {}
    for length in range(1, 8):
        long_enough = [row for row in rows if len(row[0]) >= length]
        for prefix, members in groupby(long_enough, key=lambda row: row[0][:length]):
            best: dict[int, tuple[int, int, int]] = {}
            for _, node, name_id, preference in sorted(members, key=lambda row: (row[3], row[2])):
                best.setdefault(node, (node, name_id, preference))
            places = sorted(best.values(), key=lambda one: (one[2] >= PART_PREFERENCE, order.ranks[one[0]]))
            if len(places) > LISTED:
                found[prefix, ALL_TYPES] = places[:TOP]
                for kind in _TYPES:
                    of_kind = [one for one in places if order.types[order.ranks[one[0]]] == kind]
                    if of_kind:
                        found[prefix, kind] = of_kind[:TOP]
    return found


def made(rows: list[Row], order: Order) -> Lists:
    columns = list(zip(*rows, strict=True)) or [(), (), (), ()]
    lists: list[TopList] = top_lists(Keys(*columns), order)
    found = {
        (each.prefix, each.entity_type): list(zip(each.nodes, each.name_ids, each.preferences, strict=True))
        for each in lists
    }
    assert len(found) == len(lists)
    return found


@pytest.mark.parametrize(
    ("seed", "count", "letters", "entities"),
    [
        (1, 3_000, "ab", 900),
        (2, 3_000, "abcdefgh", 2_000),
        (3, 2_000, "a", 300),
        (4, 1_000, "ab", 70),
        (5, LISTED + 1, "a", LISTED),
        (6, 1_000, "ab", (LISTED + TOP) // 2),
    ],
)
def test_lists_are_those_of_brute_force(seed: int, count: int, letters: str, entities: int) -> None:
    rows, order = invented(seed, count, letters, entities)
    wanted = by_brute_force(rows, order)
    assert made(rows, order) == wanted
    assert (len(wanted) > 0) == (seed != 5)


def test_many_keys_of_few_entities_have_no_list() -> None:
    rows, order = invented(6, 1_000, "ab", LISTED)
    assert made(rows, order) == {}
    assert made([], order) == {}


def test_a_key_that_ends_counts_for_the_prefix_that_it_is() -> None:
    rows: list[Row] = [("ab", node, node, 1) for node in range(1, LISTED + 2)]
    order = Order.of(range(1, LISTED + 2), ["anime"] * (LISTED + 1))
    first = [(node, node, 1) for node in range(1, LISTED + 2)]
    assert made(rows, order) == {(prefix, kind): first for prefix in ("a", "ab") for kind in (ALL_TYPES, "anime")}


def test_leaves_are_the_shortest_prefixes_without_a_list() -> None:
    starts = ["ab\x01", "abc\x01", "abd\x01", "b\x01", "b\x01", "c\x01"]
    assert leaves(starts, {"a", "ab", "c", "c\x01"}) == ["ab\x01", "abc", "abd", "b"]
    assert leaves(starts, set()) == ["a", "b", "c"]
    assert leaves([], {"a"}) == []


@pytest.mark.parametrize(("start", "leaf"), [("ab\x01", "ab\x01"), ("axy", "ax"), ("b", "b"), ("a", None)])
def test_a_key_is_below_its_shortest_prefix_without_a_list(start: str, leaf: str | None) -> None:
    assert leaf_of(start, {"a", "ab"}) == leaf
