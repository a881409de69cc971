"""Every beginning by which a person may find an invented entity: what the product and its peers are all asked about."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

import numpy as np
from datastore.folding import name_entry, squeeze
from numpy.typing import NDArray

from agent_evals.bench.invented_catalogue import InventedCatalogue

_AFTER_EVERY_TEXT = "\U0010ffff"

type Places = NDArray[np.int64]
"""Which beginnings, as indexes of what `Starts` knows of each."""


@dataclass(frozen=True, slots=True)
class SearchWorld:
    """What a search peer indexes: the catalogue, its beginnings, and each entity's popularity in millionths."""

    catalogue: InventedCatalogue
    starts: "Starts"
    popularity: NDArray[np.int64]


class Starts:
    """All beginnings of a catalogue, by owner and by text. Made once for the oracle and all peers.

    Of each: the entity that it belongs to, whether it is all of a name, and its text with spaces as they are.
    """

    def __init__(self, catalogue: InventedCatalogue) -> None:
        owners: list[int] = []
        self.spaced: list[str] = []
        self._squeezed: list[str] = []
        whole: list[bool] = []
        for owner, text in zip(catalogue.names.owners.tolist(), catalogue.names.texts, strict=True):
            for suffix in name_entry(text).suffixes:
                bare = squeeze(suffix.text)
                owners.append(owner)
                whole.append(suffix.is_whole)
                self._squeezed.append(bare)
                # One string for both where there is no difference, as mostly.
                self.spaced.append(bare if bare == suffix.text else suffix.text)
        self.owners: NDArray[np.int64] = np.array(owners, dtype=np.int64)
        self.are_whole: NDArray[np.bool_] = np.array(whole, dtype=np.bool_)
        order = sorted(range(len(owners)), key=self._squeezed.__getitem__)
        self._sorted = [self._squeezed[place] for place in order]
        self._order: Places = np.array(order, dtype=np.int64)

    def __len__(self) -> int:
        return len(self._sorted)

    def beginning_with(self, squeezed: str) -> Places:
        """All that begin with the text, spaces left out of both."""
        first = bisect_left(self._sorted, squeezed)
        return self._order[first : bisect_left(self._sorted, squeezed + _AFTER_EVERY_TEXT)]

    def equal_to(self, squeezed: str) -> Places:
        """All that are the text, spaces left out of both."""
        return self._order[bisect_left(self._sorted, squeezed) : bisect_right(self._sorted, squeezed)]

    def by_owner(self) -> Iterator[tuple[int, list[str]]]:
        """Each entity that has names, with its distinct beginnings without spaces."""
        for owner, places in groupby(range(len(self.owners)), key=self.owners.tolist().__getitem__):
            yield owner, list(dict.fromkeys(self._squeezed[place] for place in places))
