"""Confidence follows from evidence: each weakness lowers it and says why."""

from dataclasses import replace
from uuid import UUID

import pytest
from agent_core.confidence import ConfidenceFacts, assess, band_of, without_answer
from agent_core.evidence import EntityRef
from agent_core.protocols import Slot
from agent_core.schemas import Candidate, ConfidenceBand, MatchKind, Mention, ResolvedMention
from datastore.vocabulary import EntityType


def mention(match: MatchKind = MatchKind.EXACT, *, margin: float = 1.0, others: int = 0) -> ResolvedMention:
    candidates = tuple(
        Candidate(
            entity=EntityRef(entity_type=EntityType.ANIME, id=UUID(int=number)),
            matched_name="X",
            match=match,
            score=1.0,
        )
        for number in range(1 + others)
    )
    return ResolvedMention(mention=Mention(text="X"), candidates=candidates, chosen=candidates[0], margin=margin)


BEST = ConfidenceFacts(
    resolved=(mention(),),
    slots=(Slot("mention:X", "filled"), Slot("field:X:episodes", "filled")),
    hops=1,
    is_truncated=False,
    is_degraded=False,
    removed_sentences=0,
    partial_citations=0,
    was_judged_sufficient=True,
    self_assessment=1.0,
)


def test_a_fully_backed_answer_is_high_and_says_so() -> None:
    found = assess(BEST)
    assert (found.value, found.band) == (1.0, ConfidenceBand.HIGH)
    assert found.reasons == ("every part of the question is backed",)


@pytest.mark.parametrize(
    ("weaker", "value", "reason"),
    [
        (replace(BEST, resolved=(mention(MatchKind.TYPO),)), 0.75, "'X' was matched by typo"),
        (replace(BEST, resolved=(mention(MatchKind.VECTOR),)), 0.6, "'X' was matched by vector"),
        (replace(BEST, resolved=(mention(margin=0.0, others=1),)), 0.75, "'X' fits several"),
        (replace(BEST, hops=3), 0.9409, "the answer rests on a path of 3 hops"),
        (replace(BEST, is_truncated=True), 0.9, "a list was cut at its limit"),
        (replace(BEST, is_degraded=True), 0.95, "a part of the system was unavailable"),
        (replace(BEST, removed_sentences=2), 0.85, "a sentence without backing was removed"),
        (replace(BEST, partial_citations=1), 0.95, "a sentence needs more than one source"),
        (replace(BEST, was_judged_sufficient=False), 0.5, "the answer was not judged complete"),
        (
            replace(BEST, slots=(Slot("a", "filled"), Slot("b", "empty"))),
            0.5,
            "a part of the question is open",
        ),
        (
            replace(BEST, slots=(Slot("a", "filled"), Slot("b", "absent"))),
            0.95,
            "a part of the question is not in the catalogue",
        ),
    ],
)
def test_each_weakness_lowers_it_and_is_named(weaker: ConfidenceFacts, value: float, reason: str) -> None:
    found = assess(weaker)
    assert found.value == pytest.approx(value)
    assert reason in found.reasons


def test_a_models_word_about_itself_moves_it_by_a_tenth_at_most() -> None:
    assert assess(replace(BEST, self_assessment=0.0)).value == pytest.approx(0.9)
    weak = replace(BEST, resolved=(mention(MatchKind.VECTOR),))
    assert assess(replace(weak, self_assessment=1.0)).value == assess(replace(weak, self_assessment=0.6)).value


@pytest.mark.parametrize(
    ("value", "band"),
    [
        (1.0, ConfidenceBand.HIGH),
        (0.8, ConfidenceBand.HIGH),
        (0.79, ConfidenceBand.MEDIUM),
        (0.55, ConfidenceBand.MEDIUM),
        (0.54, ConfidenceBand.LOW),
        (0.3, ConfidenceBand.LOW),
        (0.29, ConfidenceBand.INSUFFICIENT),
    ],
)
def test_bands(value: float, band: ConfidenceBand) -> None:
    assert band_of(value) is band


def test_without_an_answer_there_is_one_reason() -> None:
    assert without_answer(0.1, "nothing").reasons == ("nothing",)
