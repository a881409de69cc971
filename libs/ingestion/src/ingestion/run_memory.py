"""What one import has given already, so that a repetition inside it never counts as a change."""

from collections.abc import Hashable
from uuid import UUID


class Given[T: Hashable]:
    """A set with a tentative part, which a transaction's end keeps or drops."""

    def __init__(self) -> None:
        self._kept: set[T] = set()
        self._tentative: set[T] = set()

    def add(self, item: T) -> bool:
        """Note `item`; True when it is new."""
        if item in self:
            return False
        self._tentative.add(item)
        return True

    def __contains__(self, item: T) -> bool:
        return item in self._kept or item in self._tentative

    def end(self, *, committed: bool) -> None:
        """Keep what was noted since the last end, or forget it."""
        if committed:
            self._kept |= self._tentative
        self._tentative.clear()


class RunMemory:
    """The entities of one import, and the hashes of its links' keys."""

    def __init__(self) -> None:
        self.entities: Given[UUID] = Given()
        self.links: Given[int] = Given()

    def end(self, *, committed: bool) -> None:
        """A transaction has ended."""
        self.entities.end(committed=committed)
        self.links.end(committed=committed)
