"""Links between invented entities: a few hubs with thousands of edges, most entities with a handful."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from datastore.vocabulary import EntityType
from numpy.typing import NDArray

from agent_evals.bench.chance import Chance, Integers
from agent_evals.bench.scale import Scale

_T = EntityType


@dataclass(frozen=True, slots=True)
class Links:
    """Pairs of entity positions, as the rows of the truth tables hold them; no pair occurs twice in one."""

    appearances: NDArray[np.int64]
    voices: NDArray[np.int64]
    staff_credits: NDArray[np.int64]
    studio_credits: NDArray[np.int64]
    sequels: NDArray[np.int64]
    adaptations: NDArray[np.int64]
    episodes: NDArray[np.int64]

    @property
    def pairs(self) -> NDArray[np.int64]:
        """All of them together, one row a link."""
        return np.concatenate(
            [
                self.appearances,
                self.voices,
                self.staff_credits,
                self.studio_credits,
                self.sequels,
                self.adaptations,
                self.episodes,
            ]
        )


class _Drawer:
    """Draws entities of a type, popular ones far more often than others."""

    def __init__(self, seed: int, places: Mapping[EntityType, range], popularity: Integers) -> None:
        self._seed = seed
        self._places = places
        self._by_popularity = {
            kind: part.start + np.argsort(-popularity[part.start : part.stop], kind="stable")
            for kind, part in places.items()
        }

    def some(self, kind: EntityType, count: int, exponent: float, label: str) -> Integers:
        """`count` entities; the exponent says how much the popular ones are preferred."""
        ordered = self._by_popularity[kind]
        chance = Chance(self._seed, f"{label} {kind}")
        return ordered[chance.power_law(len(ordered), count, exponent=exponent, flat=15)]

    def every(self, kind: EntityType) -> Integers:
        """All of the type, in order."""
        part = self._places[kind]
        return np.arange(part.start, part.stop)


def invent_links(seed: int, scale: Scale, places: Mapping[EntityType, range], popularity: Integers) -> Links:
    """The links of a catalogue; about as many rows as `scale` says, less the doubles."""
    draw = _Drawer(seed, places, popularity)
    anime, characters = draw.every(_T.ANIME), draw.every(_T.CHARACTER)
    second_studios = max(1, scale.anime * 3 // 10)
    more_in_anime = max(0, scale.anime_appearances - len(characters))
    more_in_manga = max(0, scale.manga_appearances - len(characters[::2]))
    return Links(
        appearances=_distinct(
            (characters, draw.some(_T.ANIME, len(characters), 0.75, "first appearance")),
            (
                draw.some(_T.CHARACTER, more_in_anime, 0.55, "further appearance"),
                draw.some(_T.ANIME, more_in_anime, 0.72, "further appearance"),
            ),
            (characters[::2], draw.some(_T.MANGA, len(characters[::2]), 0.7, "first in manga")),
            (
                draw.some(_T.CHARACTER, more_in_manga, 0.5, "further in manga"),
                draw.some(_T.MANGA, more_in_manga, 0.7, "further in manga"),
            ),
        ),
        voices=_drawn(draw, scale.voices, (_T.PERSON, 0.85), (_T.CHARACTER, 0.45), "voice"),
        staff_credits=_drawn(draw, scale.staff_credits, (_T.PERSON, 0.65), (_T.ANIME, 0.5), "staff"),
        studio_credits=_distinct(
            (draw.some(_T.STUDIO, len(anime), 0.9, "studio"), anime),
            (
                draw.some(_T.STUDIO, second_studios, 0.9, "second studio"),
                draw.some(_T.ANIME, second_studios, 0.4, "second studio"),
            ),
        ),
        sequels=np.concatenate(
            [
                _drawn(draw, scale.anime_relations, (_T.ANIME, 0.4), (_T.ANIME, 0.4), "sequel", apart=True),
                _drawn(draw, scale.manga_relations, (_T.MANGA, 0.4), (_T.MANGA, 0.4), "sequel", apart=True),
            ]
        ),
        adaptations=_drawn(draw, scale.adaptations, (_T.MANGA, 0.4), (_T.ANIME, 0.3), "adaptation"),
        episodes=_distinct((draw.every(_T.EPISODE), draw.some(_T.ANIME, scale.episodes, 0.45, "episode"))),
    )


def _drawn(
    draw: _Drawer,
    count: int,
    left: tuple[EntityType, float],
    right: tuple[EntityType, float],
    label: str,
    *,
    apart: bool = False,
) -> NDArray[np.int64]:
    """Pairs of two drawn ends. With `apart`, the two ends are drawn from one type and a pair runs one way only."""
    tails = draw.some(left[0], count, left[1], f"{label} from")
    heads = draw.some(right[0], count, right[1], f"{label} to")
    if apart:
        tails, heads = np.minimum(tails, heads), np.maximum(tails, heads)
    return _distinct((tails, heads))


def _distinct(*pairs: tuple[Integers, Integers]) -> NDArray[np.int64]:
    together = np.concatenate([np.stack(pair, axis=1) for pair in pairs])
    return np.unique(together[together[:, 0] != together[:, 1]], axis=0)
