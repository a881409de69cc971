"""A model in this process, run by threads of its own."""

import asyncio
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import batched

from embeddings.protocol import EmbedderUnavailable, ModelIdentity

MAX_PENDING = 64
"""Batches that may wait for the model; the next is refused at once."""

_MAX_BATCH_TEXTS = 16
_MAX_BATCH_CHARACTERS = 3_000

type RunModel = Callable[[Sequence[str]], list[list[float]]]
"""Unit vectors of the texts of one batch."""


def _batches(places: Sequence[int], texts: Sequence[str]) -> Iterator[list[int]]:
    """Places, sorted by the length of their texts, in batches that are short work whatever the texts are like."""
    batch: list[int] = []
    for place in places:
        if (batch and len(texts[place]) * (len(batch) + 1) > _MAX_BATCH_CHARACTERS) or len(batch) == _MAX_BATCH_TEXTS:
            yield batch
            batch = []
        batch.append(place)
    if batch:
        yield batch


class LocalEmbedder:
    """See Embedder for the promises. `load` is called on first use, or ahead of it by `warm`, in a thread of the model.

    Texts run in small batches of like length, so a question waits behind one batch of an indexer and not behind all.
    `workers` is how many batches run at the same time; with more than one, what `load` returns bears that.
    """

    def __init__(self, identity: ModelIdentity, load: Callable[[], RunModel], *, workers: int = 1) -> None:
        self._identity = identity
        self._load = load
        self._loading = threading.Lock()
        self._workers = workers
        self._run_model: RunModel | None = None
        self._room = threading.BoundedSemaphore(MAX_PENDING)
        self._executor = ThreadPoolExecutor(max_workers=workers, thread_name_prefix="embedder")
        self._is_closed = False

    @property
    def identity(self) -> ModelIdentity:
        """See Embedder."""
        return self._identity

    async def warm(self, *, timeout: float) -> None:
        """Load the model and run it once. Raises EmbedderUnavailable."""
        await self.embed(["warm"], timeout=timeout)

    async def embed(self, texts: Sequence[str], *, timeout: float) -> list[list[float]]:
        """See Embedder."""
        vectors = [[0.0] * self._identity.dimensions for _ in texts]
        places = sorted(
            (place for place, text in enumerate(texts) if text.strip()), key=lambda place: len(texts[place])
        )
        try:
            async with asyncio.timeout(timeout):
                for together in batched(_batches(places, texts), self._workers):
                    # Futures, not coroutines: for one text, a task would cost more than all else of this function.
                    runs = [self._started([texts[place] for place in batch]) for batch in together]
                    for batch, made in zip(together, await asyncio.gather(*runs), strict=True):
                        for place, vector in zip(batch, made, strict=True):
                            vectors[place] = vector
        except TimeoutError as error:
            raise EmbedderUnavailable("the embedding model did not answer in time", timed_out=True) from error
        return vectors

    async def close(self) -> None:
        """See Embedder."""
        self._is_closed = True
        self._executor.shutdown(wait=False)

    def _started(self, texts: Sequence[str]) -> asyncio.Future[list[list[float]]]:
        if self._is_closed or not self._room.acquire(blocking=False):
            raise EmbedderUnavailable("the embedding model is closed or too busy")
        future = self._executor.submit(self._loaded_run, texts)
        future.add_done_callback(self._make_room)
        return asyncio.wrap_future(future)

    def _make_room(self, _: object) -> None:
        self._room.release()

    def _loaded_run(self, texts: Sequence[str]) -> list[list[float]]:
        if self._is_closed:
            raise EmbedderUnavailable("the embedding model is closed")
        with self._loading:
            if self._run_model is None:
                self._run_model = self._load()
        return self._run_model(texts)
