"""The scripted model behind HTTP, in the words of OpenAI's chat completions."""

import asyncio
import json
import socket
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

type Reply = Callable[[str, str, str], Awaitable[dict[str, Any]]]
"""The asked type's name, the system text and the user's text to the values that fill it."""

_CHARACTERS_PER_TOKEN = 4


@dataclass
class ModelServer:
    """Where the model answers; how often it was asked, and how many of that to correct itself."""

    base_url: str = ""
    calls: int = 0
    corrections: int = 0


@asynccontextmanager
async def serving(reply: Reply) -> AsyncGenerator[ModelServer]:
    """A server on a port of the loopback that the system chooses, for as long as the block runs."""
    state = ModelServer()

    async def complete(request: Request) -> JSONResponse:
        body: dict[str, Any] = await request.json()
        messages: list[dict[str, Any]] = body["messages"]
        state.calls += 1
        state.corrections += len(messages) > 2
        name: str = body["response_format"]["json_schema"]["name"]
        system, user = str(messages[0]["content"]), str(messages[1]["content"])
        return JSONResponse(_completion(body, json.dumps(await reply(name, system, user), ensure_ascii=False)))

    bound = socket.create_server(("127.0.0.1", 0))
    app = Starlette(routes=[Route("/v1/chat/completions", complete, methods=["POST"])])
    server = _Server(uvicorn.Config(app, log_config=None, access_log=False, lifespan="off", ws="none"))
    state.base_url = f"http://127.0.0.1:{bound.getsockname()[1]}/v1"
    running = asyncio.create_task(server.serve(sockets=[bound]))
    try:
        # Requests wait in the socket's backlog until the server has started.
        yield state
    finally:
        server.should_exit = True
        await running


class _Server(uvicorn.Server):
    """Leaves signals to the process."""

    @contextmanager
    def capture_signals(self) -> Generator[None]:
        """Nothing is captured."""
        yield


def _completion(body: dict[str, Any], text: str) -> dict[str, Any]:
    prompt = len(json.dumps(body, ensure_ascii=False)) // _CHARACTERS_PER_TOKEN
    said = len(text) // _CHARACTERS_PER_TOKEN + 1
    usage = {"prompt_tokens": prompt, "completion_tokens": said, "total_tokens": prompt + said}
    message = {"role": "assistant", "content": text}
    choice = {"index": 0, "message": message, "finish_reason": "stop", "logprobs": None}
    return {
        "id": "scripted",
        "object": "chat.completion",
        "created": 0,
        "model": body["model"],
        "choices": [choice],
        "usage": usage,
    }
