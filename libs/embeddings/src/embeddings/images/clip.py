"""CLIP's eye as FastEmbed serves it; its package is an extra, and the model is downloaded on first use."""

import asyncio
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from embeddings.images.protocol import LikenessFloors, Picture
from embeddings.protocol import EmbedderUnavailable, ModelIdentity

FLOORS = LikenessFloors(alike=0.80, same=0.92)
"""CLIP finds any two drawings rather alike. Not measured here: the model is not part of the tests."""


class ClipImageEmbedder:
    """See ImageEmbedder. One batch at a time, on a thread."""

    def __init__(self, model: str, *, cache: Path, threads: int = 2) -> None:
        self._identity = _identity_of(model)
        self._model = model
        self._cache = cache
        self._threads = threads
        self._loaded: Any = None
        self._lock = asyncio.Lock()

    @property
    def identity(self) -> ModelIdentity:
        """See ImageEmbedder."""
        return self._identity

    @property
    def floors(self) -> LikenessFloors:
        """See ImageEmbedder."""
        return FLOORS

    def views(self, picture: Picture) -> list[Picture]:
        """See ImageEmbedder. Mirrored; each view is a run of the model."""
        return [picture, picture.mirrored()]

    async def embed(self, pictures: Sequence[Picture], *, timeout: float) -> list[list[float]]:
        """See ImageEmbedder."""
        try:
            async with asyncio.timeout(timeout), self._lock:
                return await asyncio.to_thread(self._run, pictures)
        except TimeoutError as error:
            raise EmbedderUnavailable("the image model did not answer in time", timed_out=True) from error

    async def close(self) -> None:
        """See ImageEmbedder."""
        self._loaded = None

    def _run(self, pictures: Sequence[Picture]) -> list[list[float]]:
        if self._loaded is None:
            self._loaded = self._load()
        made = np.asarray(
            list(self._loaded.embed([Image.fromarray(np.ascontiguousarray(each.pixels)) for each in pictures])),
            np.float32,
        ).reshape(len(pictures), self._identity.dimensions)
        lengths = np.linalg.norm(made, axis=1, keepdims=True)
        return (made / np.maximum(lengths, 1e-12)).tolist()

    def _load(self) -> Any:
        try:
            return _image_embedding()(self._model, cache_dir=str(self._cache / "fastembed"), threads=self._threads)
        except (OSError, ValueError, RuntimeError) as error:
            raise EmbedderUnavailable(
                f"FastEmbed can't load '{self._model}'; its files may have to be downloaded"
            ) from error


def _image_embedding() -> Any:
    try:
        return import_module("fastembed").ImageEmbedding
    except ImportError as error:
        raise EmbedderUnavailable("the package 'fastembed' is not installed; install embeddings[fastembed]") from error


def _identity_of(model: str) -> ModelIdentity:
    for each in _image_embedding().list_supported_models():
        if each["model"].casefold() == model.casefold():
            sources = each["sources"]
            return ModelIdentity(model, str(sources.get("hf") or sources.get("url") or "fastembed"), int(each["dim"]))
    raise EmbedderUnavailable(f"FastEmbed has no image model '{model}'")
