"""Random numbers that are the same on every machine and with every version of NumPy, by the bulk."""

import numpy as np
from numpy.typing import NDArray

type Floats = NDArray[np.float64]
type Integers = NDArray[np.int64]


class Chance:
    """One stream of numbers; streams of different labels are independent.

    Built on the generator's raw bits, which NumPy keeps stable, unlike the distributions that it derives from them.
    """

    def __init__(self, seed: int, label: str) -> None:
        self._bits = np.random.PCG64(np.random.SeedSequence([seed, *label.encode()]))

    def uniform(self, count: int) -> Floats:
        """Numbers from 0 up to 1."""
        raw = self._bits.random_raw(count)
        return (raw >> np.uint64(11)).astype(np.float64) * 2.0**-53

    def below(self, limit: int, count: int) -> Integers:
        """Whole numbers from 0 to below `limit`, equally likely."""
        return (self.uniform(count) * limit).astype(np.int64)

    def power_law(self, items: int, count: int, *, exponent: float, flat: float) -> Integers:
        """Places of 0 to below `items`; place i is as likely as 1 / (i + flat) ** exponent."""
        weights: Floats = 1.0 / (np.arange(items, dtype=np.float64) + flat) ** exponent
        cumulated: Floats = np.cumsum(weights, dtype=np.float64)
        return self.weighted(cumulated, count)

    def weighted(self, cumulated: Floats, count: int) -> Integers:
        """Places, each as likely as its step in `cumulated`."""
        drawn: Floats = self.uniform(count) * cumulated[-1]
        places: Integers = np.searchsorted(cumulated, drawn, side="right").astype(np.int64)
        return np.minimum(places, len(cumulated) - 1)

    def normal(self, *shape: int) -> NDArray[np.float32]:
        """Numbers of a normal distribution around 0 with deviation 1, by Box and Muller's transform."""
        count = int(np.prod(shape))
        radius = np.sqrt(-2.0 * np.log(1.0 - self.uniform(count)))
        return (radius * np.cos(2.0 * np.pi * self.uniform(count))).astype(np.float32).reshape(shape)

    def permutation(self, count: int) -> Integers:
        """Every number below `count` once."""
        return np.argsort(self.uniform(count), kind="stable").astype(np.int64)
