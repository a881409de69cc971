"""Whether a catalogue row meets the conditions of a question, as far as the row says."""

import re

from agent_core.agents.rule_based.query_dates import span_of
from agent_core.document_contracts import DateSpan
from agent_core.evidence import EntityRowEvidence
from agent_core.schemas import AskedField, SearchFilters


def meets(row: EntityRowEvidence, filters: SearchFilters) -> bool:
    """Whether the row meets every condition. What the row doesn't say never meets one, not even a negative one."""
    values = {field.name: field.value for field in row.fields}
    genres = {genre.casefold() for genre in values.get(AskedField.GENRES, "").split(", ") if genre}
    wanted = [genre.casefold() for genre in filters.genres_all]
    return (
        _meets_years(values, filters)
        and _is(values, AskedField.FORMAT, filters.format)
        and _is(values, AskedField.STATUS, filters.status)
        and _is(values, AskedField.SOURCE, filters.source)
        and (filters.season is None or filters.season.value in values.get(AskedField.SEASON, ""))
        and (filters.min_score is None or _number(values.get(AskedField.SCORE)) >= filters.min_score)
        and genres.issuperset(wanted)
        and (not filters.genres_any or bool(genres.intersection(genre.casefold() for genre in filters.genres_any)))
        and (not filters.genres_none or (bool(genres) and genres.isdisjoint(g.casefold() for g in filters.genres_none)))
    )


def _is(values: dict[str, str], field: AskedField, wanted: str | None) -> bool:
    return wanted is None or values.get(field, "").casefold().replace(" ", "_") == wanted


def _meets_years(values: dict[str, str], filters: SearchFilters) -> bool:
    if filters.started is not None:
        return _lies_within(values.get(AskedField.START_DATE, ""), filters.started)
    if filters.years is None:
        return True
    year = re.match(r"\d{4}", values.get(AskedField.YEAR) or values.get(AskedField.START_DATE) or "")
    if year is None:
        return False
    return (filters.years.first_year or 0) <= int(year.group()) <= (filters.years.last_year or 9999)


def _lies_within(value: str, days: DateSpan) -> bool:
    """Whether all days that a date as precise as it is known may mean are within: `2010` is not known to be in May."""
    span = span_of(value)
    return span is not None and (days.first or span[0]) <= span[0] and span[1] <= (days.last or span[1])


def _number(value: str | None) -> float:
    return float(value) if value else -1.0
