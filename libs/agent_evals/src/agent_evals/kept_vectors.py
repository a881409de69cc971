"""Vectors that are kept in a file between runs, and vectors that somebody else has made."""

from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from embeddings.protocol import Embedder, EmbedderUnavailable, ModelIdentity

type _Vectors = npt.NDArray[np.float32]


class KeptVectors:
    """See Embedder for the promises. Asks `embedder` for what the file doesn't hold; `save` writes what is new."""

    def __init__(self, embedder: Embedder, path: Path) -> None:
        self._embedder = embedder
        self._path = path
        self._known = _read(path)
        self._is_changed = False

    @property
    def identity(self) -> ModelIdentity:
        """See Embedder."""
        return self._embedder.identity

    async def embed(self, texts: Sequence[str], *, timeout: float) -> list[list[float]]:
        """See Embedder."""
        digests = [_digest(text) for text in texts]
        fresh = {digest: text for digest, text in zip(digests, texts, strict=True) if digest not in self._known}
        if fresh:
            made = await self._embedder.embed(list(fresh.values()), timeout=timeout)
            self._known |= {digest: np.array(vector, np.float32) for digest, vector in zip(fresh, made, strict=True)}
            self._is_changed = True
        return [self._known[digest].tolist() for digest in digests]

    def save(self) -> None:
        """Write the file anew, if it lacks something."""
        if not self._is_changed:
            return
        self._path.parent.mkdir(parents=True, exist_ok=True)
        draft = self._path.with_suffix(".draft.npz")
        digests = np.frombuffer(b"".join(self._known), np.uint8).reshape(len(self._known), 32)
        np.savez(draft, digests=digests, vectors=np.stack(list(self._known.values())))
        draft.replace(self._path)
        self._is_changed = False

    async def close(self) -> None:
        """See Embedder."""
        self.save()
        await self._embedder.close()


class GivenVectors:
    """See Embedder for the promises, which hold for the given texts only; for any other it is unavailable."""

    def __init__(self, name: str, vectors: Mapping[str, Sequence[float]], dimensions: int) -> None:
        self.identity = ModelIdentity(name, "given", dimensions)
        self._vectors = vectors

    async def embed(self, texts: Sequence[str], *, timeout: float) -> list[list[float]]:
        """See Embedder."""
        try:
            return [list(self._vectors[text]) for text in texts]
        except KeyError as error:
            raise EmbedderUnavailable("there is no vector of this text among those given") from error

    async def close(self) -> None:
        """See Embedder."""


def read_unit_vectors(vectors: Path, ids: Path) -> dict[str, list[float]]:
    """Rows of a matrix by the ids in the lines of a text file, each brought to length 1."""
    rows: _Vectors = np.load(vectors).astype(np.float32)
    lengths: Any = np.linalg.norm(rows, axis=1, keepdims=True)
    units: _Vectors = rows / np.maximum(lengths, 1e-9)
    return dict(zip(ids.read_text("utf-8").split(), units.tolist(), strict=True))


def _digest(text: str) -> bytes:
    return sha256(text.encode()).digest()


def _read(path: Path) -> dict[bytes, _Vectors]:
    """What the file holds; nothing where there is none, or it is damaged."""
    try:
        with np.load(path) as stored:
            digests, vectors = stored["digests"], stored["vectors"]
    except (OSError, ValueError, KeyError):
        return {}
    return {digest.tobytes(): vector for digest, vector in zip(digests, vectors, strict=True)}
