"""The shipped model's graph written anew: its 8-bit weights, multiplied as integers, attention in one operator.

Imports onnx, which is an extra: import this module only where its absence is dealt with.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import onnx
from onnx import helper, numpy_helper

from embeddings.inner_peaks import inner_peaks

LAYERS, HEADS, WIDTH = 6, 12, 384

_CONTRIB = "com.microsoft"
_ROOM = 6.0
_LARGEST_BYTE = 127
_EMBEDDINGS = "inner.embeddings."

# onnx builds its messages at run time; the types end here.
_onnx: Any = onnx
_helper: Any = helper
_numpy: Any = numpy_helper

type _Array = npt.NDArray[Any]


class UnknownGraph(Exception):
    """The source is not the graph that this module knows how to rewrite."""


def write_fused_graph(source: Path) -> bytes:
    """The rewritten model as the bytes of a file. Its inputs are `input_ids` and `attention_mask`.

    Raises:
        UnknownGraph: the source is built in another way.
    """
    try:
        return _Writer(_onnx.load(str(source))).written()
    except (KeyError, IndexError, ValueError) as error:
        raise UnknownGraph from error


class _Writer:
    def __init__(self, model: Any) -> None:
        self._model = model
        self._source = model.graph
        self._stored = {each.name: each for each in self._source.initializer}
        self._weights = [
            node.input[1]
            for node in self._source.node
            if node.op_type == "MatMul" and f"{node.input[1]}_q" in self._stored
        ]
        norm = next(node for node in self._source.node if node.op_type == "LayerNormalization")
        self._epsilon = next(each.f for each in norm.attribute if each.name == "epsilon")
        self._nodes: list[Any] = []
        self._constants: dict[str, Any] = {}
        self._peaks: dict[str, _Array] = {}

    def written(self) -> bytes:
        if len(self._weights) != 6 * LAYERS:
            raise ValueError("another number of layers")
        evened = self._weights[4::6] + self._weights[5::6]
        self._peaks = dict(zip(evened, inner_peaks(self._model, self._inputs_of(evened)), strict=True))
        state = self._embedded()
        for layer in range(LAYERS):
            state = self._layer(layer, state)
        inputs = [each for each in self._source.input if each.name in {"input_ids", "attention_mask"}]
        graph = _helper.make_graph(
            self._nodes, "minilm", inputs, list(self._source.output), list(self._constants.values())
        )
        opsets = [_helper.make_opsetid("", 17), _helper.make_opsetid(_CONTRIB, 1)]
        return _helper.make_model(graph, opset_imports=opsets, ir_version=8).SerializeToString()

    def _inputs_of(self, weights: Sequence[str]) -> list[str]:
        """What is multiplied by these weights."""
        by_weight = {node.input[1]: node.input[0] for node in self._source.node if node.op_type == "MatMul"}
        return [by_weight[each] for each in weights]

    def _embedded(self) -> str:
        """Words by their rows of bytes, and the places; every text has the token type 0."""
        words, places = f"{_EMBEDDINGS}word_embeddings.weight", f"{_EMBEDDINGS}position_embeddings.weight"
        self._add("Gather", [self._kept(f"{words}_q"), "input_ids"], "word_bytes")
        self._add("Cast", ["word_bytes"], "word_floats", to=1)
        self._add("Gather", [self._kept(f"{words}_scale"), "input_ids"], "word_scales")
        self._add("Mul", ["word_floats", "word_scales"], "words")
        table = self._array(f"{places}_q").astype(np.float32) * self._array(f"{places}_scale")
        table = table + self._array(f"{_EMBEDDINGS}token_type_embeddings.weight")[0]
        self._add("Shape", ["input_ids"], "length", start=1, end=2)
        bounds = [self._constant("first", np.array([0])), "length", self._constant("axis", np.array([1]))]
        self._add("Slice", [self._constant("all_places", table[None].astype(np.float32)), *bounds], "places")
        self._add("Add", ["words", "places"], "embedded")
        norm = self._norm(f"{_EMBEDDINGS}LayerNorm")
        self._add("Cast", ["attention_mask"], "mask", to=6)
        return self._add("LayerNormalization", ["embedded", *norm], "state_0", axis=-1, epsilon=self._epsilon)

    def _layer(self, layer: int, state: str) -> str:
        prefix = f"inner.encoder.layer.{layer}."
        weights = self._weights[6 * layer : 6 * layer + 6]
        attended = self._attention(layer, state, weights[:3])
        mixed = self._integer_product(attended, weights[3], f"{prefix}attention.output.dense.bias")
        norm = self._norm(f"{prefix}attention.output.LayerNorm")
        seen = self._normed_sum([mixed, state], norm, f"seen_{layer}")
        wide = self._integer_product(seen, weights[4], f"{prefix}intermediate.dense.bias")
        bent = self._add("Gelu", [wide], f"bent_{layer}")
        narrow = self._integer_product(bent, weights[5], f"{prefix}output.dense.bias")
        last = "last_hidden_state" if layer == LAYERS - 1 else f"state_{layer + 1}"
        norm = self._norm(f"{prefix}output.LayerNorm")
        return self._normed_sum([narrow, seen], norm, last)

    def _attention(self, layer: int, state: str, weights: Sequence[str]) -> str:
        quantised = [f"byte_{layer}", f"byte_scale_{layer}", f"byte_zero_{layer}"]
        self._nodes.append(_helper.make_node("DynamicQuantizeLinear", [state], quantised))
        joined = np.concatenate([self._array(f"{each}_q") for each in weights], axis=1)
        scales = np.concatenate([self._array(f"{each}_scale").reshape(-1) for each in weights])
        biases = [self._array(f"inner.encoder.layer.{layer}.attention.self.{each}.bias") for each in _PARTS]
        inputs = [
            quantised[0],
            self._constant(f"joined_{layer}", joined),
            self._constant(f"bias_{layer}", np.concatenate(biases)),
            quantised[1],
            self._constant(f"scale_{layer}", scales),
            "mask",
            quantised[2],
            self._constant("no_shift", np.zeros(3 * WIDTH, np.int8)),
        ]
        return self._add("QAttention", inputs, f"attended_{layer}", num_heads=HEADS)

    def _integer_product(self, state: str, weight: str, bias: str) -> str:
        """One or two channels around the bend swing up to twenty times as far as the others, which one scale for all
        would drown: each is divided by a power of two, and its row of weights multiplied by it."""
        stored, scales = self._array(f"{weight}_q"), self._array(f"{weight}_scale").reshape(-1)
        peaks = self._peaks.get(weight, np.zeros(len(stored), np.float32))
        divisors = np.exp2(np.rint(np.log2(np.maximum(peaks / _ROOM, 1.0))))
        if divisors.max() > 1:
            rows = stored * scales * divisors[:, None]
            scales = np.abs(rows).max(axis=0) / _LARGEST_BYTE
            stored = np.rint(rows / scales).astype(np.int8)
            evening = self._constant(f"{weight}_evening", (1 / divisors).astype(np.float32))
            state = self._add("Mul", [state, evening], f"{weight}_input")
        inputs = [
            state,
            self._constant(f"{weight}_q", stored),
            self._constant(f"{weight}_scale", scales.astype(np.float32)),
            "",
            self._kept(bias),
        ]
        return self._add("DynamicQuantizeMatMul", inputs, f"{weight}_product")

    def _normed_sum(self, states: Sequence[str], norm: Sequence[str], output: str) -> str:
        """A Sum, not an Add: the runtime would fuse that with the norm, into an operator that takes twice as long."""
        summed = self._add("Sum", states, f"{output}_sum")
        return self._add("LayerNormalization", [summed, *norm], output, axis=-1, epsilon=self._epsilon)

    def _norm(self, name: str) -> list[str]:
        return [self._kept(f"{name}.weight"), self._kept(f"{name}.bias")]

    def _add(self, operator: str, inputs: Sequence[str], output: str, **attributes: float) -> str:
        domain = _CONTRIB if operator in _CONTRIB_OPERATORS else ""
        self._nodes.append(_helper.make_node(operator, list(inputs), [output], domain=domain, **attributes))
        return output

    def _array(self, name: str) -> _Array:
        return _numpy.to_array(self._stored[name])

    def _constant(self, name: str, values: _Array) -> str:
        self._constants[name] = _numpy.from_array(np.ascontiguousarray(values), name)
        return name

    def _kept(self, name: str) -> str:
        self._constants[name] = self._stored[name]
        return name


_PARTS = ("query", "key", "value")
_CONTRIB_OPERATORS = frozenset({"DynamicQuantizeMatMul", "Gelu", "QAttention"})
