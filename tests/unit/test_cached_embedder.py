"""The cache of query vectors: what it keeps, under which name, and how much."""

from collections.abc import Sequence

import pytest
from embeddings.cached import MAX_CHARACTERS, CachedEmbedder
from embeddings.protocol import EmbedderUnavailable, ModelIdentity


class CountingEmbedder:
    """Gives each text its length and remembers what it was asked."""

    def __init__(self) -> None:
        self.identity = ModelIdentity("counting", "1", 1)
        self.asked: list[list[str]] = []
        self.is_away = False

    async def embed(self, texts: Sequence[str], *, timeout: float) -> list[list[float]]:
        self.asked.append(list(texts))
        if self.is_away:
            raise EmbedderUnavailable("away")
        return [[float(len(text))] for text in texts]

    async def close(self) -> None:
        self.is_away = True


async def test_a_text_is_embedded_once_and_answers_keep_their_order() -> None:
    inner = CountingEmbedder()
    cached = CachedEmbedder(inner)
    assert await cached.embed(["aa", "b", "aa"], timeout=1) == [[2.0], [1.0], [2.0]]
    assert await cached.embed(["b", "ccc", "aa"], timeout=1) == [[1.0], [3.0], [2.0]]
    assert inner.asked == [["aa", "b"], ["ccc"]]
    assert (cached.hits, cached.misses) == (2, 3)


async def test_the_one_asked_longest_ago_goes_first() -> None:
    inner = CountingEmbedder()
    cached = CachedEmbedder(inner, size=2)
    for text in ("a", "bb", "a", "ccc", "a", "bb"):
        await cached.embed([text], timeout=1)
    assert inner.asked == [["a"], ["bb"], ["ccc"], ["bb"]]


async def test_a_vector_is_never_given_for_another_model() -> None:
    inner = CountingEmbedder()
    cached = CachedEmbedder(inner)
    await cached.embed(["a"], timeout=1)
    inner.identity = ModelIdentity("counting", "2", 1)
    await cached.embed(["a"], timeout=1)
    assert inner.asked == [["a"], ["a"]]


async def test_changing_an_answer_changes_nothing_that_is_kept() -> None:
    cached = CachedEmbedder(CountingEmbedder())
    (vector,) = await cached.embed(["a"], timeout=1)
    vector[0] = 99.0
    assert await cached.embed(["a"], timeout=1) == [[1.0]]


async def test_long_texts_and_failures_are_not_kept() -> None:
    inner = CountingEmbedder()
    cached = CachedEmbedder(inner)
    long = "x" * (MAX_CHARACTERS + 1)
    await cached.embed([long], timeout=1)
    await cached.embed([long], timeout=1)
    assert inner.asked == [[long], [long]]
    inner.is_away = True
    with pytest.raises(EmbedderUnavailable):
        await cached.embed(["a"], timeout=1)
    inner.is_away = False
    assert await cached.embed(["a"], timeout=1) == [[1.0]]


async def test_closing_closes_the_model() -> None:
    inner = CountingEmbedder()
    await CachedEmbedder(inner).close()
    assert inner.is_away
