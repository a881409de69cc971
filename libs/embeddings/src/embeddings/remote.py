"""Models behind an endpoint that speaks OpenAI's embeddings API."""

import asyncio
import json
import random
from collections.abc import Sequence
from dataclasses import dataclass
from math import hypot, isfinite
from typing import Any, cast

import httpx
from pydantic import SecretStr

from embeddings.protocol import EmbedderUnavailable, ModelIdentity
from embeddings.texts import encodable

REVISION = "endpoint"
"""An endpoint doesn't tell which weights it serves; only its model's name and dimensions are checked."""

_BUSY = frozenset({408, 425, 429, 500, 502, 503, 504})
_MAX_TRIES = 4
_FIRST_WAIT_SECONDS = 0.25
_MAX_WAIT_SECONDS = 8.0

_MOST_BYTES, _MOST_BYTES_A_NUMBER = 65_536, 64
"""What an answer may take beside its numbers, and for each: many digits, spaces and a line of its own."""

_NO_VECTORS = "the embedding endpoint answered with something else than vectors"


@dataclass(frozen=True, slots=True)
class RemoteOptions:
    """`base_url` ends where `/embeddings` begins, e.g. `https://host/v1`. `batch_size` is in texts."""

    base_url: str
    model: str
    dimensions: int
    api_key: SecretStr | None = None
    batch_size: int = 64


@dataclass(frozen=True, slots=True)
class _Answer:
    """`retry_after` is what the endpoint says of waiting, empty where it says nothing."""

    status: int
    retry_after: str
    body: bytes


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
        answer = await self._post(texts)
        for attempt in range(1, _MAX_TRIES):
            if answer is not None and answer.status not in _BUSY:
                return self._vectors(answer, len(texts))
            await asyncio.sleep(_wait_seconds(answer, attempt))
            answer = await self._post(texts)
        if answer is not None and answer.status not in _BUSY:
            return self._vectors(answer, len(texts))
        status = "can't be reached" if answer is None else f"is busy (status {answer.status})"
        raise EmbedderUnavailable(f"the embedding endpoint {status}")

    async def _post(self, texts: Sequence[str]) -> _Answer | None:
        """None when the endpoint can't be reached or hangs up."""
        url = f"{self._options.base_url.rstrip('/')}/embeddings"
        asked = {
            "model": self._options.model,
            "input": [encodable(text) for text in texts],
            "encoding_format": "float",
        }
        most = _MOST_BYTES + len(texts) * self._options.dimensions * _MOST_BYTES_A_NUMBER
        try:
            async with self._client.stream("POST", url, json=asked, headers=self._headers, timeout=None) as response:
                body = await _body(response, most)
                return _Answer(response.status_code, response.headers.get("Retry-After", ""), body)
        except httpx.TransportError:
            return None
        except httpx.DecodingError as error:
            raise EmbedderUnavailable(_NO_VECTORS) from error
        except (httpx.InvalidURL, UnicodeEncodeError, RuntimeError) as error:
            raise EmbedderUnavailable("the embedding endpoint's address or key is wrong, or it is closed") from error

    def _vectors(self, answer: _Answer, count: int) -> list[list[float]]:
        if not 200 <= answer.status < 300:
            raise EmbedderUnavailable(f"the embedding endpoint refused the request (status {answer.status})")
        try:
            rows = cast("list[dict[str, Any]]", json.loads(answer.body)["data"])
            by_place = {int(row["index"]): [float(value) for value in row["embedding"]] for row in rows}
            vectors = [by_place[place] for place in range(count)]
        except (ValueError, KeyError, TypeError, OverflowError, RecursionError) as error:
            raise EmbedderUnavailable(_NO_VECTORS) from error
        return [self._unit(vector) for vector in vectors]

    def _unit(self, vector: list[float]) -> list[float]:
        if len(vector) != self._options.dimensions:
            raise EmbedderUnavailable(
                f"the embedding endpoint gives {len(vector)} dimensions where {self._options.dimensions} are set"
            )
        length = hypot(*vector)
        if not isfinite(length):
            raise EmbedderUnavailable("the embedding endpoint gave a vector that is not finite")
        return [value / length for value in vector] if length else vector


async def _body(response: httpx.Response, most: int) -> bytes:
    body = bytearray()
    async for chunk in response.aiter_bytes():
        body += chunk
        if len(body) > most:
            raise EmbedderUnavailable("the embedding endpoint's answer is too large")
    return bytes(body)


def _wait_seconds(answer: _Answer | None, attempt: int) -> float:
    """What the endpoint asks for, else twice as long each time; with jitter, so that callers spread out."""
    asked = answer.retry_after if answer is not None else ""
    wait = float(asked) if asked.isdecimal() else _FIRST_WAIT_SECONDS * 2 ** (attempt - 1)
    return min(wait, _MAX_WAIT_SECONDS) * random.uniform(1.0, 1.2)
