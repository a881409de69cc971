"""What can be asked for, apart from the models themselves."""

from dataclasses import dataclass
from pathlib import Path

from pydantic import Field

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

    def image_options(self, cache: Path) -> ImageOptions:
        """The same as options of `open_image_embedder`."""
        return ImageOptions(choice=self.images, cache=cache)
