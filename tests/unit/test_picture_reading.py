"""Bytes that somebody else chose, to pixels: kinds, sizes, damage; nothing but PictureRefused comes out."""

import base64
import io
import struct
import threading
import zlib
from contextlib import suppress

import numpy as np
import pytest
from embeddings.images import reading
from embeddings.images.decoding import MAX_SIDE, decode_picture
from embeddings.images.limits import PictureLimits
from embeddings.images.protocol import Picture, PictureRefused
from embeddings.images.reading import PictureReader
from fixtures.pictures import drawn, jpeg, png
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

KINDS = "no picture of a known kind (JPEG, PNG, WEBP, GIF, BMP)"


def saved(picture: Image.Image, kind: str) -> bytes:
    buffer = io.BytesIO()
    picture.save(buffer, kind)
    return buffer.getvalue()


def reason_of(data: bytes) -> str:
    with pytest.raises(PictureRefused) as refused:
        decode_picture(data)
    assert str(refused.value) == refused.value.reason
    return refused.value.reason


def bomb(width: int, height: int) -> bytes:
    """A PNG whose header promises this many pixels, and whose data is a few bytes of zeros."""

    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    body = zlib.compress(bytes(100_000), 9)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", body) + chunk(b"IEND", b"")


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "GIF", "BMP"])
def test_every_kind_is_read(kind: str) -> None:
    read = decode_picture(saved(Image.new("RGB", (30, 20), (250, 0, 0)), kind))
    assert read.pixels.shape == (20, 30, 3)
    assert np.abs(read.pixels.astype(int) - (250, 0, 0)).max() <= 6


def test_a_large_picture_is_scaled_down_and_a_turned_one_stands_upright() -> None:
    assert decode_picture(jpeg(Image.new("RGB", (3_000, 1_500)))).pixels.shape == (MAX_SIDE // 2, MAX_SIDE, 3)
    turned, exif = io.BytesIO(), Image.Exif()
    exif[0x0112] = 6
    Image.new("RGB", (40, 20)).save(turned, "JPEG", exif=exif)
    assert decode_picture(turned.getvalue()).pixels.shape == (40, 20, 3)


def test_what_is_transparent_lies_on_grey() -> None:
    assert decode_picture(png(Image.new("RGBA", (4, 4), (255, 0, 0, 0)))).pixels[0, 0].tolist() == [128, 128, 128]


def test_a_colour_that_stands_for_transparency_is_grey_too() -> None:
    picture, buffer = Image.new("RGB", (4, 4), (255, 0, 0)), io.BytesIO()
    picture.putpixel((3, 3), (0, 255, 0))
    picture.save(buffer, "PNG", transparency=(255, 0, 0))
    read = decode_picture(buffer.getvalue()).pixels
    assert (read[0, 0].tolist(), read[3, 3].tolist()) == ([128, 128, 128], [0, 255, 0])


def test_what_is_no_picture_is_refused_whatever_it_says_it_is() -> None:
    assert reason_of(b"") == KINDS
    assert reason_of(b"<svg xmlns='http://www.w3.org/2000/svg'/>") == KINDS
    assert reason_of(b"%!PS-Adobe-3.0 EPSF-3.0\n") == KINDS
    assert reason_of(saved(Image.new("RGB", (4, 4)), "TIFF")) == KINDS
    assert reason_of(png(drawn(1))[:400]) == "the picture is damaged"


def test_a_header_that_promises_too_much_is_not_unpacked() -> None:
    too_many = "the picture has more than 25 million pixels"
    assert reason_of(bomb(5_001, 5_000)) == too_many
    assert reason_of(bomb(30_000, 30_000)) == too_many
    assert reason_of(bomb(2_000_000_000, 2)) == too_many
    assert reason_of(bomb(5_000, 5_000)) == "the picture is damaged"
    assert reason_of(bytes(PictureLimits().bytes + 1)) == "the picture is larger than 8 MB"


def test_limits_are_the_caller_s() -> None:
    data = png(drawn(1))
    with pytest.raises(PictureRefused, match=r"is larger than 0\.5 MB"):
        decode_picture(bytes(600_000), PictureLimits(bytes=512 * 1024))
    with pytest.raises(PictureRefused, match=r"has more than 0\.01 million pixels"):
        decode_picture(data, PictureLimits(pixels=10_000))
    assert decode_picture(data, PictureLimits(bytes=len(data))).pixels.shape[2] == 3


@settings(max_examples=150, deadline=None)
@given(
    base=st.sampled_from(["JPEG", "PNG", "WEBP", "GIF", "BMP"]),
    changes=st.lists(st.tuples(st.integers(0, 1_000), st.integers(0, 255)), max_size=12),
    cut=st.integers(0, 400),
    tail=st.binary(max_size=30),
)
def test_whatever_is_wrong_with_a_file_it_is_read_or_refused(
    base: str, changes: list[tuple[int, int]], cut: int, tail: bytes
) -> None:
    data = bytearray(_FILES[base])
    for at, value in changes:
        data[at % len(data)] = value
    with suppress(PictureRefused):
        read = decode_picture(bytes(data[: max(4, len(data) - cut)]) + tail)
        assert read.pixels.ndim == 3
        assert max(read.pixels.shape[:2]) <= MAX_SIDE


_FILES = {kind: saved(drawn(5, side=32), kind) for kind in ("JPEG", "PNG", "WEBP", "GIF", "BMP")}


async def test_a_picture_that_is_given_up_keeps_its_place_until_its_thread_is_done(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    unpacking, most, gate = 0, 0, threading.Event()

    def slow(data: bytes, limits: PictureLimits) -> Picture:
        nonlocal unpacking, most
        unpacking += 1
        most = max(most, unpacking)
        gate.wait(5)
        unpacking -= 1
        return decode_picture(data, limits)

    monkeypatch.setattr(reading, "_decoded", slow)
    reader = PictureReader(PictureLimits(at_once=1))
    text = base64.b64encode(png(drawn(1))).decode()
    for _ in range(3):
        with pytest.raises(PictureRefused, match="in time"):
            await reader.read(text, timeout=0.05)
    gate.set()
    assert (await reader.read(text, timeout=5)).pixels.shape[2] == 3
    assert most == 1


async def test_base64_is_read_with_and_without_its_data_url() -> None:
    text = base64.b64encode(png(drawn(1))).decode()
    plain = await PictureReader().read(text, timeout=5)
    lines = "\n".join(text[start : start + 76] for start in range(0, len(text), 76))
    for query in (f"data:image/png;base64,{text}", f"data:text/html;base64,{text}", f"  {lines}\n"):
        assert np.array_equal((await PictureReader().read(query, timeout=5)).pixels, plain.pixels)


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        ("no base64!", "neither a URL nor base64"),
        ("data:image/png,abc", "a data: URL of a picture must be base64"),
        ("data:image/svg+xml;base64,PHN2Zy8+", KINDS),
        ("file:///etc/passwd", "a picture's address must begin with http:// or https://"),
        ("", KINDS),
    ],
)
async def test_other_texts_are_refused(query: str, reason: str) -> None:
    with pytest.raises(PictureRefused) as refused:
        await PictureReader().read(query, timeout=5)
    assert refused.value.reason == reason
