"""How large an invented catalogue is, and the digest that tells two of them apart."""

import hashlib
import json
from dataclasses import asdict, dataclass

GENERATOR_VERSION = 1
"""Goes up with every change of what the generator invents, so that no cached catalogue passes for a newer one."""


@dataclass(frozen=True, slots=True)
class Scale:
    """Counts of entities, and of link rows before doubles are dropped. Every link is two directed edges."""

    anime: int
    manga: int
    characters: int
    people: int
    studios: int
    episodes: int
    anime_appearances: int
    manga_appearances: int
    voices: int
    staff_credits: int
    anime_relations: int
    manga_relations: int
    adaptations: int

    def divided_by(self, divisor: int) -> "Scale":
        """The same shape, smaller; at least one of everything."""
        return Scale(**{name: max(1, count // divisor) for name, count in asdict(self).items()})

    def digest(self, seed: int) -> str:
        """The same for equal catalogues on every machine, and only for them."""
        content = json.dumps([GENERATOR_VERSION, seed, asdict(self)], sort_keys=True)
        return hashlib.sha256(content.encode()).hexdigest()[:16]


FULL = Scale(
    anime=50_000,
    manga=80_000,
    characters=300_000,
    people=100_000,
    studios=2_000,
    episodes=500_000,
    anime_appearances=1_000_000,
    manga_appearances=500_000,
    voices=500_000,
    staff_credits=800_000,
    anime_relations=60_000,
    manga_relations=50_000,
    adaptations=25_000,
)
"""Some 1.36 million names and seven million directed edges."""

QUICK = FULL.divided_by(100)
