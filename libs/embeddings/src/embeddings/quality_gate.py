"""Whether a faster form of a model says the same: its vectors of fixed texts beside the shipped model's."""

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files

import numpy as np
import numpy.typing as npt

MINIMUM_COSINE = 0.99
MINIMUM_OVERLAP = 0.88
NEIGHBOURS = 10


@dataclass(frozen=True, slots=True)
class GateReport:
    """`cosine` is the mean over the probe texts; `overlap` the mean share of the ten nearest that stay the same."""

    cosine: float
    overlap: float

    @property
    def is_passed(self) -> bool:
        """Whether the faster form may serve."""
        return self.cosine >= MINIMUM_COSINE and self.overlap >= MINIMUM_OVERLAP

    def __str__(self) -> str:
        return f"cosine {self.cosine:.3f}, {self.overlap:.2f} of the ten nearest the same"


def probe_texts() -> tuple[str, ...]:
    """The texts that models are compared on: questions, titles and synopses."""
    text = files("embeddings").joinpath("probes.txt").read_text("utf-8")
    return tuple(line for line in text.splitlines() if line)


def compare(shipped: Sequence[Sequence[float]], candidate: Sequence[Sequence[float]]) -> GateReport:
    """Both are unit vectors of the same texts in the same order; more texts than NEIGHBOURS are needed."""
    one, other = np.asarray(shipped, np.float32), np.asarray(candidate, np.float32)
    if one.shape != other.shape or not np.isfinite(other).all():
        return GateReport(0.0, 0.0)
    pairs = zip(_nearest(one), _nearest(other), strict=True)
    shared = [len(left & right) / NEIGHBOURS for left, right in pairs]
    return GateReport(float((one * other).sum(axis=1).mean()), float(np.mean(shared)))


def _nearest(vectors: npt.NDArray[np.float32]) -> list[frozenset[int]]:
    likeness = vectors @ vectors.T
    np.fill_diagonal(likeness, -np.inf)
    order = np.argsort(-likeness, axis=1, kind="stable")[:, :NEIGHBOURS]
    return [frozenset(row.tolist()) for row in order]
