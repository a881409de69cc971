"""Every dump has its rank, an own source stands before all, and how much may be lost unasked."""

import pytest
from ingestion.importing import FORMATS
from ingestion.loss import Coverage, LossLimit, coverage_of
from ingestion.precedence import rank


@pytest.mark.parametrize("field", ["episodes", "start"])
def test_every_format_but_the_own_one_has_a_rank_of_its_own(field: str) -> None:
    ranks = {name: rank(name, field)[0] for name in ("demo", *FORMATS)}
    assert ranks.pop("interchange") == 0
    assert 0 not in ranks.values()
    assert len(set(ranks.values())) == len(ranks)


def test_own_sources_stand_first_and_go_by_name() -> None:
    sources = ["anilist", "zine", "demo", "corrections"]
    assert sorted(sources, key=lambda source: rank(source, "start")) == ["corrections", "zine", "demo", "anilist"]


@pytest.mark.parametrize(
    ("lost", "had", "passed"), [(2, 2, False), (3, 60, False), (3, 59, True), (5, 100, False), (6, 100, True)]
)
def test_a_loss_passes_the_limit_in_number_and_in_share(lost: int, had: int, *, passed: bool) -> None:
    assert LossLimit().is_passed(lost, had) is passed


def test_a_format_that_declares_nothing_holds_a_part_of_its_source() -> None:
    assert coverage_of("anilist") is coverage_of("unheard-of") is Coverage.PART
    assert {coverage_of(name) for name in ("bangumi", "bangumi-data", "manami")} == {Coverage.WHOLE}
    assert coverage_of("interchange") is Coverage.EXTENSIBLE
