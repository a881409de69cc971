"""Conditions on payloads as a closed tree, and its translation into an engine's own objects.

The null rule: a field that is absent matches no condition, not even `NoValue`.
"""

from collections.abc import Mapping
from typing import Protocol, cast

from msgspec import Struct

FilterValue = str | int


class AnyValue(Struct, frozen=True, tag="any_value"):
    """The field holds at least one of the values; no values match nothing."""

    field: str
    values: tuple[FilterValue, ...]


class EveryValue(Struct, frozen=True, tag="every_value"):
    """The field holds all of the values; no values match everything."""

    field: str
    values: tuple[FilterValue, ...]


class NoValue(Struct, frozen=True, tag="no_value"):
    """The field is known and holds none of the values."""

    field: str
    values: tuple[FilterValue, ...]


class Within(Struct, frozen=True, tag="within"):
    """The field is a number between the two bounds, both inclusive; an open bound is None."""

    field: str
    at_least: float | None = None
    at_most: float | None = None


class AllOf(Struct, frozen=True, tag="all_of"):
    """Every condition matches; without conditions it matches everything."""

    conditions: tuple["PayloadFilter", ...]


class AnyOf(Struct, frozen=True, tag="any_of"):
    """At least one condition matches; without conditions it matches nothing."""

    conditions: tuple["PayloadFilter", ...]


PayloadFilter = AnyValue | EveryValue | NoValue | Within | AllOf | AnyOf

NOTHING = AnyOf(())
"""The filter that matches nothing; `simplified` turns every filter that can't match into it."""


def simplified(condition: PayloadFilter) -> PayloadFilter:
    """The same filter without branches that can't match, so that engines never see an empty alternative.

    An empty `should` list matches everything in the engines' own language, the opposite of what is meant here.
    """
    match condition:
        case AnyValue(values=()):
            return NOTHING
        case EveryValue(field=field, values=values):
            return AllOf(tuple(AnyValue(field, (value,)) for value in values))
        case AllOf(conditions=conditions):
            kept = tuple(simplified(each) for each in conditions)
            return NOTHING if NOTHING in kept else AllOf(kept)
        case AnyOf(conditions=conditions):
            return AnyOf(tuple(each for each in map(simplified, conditions) if each != NOTHING))
        case _:
            return condition


def matches(condition: PayloadFilter, payload: Mapping[str, object]) -> bool:
    """Whether a payload meets the filter; the engines' answer, for points that were fetched by id."""
    match condition:
        case AnyValue(field=field, values=values):
            return any(value in values for value in _values(payload, field))
        case EveryValue(field=field, values=values):
            return all(value in _values(payload, field) for value in values)
        case NoValue(field=field, values=values):
            held = _values(payload, field)
            return bool(held) and not any(value in values for value in held)
        case Within(field=field, at_least=low, at_most=high):
            numbers = [value for value in _values(payload, field) if isinstance(value, int | float)]
            return any((low is None or value >= low) and (high is None or value <= high) for value in numbers)
        case AllOf(conditions=conditions):
            return all(matches(each, payload) for each in conditions)
        case AnyOf(conditions=conditions):
            return any(matches(each, payload) for each in conditions)


def fields_in(condition: PayloadFilter) -> frozenset[str]:
    """The payload fields that the filter looks at."""
    if isinstance(condition, AllOf | AnyOf):
        return frozenset[str]().union(*(fields_in(each) for each in condition.conditions))
    return frozenset({condition.field})


def _values(payload: Mapping[str, object], field: str) -> tuple[object, ...]:
    value = payload.get(field)
    if isinstance(value, tuple):
        return cast("tuple[object, ...]", value)
    return () if value is None else (value,)


class FilterDialect[F](Protocol):
    """How one engine spells conditions. `F` is its filter, which also stands as a condition inside another."""

    def any_value(self, field: str, values: tuple[FilterValue, ...]) -> F: ...

    def within(self, field: str, at_least: float | None, at_most: float | None) -> F: ...

    def known_without(self, field: str, values: tuple[FilterValue, ...]) -> F:
        """The field is present and holds none of the values (present alone when there are none)."""
        ...

    def all_of(self, conditions: list[F]) -> F: ...

    def any_of(self, conditions: list[F]) -> F: ...


def translate[F](condition: PayloadFilter, dialect: FilterDialect[F]) -> F:
    """A simplified filter in the engine's own words."""
    match condition:
        case AnyValue(field=field, values=values):
            return dialect.any_value(field, values)
        case EveryValue(field=field, values=values):
            return dialect.all_of([dialect.any_value(field, (value,)) for value in values])
        case NoValue(field=field, values=values):
            return dialect.known_without(field, values)
        case Within(field=field, at_least=at_least, at_most=at_most):
            return dialect.within(field, at_least, at_most)
        case AllOf(conditions=conditions):
            return dialect.all_of([translate(each, dialect) for each in conditions])
        case AnyOf(conditions=conditions):
            return dialect.any_of([translate(each, dialect) for each in conditions])
