"""What can be asked for, apart from the models themselves."""

from dataclasses import dataclass
from pathlib import Path

from pydantic import Field

from embeddings.images.limits import MEGABYTE, PictureLimits
from embeddings.options import EmbeddingFields

HASH, NONE = "hash", "none"
FASTEMBED_PREFIX = "fastembed:"
IMAGES_PATTERN = rf"^({HASH}|{NONE}|{FASTEMBED_PREFIX}\S+)$"
SETTING = "ENISHI_IMAGES"


@dataclass(frozen=True, slots=True, kw_only=True)
class ImageOptions:
    """`choice` is as IMAGES_PATTERN says; models are downloaded into `cache`."""

    choice: str = HASH
    cache: Path


class ImageFields(EmbeddingFields):
    """The settings of a process that embeds texts and looks at pictures."""

    images: str = Field(default=HASH, pattern=IMAGES_PATTERN, description="What compares pictures, if anything does.")

    image_max_bytes: int = Field(default=8 * MEGABYTE, ge=1_024, le=256 * MEGABYTE, description="Most bytes of one.")
    image_max_pixels: int = Field(
        default=25_000_000, ge=1_024, le=80_000_000, description="Width times height from which on none is unpacked."
    )
    image_max_redirects: int = Field(default=3, ge=0, le=10, description="Redirects followed to fetch one.")
    image_fetch_seconds: float = Field(default=10.0, gt=0, le=300, description="How long fetching one may take.")
    image_at_once: int = Field(default=2, ge=1, le=64, description="How many are unpacked at a time.")

    @property
    def picture_limits(self) -> PictureLimits:
        """The same as limits of whatever reads pictures."""
        return PictureLimits(
            bytes=self.image_max_bytes,
            pixels=self.image_max_pixels,
            redirects=self.image_max_redirects,
            seconds=self.image_fetch_seconds,
            at_once=self.image_at_once,
        )

    def image_options(self, cache: Path) -> ImageOptions:
        """The same as options of `open_image_embedder`."""
        return ImageOptions(choice=self.images, cache=cache)
