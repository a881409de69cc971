"""The process that documents are read in, so that one that is never done can be ended from outside.

It says that it is there, then takes requests on its standard input and answers on its standard output, each behind its
length, until its input ends.
"""

import pickle
import signal
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from struct import Struct
from typing import BinaryIO

from pydantic import TypeAdapter

from ingestion.documents.limits import DocumentLimits
from ingestion.documents.model import ParsedText
from ingestion.documents.reading import READERS, Reader
from ingestion.errors import UnreadableDocument

LENGTH = Struct("!Q")
READY = b"\n"
_GRACE_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class ReadRequest:
    """A document to read within `seconds`."""

    media_type: str
    data: bytes
    limits: DocumentLimits
    seconds: float


@dataclass(frozen=True, slots=True)
class ReadAnswer:
    """The text, or why there is none."""

    parsed: ParsedText | None = None
    refusal: str = ""


# The parent believes no pickle of a process that has read strange files.
ANSWERS = TypeAdapter(ReadAnswer)


def serve(readers: Mapping[str, Reader] = READERS) -> None:
    """Answer requests until the input ends. A request that takes far too long ends the process, parent or not."""
    requests, answers = sys.stdin.buffer, sys.stdout.buffer
    answers.write(READY)
    answers.flush()
    while (request := _next(requests)) is not None:
        signal.setitimer(signal.ITIMER_REAL, request.seconds + _GRACE_SECONDS)
        try:
            answer = ReadAnswer(readers[request.media_type](request.data, request.limits))
        except UnreadableDocument as error:
            answer = ReadAnswer(refusal=str(error))
        signal.setitimer(signal.ITIMER_REAL, 0)
        payload = ANSWERS.dump_json(answer)
        answers.write(LENGTH.pack(len(payload)) + payload)
        answers.flush()


def _next(requests: BinaryIO) -> ReadRequest | None:
    head = requests.read(LENGTH.size)
    if len(head) < LENGTH.size:
        return None
    (length,) = LENGTH.unpack(head)
    # Our own parent wrote it.
    request: ReadRequest = pickle.loads(requests.read(length))
    return request


if __name__ == "__main__":
    serve()
