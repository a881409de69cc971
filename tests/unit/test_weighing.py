"""The weights of likely answers: what they are fitted to, by what margin, and that the release's are of its data."""

import math
from collections.abc import Sequence
from itertools import chain

import numpy as np
import pytest
from agent_core.passages.weights import FEATURES, FITTED, FittedWeights
from agent_evals.calibration import digest_of
from agent_evals.document_questions import DocumentCase, DocumentWording
from agent_evals.shipped import load_shipped_documents, load_shipped_wordings
from agent_evals.weighing import (
    SETS,
    Kind,
    Question,
    Sample,
    editions_of,
    fit,
    fitted_weights,
    margin_of,
    questions_of,
    weighed_samples,
)
from fixtures.document_world import DocumentWorld
from ingestion.demo import demo_documents_files
from pydantic import ValidationError

_TRUE = {"bias": -3.0, "sentence": 4.0, "own": 2.0, "document": 1.0, "unsaid": -2.0}
_SIGNS = ("sentence", "own", "around", "document", "deed_said", "counted", "score", "first")
"""What speaks for a sentence."""


def _row(**features: float) -> list[float]:
    return [1.0 if name == "bias" else features.get(name, 0.0) for name in FEATURES]


def _sample(kind: Kind, rows: Sequence[Sequence[float]], right: Sequence[bool], *, is_odd: bool = False) -> Sample:
    return Sample(kind, np.array(rows, dtype=float), np.array(right), is_certain=False, is_odd=is_odd)


def _drawn(count: int) -> list[Sample]:
    """Questions of three sentences, one of which or none is chosen as the true weights have it."""
    random = np.random.default_rng(7)
    weights = np.array([_TRUE.get(name, 0.0) for name in FEATURES])
    samples: list[Sample] = []
    for _ in range(count):
        rows = random.uniform(size=(3, len(FEATURES)))
        rows[:, 0] = 1.0
        odds = np.exp(np.append(rows @ weights, 0.0))
        chosen = random.choice(4, p=odds / odds.sum())
        kind = Kind.ANSWERABLE if chosen < 3 else Kind.UNANSWERABLE
        samples.append(Sample(kind, rows, np.arange(3) == chosen, is_certain=False, is_odd=False))
    return samples


def test_known_weights_are_found_again() -> None:
    found = dict(zip(FEATURES, fit(_drawn(2_000)), strict=True))
    for name in FEATURES:
        assert found[name] == pytest.approx(_TRUE.get(name, 0.0), abs=0.5), name
    assert found["sentence"] > found["own"] > found["document"] > 0 > found["unsaid"] > found["bias"]


def test_the_same_samples_give_the_same_weights() -> None:
    assert np.array_equal(fit(_drawn(50)), fit(_drawn(50)))


def test_questions_without_a_sentence_say_nothing() -> None:
    drawn = _drawn(50)
    empty = Sample(Kind.UNANSWERABLE, np.zeros((0, len(FEATURES))), np.zeros(0, bool), is_certain=False, is_odd=False)
    assert np.allclose(fit([*drawn, empty]), fit(drawn))


def test_several_right_sentences_count_as_one() -> None:
    once = [_sample(Kind.ANSWERABLE, [_row(own=1)], [True])]
    twice = [_sample(Kind.ANSWERABLE, [_row(own=1), _row(own=1)], [True, True])]
    assert np.allclose(fit(once), fit(twice))


def test_the_margin_answers_nothing_unanswerable() -> None:
    weights = np.array([0.123 if name == "own" else 0.0 for name in FEATURES])
    stray = _sample(Kind.UNANSWERABLE, [_row(own=1)], [False])
    withheld = _sample(Kind.WITHHELD, [_row(own=9)], [False])
    assert margin_of([stray, withheld], weights) == 0.13
    assert margin_of([withheld], weights) == 0.0


