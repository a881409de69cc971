"""Limits on figures in a question about a set: episodes, chapters, volumes, minutes, scores."""

import re
from collections.abc import Iterator

from agent_core.agents.rule_based.query_scan import NUMBER, Scan, number_of
from agent_core.set_question import Bound, Measure

_LESS = r"under|fewer than|less than|below|shorter than|lower than|worse than|<"
_MOST = (
    r"at most|up to|no more than|not more than|no longer than|not longer than|not over|(?:an? )?max(?:imum)?(?: of)?"
    r"|< =|≤"
)
_MORE = r"over|more than|above|longer than|exceeding|greater than|higher than|better than|beyond|>"
_LEAST = r"at least|no fewer than|no less than|not less than|(?:an? )?min(?:imum)?(?: of)?|> =|≥"
_COMPARED = rf"(?:(?P<most>{_MOST})|(?P<least>{_LEAST})|(?P<less>{_LESS})|(?P<more>{_MORE}))"
_AFTER_MOST = r"or (?:fewer|less|shorter|lower|below|under)|and (?:below|under)"
_AFTER_LEAST = r"or (?:more|longer|higher|above|over|better)|and (?:above|up|over|more)|\+"
_UNIT = r"(?P<unit>episodes?|eps?|chapters?|volumes?|minutes?|mins?|hours?)"
_LEAD = (
    r"(?:(?:(?:that|which) )?(?:run|runs|ran|running|last|lasts|lasting|lasted|with|have|has|having|had|(?:is|are)"
    r"(?: all)? (?:over|done|finished|through)"
    r"(?: in| after| within)?)(?: for)? )?"
)
_TAIL = r"(?: long| each| in length| in total| altogether)?"

_COUNTED = (
    rf"{_LEAD}between (?P<low>{NUMBER}) (?:and|to|-|–) (?P<high>{NUMBER}) {_UNIT}{_TAIL}",
    rf"{_LEAD}{_COMPARED} (?P<value>{NUMBER}) {_UNIT}{_TAIL}",
    rf"{_LEAD}(?P<value>{NUMBER}) (?:(?P<most>{_AFTER_MOST})|(?P<least>{_AFTER_LEAST})) {_UNIT}{_TAIL}",
    rf"{_LEAD}(?P<value>{NUMBER}) {_UNIT} (?:(?P<most>{_AFTER_MOST})|(?P<least>{_AFTER_LEAST}))",
    rf"(?P<unit>episode|chapter|volume) (?:counts?|numbers?) (?:of |is |that is )?{_COMPARED} (?P<value>{NUMBER})",
    rf"(?P<unit>episodes|chapters|volumes) {_COMPARED} (?P<value>{NUMBER})",
    rf"{_LEAD}(?:exactly |just |only )?(?P<value>{NUMBER}) {_UNIT}{_TAIL}",
)
_SCALE = r"(?P<scale> (?:points|stars|percent|%|out of (?:100|10|ten|a hundred)|/ (?:100|10)))?"
_SCORED = (
    r"(?:(?:that|which|and|but) )?(?:(?:with|having|have|has|had|is|are|were|was|whose) )*(?:an? |the )?"
    r"(?:average |mean |user |critic )?(?:scores?|scored|scoring|ratings?|rated|rating)(?: (?:is|are|of|that is))*"
)
_SCORES = (
    rf"{_SCORED} between (?P<low>{NUMBER}) (?:and|to|-|–) (?P<high>{NUMBER}){_SCALE}",
    rf"{_SCORED} {_COMPARED} (?P<value>{NUMBER}){_SCALE}",
    rf"{_SCORED} (?P<value>{NUMBER}){_SCALE} ?(?:(?P<most>{_AFTER_MOST})|(?P<least>{_AFTER_LEAST}))",
    rf"{_COMPARED} (?:an? )?(?P<value>{NUMBER}) (?:in |for )?(?P<scale>points|stars|score|rating|percent|%"
    rf"|out of (?:100|10|ten)|/ (?:100|10))",
)
_MEASURES = {
    "ep": Measure.EPISODES,
    "ch": Measure.CHAPTERS,
    "vo": Measure.VOLUMES,
    "mi": Measure.DURATION,
    "ho": Measure.DURATION,
}
_SCORE_SCALE = 10
_MINUTES = 60


def take_bounds(scan: Scan) -> tuple[Bound, ...]:
    """Every limit that the text states, taken out of it."""
    found: list[Bound] = []
    if scan.find(NUMBER) is None:
        return ()
    for patterns in (_SCORES, _COUNTED):
        for pattern in patterns:
            while (match := scan.take(pattern)) is not None:
                found.extend(_bounds(match))
    return tuple(found)


def _bounds(match: re.Match[str]) -> Iterator[Bound]:
    groups = match.groupdict()
    unit = groups.get("unit")
    measure = _MEASURES[unit[:2]] if unit else Measure.SCORE
    if groups.get("low"):
        low, high = sorted((_value(groups["low"], measure, groups), _value(groups["high"], measure, groups)))
        yield Bound(measure=measure, operator=">=", value=low)
        yield Bound(measure=measure, operator="<=", value=high)
        return
    value = _value(groups["value"], measure, groups)
    for name, operator in (("most", "<="), ("least", ">="), ("less", "<"), ("more", ">")):
        if groups.get(name):
            yield Bound.model_validate({"measure": measure, "operator": operator, "value": value})
            return
    yield Bound(measure=measure, operator="=", value=value)


def _value(text: str | None, measure: Measure, groups: dict[str, str | None]) -> float:
    """A number as rows hold it: scores tenfold up to 10, hours as minutes."""
    words = text or "0"
    number = float(number_of(words) or words.replace(",", "."))
    if measure is Measure.SCORE and number <= _SCORE_SCALE and "100" not in (groups.get("scale") or ""):
        return number * _SCORE_SCALE
    return number * _MINUTES if (groups.get("unit") or "").startswith("ho") else number
