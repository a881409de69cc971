"""Models behind an endpoint that speaks OpenAI's embeddings API."""

import asyncio
import random
from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite, sqrt
from typing import Any, cast

import httpx
from pydantic import SecretStr

from embeddings.protocol import EmbedderUnavailable, ModelIdentity

REVISION = "endpoint"
"""An endpoint doesn't tell which weights it serves; only its model's name and dimensions are checked."""

_BUSY = frozenset({408, 425, 429, 500, 502, 503, 504})
_MAX_TRIES = 4
_FIRST_WAIT_SECONDS = 0.25
_MAX_WAIT_SECONDS = 8.0


@dataclass(frozen=True, slots=True)
class RemoteOptions:
    """`base_url` ends where `/embeddings` begins, e.g. `https://host/v1`. `batch_size` is in texts."""

    base_url: str
    model: str
    dimensions: int
    api_key: SecretStr | None = None
    batch_size: int = 64


class RemoteEmbedder:
    """See Embedder for the promises. A busy endpoint is asked again a few times, as long as the call's time lasts."""

    def __init__(self, options: RemoteOptions, *, client: httpx.AsyncClient | None = None) -> None:
        self._options = options
        self._client = client or httpx.AsyncClient()
        self._headers = (
            {"Authorization": f"Bearer {options.api_key.get_secret_value()}"} if options.api_key is not None else {}
        )

    @property
    def identity(self) -> ModelIdentity:
        """See Embedder."""
        return ModelIdentity(self._options.model, REVISION, self._options.dimensions)

    async def embed(self, texts: Sequence[str], *, timeout: float) -> list[list[float]]:
        """See Embedder. A vector of another length or of something else than numbers is refused."""
        vectors = [[0.0] * self._options.dimensions for _ in texts]
        places = sorted(
            (place for place, text in enumerate(texts) if text.strip()), key=lambda place: len(texts[place])
        )
        size = self._options.batch_size
        try:
            async with asyncio.timeout(timeout):
                for start in range(0, len(places), size):
                    batch = places[start : start + size]
                    made = await self._asked([texts[place] for place in batch])
                    for place, vector in zip(batch, made, strict=True):
                        vectors[place] = vector
        except TimeoutError as error:
            raise EmbedderUnavailable("the embedding endpoint did not answer in time", timed_out=True) from error
        return vectors

    async def close(self) -> None:
        """See Embedder."""
        await self._client.aclose()

    async def _asked(self, texts: Sequence[str]) -> list[list[float]]:
        response = await self._post(texts)
        for attempt in range(1, _MAX_TRIES):
            if response is not None and response.status_code not in _BUSY:
                return self._vectors(response, len(texts))
            await asyncio.sleep(_wait_seconds(response, attempt))
            response = await self._post(texts)
        if response is not None and response.status_code not in _BUSY:
            return self._vectors(response, len(texts))
        status = "can't be reached" if response is None else f"is busy (status {response.status_code})"
        raise EmbedderUnavailable(f"the embedding endpoint {status}")

    async def _post(self, texts: Sequence[str]) -> httpx.Response | None:
        """None when the endpoint can't be reached or hangs up."""
        body = {"model": self._options.model, "input": list(texts), "encoding_format": "float"}
        try:
            return await self._client.post(
                f"{self._options.base_url.rstrip('/')}/embeddings", json=body, headers=self._headers, timeout=None
            )
        except httpx.TransportError:
            return None
        except (httpx.InvalidURL, RuntimeError) as error:
            raise EmbedderUnavailable("the embedding endpoint's address is wrong, or it is closed") from error

    def _vectors(self, response: httpx.Response, count: int) -> list[list[float]]:
        if not response.is_success:
            raise EmbedderUnavailable(f"the embedding endpoint refused the request (status {response.status_code})")
        try:
            rows = cast("list[dict[str, Any]]", response.json()["data"])
            by_place = {int(row["index"]): [float(value) for value in row["embedding"]] for row in rows}
            vectors = [by_place[place] for place in range(count)]
        except (ValueError, KeyError, TypeError) as error:
            raise EmbedderUnavailable("the embedding endpoint answered with something else than vectors") from error
        return [self._unit(vector) for vector in vectors]

    def _unit(self, vector: list[float]) -> list[float]:
        if len(vector) != self._options.dimensions:
            raise EmbedderUnavailable(
                f"the embedding endpoint gives {len(vector)} dimensions where {self._options.dimensions} are set"
            )
        length = sqrt(sum(value * value for value in vector))
        if not isfinite(length):
            raise EmbedderUnavailable("the embedding endpoint gave a vector that is not finite")
        return [value / length for value in vector] if length else vector


def _wait_seconds(response: httpx.Response | None, attempt: int) -> float:
    """What the endpoint asks for, else twice as long each time; with jitter, so that callers spread out."""
    asked = response.headers.get("Retry-After", "") if response is not None else ""
    wait = float(asked) if asked.isdecimal() else _FIRST_WAIT_SECONDS * 2 ** (attempt - 1)
    return min(wait, _MAX_WAIT_SECONDS) * random.uniform(1.0, 1.2)
