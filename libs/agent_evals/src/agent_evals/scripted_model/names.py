"""The names that the scripted model knows, as a trained one knows titles: what stands in a text, longest first."""

import re
from collections.abc import Iterable

from agent_core.schemas import Mention
from datastore.folding import fold

_WORD = re.compile(r"\w+(?:['’.\-]\w+)*[.!?]*", re.UNICODE)
_WIDE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7ff]")
_MAX_WORDS = 14


class KnownNames:
    """A finder of mentions over a closed list of names; it reads nothing but the text."""

    def __init__(self, names: Iterable[str]) -> None:
        unique = {name for name in names if name.strip()}
        self._folded = {folded for name in unique if (folded := fold(name))}
        self._wide = sorted((name for name in unique if _WIDE.search(name)), key=len, reverse=True)

    async def find(self, text: str, *, timeout: float) -> tuple[Mention, ...]:
        """Names in reading order, none inside another."""
        taken: list[tuple[int, int]] = []
        for name in self._wide:
            start = text.find(name)
            if start >= 0 and _is_free(taken, start, start + len(name)):
                taken.append((start, start + len(name)))
        words = list(_WORD.finditer(text))
        for length in range(min(_MAX_WORDS, len(words)), 0, -1):
            for first in range(len(words) - length + 1):
                start, end = words[first].start(), words[first + length - 1].end()
                if _is_free(taken, start, end) and fold(text[start:end]) in self._folded:
                    taken.append((start, end))
        return tuple(Mention(text=text[start:end].rstrip("?")) for start, end in sorted(taken))


def _is_free(taken: Iterable[tuple[int, int]], start: int, end: int) -> bool:
    return all(end <= begun or start >= ended for begun, ended in taken)
