"""The bands of passages: what is cheapest, what a model without a fit goes by, that the release's are of its data."""

from agent_core.document_contracts import Bands
from agent_core.retrieval.bands import BandFits, name_of, read_fits
from agent_evals.calibration import Kind, Sample, digest_of, fit, fitted
from agent_evals.shipped import DocumentDataset, load_shipped_documents
from embeddings.minilm import SHIPPED
from ingestion.demo import demo_documents_files

RIGHT = [Sample(average, Kind.RIGHT) for average in (0.3, 0.5, 0.6, 0.7)]
WRONG = [Sample(average, Kind.WRONG) for average in (0.35, 0.4)]
STRAY = [Sample(average, Kind.STRAY) for average in (0.1, 0.2)]


def test_the_bands_that_cost_least_are_fitted() -> None:
    assert fit([*RIGHT, *WRONG, *STRAY]) == Bands(high=0.55, medium=0.25, low=0.25)


def test_a_right_answer_is_worth_more_than_a_stray_question() -> None:
    between = [Sample(0.45, Kind.STRAY)] * 19
    assert fit([*RIGHT, *between]).low == 0
    # Twenty cost as much as the right answer at 0.3.
    assert fit([*RIGHT, *between, *between]).low == 0.475


def test_without_a_right_answer_the_bands_stay_what_they_were() -> None:
    assert fit(STRAY) == Bands()


def test_the_fit_says_how_often_each_band_is_right() -> None:
    found = fitted([*RIGHT, *WRONG, Sample(0.65, Kind.WRONG), *STRAY], (), ())
    assert (found.high, found.high_right, found.medium, found.medium_right) == (3, 0.667, 4, 0.5)
    assert (found.stray, found.stray_refused) == (2, 1.0)
    assert found.in_words().startswith("high from 0.55, medium from 0.25, nothing is low; fitted on the documents")
    assert "66.7% of 3 high and 50.0% of 4 medium answers are right, 100.0% of 2 stray" in found.in_words()


def test_a_model_without_a_fit_goes_by_the_bands_before_calibration() -> None:
    assert BandFits({}).of("another") == Bands(high=0.55, medium=0.40, low=0.25)
    assert "run `enishi eval calibrate`" in BandFits({}).in_words("another")


def test_the_release_goes_by_bands_of_its_model_and_its_questions() -> None:
    fit_of_model = read_fits().root[name_of(SHIPPED)]
    cases = load_shipped_documents(DocumentDataset.DOCUMENTS)
    texts = [path.read_text(encoding="utf-8") for path in demo_documents_files()]
    assert digest_of(cases, texts) == fit_of_model.digest, "run `enishi eval calibrate`"
    assert fit_of_model.bands.high > fit_of_model.bands.medium > 0
    assert fit_of_model.high_right > fit_of_model.medium_right > 0.5
