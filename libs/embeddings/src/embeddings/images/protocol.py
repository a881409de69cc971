"""What an image embedder promises, and the picture that it is given."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from embeddings.protocol import ModelIdentity


class PictureRefused(Exception):
    """A picture can't be used. `reason` is in our words and safe to show to whoever sent it."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """Pixels as rows of red, green and blue, 0 to 255; no side is longer than `decoding.MAX_SIDE`."""

    pixels: NDArray[np.uint8]

    def mirrored(self) -> "Picture":
        """The same with left and right exchanged."""
        return Picture(self.pixels[:, ::-1])

    def inverted(self) -> "Picture":
        """The same as a negative."""
        return Picture(255 - self.pixels)


@dataclass(frozen=True, slots=True)
class LikenessFloors:
    """Cosines from which two pictures are of one band: `alike`, `same` (the same picture, altered)."""

    alike: float
    same: float


class ImageEmbedder(Protocol):
    """Turns pictures into unit vectors, one per picture and in their order."""

    @property
    def identity(self) -> ModelIdentity:
        """Which model this is; known before anything is loaded."""
        ...

    @property
    def floors(self) -> LikenessFloors:
        """What its cosines mean."""
        ...

    def views(self, picture: Picture) -> list[Picture]:
        """The pictures to look for when asked about this one, itself first: altered in ways that vectors don't bear."""
        ...

    async def embed(self, pictures: Sequence[Picture], *, timeout: float) -> list[list[float]]:
        """Vectors of length 1; a picture of one colour gives the zero vector, which is near to nothing.

        Raises:
            EmbedderUnavailable: the model can't be loaded, or `timeout` seconds are over.
        """
        ...

    async def close(self) -> None:
        """Release the model; may be called twice."""
        ...
