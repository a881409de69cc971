"""Collects the text of formats that are no text: blocks in reading order, with the places of headings."""

from collections.abc import Sequence

from ingestion.documents.limits import DocumentLimits
from ingestion.documents.model import Heading
from ingestion.errors import UnreadableDocument


class BlockText:
    """A text that grows block by block, an empty line between two. Offsets are final once they are given out."""

    def __init__(self, limits: DocumentLimits) -> None:
        self._limits = limits
        self._parts: list[str] = []
        self._length = 0
        self._headings: list[Heading] = []

    def add(self, text: str, *, separator: str = "\n\n") -> int:
        """Append a block; returns where it begins. An empty one leaves nothing.

        Raises:
            UnreadableDocument: the text is longer than the limit.
        """
        text = text.strip()
        if not text:
            return self._length
        if self._parts:
            self._parts.append(separator)
            self._length += len(separator)
        start = self._length
        self._parts.append(text)
        self._length += len(text)
        if self._length > self._limits.characters:
            raise UnreadableDocument(f"its text is longer than {self._limits.characters} characters")
        return start

    def add_heading(self, level: int, text: str) -> None:
        """Append a block that is a heading."""
        if text.strip():
            self._headings.append(Heading(level, text.strip(), self.add(text)))

    @property
    def text(self) -> str:
        """All of it."""
        return "".join(self._parts)

    @property
    def headings(self) -> Sequence[Heading]:
        """Those so far, in reading order."""
        return self._headings
