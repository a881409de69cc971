"""Words of closed sets as people read them."""

from datastore.vocabulary import WorkFormat

_CAPITALS = frozenset({WorkFormat.TV, WorkFormat.OVA, WorkFormat.ONA})


def words(value: str | None) -> str:
    """A member of a closed set without its underscores; empty for None."""
    return value.replace("_", " ") if value else ""


def format_words(value: WorkFormat | None) -> str:
    """A format with its abbreviations in capitals; empty for None."""
    if value is None:
        return ""
    return value.upper() if value in _CAPITALS else words(value).replace("tv", "TV")
