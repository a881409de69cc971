"""Every beginning by which a person may find an invented entity: what the product and its peers are all asked about."""

from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple
from uuid import UUID

import numpy as np
from datastore import folding
from datastore.folding import name_entry, squeeze
from numpy.typing import NDArray

from agent_evals.bench.invented_catalogue import InventedCatalogue
from agent_evals.bench.kept import Keep, digest_of, source

_OWNERS, _ARE_WHOLE, _ORDER, _TEXTS = "owners.npy", "are_whole.npy", "order.npy", "texts.txt"
_AFTER_EVERY_TEXT = "\U0010ffff"

type Places = NDArray[np.int64]
"""Which beginnings, as indexes of what `Starts` knows of each."""


class Shown(NamedTuple):
    """An entity on a first page: its position, its type and its name."""

    owner: int
    type: str
    name: str


@dataclass(frozen=True)
class SearchWorld:
    """What a search peer indexes: the catalogue, its beginnings, each entity's popularity in millionths and its id."""

    catalogue: InventedCatalogue
    starts: "Starts"
    popularity: NDArray[np.int64]
    ids: tuple[UUID, ...]

    @property
    def digest(self) -> str:
        """The same for what gives the same index."""
        return digest_of([self.starts.made_with, self.popularity.tobytes()])

    def shown(self, owner: int) -> Shown:
        """The entity at this position as a first page shows it."""
        return Shown(owner, self.catalogue.type_of(owner).value, self.catalogue.titles[owner])

    @cached_property
    def in_order(self) -> tuple[int, ...]:
        """All entities, the most popular first, then by name and id: the order of search within a class of matches."""
        titles, popularity, ids = self.catalogue.titles, self.popularity.tolist(), self.ids
        return tuple(
            sorted(range(len(titles)), key=lambda owner: (-popularity[owner], titles[owner], ids[owner].bytes))
        )


class Starts:
    """All beginnings of a catalogue, by owner and by text. Made once for the oracle and all peers.

    Of each: the entity that it belongs to, whether it is all of a name, and its text with spaces as they are.
    """

    def __init__(self, catalogue: InventedCatalogue, keep: Keep) -> None:
        self.made_with = digest_of([catalogue.scale.digest(catalogue.seed), source(__file__, folding.__file__)])
        folder = keep.folder("starts", [self.made_with], lambda path: _write(catalogue, path))
        self.owners: NDArray[np.int64] = np.load(folder / _OWNERS)
        self.are_whole: NDArray[np.bool_] = np.load(folder / _ARE_WHOLE)
        self.spaced = (folder / _TEXTS).read_text(encoding="utf-8").split("\n")
        # One string for both where there is no difference, as mostly.
        self._squeezed = [squeeze(text) if " " in text else text for text in self.spaced]
        self._order: Places = np.load(folder / _ORDER)
        order: list[int] = self._order.tolist()
        self._sorted = [self._squeezed[place] for place in order]

    def __len__(self) -> int:
        return len(self._sorted)

    def beginning_with(self, squeezed: str) -> Places:
        """All that begin with the text, spaces left out of both."""
        first = bisect_left(self._sorted, squeezed)
        return self._order[first : bisect_left(self._sorted, squeezed + _AFTER_EVERY_TEXT)]

    def equal_to(self, squeezed: str) -> Places:
        """All that are the text, spaces left out of both."""
        return self._order[bisect_left(self._sorted, squeezed) : bisect_right(self._sorted, squeezed)]


def _write(catalogue: InventedCatalogue, folder: Path) -> None:
    owners: list[int] = []
    whole: list[bool] = []
    texts: list[str] = []
    for owner, name in zip(catalogue.names.owners.tolist(), catalogue.names.texts, strict=True):
        for suffix in name_entry(name).suffixes:
            owners.append(owner)
            whole.append(suffix.is_whole)
            texts.append(suffix.text)
    squeezed = list(map(squeeze, texts))
    np.save(folder / _OWNERS, np.array(owners, dtype=np.int64))
    np.save(folder / _ARE_WHOLE, np.array(whole, dtype=np.bool_))
    np.save(folder / _ORDER, np.array(sorted(range(len(owners)), key=squeezed.__getitem__), dtype=np.int64))
    (folder / _TEXTS).write_text("\n".join(texts), encoding="utf-8")
