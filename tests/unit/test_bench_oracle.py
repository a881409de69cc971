"""The oracle: it accepts the right answer in any order among equals, and catches every wrong one."""

from pathlib import Path

import numpy as np
import pytest
from agent_evals.bench.invented_catalogue import InventedCatalogue, Names, invent_catalogue
from agent_evals.bench.kept import Keep
from agent_evals.bench.oracle import first_faults
from agent_evals.bench.scale import FULL
from agent_evals.bench.starts import SearchWorld, Starts
from agent_evals.bench.typeahead_oracle import TypeaheadOracle

NAMES = ["Kaze no Tani", "Kaze", "Aoi Kaze", "Kazan", "Mori"]
POPULARITY = [10, 20, 90, 20, 99]


@pytest.fixture
def oracle(tmp_path: Path) -> TypeaheadOracle:
    invented = invent_catalogue(FULL.divided_by(50_000))
    catalogue = InventedCatalogue(
        seed=1,
        scale=invented.scale,
        places=invented.places,
        popularity=np.array(POPULARITY, dtype=np.int64),
        titles=tuple(NAMES),
        names=Names(np.arange(5, dtype=np.int64), tuple(NAMES), ("main",) * 5),
        links=invented.links,
    )
    return TypeaheadOracle(SearchWorld(catalogue, Starts(catalogue, Keep(tmp_path)), catalogue.popularity))


def keys(position: int) -> tuple[str, str]:
    return NAMES[position], str(position)


def test_the_product_orders_by_class_before_popularity(oracle: TypeaheadOracle) -> None:
    assert oracle.product_page("kaze", 10, keys) == [1, 0, 2]
    assert oracle.order_faults("kaze", [1, 0, 2], 10, keys) is None
    assert oracle.order_faults("kaz", [3, 1, 0, 2], 10, keys) is None


def test_a_page_is_cut_where_names_decide(oracle: TypeaheadOracle) -> None:
    assert [oracle.product_page("kaz", limit, keys) for limit in (1, 2, 3)] == [[3], [3, 1], [3, 1, 0]]


def test_spaces_count_in_short_texts_alone(oracle: TypeaheadOracle) -> None:
    assert oracle.product_page("ka ze", 10, keys) == []
    assert oracle.product_page("kaze n", 10, keys) == [0]
    assert oracle.product_page("kazenota", 10, keys) == [0]


def test_typos_may_follow_what_really_matches(oracle: TypeaheadOracle) -> None:
    assert oracle.order_faults("kaze", [1, 0, 2, 3], 10, keys) is None


@pytest.mark.parametrize("answer", [[0, 1, 2], [1, 2, 0], [1, 0], [], [1, 0, 4]])
def test_a_wrong_first_page_is_caught(oracle: TypeaheadOracle, answer: list[int]) -> None:
    fault = oracle.order_faults("kaze", answer, 10, keys)
    assert fault is not None
    assert fault.endswith("instead of [1, 0, 2]")


def test_a_peer_orders_by_popularity_alone_and_equals_may_change_places(oracle: TypeaheadOracle) -> None:
    assert oracle.peer_faults("kaz", [2, 1, 3, 0], 10) is None
    assert oracle.peer_faults("kaz", [2, 3, 1, 0], 10) is None
    assert oracle.peer_faults("kaz", [2, 3], 2) is None


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ([2, 1, 3], "popularity"),
        ([1, 2, 3, 0], "popularity"),
        ([2, 1, 3, 4], "don't match"),
        ([2, 1, 1, 0], "one twice"),
        ([], "popularity"),
    ],
)
def test_a_wrong_peer_is_caught(oracle: TypeaheadOracle, answer: list[int], reason: str) -> None:
    fault = oracle.peer_faults("kaz", answer, 10)
    assert fault is not None
    assert reason in fault


def test_only_the_first_faults_are_kept() -> None:
    assert first_faults(range(10), lambda number: f"{number} is odd" if number % 2 else None, most=2) == (
        "1 is odd",
        "3 is odd",
    )
