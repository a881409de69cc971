"""An endpoint that speaks OpenAI's embeddings API, played by a local HTTP server."""

import asyncio
import json
from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass, field
from typing import Any

import pytest
from aiohttp import web
from embeddings import remote
from embeddings.protocol import EmbedderUnavailable, ModelIdentity
from embeddings.remote import RemoteEmbedder, RemoteOptions
from pydantic import SecretStr

SECONDS = 10.0
type Answer = Callable[[list[str]], web.Response]


def vectors_of(texts: list[str]) -> web.Response:
    """One vector a text, in reverse order, as an endpoint may give them."""
    rows = [{"index": place, "embedding": [3.0, float(len(text))]} for place, text in enumerate(texts)]
    return web.json_response({"data": rows[::-1]})


@dataclass
class Endpoint:
    """Answers with the next of `answers`, then with vectors."""

    url: str = ""
    answers: list[Answer] = field(default_factory=list[Answer])
    requests: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    keys: list[str | None] = field(default_factory=list[str | None])

    async def serve(self, request: web.Request) -> web.Response:
        body = json.loads(await request.text())
        self.requests.append(body)
        self.keys.append(request.headers.get("Authorization"))
        answer = self.answers.pop(0) if self.answers else vectors_of
        return answer(body["input"])


@pytest.fixture
async def endpoint() -> AsyncGenerator[Endpoint]:
    made = Endpoint()
    app = web.Application()
    app.router.add_post("/v1/embeddings", made.serve)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    host, port = runner.addresses[0][:2]
    made.url = f"http://{host}:{port}/v1"
    yield made
    await runner.cleanup()


@pytest.fixture
async def embedder(endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch) -> AsyncGenerator[RemoteEmbedder]:
    monkeypatch.setattr(remote, "_FIRST_WAIT_SECONDS", 0.01)
    made = RemoteEmbedder(RemoteOptions(endpoint.url, "a-model", 2, SecretStr("a-secret"), batch_size=2))
    yield made
    await made.close()


def busy(_: list[str]) -> web.Response:
    return web.Response(status=429, headers={"Retry-After": "0"})


async def test_texts_travel_in_batches_by_length_and_come_back_as_unit_vectors_in_order(
    endpoint: Endpoint, embedder: RemoteEmbedder
) -> None:
    made = await embedder.embed(["x" * 4, "", "y", "z" * 4], timeout=SECONDS)
    assert made[0] == pytest.approx([0.6, 0.8])
    assert made[1] == [0.0, 0.0]
    assert made[2] == pytest.approx([3 / 10**0.5, 1 / 10**0.5])
    assert made[3] == pytest.approx([0.6, 0.8])
    assert [each["input"] for each in endpoint.requests] == [["y", "xxxx"], ["zzzz"]]
    assert endpoint.requests[0]["model"] == "a-model"
    assert endpoint.keys == ["Bearer a-secret"] * 2


async def test_the_identity_is_known_before_anything_is_asked(endpoint: Endpoint, embedder: RemoteEmbedder) -> None:
    assert embedder.identity == ModelIdentity("a-model", "endpoint", 2)
    assert endpoint.requests == []


async def test_a_busy_endpoint_is_asked_again(endpoint: Endpoint, embedder: RemoteEmbedder) -> None:
    endpoint.answers = [busy, lambda _: web.Response(status=503)]
    assert len(await embedder.embed(["a"], timeout=SECONDS)) == 1
    assert len(endpoint.requests) == 3


async def test_four_tries_are_all(endpoint: Endpoint, embedder: RemoteEmbedder) -> None:
    endpoint.answers = [busy] * 10
    with pytest.raises(EmbedderUnavailable, match=r"is busy \(status 429\)") as caught:
        await embedder.embed(["a"], timeout=SECONDS)
    assert not caught.value.timed_out
    assert len(endpoint.requests) == 4


