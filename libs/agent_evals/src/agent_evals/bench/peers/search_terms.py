"""What an engine of words is given of names, and asked for, so that it finds what the search lane finds.

A term is a key of datastore.name_keys as one word of letters and digits: no engine's own rules of splitting touch it.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from datastore.name_keys import END, name_keys, typed_keys

from agent_evals.bench.starts import SearchWorld

# Letters that no folded name has: folding turns them into others.
_END, _SPACE = "\u00ba", "\u00aa"


@dataclass(frozen=True, slots=True)
class OwnersTerms:
    """Of one entity: the terms of whole names, and those that begin at a later part of one."""

    owner: int
    wholes: tuple[str, ...]
    parts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TypedTerms:
    """What a text asks for: a whole name that is `exact`, then what begins with one of `prefixes`."""

    exact: str
    prefixes: tuple[str, ...]


def owners_terms(world: SearchWorld) -> Iterator[OwnersTerms]:
    """Each entity that has names, by position."""
    names = world.catalogue.names
    rows = zip(names.owners.tolist(), names.texts, strict=True)
    for owner, owned in groupby(rows, key=lambda row: row[0]):
        keys = [key for _, text in owned for key in name_keys(text).keys]
        yield OwnersTerms(
            owner,
            _distinct(_term(key.shelf, key.text) for key in keys if not key.is_part),
            _distinct(_term(key.shelf, key.text) for key in keys if key.is_part),
        )


def typed_terms(text: str) -> TypedTerms:
    """What to look for. Raises ValueError for a text without any visible character."""
    keys = typed_keys(text)
    if keys is None:
        raise ValueError(f"{text!r} has no visible character")
    return TypedTerms(_term(keys.shelf, keys.exact), tuple(_term(keys.shelf, prefix) for prefix in keys.prefixes))


def beginnings(terms: Iterable[str], longest: int) -> Sequence[str]:
    """Every beginning of the terms up to a length, the shelf and a letter at least, and the ends of short terms."""
    return _distinct(term[:length] for term in terms for length in range(2, min(len(term), longest) + 1))


def _term(shelf: int, key: str) -> str:
    return f"{shelf}{key.replace(END, _END).replace(' ', _SPACE)}"


def _distinct(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(texts))
