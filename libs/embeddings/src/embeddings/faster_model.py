"""The faster form of the bundled model: written once into a cache folder, and used only where it says the same."""

import fcntl
import json
import os
import platform
from collections.abc import Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import onnxruntime

from embeddings.minilm import SHIPPED, SHIPPED_DIGEST, load_model, shipped_path
from embeddings.protocol import EmbedderUnavailable, ModelIdentity
from embeddings.quality_gate import GateReport, compare, probe_texts

QUANTISATION = "int8-4"
"""Integer products by the fourth recipe of `fused_graph`; another recipe is another model and gets another name."""

FASTER = ModelIdentity(SHIPPED.name, SHIPPED.revision, SHIPPED.dimensions, QUANTISATION)

_THREADS = 2


@dataclass(frozen=True, slots=True)
class FasterModel:
    """`path` is a checked file to load; None where the shipped model serves, and `reason` says why."""

    path: Path | None
    reason: str
    gate: GateReport | None = None


def prepare_faster_model(cache: Path) -> FasterModel:
    """The faster form from the cache folder; written and judged first where this processor has not done so yet.

    Takes a second or two the first time and some milliseconds after that; other processes wait for the one that
    writes. Never raises for what this machine lacks: the shipped model serves then.

    Raises:
        EmbedderUnavailable: the shipped model itself is missing or damaged.
    """
    folder = cache / "models" / f"minilm-{SHIPPED_DIGEST[:12]}-{QUANTISATION}-{_machine()}"
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        with _locked(folder / "lock"):
            return _stored(folder) or _made(folder)
    except OSError as error:
        return FasterModel(None, f"the cache folder can't be used ({error.strerror or type(error).__name__})")


def _machine() -> str:
    """The runtime and the processor: the same file's vectors differ with both."""
    flags = ""
    with suppress(OSError):
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        flags = next((line for line in lines if line.startswith(("flags", "Features"))), "")
    text = "\n".join((onnxruntime.__version__, platform.machine(), platform.processor(), flags))
    return sha256(text.encode()).hexdigest()[:12]


@contextmanager
def _locked(path: Path) -> Generator[None]:
    """One process at a time; the system lets go of the lock of one that dies."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _stored(folder: Path) -> FasterModel | None:
    """What was made before; None when nothing was, or when it is damaged."""
    model, verdict = folder / "model.onnx", folder / "verdict.json"
    try:
        said = json.loads(verdict.read_text("utf-8"))
        gate = GateReport(float(said["cosine"]), float(said["overlap"]))
        if not gate.is_passed:
            return _refused(gate)
        if sha256(model.read_bytes()).hexdigest() == said["digest"]:
            return FasterModel(model, str(gate), gate)
    except (OSError, ValueError, KeyError, TypeError):
        pass
    return None


def _made(folder: Path) -> FasterModel:
    source = shipped_path()
    try:
        from embeddings.fused_graph import UnknownGraph, write_fused_graph
    except ImportError:
        return FasterModel(None, "the package 'onnx' is not installed")
    try:
        content = write_fused_graph(source)
    except UnknownGraph:
        return FasterModel(None, "the shipped model is built in another way than the recipe expects")
    draft = folder / "model.draft"
    draft.write_bytes(content)
    gate = _judged(source, draft)
    if gate is None:
        draft.unlink()
        return FasterModel(None, "this machine's runtime can't run it")
    verdict = {"cosine": gate.cosine, "overlap": gate.overlap, "digest": sha256(content).hexdigest()}
    draft.replace(folder / "model.onnx")
    (folder / "verdict.draft").write_text(json.dumps(verdict), "utf-8")
    (folder / "verdict.draft").replace(folder / "verdict.json")
    return FasterModel(folder / "model.onnx", str(gate), gate) if gate.is_passed else _refused(gate)


def _refused(gate: GateReport) -> FasterModel:
    return FasterModel(None, f"on this processor it differs too much from the shipped model ({gate})", gate)


def _judged(source: Path, candidate: Path) -> GateReport | None:
    """None when the candidate can't be run at all."""
    texts = probe_texts()
    shipped = load_model(source, threads=_THREADS)
    try:
        faster = load_model(candidate, threads=_THREADS)
        made = [faster.run([text])[0] for text in texts]
    except EmbedderUnavailable:
        raise
    except Exception:  # noqa: BLE001 - the runtime raises types of its own for operators it lacks
        return None
    return compare([shipped.run([text])[0] for text in texts], made)
