"""Vectors with the shape of text embeddings: clusters in few directions, noise in all; and the exact neighbours."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from agent_evals.bench.chance import Chance

DIMENSIONS = 384
NEIGHBOURS = 10
FIRST_YEAR = 2000
WANTED_TYPE = "anime"

_DIRECTIONS, _CLUSTERS = 48, 2_000
_CLUSTER_SHARE, _NOISE = 0.7, 2.5
_TYPES = ("anime", "manga", "character", "person", "studio", "episode")
_TYPE_SHARES = (0.05, 0.08, 0.30, 0.10, 0.02, 0.45)
_EARLIEST, _YEARS = 1960, 67

type Vectors = NDArray[np.float32]
type Places = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class InventedVectors:
    """Unit vectors with a type and a year each, and queries of the same kind."""

    vectors: Vectors
    types: tuple[str, ...]
    years: tuple[int, ...]
    queries: Vectors

    @property
    def matching(self) -> Places:
        """Places of the vectors that the filter lets through: WANTED_TYPE from FIRST_YEAR on."""
        wanted = [
            place
            for place, (kind, year) in enumerate(zip(self.types, self.years, strict=True))
            if kind == WANTED_TYPE and year >= FIRST_YEAR
        ]
        return np.array(wanted, dtype=np.int64)

    def nearest(self, within: Places | None = None) -> list[frozenset[int]]:
        """The NEIGHBOURS nearest vectors of each query, found by looking at all of them, or at those within."""
        places = np.arange(len(self.vectors)) if within is None else within
        scores = self.queries @ self.vectors[places].T
        best = np.argsort(-scores, axis=1, kind="stable")[:, :NEIGHBOURS]
        found: list[list[int]] = places[best].tolist()
        return [frozenset(each) for each in found]


def invent_vectors(seed: int, count: int, queries: int) -> InventedVectors:
    """The same for the same arguments, up to the last bits of floating point."""
    basis = Chance(seed, "vector basis").normal(_DIRECTIONS, DIMENSIONS)
    centres = Chance(seed, "vector centres").normal(_CLUSTERS, _DIRECTIONS)
    chance = Chance(seed, "vector payloads")
    kinds: list[int] = chance.weighted(np.cumsum(_TYPE_SHARES), count).tolist()
    years: list[int] = (_EARLIEST + chance.below(_YEARS, count)).tolist()
    return InventedVectors(
        vectors=_unit_vectors(Chance(seed, "vectors"), count, basis, centres),
        types=tuple(_TYPES[kind] for kind in kinds),
        years=tuple(years),
        queries=_unit_vectors(Chance(seed, "vector queries"), queries, basis, centres),
    )


def recall(found: list[list[int]], wanted: list[frozenset[int]]) -> float:
    """The share of the wanted neighbours that were found, over all queries."""
    total = sum(map(len, wanted))
    return sum(len(each & set(ids)) for ids, each in zip(found, wanted, strict=True)) / total if total else 0.0


def _unit_vectors(chance: Chance, count: int, basis: Vectors, centres: Vectors) -> Vectors:
    around = centres[chance.below(len(centres), count)]
    latent = _CLUSTER_SHARE * around + chance.normal(count, _DIRECTIONS)
    raw = latent @ basis + _NOISE * chance.normal(count, DIMENSIONS)
    return (raw / np.linalg.norm(raw, axis=1, keepdims=True)).astype(np.float32)
