"""Whether a row's date lies within the days that a question names."""

import calendar
from datetime import date

from datastore.dates import PartialDate

from agent_core.agents.rule_based.query_dates import find_days


def is_then(value: str, question: str) -> bool | None:
    """Whether the date is one of the days that the question names; None where either is not told closely enough."""
    found, asked = PartialDate.parse(value), find_days(question)
    if found is None or asked is None:
        return None
    earliest = date(found.year, found.month or 1, found.day or 1)
    month = found.month or 12
    latest = date(found.year, month, found.day or calendar.monthrange(found.year, month)[1])
    first, last = asked.days.first or date.min, asked.days.last or date.max
    if latest < first or last < earliest:
        return False
    return True if first <= earliest and latest <= last else None
