"""Embedding one query: the model as its package ships it, and the faster form that the product makes of it."""

import asyncio
from collections.abc import Sequence
from contextlib import AsyncExitStack

import numpy as np
from embeddings.bundled import BundledEmbedder
from embeddings.faster_model import prepare_faster_model
from embeddings.protocol import EmbedderUnavailable
from numpy.typing import NDArray

from agent_evals.bench.chance import Chance
from agent_evals.bench.context import OURS, BenchContext, Ratios, series_of
from agent_evals.bench.floor import open_floor
from agent_evals.bench.goals import EMBEDDINGS
from agent_evals.bench.harness import Contender, compare
from agent_evals.bench.invented_catalogue import InventedCatalogue
from agent_evals.bench.report import AreaReport, Measured, Refusal, Series

QUERY, SHIPPED = "one query", "shipped model"

_CORPUS_PER_QUERY = 10
_NEAREST = 10
_SECONDS = 600.0


async def measure_embeddings(context: BenchContext) -> AreaReport:
    """Both models over the same texts; nobody is pinned, as two threads share a query of the shipped model."""
    began = context.clock()
    context.progress("embeddings: making the faster model")
    try:
        faster = await asyncio.to_thread(prepare_faster_model, context.folder)
    except EmbedderUnavailable as exc:
        return AreaReport(area=EMBEDDINGS, status="not_measured", why_not=exc.reason)
    async with AsyncExitStack() as stack:
        shipped = BundledEmbedder()
        stack.push_async_callback(shipped.close)
        ours = BundledEmbedder(faster=faster.path)
        stack.push_async_callback(ours.close)
        series = await _measure(context, shipped, ours, None if faster.path else faster.reason)
    ratios = Ratios((series,))
    overlap = series.quality.get(f"overlap@10 {OURS}")
    return AreaReport(
        area=EMBEDDINGS,
        status="measured",
        seconds=context.clock() - began,
        series=(series,),
        measured={
            "query embedding: shipped model / ours p50": ratios.p50((QUERY, SHIPPED), (QUERY, OURS)),
            "query embedding: top-10 overlap": Measured(value=overlap)
            if overlap is not None
            else Measured(why_not=faster.reason),
        },
        notes=(f"quality gate: {faster.reason}", "two threads share a query of the shipped model, one has ours"),
    )


async def _measure(
    context: BenchContext, shipped: BundledEmbedder, ours: BundledEmbedder, why_not: str | None
) -> Series:
    queries, corpus = _texts(context.catalogue, context.queries)
    contenders = [_contender(SHIPPED, shipped)]
    refusals: list[Refusal] = []
    quality: dict[str, float] = {}
    await shipped.warm(timeout=_SECONDS)
    if why_not is None:
        context.progress("embeddings: comparing neighbours")
        quality[f"overlap@10 {OURS}"] = _overlap(
            await _nearest(shipped, queries, corpus), await _nearest(ours, queries, corpus)
        )
        contenders.insert(0, _contender(OURS, ours))
    else:
        refusals.append(Refusal(contender=OURS, reason=why_not))
    context.progress(f"embeddings: {QUERY}")
    async with open_floor(context.dsn) as floor:
        comparison = await compare(contenders, queries, floor.contender, context.plan, clock=context.clock)
    return series_of(QUERY, len(queries), comparison, tuple(refusals), quality)


def _contender(name: str, embedder: BundledEmbedder) -> Contender[str]:
    return Contender(name, ask=lambda text: embedder.embed([text], timeout=_SECONDS))


def _texts(catalogue: InventedCatalogue, count: int) -> tuple[list[str], list[str]]:
    """English names: some as queries, ten times as many to be found by them."""
    english = list(
        dict.fromkeys(
            text for text, kind in zip(catalogue.names.texts, catalogue.names.kinds, strict=True) if kind == "english"
        )
    )
    order: list[int] = Chance(catalogue.seed, "embedded texts").permutation(len(english)).tolist()
    drawn = [english[place] for place in order[: count * (1 + _CORPUS_PER_QUERY)]]
    queries = max(1, len(drawn) // (1 + _CORPUS_PER_QUERY))
    return drawn[:queries], drawn[queries:]


async def _nearest(embedder: BundledEmbedder, queries: Sequence[str], corpus: Sequence[str]) -> list[frozenset[int]]:
    known, asked = [
        np.array(await embedder.embed(texts, timeout=_SECONDS), dtype=np.float32) for texts in (corpus, queries)
    ]
    scores: NDArray[np.float32] = asked @ known.T
    best: list[list[int]] = np.argsort(-scores, axis=1, kind="stable")[:, :_NEAREST].tolist()
    return [frozenset(each) for each in best]


def _overlap(ones: Sequence[frozenset[int]], others: Sequence[frozenset[int]]) -> float:
    shared = [len(one & other) / len(one) for one, other in zip(ones, others, strict=True) if one]
    return sum(shared) / len(shared) if shared else 0.0