def test_odd_questions_judge_and_are_not_fitted_on() -> None:
    even = _drawn(400)
    odd = [
        _sample(Kind.ANSWERABLE, [_row(own=9, sentence=9), _row()], [True, False], is_odd=True),
        _sample(Kind.ANSWERABLE, [_row(own=9, sentence=9), _row()], [False, True], is_odd=True),
        _sample(Kind.WITHHELD, [_row(unsaid=1)], [False], is_odd=True),
    ]
    found = fitted_weights([*even, *odd], "", model="")
    alone = fitted_weights(even, "", model="")
    assert (found.weights, found.samples) == (alone.weights, 400)
    assert (found.odd.answerable, found.odd.right, found.odd.wrong) == (2, 0.5, 0.5)
    assert (found.odd.unanswerable, found.odd.refused) == (1, 1.0)


def test_places_in_files_tell_odd_from_even() -> None:
    case = DocumentCase(id="a", wordings=("A?", "B?", "C?"), documents=("Title",), quotes=("x",))
    found = questions_of([(case, case)], (DocumentWording(question="D?", quote=None),))
    assert [each.is_odd for each in found] == [False] * 3 + [True] * 3 + [False]
    assert found[-1] == Question("D?", is_odd=False)


def test_editions_are_read_from_what_documents_supersede() -> None:
    old = "---\ntitle: Old Rules\n---\n\n# Old Rules\n\nText.\n"
    new = '---\ntitle: New Rules\nsupersedes: "Old Rules"\n---\n\n# New Rules\n\nText.\n'
    assert editions_of([old, new]) == {"New Rules": {"Old Rules"}, "Old Rules": {"New Rules"}}


async def test_questions_are_asked_with_and_without_what_answers_them() -> None:
    world = DocumentWorld()
    world.add("Old Rules", "The hall has 11 windows.")
    world.add("New Rules", "The hall has 12 windows.")
    world.add("A Visit", "We counted the 14 windows of the hall.")
    questions = (
        Question("How many windows does the hall have?", False, ("12 windows",), frozenset({"New Rules"})),
        Question("Who washed the windows of the hall?", True),
        Question("Wie viele Fenster hat die Halle?", False, ("12 windows",), frozenset({"New Rules"})),
    )
    found = await weighed_samples(questions, {"New Rules": frozenset({"Old Rules"})}, world.documents)
    assert [each.kind for each in found] == [Kind.ANSWERABLE, Kind.WITHHELD, Kind.UNANSWERABLE]
    assert [each.is_odd for each in found] == [False, False, True]
    # The sentence of the visit is weighed too, that of the old rules is not.
    assert [list(each.right) for each in found] == [[True, False], [False], []]
    assert found[0].is_certain


def test_weights_are_of_all_features() -> None:
    fields = FITTED.model_dump()
    with pytest.raises(ValidationError, match="weights: must be those of bias"):
        FittedWeights.model_validate({**fields, "weights": {"bias": 1.0}})


def test_the_release_goes_by_weights_of_its_questions() -> None:
    cases = chain.from_iterable(map(load_shipped_documents, SETS))
    texts = [path.read_text(encoding="utf-8") for path in demo_documents_files()]
    assert digest_of([*cases, *load_shipped_wordings()], texts) == FITTED.digest, "run `enishi eval calibrate`"
    assert FITTED.even.wrong == FITTED.odd.wrong == 0
    assert FITTED.even.refused == FITTED.odd.refused == 1
    assert FITTED.odd.right > 0


def test_what_speaks_for_a_sentence_makes_it_likelier() -> None:
    plain = FITTED.odds(_row())
    for name in _SIGNS:
        assert FITTED.odds(_row(**{name: 1.0})) > plain, name
    for name in ("unsaid", "deed_elsewhere"):
        assert FITTED.odds(_row(**{name: 1.0})) < plain, name
    assert plain < FITTED.margin < FITTED.odds(_row(**dict.fromkeys(_SIGNS, 1.0)))
    assert math.isfinite(plain)
