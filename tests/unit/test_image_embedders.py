"""Which image embedder a setting opens; CLIP through FastEmbed, with its package replaced by one that counts."""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from embeddings.images.decoding import decode_picture
from embeddings.images.hashing import HashImageEmbedder
from embeddings.images.opening import open_image_embedder
from embeddings.images.options import ImageFields, ImageOptions
from embeddings.protocol import EmbedderUnavailable
from fixtures.pictures import drawn, png
from numpy.typing import NDArray
from PIL import Image
from pydantic import ValidationError

MODEL = "Qdrant/clip-ViT-B-32-vision"
CHOICE = f"fastembed:{MODEL}"


class FakeImageEmbedding:
    """Gives each picture the sums of its three colours."""

    loads: int = 0

    def __init__(self, model_name: str, *, cache_dir: str, threads: int) -> None:
        if model_name.endswith("broken"):
            raise ValueError("no files")
        type(self).loads += 1

    @staticmethod
    def list_supported_models() -> list[dict[str, Any]]:
        return [{"model": name, "dim": 3, "sources": {"hf": "a/b"}} for name in (MODEL, "x/broken")]

    def embed(self, images: Sequence[Image.Image]) -> Iterator[NDArray[np.float32]]:
        for image in images:
            yield np.asarray(image, np.float32).sum((0, 1))


@pytest.fixture
def fastembed(monkeypatch: pytest.MonkeyPatch) -> type[FakeImageEmbedding]:
    module = ModuleType("fastembed")
    monkeypatch.setattr(FakeImageEmbedding, "loads", 0)
    monkeypatch.setattr(module, "ImageEmbedding", FakeImageEmbedding, raising=False)
    monkeypatch.setitem(sys.modules, "fastembed", module)
    return FakeImageEmbedding


def opened(choice: str, cache: Path) -> Any:
    return open_image_embedder(ImageOptions(choice=choice, cache=cache))


def test_the_setting_knows_three_words(tmp_path: Path) -> None:
    assert ImageFields().images == "hash"
    assert isinstance(opened("hash", tmp_path), HashImageEmbedder)
    assert opened("none", tmp_path) is None
    for wrong in ("", "phash", "fastembed:", "fastembed: a"):
        with pytest.raises(ValidationError):
            ImageFields(images=wrong)


def test_without_the_package_the_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fastembed", None)
    with pytest.raises(EmbedderUnavailable, match=r"install embeddings\[fastembed\]"):
        opened(CHOICE, tmp_path)


async def test_clip_s_vectors_are_of_length_one_and_loaded_once(
    tmp_path: Path, fastembed: type[FakeImageEmbedding]
) -> None:
    embedder = opened(CHOICE, tmp_path)
    assert (embedder.identity.name, embedder.identity.revision, embedder.identity.dimensions) == (MODEL, "a/b", 3)
    assert fastembed.loads == 0
    picture = decode_picture(png(drawn(1)))
    straight, mirrored = await embedder.embed([picture, picture.mirrored()], timeout=5)
    assert np.linalg.norm(straight) == pytest.approx(1.0)
    assert straight == pytest.approx(mirrored)
    assert (await embedder.embed([], timeout=5), fastembed.loads) == ([], 1)
    await embedder.close()


async def test_a_model_that_is_unknown_or_can_t_be_loaded_is_said_to_be(
    tmp_path: Path, fastembed: type[FakeImageEmbedding]
) -> None:
    with pytest.raises(EmbedderUnavailable, match="no image model 'no/such'"):
        opened("fastembed:no/such", tmp_path)
    with pytest.raises(EmbedderUnavailable, match="can't load 'x/broken'"):
        await opened("fastembed:x/broken", tmp_path).embed([decode_picture(png(drawn(1)))], timeout=5)
