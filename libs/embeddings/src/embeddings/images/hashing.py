"""A perceptual hash as a vector: coarse forms, directions of edges, and a little of where the colours are."""

import asyncio
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from embeddings.images.protocol import LikenessFloors, Picture
from embeddings.protocol import EmbedderUnavailable, ModelIdentity

type Floats = NDArray[np.float64]

_SIDE = 32
_WAVES = 8
_CELLS, _DIRECTIONS = 4, 8
_LUMA = np.array([0.299, 0.587, 0.114])

_SHARES_OF_COLOURED = (0.225, 0.225, 0.50, 0.05)
_SHARES_OF_COLOURLESS = (0.40, 0.10, 0.50, 0.0)
"""Shares of the cosine: form by the eye's brightness, form by the middle of the colours, edges, colours; chosen on
generated pictures. Some colour tells crops apart, more loses recoloured ones. Of a picture that has lost its colours
the first form is still the original's, and the second is not."""

_COLOURLESS = 0.06
"""How far colours spread beside their main direction, as a share of how far along it: less is grey, or one tint."""

FLOORS = LikenessFloors(alike=0.68, same=0.85)
"""Measured in tests/unit/test_image_hash_quality.py; its table says what they let through and what they lose."""


def _cosines() -> Floats:
    waves, places = np.arange(_WAVES)[:, None], np.arange(_SIDE)[None]
    return np.cos(np.pi * (2 * places + 1) * waves / (2 * _SIDE))


def _bin_shares() -> Floats:
    """How much each pixel of a row counts for each cell: linear between the cells' centres."""
    places = (np.arange(_SIDE) + 0.5) / _SIDE * _CELLS - 0.5
    return np.clip(1 - np.abs(places[:, None] - np.arange(_CELLS)[None]), 0, 1)


_WAVE_TABLE = _cosines()
_RADIUS = np.hypot(np.arange(_WAVES)[:, None], np.arange(_WAVES)[None])
_KEPT = (_RADIUS > 0) & (_RADIUS <= _WAVES)
_SHARES = _bin_shares()
_ORDER = ["einsum_path", (0, 1), (0, 1)]

DIMENSIONS = 2 * int(_KEPT.sum()) + _CELLS * _CELLS * (_DIRECTIONS + 2)
IDENTITY = ModelIdentity("perceptual-hash", "3", DIMENSIONS)


class HashImageEmbedder:
    """See ImageEmbedder. No model, no download: some 2 ms a picture, on a thread of its own."""

    @property
    def identity(self) -> ModelIdentity:
        """See ImageEmbedder."""
        return IDENTITY

    @property
    def floors(self) -> LikenessFloors:
        """See ImageEmbedder."""
        return FLOORS

    def views(self, picture: Picture) -> list[Picture]:
        """See ImageEmbedder. Mirrored, with its colours inverted, and both."""
        inverted = picture.inverted()
        return [picture, picture.mirrored(), inverted, inverted.mirrored()]

    async def embed(self, pictures: Sequence[Picture], *, timeout: float) -> list[list[float]]:
        """See ImageEmbedder."""
        try:
            async with asyncio.timeout(timeout):
                return await asyncio.to_thread(lambda: [hash_vector(each).tolist() for each in pictures])
        except TimeoutError as error:
            raise EmbedderUnavailable("there was no time left to look at the picture", timed_out=True) from error

    async def close(self) -> None:
        """See ImageEmbedder."""


def hash_vector(picture: Picture) -> Floats:
    """The vector of a picture: of length 1, or zero for a picture of one colour."""
    # Imported with the first picture, as in embeddings.images.reading.
    from PIL import Image

    small = Image.fromarray(np.ascontiguousarray(picture.pixels)).resize((_SIDE, _SIDE), Image.Resampling.BOX)
    colours = np.asarray(small, np.float64) / 255
    light = colours @ _LUMA
    # Halfway between the strongest and the weakest colour stays what it is when hues turn; grey keeps the brightness.
    middle = (colours.max(-1) + colours.min(-1)) / 2
    parts = _form(light), _form(middle), _edges(colours), _colour(colours, light)
    shares = _SHARES_OF_COLOURLESS if _is_colourless(colours) else _SHARES_OF_COLOURED
    return _unit(np.concatenate([np.sqrt(share) * part for share, part in zip(shares, parts, strict=True)]))


def _is_colourless(colours: Floats) -> bool:
    """Whether all colours lie on one line, from dark to light or from one tone to another."""
    _, second, first = np.linalg.eigvalsh(np.cov(colours.reshape(-1, 3).T))
    return bool(second < _COLOURLESS**2 * first)


def _form(light: Floats) -> Floats:
    """Low waves of a kind of brightness. Each counts by its sign more than by its size, as in a hash of bits."""
    waves = (_WAVE_TABLE @ light @ _WAVE_TABLE.T)[_KEPT] * _RADIUS[_KEPT]
    typical = np.median(np.abs(waves))
    if typical < 1e-9:
        return np.zeros_like(waves)
    return _unit(np.tanh(waves / typical) / np.sqrt(_RADIUS[_KEPT]))


def _edges(colours: Floats) -> Floats:
    """How strong edges are in each cell by direction, in the strongest colour: dark on light as light on dark."""
    down, across = np.gradient(colours, axis=(0, 1))
    strength = np.hypot(across, down)
    strongest = strength.argmax(-1)[..., None]
    across, down, strength = (np.take_along_axis(each, strongest, -1)[..., 0] for each in (across, down, strength))
    direction = (np.arctan2(down, across) % np.pi) / np.pi * _DIRECTIONS
    distance = np.abs(direction[..., None] - np.arange(_DIRECTIONS))
    weight = np.clip(1 - np.minimum(distance, _DIRECTIONS - distance), 0, 1) * strength[..., None]
    rooted = np.sqrt(np.einsum("yc,yxd,xe->ced", _SHARES, weight, _SHARES, optimize=_ORDER))
    return _unit((rooted - rooted.mean()).ravel())


def _colour(colours: Floats, light: Floats) -> Floats:
    """Where it is bluer or redder than the whole picture."""
    tones = np.stack([colours[..., 2] - light, colours[..., 0] - light])
    cells = tones.reshape(2, _CELLS, _SIDE // _CELLS, _CELLS, _SIDE // _CELLS).mean((2, 4))
    return _unit((cells - cells.mean((1, 2), keepdims=True)).ravel())


def _unit(vector: Floats) -> Floats:
    length = np.linalg.norm(vector)
    return vector / length if length > 1e-9 else np.zeros_like(vector)
