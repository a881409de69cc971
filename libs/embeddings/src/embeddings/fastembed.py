"""Any text model that FastEmbed serves; its package is an extra, and the model is downloaded on first use."""

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from embeddings.local import LocalEmbedder, RunModel
from embeddings.protocol import EmbedderUnavailable, ModelIdentity
from embeddings.texts import encodable


def open_fastembed(model: str, *, cache: Path, folder: Path | None = None, threads: int = 2) -> LocalEmbedder:
    """The model of this name. `folder` holds its files where they are not to be downloaded into `cache`.

    Raises:
        EmbedderUnavailable: the package is missing, or knows no such model.
    """
    dimensions, origin = _described(model)
    return LocalEmbedder(
        ModelIdentity(model, origin, dimensions), lambda: _load(model, cache=cache, folder=folder, threads=threads)
    )


def _text_embedding() -> Any:
    try:
        return import_module("fastembed").TextEmbedding
    except ImportError as error:
        raise EmbedderUnavailable("the package 'fastembed' is not installed; install embeddings[fastembed]") from error


def _described(model: str) -> tuple[int, str]:
    """The model's dimensions, and where its files come from."""
    for each in _text_embedding().list_supported_models():
        if each["model"].casefold() == model.casefold():
            sources = each["sources"]
            return int(each["dim"]), str(sources.get("hf") or sources.get("url") or "fastembed")
    raise EmbedderUnavailable(f"FastEmbed has no model '{model}'")


def _load(model: str, *, cache: Path, folder: Path | None, threads: int) -> RunModel:
    files = {} if folder is None else {"specific_model_path": str(folder)}
    try:
        loaded = _text_embedding()(model, cache_dir=str(cache / "fastembed"), threads=threads, **files)
    except (OSError, ValueError, RuntimeError) as error:
        raise EmbedderUnavailable(f"FastEmbed can't load '{model}'; its files may have to be downloaded") from error

    def run(texts: Sequence[str]) -> list[list[float]]:
        made = np.asarray(list(loaded.embed(list(map(encodable, texts)))), np.float32)
        lengths = np.linalg.norm(made, axis=1, keepdims=True)
        return (made / np.maximum(lengths, 1e-12)).tolist()

    return run
