"""The offline model: what its vectors are like, and that it never holds up the loop."""

import asyncio
import threading
from collections.abc import AsyncGenerator, Sequence

import numpy as np
import pytest
from blockbuster import blockbuster_ctx
from embeddings.bundled import BundledEmbedder
from embeddings.local import MAX_PENDING, LocalEmbedder, RunModel
from embeddings.protocol import EmbedderUnavailable, ModelIdentity

SECONDS = 30.0


@pytest.fixture
async def embedder() -> AsyncGenerator[BundledEmbedder]:
    made = BundledEmbedder()
    yield made
    await made.close()


async def cosine(embedder: BundledEmbedder, left: str, right: str) -> float:
    one, other = await embedder.embed([left, right], timeout=SECONDS)
    return float(np.dot(one, other))


async def test_the_identity_is_known_before_loading(embedder: BundledEmbedder) -> None:
    assert embedder.identity == ModelIdentity("all-MiniLM-L6-v2-onnx-int8", "8199be6f699a", 384)
    assert embedder.identity.short_hash == "6413f1f0"


async def test_vectors_are_unit_length_in_the_order_of_the_texts(embedder: BundledEmbedder) -> None:
    texts = [f"number {index} " * (40 - index) for index in range(40)]
    together = await embedder.embed(texts, timeout=SECONDS)
    assert [len(vector) for vector in together] == [384] * 40
    assert np.linalg.norm(together, axis=1) == pytest.approx([1.0] * 40, abs=1e-5)
    for index in (0, 17, 39):
        (alone,) = await embedder.embed([texts[index]], timeout=SECONDS)
        assert float(np.dot(together[index], alone)) == pytest.approx(1.0, abs=1e-4)


async def test_like_meanings_are_near_and_others_far(embedder: BundledEmbedder) -> None:
    pirates = "A pirate crew searches for a legendary treasure"
    assert await cosine(embedder, "anime about pirates looking for treasure", pirates) > 0.6
    assert await cosine(embedder, "how do I reset my router", pirates) < 0.15


async def test_texts_of_white_space_give_zero_vectors(embedder: BundledEmbedder) -> None:
    vectors = await embedder.embed(["", " \n\t", "word"], timeout=SECONDS)
    assert [np.linalg.norm(vector) for vector in vectors] == pytest.approx([0.0, 0.0, 1.0], abs=1e-5)
    assert await embedder.embed([], timeout=SECONDS) == []


async def test_control_characters_and_lone_surrogates_are_harmless(embedder: BundledEmbedder) -> None:
    vectors = await embedder.embed(["a\x00b", "\ud800", "\u202e"], timeout=SECONDS)
    assert [len(vector) for vector in vectors] == [384] * 3


async def test_what_follows_the_window_does_not_count(embedder: BundledEmbedder) -> None:
    window = "sword " * 254
    assert await cosine(embedder, window, window + "a quiet school comedy") == pytest.approx(1.0, abs=1e-5)


async def test_loading_and_running_never_block_the_loop(embedder: BundledEmbedder) -> None:
    with blockbuster_ctx():
        await embedder.warm(timeout=SECONDS)
    ticks = 0

    async def tick() -> None:
        nonlocal ticks
        while True:
            await asyncio.sleep(0.001)
            ticks += 1

    ticking = asyncio.create_task(tick())
    await embedder.embed(["a long story " * 60] * 16, timeout=SECONDS)
    ticking.cancel()
    assert ticks > 20


async def test_too_slow_is_a_timeout_and_the_next_call_works(embedder: BundledEmbedder) -> None:
    with pytest.raises(EmbedderUnavailable) as caught:
        await embedder.embed(["a long story " * 60] * 64, timeout=0.01)
    assert caught.value.timed_out
    assert len(await embedder.embed(["again"], timeout=SECONDS)) == 1


async def test_too_many_waiting_are_refused_at_once(embedder: BundledEmbedder) -> None:
    calls = [embedder.embed(["a story"], timeout=SECONDS) for _ in range(MAX_PENDING + 1)]
    outcomes = await asyncio.gather(*calls, return_exceptions=True)
    refused = [outcome for outcome in outcomes if isinstance(outcome, EmbedderUnavailable)]
    assert len(refused) == 1
    assert not refused[0].timed_out


async def test_a_closed_embedder_is_unavailable(embedder: BundledEmbedder) -> None:
    await embedder.close()
    await embedder.close()
    with pytest.raises(EmbedderUnavailable):
        await embedder.embed(["word"], timeout=SECONDS)


async def test_as_many_batches_run_at_once_as_there_are_workers_and_the_model_is_loaded_once() -> None:
    meeting = threading.Barrier(2, timeout=SECONDS)
    loads: list[int] = []

    def load() -> RunModel:
        loads.append(1)

        def run(texts: Sequence[str]) -> list[list[float]]:
            meeting.wait()
            return [[float(len(text))] for text in texts]

        return run

    embedder = LocalEmbedder(ModelIdentity("lengths", "1", 1), load, workers=2)
    texts = ["x" * (index % 7 + 1) for index in range(64)]
    assert await embedder.embed(texts, timeout=SECONDS) == [[float(len(text))] for text in texts]
    assert loads == [1]
    await embedder.close()