async def test_waiting_never_outlasts_the_call(endpoint: Endpoint, embedder: RemoteEmbedder) -> None:
    endpoint.answers = [lambda _: web.Response(status=429, headers={"Retry-After": "60"})]
    began = asyncio.get_running_loop().time()
    with pytest.raises(EmbedderUnavailable) as caught:
        await embedder.embed(["a"], timeout=0.2)
    assert caught.value.timed_out
    assert asyncio.get_running_loop().time() - began < 2
    assert len(endpoint.requests) == 1


def sent(text: str, status: int = 200) -> Answer:
    def answer(_: list[str]) -> web.Response:
        return web.Response(text=text, status=status, content_type="application/json")

    return answer


WRONG_ANSWERS: dict[str, tuple[Answer, str]] = {
    "refused": (sent("a-secret is wrong", 401), r"refused the request \(status 401\)"),
    "dimension": (sent('{"data": [{"index": 0, "embedding": [1.0]}]}'), "gives 1 dimensions where 2 are set"),
    "no-json": (sent("hello"), "something else than vectors"),
    "too-few": (sent('{"data": []}'), "something else than vectors"),
    "no-numbers": (sent('{"data": [{"index": 0, "embedding": ["a", "b"]}]}'), "something else than vectors"),
    "infinite": (sent('{"data": [{"index": 0, "embedding": [1e999, 1]}]}'), "not finite"),
    "no-place": (sent('{"data": [{"index": Infinity, "embedding": [1, 1]}]}'), "something else than vectors"),
    "too-long-a-number": (sent(f'{{"data": [{{"index": 0, "embedding": [{"9" * 400}, 1]}}]}}'), "something else"),
    "too-deep": (sent('{"data":' + "[" * 10_000), "something else than vectors"),
    "packed": (
        lambda _: web.Response(body=b"not packed", headers={"Content-Encoding": "gzip"}),
        "something else than vectors",
    ),
    "too-large": (sent(" " * 1_000_000), "too large"),
}


@pytest.mark.parametrize(("answer", "reason"), WRONG_ANSWERS.values(), ids=WRONG_ANSWERS)
async def test_a_wrong_answer_is_refused_at_once_and_names_no_secret(
    endpoint: Endpoint, embedder: RemoteEmbedder, answer: Answer, reason: str
) -> None:
    endpoint.answers = [answer]
    with pytest.raises(EmbedderUnavailable, match=reason) as caught:
        await embedder.embed(["a"], timeout=SECONDS)
    assert "a-secret" not in str(caught.value)
    assert len(endpoint.requests) == 1


@pytest.mark.parametrize("scale", [1e-200, 1e200])
async def test_the_size_of_its_numbers_does_not_matter(
    endpoint: Endpoint, embedder: RemoteEmbedder, scale: float
) -> None:
    row = {"index": 0, "embedding": [3 * scale, 4 * scale]}
    endpoint.answers = [lambda _: web.json_response({"data": [row]})]
    assert await embedder.embed(["a"], timeout=SECONDS) == [pytest.approx([0.6, 0.8])]


async def test_a_text_that_no_encoding_has_is_sent_without_what_it_lacks(
    endpoint: Endpoint, embedder: RemoteEmbedder
) -> None:
    assert len(await embedder.embed(["a\ud800b"], timeout=SECONDS)) == 1
    assert endpoint.requests[0]["input"] == ["a?b"]


async def test_a_key_that_can_t_be_sent_is_told(endpoint: Endpoint) -> None:
    embedder = RemoteEmbedder(RemoteOptions(endpoint.url, "a-model", 2, SecretStr("cl\u00e9")))
    with pytest.raises(EmbedderUnavailable, match="address or key is wrong"):
        await embedder.embed(["a"], timeout=SECONDS)
    await embedder.close()


async def test_an_endpoint_that_is_not_there_is_unavailable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remote, "_FIRST_WAIT_SECONDS", 0.01)
    embedder = RemoteEmbedder(RemoteOptions("http://127.0.0.1:9/v1", "a-model", 2))
    with pytest.raises(EmbedderUnavailable, match="can't be reached"):
        await embedder.embed(["a"], timeout=SECONDS)
    await embedder.close()


def test_options_print_no_secret() -> None:
    assert "a-secret" not in repr(RemoteOptions("http://host/v1", "a-model", 2, SecretStr("a-secret")))
