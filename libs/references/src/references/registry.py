"""The registry: which document a name means. Exact names first, then names with slips, then parts of names."""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import PurePosixPath

from rapidfuzz import fuzz, process
from rapidfuzz.distance import OSA

from references.inflection import bare_words

type Fold = Callable[[str], str]
"""Undoes differences of writing (case, accents, width); words stay apart."""

_MOST_CANDIDATES = 20
# A word of at least so many letters may have one slip: "landes" and "bundes" are two apart, and other words.
_SHORTEST_SLIPPED = 5
# Of 100: names that are as near as this to the nearest are candidates too.
_MARGIN = 5.0
_SHORTEST_PART = 3


class Match(StrEnum):
    """How a name led to a document, the surest first."""

    EXACT = "exact"
    FUZZY = "fuzzy"
    SUBSTRING = "substring"


@dataclass(frozen=True, slots=True)
class KnownDocument[Id: Hashable]:
    """A document by all that it is called: `PEP 8`, its title, `BDSG`, other names, its address or path."""

    id: Id
    title: str
    numbers: Sequence[str] = ()
    abbreviations: Sequence[str] = ()
    synonyms: Sequence[str] = ()
    addresses: Sequence[str] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """Every name, the weightiest first, without its addresses."""
        return tuple(name for name in (*self.numbers, *self.abbreviations, self.title, *self.synonyms) if name.strip())


@dataclass(frozen=True, slots=True)
class Found[Id: Hashable]:
    """The documents that a name may mean, and how they were found: one is an answer, several are ambiguous."""

    ids: tuple[Id, ...] = ()
    match: Match | None = None


class Registry[Id: Hashable]:
    """Documents by their names; holds everything in memory and is built once a run."""

    def __init__(
        self, documents: Iterable[KnownDocument[Id]], *, fold: Fold = str.casefold, fuzzy_threshold: float = 0.7
    ) -> None:
        """`fuzzy_threshold` is how alike, from 0 to 1, two names must be to be the same name with slips."""
        self.fold = fold
        self._cutoff = fuzzy_threshold * 100
        self.documents = tuple(documents)
        self._by_key = _grouped((self.key(name), each.id) for each in self.documents for name in each.names)
        self._by_address = _grouped(
            (key, each.id) for each in self.documents for address in each.addresses for key in _address_keys(address)
        )
        self._keys = tuple(self._by_key)

    def key(self, name: str) -> str:
        """What names that are written differently have in common; endings of the German genitive are no difference."""
        return bare_words(self.fold(name))

    def resolve(self, name: str) -> Found[Id]:
        """The documents that `name` may mean; none when nothing is near enough.

        Another number is another document: a name with digits is never a part of another name, and slips spare digits.
        """
        key = self.key(name)
        if not key:
            return Found()
        if key in self._by_key:
            return Found(self._by_key[key], Match.EXACT)
        fuzzy = self._fuzzy(key)
        if fuzzy:
            return Found(fuzzy, Match.FUZZY)
        part = self._having(key)
        return Found(part, Match.SUBSTRING) if part else Found()

    def resolve_address(self, address: str) -> Found[Id]:
        """The documents at an address of the web, or at a path that ends like `address`."""
        for key in _address_keys(address):
            if ids := self._by_address.get(key):
                return Found(ids, Match.EXACT)
        return Found()

    def _fuzzy(self, key: str) -> tuple[Id, ...]:
        near = process.extract(
            key, self._keys, scorer=fuzz.token_sort_ratio, score_cutoff=self._cutoff, limit=_MOST_CANDIDATES
        )
        scored = [(score, name) for name, score, _ in near if _digits(name) == _digits(key) and _same_words(name, key)]
        best = max((score for score, _ in scored), default=0.0)
        return _unique(id for score, name in scored if score >= best - _MARGIN for id in self._by_key[name])

    def _having(self, key: str) -> tuple[Id, ...]:
        """The documents one of whose names has the words of `key` in it, one after the other."""
        if len(key) < _SHORTEST_PART or _digits(key):
            return ()
        part = f" {key} "
        return _unique(id for name in self._keys if part in f" {name} " for id in self._by_key[name])


def _same_words(left: str, right: str) -> bool:
    """Whether the words of the shorter name are all in the other, give or take a slip in each."""
    fewer, more = sorted((left.split(), right.split()), key=len)
    return all(any(_is_same_word(word, other) for other in more) for word in fewer)


def _is_same_word(left: str, right: str) -> bool:
    if left == right:
        return True
    return min(len(left), len(right)) >= _SHORTEST_SLIPPED and OSA.distance(left, right, score_cutoff=1) <= 1


def _digits(text: str) -> list[str]:
    return sorted(word for word in text.split() if any(map(str.isdigit, word)))


def _address_keys(address: str) -> tuple[str, ...]:
    """An address as it is compared, the most exact first: without scheme and fragment, and for a path its last part."""
    plain = address.strip().partition("#")[0].rstrip("/").casefold()
    scheme, _, rest = plain.rpartition("://")
    if scheme or rest.startswith("www."):
        return (rest.removeprefix("www."),)
    path = PurePosixPath(plain)
    return (str(path), path.name) if path.name else ()


def _grouped[Id: Hashable](pairs: Iterable[tuple[str, Id]]) -> Mapping[str, tuple[Id, ...]]:
    groups: dict[str, dict[Id, None]] = {}
    for key, id in pairs:
        if key:
            groups.setdefault(key, {})[id] = None
    return {key: tuple(ids) for key, ids in groups.items()}


def _unique[Id: Hashable](ids: Iterable[Id]) -> tuple[Id, ...]:
    return tuple(dict.fromkeys(ids))
