"""A file's bytes to pixels, with nothing believed that the file says of itself."""

import io

import numpy as np
from PIL import Image, ImageOps

from embeddings.images.protocol import Picture, PictureRefused

KINDS = ("JPEG", "PNG", "WEBP", "GIF", "BMP")
"""What is read, told by the first bytes; a name or a content type says nothing."""

MAX_BYTES = 8 * 1024 * 1024
MAX_PIXELS = 40_000_000
"""Width times height as the header has it: more is not unpacked."""

MAX_SIDE = 512
_BACKGROUND = (128, 128, 128)


def decode_picture(data: bytes) -> Picture:
    """The first frame, upright, on grey where it is transparent, scaled down to MAX_SIDE. Blocks.

    Raises:
        PictureRefused: too large, of no known kind, or damaged.
    """
    if len(data) > MAX_BYTES:
        raise PictureRefused(f"the picture is larger than {MAX_BYTES // 1024 // 1024} MB")
    try:
        with Image.open(io.BytesIO(data), formats=KINDS) as opened:
            width, height = opened.size
            if width * height > MAX_PIXELS:
                raise PictureRefused(f"the picture has more than {MAX_PIXELS // 1_000_000} million pixels")
            # A JPEG is unpacked at the next smaller scale at once.
            opened.draft("RGB", (MAX_SIDE, MAX_SIDE))
            small = ImageOps.exif_transpose(opened)
            small.thumbnail((MAX_SIDE, MAX_SIDE))
            return Picture(np.asarray(_flattened(small), np.uint8))
    except PictureRefused:
        raise
    except Image.UnidentifiedImageError as error:
        raise PictureRefused(f"no picture of a known kind ({', '.join(KINDS)})") from error
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        raise PictureRefused(f"the picture has more than {MAX_PIXELS // 1_000_000} million pixels") from error
    except Exception as error:
        # The decoders raise whatever their parsing ran into: struct.error, SyntaxError, IndexError and more.
        raise PictureRefused("the picture is damaged") from error


def _flattened(picture: Image.Image) -> Image.Image:
    if picture.mode in ("RGBA", "LA", "PA") or "transparency" in picture.info:
        layered = picture.convert("RGBA")
        ground = Image.new("RGBA", layered.size, (*_BACKGROUND, 255))
        return Image.alpha_composite(ground, layered).convert("RGB")
    return picture.convert("RGB")
