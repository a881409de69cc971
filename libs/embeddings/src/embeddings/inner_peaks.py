"""How far values inside the shipped model swing, by channel: what a scale for all of them has to make room for.

Imports onnx, which is an extra: import this module only where its absence is dealt with.
"""

from collections.abc import Mapping, Sequence
from operator import itemgetter
from typing import Any

import numpy as np
import numpy.typing as npt
import onnx
import onnxruntime
from onnx import TensorProto, helper

from embeddings.minilm import load_tokenizer

TEXTS, WORDS = 24, 16
"""How many texts the model is watched on, and of how many words each."""

# Neither package says what its objects take and give; the types end here.
_onnx: Any = onnx
_runtime: Any = onnxruntime
_helper: Any = helper


def inner_peaks(model: Any, values: Sequence[str]) -> list[npt.NDArray[np.float32]]:
    """The largest magnitude of each channel of the named values, over texts of words from the model's vocabulary.

    No text that a form is judged on is among them.
    """
    watched = _onnx.ModelProto()
    watched.CopyFrom(model)
    for name in values:
        watched.graph.output.append(_helper.make_tensor_value_info(name, TensorProto.FLOAT, None))
    options = _runtime.SessionOptions()
    options.log_severity_level = 3
    session = _runtime.InferenceSession(
        watched.SerializeToString(), sess_options=options, providers=["CPUExecutionProvider"]
    )
    tokenizer = load_tokenizer()
    encodings = tokenizer.encode_batch(_spread_texts(tokenizer.get_vocab(with_added_tokens=False)))
    ids = np.array([each.ids for each in encodings], dtype=np.int64)
    mask = np.array([each.attention_mask for each in encodings], dtype=np.int64)
    feeds = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
    wanted = {each.name for each in session.get_inputs()}
    seen = session.run(list(values), {name: feed for name, feed in feeds.items() if name in wanted})
    return [np.abs(each[mask == 1]).max(axis=0) for each in seen]


def _spread_texts(vocabulary: Mapping[str, int]) -> list[str]:
    """Whole words from the most frequent to the rarest in every text; the same for the same vocabulary."""
    words = [word for word, _ in sorted(vocabulary.items(), key=itemgetter(1)) if word.isascii() and word.isalpha()]
    chosen = words[:: len(words) // (TEXTS * WORDS)][: TEXTS * WORDS]
    return [" ".join(chosen[first::TEXTS]) for first in range(TEXTS)]
