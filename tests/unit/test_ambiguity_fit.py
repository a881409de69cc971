"""The ambiguity threshold: what counts as a sample, what is cheapest, and that the release's value is read."""

import pytest
from agent_core.retrieval.ambiguity import FITTED
from agent_evals.ambiguity import FITTED_ON, NamedPlace, Sample, digest_of, fit, fitted, named_places
from agent_evals.dataset import NameBook
from agent_evals.shipped import Dataset, demo_records, load_shipped

CLEAR = [Sample(lead, is_clear=True) for lead in (0.02, 0.3, 0.5, 0.6)]
UNCLEAR = [Sample(lead, is_clear=False) for lead in (0.04, 0.06, 0.4)]


def test_the_threshold_that_costs_least_is_fitted_a_wrong_choice_counting_twice() -> None:
    # 0.18 leaves one clear mention open and chooses one wrongly (3); 0.45 leaves two open and none is wrong (2).
    assert fit([*CLEAR, *UNCLEAR]) == pytest.approx(0.45)
    assert fit([*CLEAR, *UNCLEAR[:2]]) == pytest.approx(0.18)


def test_where_nothing_is_unclear_nothing_is_asked_back() -> None:
    assert fit(CLEAR) == 0.0


def test_the_fit_says_how_often_it_is_right_on_both_sides() -> None:
    found = fitted([*CLEAR, *UNCLEAR], (), ())
    assert (found.clear, found.clear_right, found.unclear, found.unclear_right) == (4, 0.5, 3, 1.0)
    assert "50.0% of 4 clear mentions chosen, 100.0% of 3 unclear ones left open" in found.in_words()


def test_names_are_taken_from_the_questions_whole_and_for_short_and_never_from_held_out_ones() -> None:
    assert FITTED_ON == (Dataset.DEMO, Dataset.KINDS)
    names = NameBook(demo_records())
    places = named_places([case for case in load_shipped(Dataset.KINDS) if case.id in ("k2-04", "k3-08")], names)
    shared = {place.text for place in places if place.is_shared}
    assert shared == {"Miki", "miki"}
    assert NamedPlace("fullmetal", places[0].entity_type, places[0].entity) in places


def test_the_release_goes_by_a_fitted_value() -> None:
    assert 0 < FITTED.clear_lead < 1
    cases = [case for dataset in FITTED_ON for case in load_shipped(dataset)]
    assert digest_of(cases, demo_records()) == FITTED.digest, "run `enishi eval fit`"
    assert FITTED.in_words().startswith(f"a lead of {FITTED.clear_lead:g} tells namesakes apart")
