"""How well the perceptual hash tells drawn pictures apart after what happens to pictures, and what it lets through.

The table is committed, so that a change of the hash that makes a figure worse turns red. The pictures are drawn, as no
real ones are shipped: shapes, noise, posters with text, stripes. What it says of artwork is an order of magnitude.
"""

from collections.abc import Sequence

import numpy as np
import pytest
from embeddings.images.decoding import decode_picture
from embeddings.images.hashing import FLOORS, HashImageEmbedder, hash_vector
from embeddings.images.protocol import Picture
from fixtures.pictures import VARIANTS, drawn, jpeg, png
from numpy.typing import NDArray

type Vectors = NDArray[np.float64]

FIRST_UNRELATED = 10_000
EMBEDDER = HashImageEmbedder()

TABLE = {
    "clean": (1.0, 1.0),
    "re-encoded": (1.0, 1.0),
    "resized": (1.0, 1.0),
    "cropped 10 %, centred": (1.0, 0.965),
    "cropped 10 %, one corner": (0.93, 0.09),
    "flipped": (1.0, 1.0),
    "tinted": (1.0, 0.97),
    "hues turned by 60°": (0.96, 0.53),
    "hues turned by 120°, paler": (0.9, 0.275),
    "hues turned by 180°": (0.58, 0.045),
    "greyscale": (0.9, 0.555),
    "brown": (0.9, 0.56),
    "inverted": (1.0, 1.0),
    "twice the contrast": (0.995, 0.98),
    "less than half the contrast": (1.0, 1.0),
    "half as bright": (1.0, 1.0),
    "four levels a colour": (0.995, 0.845),
    "brightness levelled": (0.935, 0.73),
    "turned 90°": (0.005, 0.0),
}
"""By variant, of 200 pictures: the share that is found first and above the floor, and that is called the same."""


def catalogue_of(count: int) -> Vectors:
    return np.array([hash_vector(decode_picture(png(drawn(seed)))) for seed in range(count)])


def likeness(files: Sequence[bytes], catalogue: Vectors) -> Vectors:
    """Of each file to each picture of the catalogue, as the search measures it: the best of what is looked for."""
    views = [[hash_vector(each) for each in EMBEDDER.views(decode_picture(file))] for file in files]
    return (np.array(views) @ catalogue.T).max(axis=1)


def shares(variant: str, catalogue: Vectors) -> tuple[float, float]:
    at = np.arange(len(catalogue))
    found = likeness([VARIANTS[variant](drawn(seed)) for seed in range(len(catalogue))], catalogue)
    is_first: NDArray[np.bool_] = found.argmax(1) == at
    own = found.diagonal()
    return float(np.mean(is_first & (own >= FLOORS.alike))), float(np.mean(is_first & (own >= FLOORS.same)))


def unrelated_share(count: int, catalogue: Vectors) -> float:
    """The share of other pictures that something in the catalogue is taken to be like."""
    files = [jpeg(drawn(seed)) for seed in range(FIRST_UNRELATED, FIRST_UNRELATED + count)]
    return float(np.mean(likeness(files, catalogue).max(1) >= FLOORS.alike))


@pytest.mark.slow
def test_the_table_of_two_hundred_pictures() -> None:
    catalogue = catalogue_of(200)
    measured = {name: shares(name, catalogue) for name in VARIANTS}
    print(measured)
    assert measured.keys() == TABLE.keys()
    # A picture or two may fall to the other side of a floor with another version of the libraries.
    off = {name: found for name, found in measured.items() if found != pytest.approx(TABLE[name], abs=0.011)}
    assert off == {}
    assert unrelated_share(200, catalogue) == 0.0


def test_a_few_pictures_are_found_and_others_declined() -> None:
    catalogue = catalogue_of(24)
    assert [shares(name, catalogue)[0] for name in ("re-encoded", "flipped", "inverted")] == [1.0] * 3
    assert unrelated_share(24, catalogue) == 0.0


async def test_a_vector_has_the_length_that_its_identity_says_and_is_of_length_one() -> None:
    embedder = HashImageEmbedder()
    picture = decode_picture(png(drawn(1)))
    plain = Picture(np.full((9, 9, 3), 70, np.uint8))
    seen, nothing = await embedder.embed([picture, plain], timeout=5)
    assert len(seen) == len(nothing) == embedder.identity.dimensions == 270
    assert (float(np.linalg.norm(seen)), float(np.linalg.norm(nothing))) == (pytest.approx(1.0), 0.0)
    assert seen == (await embedder.embed([picture], timeout=5))[0]
