"""Search filters as conditions on the payloads of the vector index (pure)."""

from datastore.folding import fold
from datastore.vectors.filters import AllOf, AnyValue, EveryValue, NoValue, PayloadFilter, Within

from agent_core.errors import IntentRefused
from agent_core.schemas import SearchFilters


def payload_filter(filters: SearchFilters) -> PayloadFilter | None:
    """All conditions but `ids`; None when there are none.

    Raises:
        IntentRefused: a condition can't be built, e.g. from a blank name.
    """
    conditions: list[PayloadFilter] = [
        *_exact(filters),
        *_years(filters),
        *_genres(filters),
    ]
    if filters.studio is not None:
        conditions.append(AnyValue("studios", (_folded("filters.studio", filters.studio),)))
    if filters.min_score is not None:
        conditions.append(Within("score", at_least=filters.min_score))
    return AllOf(tuple(conditions)) if conditions else None


def _exact(filters: SearchFilters) -> list[PayloadFilter]:
    wanted = {
        "anime_id": filters.anime_id,
        "season": filters.season,
        "format": filters.format,
        "status": filters.status,
        "source": filters.source,
    }
    return [AnyValue(field, (str(value),)) for field, value in wanted.items() if value is not None]


def _years(filters: SearchFilters) -> list[PayloadFilter]:
    years = filters.years
    if years is None or (years.first_year is None and years.last_year is None):
        return []
    return [Within("year", at_least=years.first_year, at_most=years.last_year)]


def _genres(filters: SearchFilters) -> list[PayloadFilter]:
    conditions: list[PayloadFilter] = []
    for kind, names, of in (
        (AnyValue, filters.genres_any, "filters.genres_any"),
        (EveryValue, filters.genres_all, "filters.genres_all"),
        (NoValue, filters.genres_none, "filters.genres_none"),
    ):
        if names:
            conditions.append(kind("genres", tuple(_folded(of, name) for name in names)))
    return conditions


def _folded(field: str, name: str) -> str:
    folded = fold(name)
    if not folded:
        raise IntentRefused(field, "a name must not be blank")
    return folded
