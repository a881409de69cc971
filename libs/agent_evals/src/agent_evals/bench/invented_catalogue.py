"""A whole catalogue out of a seed: entities with skewed popularity, their names, and the links between them."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain

import numpy as np
from datastore.vocabulary import EntityType

from agent_evals.bench.chance import Chance, Integers
from agent_evals.bench.invented_links import Links, invent_links
from agent_evals.bench.invented_names import (
    InventedName,
    episode_titles,
    person_names,
    studio_names,
    work_names,
)
from agent_evals.bench.invented_words import Vocabulary, invent_vocabulary
from agent_evals.bench.scale import Scale

DEFAULT_SEED = 20_261_201

_T = EntityType
# How often the most popular entity of a type was counted; the count falls with the rank.
_MOST_COUNTED: Mapping[EntityType, int] = {
    _T.ANIME: 3_000_000,
    _T.MANGA: 1_200_000,
    _T.CHARACTER: 150_000,
    _T.PERSON: 100_000,
    _T.STUDIO: 20_000,
    _T.EPISODE: 20_000,
}
_FALL = 0.75


@dataclass(frozen=True, slots=True)
class Names:
    """Names in parallel: `texts[i]` of kind `kinds[i]` belongs to the entity at `owners[i]`."""

    owners: Integers
    texts: tuple[str, ...]
    kinds: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class InventedCatalogue:
    """Everything, by position: `places` says which positions a type has, `titles` and `popularity` run along them."""

    seed: int
    scale: Scale
    places: Mapping[EntityType, range]
    popularity: Integers
    titles: tuple[str, ...]
    names: Names
    links: Links

    @property
    def size(self) -> int:
        """How many entities there are."""
        return len(self.titles)

    def type_of(self, position: int) -> EntityType:
        """What the entity at this position is."""
        return next(kind for kind, part in self.places.items() if position in part)


def invent_catalogue(
    scale: Scale, *, seed: int = DEFAULT_SEED, progress: Callable[[str], None] | None = None
) -> InventedCatalogue:
    """The catalogue of this scale and seed; the same on every machine. `progress` is told what comes next."""
    tell = progress or _nothing
    places = _places(scale)
    total = sum(map(len, places.values()))
    popularity = np.concatenate([_popularity(seed, kind, len(part)) for kind, part in places.items()])
    tell("inventing names")
    words = invent_vocabulary(seed, size=_vocabulary_size(scale))
    names = _names(_all_names(seed, scale, words))
    titles = [""] * total
    for owner, text, kind in zip(names.owners.tolist(), names.texts, names.kinds, strict=True):
        if kind == "main":
            titles[owner] = text
    titles[places[_T.EPISODE].start :] = episode_titles(seed, scale.episodes, words)
    tell("inventing links")
    links = invent_links(seed, scale, places, popularity)
    return InventedCatalogue(seed, scale, places, popularity, tuple(titles), names, links)


def _nothing(_: str) -> None:
    return None


def _places(scale: Scale) -> dict[EntityType, range]:
    """Episodes come last: they alone have no searchable names."""
    counts = {
        _T.ANIME: scale.anime,
        _T.MANGA: scale.manga,
        _T.CHARACTER: scale.characters,
        _T.PERSON: scale.people,
        _T.STUDIO: scale.studios,
        _T.EPISODE: scale.episodes,
    }
    places: dict[EntityType, range] = {}
    start = 0
    for kind, count in counts.items():
        places[kind] = range(start, start + count)
        start += count
    return places


def _vocabulary_size(scale: Scale) -> int:
    """30,000 words for the full catalogue, and not so few for small ones that all names look alike."""
    return max(800, min(30_000, scale.characters // 10))


def _popularity(seed: int, kind: EntityType, count: int) -> Integers:
    ranks = 1 + Chance(seed, f"popularity {kind}").permutation(count)
    return (_MOST_COUNTED[kind] / ranks**_FALL).astype(np.int64)


def _all_names(seed: int, scale: Scale, words: Vocabulary) -> Iterator[list[InventedName]]:
    return chain(
        work_names(seed, "anime", scale.anime, words, aliases=1.2),
        work_names(seed, "manga", scale.manga, words, aliases=0.7),
        person_names(seed, "character", scale.characters, words, alias_share=0.3),
        person_names(seed, "person", scale.people, words, alias_share=0.15),
        studio_names(seed, scale.studios, words),
    )


def _names(by_entity: Iterator[list[InventedName]]) -> Names:
    owners: list[int] = []
    texts: list[str] = []
    kinds: list[str] = []
    for owner, names in enumerate(by_entity):
        # The catalogue knows a name of one kind once.
        for name in dict.fromkeys(names):
            owners.append(owner)
            texts.append(name.text)
            kinds.append(name.kind.value)
    return Names(np.array(owners, dtype=np.int64), tuple(texts), tuple(kinds))
