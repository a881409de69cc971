"""How sure an answer is, computed from its evidence. A model's word about itself is one small input. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

from agent_core.protocols import Slot
from agent_core.schemas import Candidate, ConfidenceBand, MatchKind, ResolvedMention

HIGH, MEDIUM, LOW = 0.8, 0.55, 0.3
"""Lower ends of the bands before calibration."""

NOT_FOUND_VALUE = 0.1
_SELF_ASSESSMENT_WEIGHT = 0.1
_UNJUDGED_CEILING = 0.5
_CLEAR_MARGIN = 0.3
_ALIKE_FACTOR = 0.7

_MATCH: dict[MatchKind, float] = {
    MatchKind.EXACT: 1.0,
    MatchKind.FOLDED: 0.98,
    MatchKind.ALIAS: 0.97,
    MatchKind.PREFIX: 0.85,
    MatchKind.WORD_PREFIX: 0.8,
    MatchKind.TYPO: 0.75,
    MatchKind.VECTOR: 0.6,
}


@dataclass(frozen=True, slots=True)
class ConfidenceFacts:
    """What is known about an answer. `hops` is the longest cited path; `self_assessment` the stage's own figure."""

    resolved: Sequence[ResolvedMention]
    slots: Sequence[Slot]
    hops: int
    is_truncated: bool
    is_degraded: bool
    removed_sentences: int
    partial_citations: int
    was_judged_sufficient: bool
    self_assessment: float
    is_only_alike: bool = False


@dataclass(frozen=True, slots=True)
class Confidence:
    """A figure from 0 to 1, its band, and the reasons that lowered it, in words."""

    value: float
    band: ConfidenceBand
    reasons: tuple[str, ...]


def band_of(value: float) -> ConfidenceBand:
    """The band of a figure."""
    if value >= HIGH:
        return ConfidenceBand.HIGH
    if value >= MEDIUM:
        return ConfidenceBand.MEDIUM
    return ConfidenceBand.LOW if value >= LOW else ConfidenceBand.INSUFFICIENT


def assess(facts: ConfidenceFacts) -> Confidence:
    """The confidence of an answer that has citations."""
    factors: list[tuple[float, str]] = [
        *(_mention_factor(mention) for mention in facts.resolved if mention.chosen),
        _coverage_factor(facts.slots),
        (0.97 ** max(0, facts.hops - 1), f"the answer rests on a path of {facts.hops} hops"),
        (0.9 if facts.is_truncated else 1.0, "a list was cut at its limit"),
        (0.95 if facts.is_degraded else 1.0, "a part of the system was unavailable"),
        (0.85 if facts.removed_sentences else 1.0, "a sentence without backing was removed"),
        (_ALIKE_FACTOR if facts.is_only_alike else 1.0, "the picture is similar to one of the catalogue, not the same"),
        (0.95 if facts.partial_citations else 1.0, "a sentence needs more than one source"),
    ]
    value = 1.0
    for factor, _ in factors:
        value *= factor
    value = (1 - _SELF_ASSESSMENT_WEIGHT) * value + _SELF_ASSESSMENT_WEIGHT * min(value, facts.self_assessment)
    reasons = [reason for factor, reason in factors if factor < 1.0]
    if not facts.was_judged_sufficient:
        value = min(value, _UNJUDGED_CEILING)
        reasons.append("the answer was not judged complete")
    value = round(value, 4)
    return Confidence(value, band_of(value), tuple(dict.fromkeys(reasons)) or ("every part of the question is backed",))


def without_answer(value: float, reason: str) -> Confidence:
    """The confidence of a response that states no fact about what was asked."""
    return Confidence(value, band_of(value), (reason,))


def _mention_factor(mention: ResolvedMention) -> tuple[float, str]:
    chosen: Candidate | None = mention.chosen
    if chosen is None:
        return 0.0, "a name was not resolved"
    factor = _MATCH[chosen.match]
    name = mention.mention.text
    if mention.is_ambiguous or (len(mention.candidates) > 1 and mention.margin < _CLEAR_MARGIN):
        return factor * (0.75 + 0.25 * min(1.0, max(0.0, mention.margin) / _CLEAR_MARGIN)), f"'{name}' fits several"
    return factor, f"'{name}' was matched by {chosen.match}"


def _coverage_factor(slots: Sequence[Slot]) -> tuple[float, str]:
    if not slots:
        return 1.0, ""
    weights = {"filled": 1.0, "absent": 0.9}
    share = sum(weights.get(slot.state, 0.0) for slot in slots) / len(slots)
    has_empty = any(slot.state == "empty" for slot in slots)
    return share, "a part of the question is open" if has_empty else "a part of the question is not in the catalogue"
