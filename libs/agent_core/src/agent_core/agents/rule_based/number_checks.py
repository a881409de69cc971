"""Whether a figure of a row is what a question supposes: the number itself, or one within the limits that it states."""

import operator
import re
from collections.abc import Callable, Mapping

from agent_core.agents.rule_based.query_bounds import take_bounds
from agent_core.agents.rule_based.query_scan import Scan
from agent_core.schemas import AskedField
from agent_core.set_question import Measure

_HOLDS: dict[str, Callable[[float, float], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    "=": operator.eq,
    ">=": operator.ge,
    ">": operator.gt,
}
_FIELDS: dict[Measure, AskedField] = {
    Measure.EPISODES: AskedField.EPISODES,
    Measure.CHAPTERS: AskedField.CHAPTERS,
    Measure.VOLUMES: AskedField.VOLUMES,
    Measure.DURATION: AskedField.DURATION,
}
_HEDGED = re.compile(r"\b(?:about|around|roughly|approximately|almost|nearly|circa|than|least|most|over|under)\b")


def bounded_fields(text: str) -> tuple[AskedField, ...]:
    """The fields whose figures a text limits: `is X longer than two hours` asks for the running time."""
    found = (_FIELDS.get(bound.measure) for bound in take_bounds(Scan(text)))
    return tuple(dict.fromkeys(field for field in found if field is not None))


def keeps_bounds(values: Mapping[str, str], text: str) -> bool:
    """Whether a row's figures keep every limit that a text states. A figure that is not known keeps none."""
    return all(
        (value := values.get(bound.measure.value, "")).isdigit() and _HOLDS[bound.operator](int(value), bound.value)
        for bound in take_bounds(Scan(text))
    )


def meets_number(field: AskedField, value: str, question: str) -> bool | None:
    """Whether the value is what the question says of the field; None when it says nothing that can be held against it.

    A number that the question only comes near to, in words that are no limit on this field, is no number to deny.
    """
    bounds = take_bounds(Scan(question))
    ours = [bound for bound in bounds if _FIELDS.get(bound.measure) is field]
    is_near = _HEDGED.search(question) is not None and all(bound.operator == "=" for bound in ours)
    if not value.isdigit() or is_near or (bounds and not ours):
        return None
    if ours:
        return all(_HOLDS[bound.operator](int(value), bound.value) for bound in ours)
    numbers = re.findall(r"(?<!\w)\d+(?!\w)", question)
    return value in numbers if numbers else None
