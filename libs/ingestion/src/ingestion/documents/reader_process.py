"""Reading in a process of its own, which is ended when a document takes too long and started again for the next."""

import asyncio
import pickle
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Sequence
from typing import Self

from ingestion.documents.limits import DocumentLimits
from ingestion.documents.model import ParsedText
from ingestion.documents.reading_child import ANSWERS, LENGTH, READY, ReadRequest
from ingestion.errors import UnreadableDocument

_COMMAND = (sys.executable, "-m", "ingestion.documents.reading_child")
_START_SECONDS = 60.0


class ReaderProcess:
    """See DocumentReader for the promises. One process at most, for one document at a time; close it with `async with`.

    A document that is not read within `seconds`, or that takes its reader down, is refused; the next one finds a new
    process. `command` is what starts one that serves as `reading_child` does.
    """

    def __init__(self, seconds: float, *, command: Sequence[str] = _COMMAND) -> None:
        self._seconds = seconds
        self._command = command
        self._turn = asyncio.Lock()
        self._process: Process | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._end()

    async def read(self, media_type: str, data: bytes, limits: DocumentLimits) -> ParsedText:
        """See DocumentReader."""
        request = pickle.dumps(ReadRequest(media_type, data, limits, self._seconds))
        async with self._turn:
            answer = ANSWERS.validate_json(await self._ask(request))
        if answer.parsed is None:
            raise UnreadableDocument(answer.refusal)
        return answer.parsed

    async def _ask(self, request: bytes) -> bytes:
        is_answered = False
        try:
            process = self._process or await self._start()
            async with asyncio.timeout(self._seconds):
                answer = await _exchange(process, request)
            is_answered = True
        except TimeoutError:
            raise UnreadableDocument(f"it was not read within {self._seconds:g} seconds") from None
        except (asyncio.IncompleteReadError, BrokenPipeError, ConnectionResetError):
            raise UnreadableDocument("its reader ended without a result") from None
        finally:
            if not is_answered:
                await self._end()
        return answer

    async def _start(self) -> Process:
        """A process that is ready: what it takes to start is no document's fault."""
        process = await asyncio.create_subprocess_exec(*self._command, stdin=PIPE, stdout=PIPE, stderr=DEVNULL)
        self._process = process
        try:
            async with asyncio.timeout(_START_SECONDS):
                await _stream(process.stdout).readexactly(len(READY))
        except TimeoutError:
            raise UnreadableDocument(f"no reader started within {_START_SECONDS:g} seconds") from None
        return process

    async def _end(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        if process.returncode is None:
            process.kill()
        # Its pipes are closed by this, too.
        await process.communicate()


async def _exchange(process: Process, request: bytes) -> bytes:
    requests, answers = _stream(process.stdin), _stream(process.stdout)
    requests.write(LENGTH.pack(len(request)) + request)
    await requests.drain()
    (length,) = LENGTH.unpack(await answers.readexactly(LENGTH.size))
    return await answers.readexactly(length)


def _stream[T](stream: T | None) -> T:
    assert stream is not None, "the process was started with pipes"
    return stream
