"""Whose word is shown where sources disagree. Pure, and no matter which source was imported first."""

from collections.abc import Mapping

_DEFAULT = ("demo", "anilist", "jikan", "anilist-csv", "jikan-csv", "manami", "bangumi", "bangumi-data")
# Kept from what was broadcast, rather than from what a database of titles was told.
_BROADCASTS = ("demo", "anilist", "jikan", "bangumi-data", "bangumi", "anilist-csv", "jikan-csv", "manami")

_BY_FIELD: Mapping[str, tuple[str, ...]] = {
    "start": _BROADCASTS,
    "end": _BROADCASTS,
    "air_date": _BROADCASTS,
    "season": _BROADCASTS,
    "season_year": _BROADCASTS,
}


def rank(source: str, field: str) -> tuple[int, str]:
    """The place of a source among those that speak of `field`: the lowest one is shown.

    A source that the table doesn't name is the catalogue owner's own, and its word stands before every dump's; several
    of those go by their names.
    """
    order = _BY_FIELD.get(field, _DEFAULT)
    return (order.index(source) + 1 if source in order else 0, source)
