"""Numbers that can be stored: an engine takes any, and never finds again what lies at no place."""

from collections.abc import Iterator, Mapping, Sequence
from math import isfinite

from datastore.errors import VectorStoreRefused
from datastore.vectors.protocol import Point


def refuse_endless(points: Sequence[Point]) -> None:
    """Raises VectorStoreRefused for a point with a number that is not finite, naming the field that holds it."""
    for point in points:
        for field, values in _numbers(point):
            # A sum of finite numbers is finite but where it overflows, and far cheaper than a look at each.
            if not isfinite(sum(values)) and not all(map(isfinite, values)):
                raise VectorStoreRefused(f"{field} of the point {point.id} holds a number that is not finite")


def _numbers(point: Point) -> Iterator[tuple[str, Sequence[float]]]:
    yield from ((f"the vector '{name}'", values) for name, values in point.dense.items())
    yield from ((f"the sparse vector '{name}'", sparse.values) for name, sparse in point.sparse.items())
    yield from _payload_numbers(point.payload)


def _payload_numbers(payload: Mapping[str, object]) -> Iterator[tuple[str, Sequence[float]]]:
    yield from ((f"the field '{name}'", (value,)) for name, value in payload.items() if isinstance(value, float))
