"""The bundled model's faster form: written once, judged on this machine, never used where it says something else."""

import json
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from embeddings import faster_model
from embeddings.bundled import BundledEmbedder
from embeddings.faster_model import FASTER, prepare_faster_model
from embeddings.minilm import SHIPPED
from embeddings.quality_gate import MINIMUM_OVERLAP, GateReport, compare, probe_texts
from onnx import numpy_helper

SECONDS = 60.0


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("cache")
    assert prepare_faster_model(folder).path is not None
    return folder


def stored(cache: Path) -> Path:
    (path,) = (cache / "models").iterdir()
    return path


def test_it_passes_the_gate_and_is_used_again(cache: Path) -> None:
    before = (stored(cache) / "model.onnx").stat().st_mtime_ns
    prepared = prepare_faster_model(cache)
    assert prepared.gate is not None
    assert prepared.gate.cosine >= 0.99
    assert prepared.gate.overlap >= MINIMUM_OVERLAP
    assert (stored(cache) / "model.onnx").stat().st_mtime_ns == before
    assert sorted(each.name for each in stored(cache).iterdir()) == ["lock", "model.onnx", "verdict.json"]


def test_it_is_another_model_than_the_shipped_one() -> None:
    assert FASTER != SHIPPED
    assert (SHIPPED.short_hash, FASTER.short_hash) == ("6413f1f0", "8740fd1d")
    assert str(FASTER) == "all-MiniLM-L6-v2-onnx-int8 (8199be6f699a, int8-4, 384 dimensions)"


async def test_its_vectors_are_near_those_of_the_shipped_model(cache: Path) -> None:
    shipped, faster = BundledEmbedder(), BundledEmbedder(faster=prepare_faster_model(cache).path)
    texts = [
        "a quiet film about a lighthouse",
        "x",
        "sword " * 400,
        "ワンピース",
        "short",
        "a longer text than the short",
    ]
    one, other = await shipped.embed(texts, timeout=SECONDS), await faster.embed(texts, timeout=SECONDS)
    assert faster.identity == FASTER
    assert np.linalg.norm(other, axis=1) == pytest.approx([1.0] * len(texts), abs=1e-5)
    assert [float(np.dot(left, right)) > 0.96 for left, right in zip(one, other, strict=True)] == [True] * len(texts)
    await shipped.close()
    await faster.close()


def test_the_few_channels_that_swing_far_are_evened_by_powers_of_two(cache: Path) -> None:
    # onnx builds its messages at run time.
    loader: Any = onnx
    graph = loader.load(str(stored(cache) / "model.onnx")).graph
    factors = [numpy_helper.to_array(each) for each in graph.initializer if each.name.endswith("_evening")]
    wide, narrow = ([each for each in factors if each.shape == (width,)] for width in (384, 1536))
    assert [sorted(each[each < 1].tolist()) for each in wide] == [
        [0.25],
        [0.25],
        [0.25, 0.5],
        [0.25, 0.5],
        [0.25, 0.5, 0.5],
        [0.5, 0.5],
    ]
    assert [sorted(each[each < 1].tolist()) for each in narrow] == [[0.25], [0.25], [0.25, 0.5], [0.5]]
    assert len(factors) == 10
    assert [each.op_type for each in graph.node].count("DynamicQuantizeMatMul") == 18


def test_a_damaged_file_is_written_again(cache: Path) -> None:
    model = stored(cache) / "model.onnx"
    whole = model.read_bytes()
    model.write_bytes(whole[:-1] + b"\x00")
    assert prepare_faster_model(cache).path == model
    assert model.read_bytes() == whole


def test_a_damaged_verdict_is_judged_again(cache: Path) -> None:
    verdict = stored(cache) / "verdict.json"
    verdict.write_text('{"cosine": "no number"')
    assert prepare_faster_model(cache).path is not None
    assert json.loads(verdict.read_text())["overlap"] >= MINIMUM_OVERLAP


def test_one_that_fails_the_gate_never_serves_and_is_not_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[int] = []

    def fail(*_: object) -> GateReport:
        calls.append(1)
        return GateReport(0.999, 0.87)

    monkeypatch.setattr(faster_model, "_judged", fail)
    for _ in range(2):
        refused = prepare_faster_model(tmp_path)
        assert refused.path is None
        assert refused.reason == (
            "on this processor it differs too much from the shipped model "
            "(cosine 0.999, 0.87 of the ten nearest the same)"
        )
    assert calls == [1]


def test_without_onnx_the_shipped_model_serves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "embeddings.fused_graph", None)
    assert prepare_faster_model(tmp_path).reason == "the package 'onnx' is not installed"


def test_a_folder_that_cannot_be_written_is_no_failure(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    prepared = prepare_faster_model(tmp_path / "file")
    assert prepared.path is None
    assert prepared.reason == "the cache folder can't be used (Not a directory)"


def test_many_at_once_write_it_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[int] = []

    def judged(*_: object) -> GateReport:
        calls.append(1)
        return GateReport(0.999, 0.95)

    monkeypatch.setattr(faster_model, "_judged", judged)
    with ThreadPoolExecutor(4) as pool:
        made = list(pool.map(prepare_faster_model, [tmp_path] * 4))
    assert calls == [1]
    assert {each.path for each in made} == {stored(tmp_path) / "model.onnx"}


def test_the_gate_counts_shared_neighbours() -> None:
    angles = np.linspace(0, 1.5, 40)
    vectors = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    same = compare(vectors.tolist(), vectors.tolist())
    assert (same.cosine, same.overlap) == (pytest.approx(1.0), 1.0)
    shuffled = compare(vectors.tolist(), vectors[[index * 7 % 40 for index in range(40)]].tolist())
    assert 0.1 < shuffled.overlap < 0.6
    assert not shuffled.is_passed
    assert compare(vectors.tolist(), (vectors * np.nan).tolist()) == GateReport(0.0, 0.0)
    assert compare(vectors.tolist(), vectors[:-1].tolist()) == GateReport(0.0, 0.0)


def test_there_are_probe_texts_of_each_kind() -> None:
    texts = probe_texts()
    assert len(texts) == len(set(texts)) == 120
    assert min(len(text) for text in texts) < 15
    assert max(len(text) for text in texts) > 150
