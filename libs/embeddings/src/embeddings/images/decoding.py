"""A file's bytes to pixels, with nothing believed that the file says of itself."""

import io

import numpy as np
from PIL import Image

from embeddings.images.limits import MEGABYTE, PictureLimits
from embeddings.images.protocol import Picture, PictureRefused

KINDS = ("JPEG", "PNG", "WEBP", "GIF", "BMP")
"""What is read, told by the first bytes; a name or a content type says nothing."""

MAX_SIDE = 512
_ORIENTATION = 0x0112
_TURN = Image.Transpose
_UPRIGHT = {
    2: _TURN.FLIP_LEFT_RIGHT,
    3: _TURN.ROTATE_180,
    4: _TURN.FLIP_TOP_BOTTOM,
    5: _TURN.TRANSPOSE,
    6: _TURN.ROTATE_270,
    7: _TURN.TRANSVERSE,
    8: _TURN.ROTATE_90,
}
"""What sets a picture upright, by the orientation in its Exif data."""

_BACKGROUND = (128, 128, 128)


def decode_picture(data: bytes, limits: PictureLimits | None = None) -> Picture:
    """The first frame, upright, on grey where it is transparent, scaled down to MAX_SIDE. Blocks.

    Raises:
        PictureRefused: too large, of no known kind, or damaged.
    """
    bounds = limits or PictureLimits()
    if len(data) > bounds.bytes:
        raise too_large(bounds)
    try:
        with Image.open(io.BytesIO(data), formats=KINDS) as opened:
            width, height = opened.size
            if width * height > bounds.pixels:
                raise _too_many_pixels(bounds)
            turn = _UPRIGHT.get(opened.getexif().get(_ORIENTATION, 1))
            # A JPEG is unpacked at the next smaller scale at once.
            opened.draft("RGB", (MAX_SIDE, MAX_SIDE))
            flat = _flattened(opened)
            flat.thumbnail((MAX_SIDE, MAX_SIDE))
            return Picture(np.asarray(flat.transpose(turn) if turn is not None else flat, np.uint8))
    except PictureRefused:
        raise
    except Image.UnidentifiedImageError as error:
        raise PictureRefused(f"no picture of a known kind ({', '.join(KINDS)})") from error
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        raise _too_many_pixels(bounds) from error
    except Exception as error:
        # The decoders raise whatever their parsing ran into: struct.error, SyntaxError, IndexError and more.
        raise PictureRefused("the picture is damaged") from error


def too_large(limits: PictureLimits) -> PictureRefused:
    """The refusal of a file with more bytes than the limits allow."""
    return PictureRefused(f"the picture is larger than {limits.bytes / MEGABYTE:g} MB")


def _too_many_pixels(limits: PictureLimits) -> PictureRefused:
    return PictureRefused(f"the picture has more than {limits.pixels / 1_000_000:g} million pixels")


def _flattened(picture: Image.Image) -> Image.Image:
    if picture.mode in ("RGBA", "LA", "PA") or "transparency" in picture.info:
        layered = picture.convert("RGBA")
        ground = Image.new("RGBA", layered.size, (*_BACKGROUND, 255))
        return Image.alpha_composite(ground, layered).convert("RGB")
    return picture if picture.mode == "RGB" else picture.convert("RGB")
