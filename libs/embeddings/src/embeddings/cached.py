"""An embedder that remembers what it was asked lately."""

from collections import OrderedDict
from collections.abc import Sequence

from embeddings.protocol import Embedder, ModelIdentity

MAX_CHARACTERS = 400
"""Longer texts are documents, not questions: they are embedded and not kept."""


class CachedEmbedder:
    """See Embedder for the promises. Keeps the vectors of the last `size` short texts, for one event loop.

    A vector is kept under the model's identity and the text. A text that is asked while it is being embedded is
    embedded once more; a failure is never kept.
    """

    def __init__(self, embedder: Embedder, *, size: int = 1_024) -> None:
        self._embedder = embedder
        self._size = size
        self._kept: OrderedDict[tuple[str, str], tuple[float, ...]] = OrderedDict()
        self.hits = 0
        self.misses = 0

    @property
    def identity(self) -> ModelIdentity:
        """See Embedder."""
        return self._embedder.identity

    async def embed(self, texts: Sequence[str], *, timeout: float) -> list[list[float]]:
        """See Embedder."""
        model = self._embedder.identity.short_hash
        known = {text: vector for text in texts if (vector := self._recall((model, text))) is not None}
        fresh = list(dict.fromkeys(text for text in texts if text not in known))
        self.hits += len(known)
        self.misses += len(fresh)
        made = await self._embedder.embed(fresh, timeout=timeout) if fresh else []
        for text, vector in zip(fresh, made, strict=True):
            known[text] = tuple(vector)
            self._keep((model, text), known[text])
        return [list(known[text]) for text in texts]

    async def close(self) -> None:
        """See Embedder."""
        self._kept.clear()
        await self._embedder.close()

    def _recall(self, key: tuple[str, str]) -> tuple[float, ...] | None:
        if key in self._kept:
            self._kept.move_to_end(key)
        return self._kept.get(key)

    def _keep(self, key: tuple[str, str], vector: tuple[float, ...]) -> None:
        if len(key[1]) > MAX_CHARACTERS:
            return
        self._kept[key] = vector
        while len(self._kept) > self._size:
            self._kept.popitem(last=False)
