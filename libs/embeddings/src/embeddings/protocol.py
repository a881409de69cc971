"""What an embedder promises, and what tells one model from another."""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Protocol

_SHORT_HASH_LENGTH = 8


class EmbedderUnavailable(Exception):
    """The model can't be used now, or didn't answer in time. `reason` is in our words."""

    def __init__(self, reason: str, *, timed_out: bool = False) -> None:
        super().__init__(reason)
        self.reason = reason
        self.timed_out = timed_out


@dataclass(frozen=True, slots=True)
class ModelIdentity:
    """Which model made a vector. Vectors of different identities can't be compared.

    `quantisation` names what was done to the model after it was published; empty when it runs as it is.
    """

    name: str
    revision: str
    dimensions: int
    quantisation: str = ""

    @property
    def short_hash(self) -> str:
        """Eight hexadecimal characters that stand for the whole identity, e.g. in the name of a collection."""
        parts = [self.name, self.revision, str(self.dimensions), *([self.quantisation] if self.quantisation else [])]
        whole = "\n".join(parts)
        return sha256(whole.encode()).hexdigest()[:_SHORT_HASH_LENGTH]

    def __str__(self) -> str:
        form = f", {self.quantisation}" if self.quantisation else ""
        return f"{self.name} ({self.revision}{form}, {self.dimensions} dimensions)"


class Embedder(Protocol):
    """Turns texts into unit vectors, one per text and in their order."""

    @property
    def identity(self) -> ModelIdentity:
        """Which model this is; known before anything is loaded."""
        ...

    async def embed(self, texts: Sequence[str], *, timeout: float) -> list[list[float]]:
        """Vectors of length 1. A text longer than the model's window counts by its beginning; a text of nothing but
        white space gives the zero vector, which is near to nothing.

        Raises:
            EmbedderUnavailable: the model can't be loaded, too much is waiting, or `timeout` seconds are over.
        """
        ...

    async def close(self) -> None:
        """Release the model; may be called twice."""
        ...
