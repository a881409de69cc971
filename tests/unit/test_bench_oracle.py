"""The oracle: it accepts the right answer, and catches every wrong one."""

from pathlib import Path
from uuid import UUID

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
    ids = tuple(UUID(int=place) for place in range(len(NAMES)))
    world = SearchWorld(catalogue, Starts(catalogue, Keep(tmp_path)), catalogue.popularity, ids)
    return TypeaheadOracle(world)


def test_the_product_orders_by_class_before_popularity(oracle: TypeaheadOracle) -> None:
    assert oracle.page("kaze", 10) == [1, 0, 2]
    assert oracle.faults("kaze", [1, 0, 2], 10) is None
    assert oracle.faults("kaz", [3, 1, 0, 2], 10) is None


def test_a_page_is_cut_where_names_decide(oracle: TypeaheadOracle) -> None:
    assert [oracle.page("kaz", limit) for limit in (1, 2, 3)] == [[3], [3, 1], [3, 1, 0]]


def test_spaces_count_in_short_texts_alone(oracle: TypeaheadOracle) -> None:
    assert oracle.page("ka ze", 10) == []
    assert oracle.page("kaze n", 10) == [0]
    assert oracle.page("kazenota", 10) == [0]


def test_typos_may_follow_what_really_matches(oracle: TypeaheadOracle) -> None:
    assert oracle.faults("kaze", [1, 0, 2, 3], 10) is None


@pytest.mark.parametrize("answer", [[0, 1, 2], [1, 2, 0], [1, 0], [], [1, 0, 4]])
def test_a_wrong_first_page_is_caught(oracle: TypeaheadOracle, answer: list[int]) -> None:
    fault = oracle.faults("kaze", answer, 10)
    assert fault is not None
    assert fault.endswith("instead of [1, 0, 2]")


def test_only_the_first_faults_are_kept() -> None:
    assert first_faults(range(10), lambda number: f"{number} is odd" if number % 2 else None, most=2) == (
        "1 is odd",
        "3 is odd",
    )
