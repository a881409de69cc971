"""What a query comes to before an engine sees it: every search under all of its conditions, none that can't match."""

from collections.abc import Mapping

from msgspec.structs import replace

from datastore.vectors.filters import NOTHING, AllOf, AnyValue, PayloadFilter, simplified
from datastore.vectors.protocol import Prefetch, Query


def planned(query: Query) -> tuple[Prefetch, ...]:
    """The searches to run, each with the query's filter and its own as one simplified filter; none, no answer."""
    if query.limit < 1:
        return ()
    narrowed = (replace(each, filter=_both(query.filter, each.filter)) for each in query.prefetch)
    return tuple(each for each in narrowed if each.filter != NOTHING and each.limit > 0)


def with_quotas(prefetch: Prefetch, field: str, quotas: Mapping[str, int]) -> tuple[Prefetch, ...]:
    """The same search once for each value of a field, with a limit of its own.

    So that the most frequent value, such as a language, can't take every place before the lists are fused. Points with
    other values, or without one, are not searched.
    """
    return tuple(
        replace(prefetch, limit=limit, filter=_both(prefetch.filter, AnyValue(field, (value,))))
        for value, limit in quotas.items()
    )


def _both(one: PayloadFilter | None, other: PayloadFilter | None) -> PayloadFilter | None:
    conditions = tuple(each for each in (one, other) if each is not None)
    if not conditions:
        return None
    return simplified(conditions[0] if len(conditions) == 1 else AllOf(conditions))
