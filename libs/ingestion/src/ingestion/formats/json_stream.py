"""One big JSON file, value by value: memory holds the value that is being read and nothing of those before."""

import codecs
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NoReturn, Protocol

from ingestion.errors import UnreadableInput
from ingestion.formats.protocol import UNPACKING_ERRORS, DumpFile
from ingestion.text import Cleaned, Repairs, clean_values, may_need_cleaning

MAX_VALUE_CHARACTERS = 4 * 1024 * 1024
"""The longest element of an array, or member that is no array, that is read."""

_CHUNK_BYTES = 64 * 1024
_SPACE = re.compile(r"[ \t\r\n]*")
# Bytes that are no UTF-8 are carried as these until the value they are in is known.
_ESCAPED_BYTE = re.compile("[\udc80-\udcff]")


class ByteStream(Protocol):
    """What is needed of a binary file."""

    def read(self, size: int, /) -> bytes:
        """At most `size` bytes, none at the end."""
        ...


@dataclass(frozen=True, slots=True)
class JsonPart:
    """A member of the outermost object, or one element of a member that is an array.

    `member` is None for an element of an outermost array; `number` counts elements from 1 and is 0 for no element.
    """

    member: str | None
    number: int
    value: Cleaned[Any]


def stream_parts(stream: ByteStream) -> Iterator[JsonPart]:
    """The parts of an outermost object or array, in the order of the file.

    Raises:
        UnreadableInput: no JSON object or array, or a part that is too long; parts before it were yielded.
    """
    text = _Text(stream)
    match text.peek():
        case "[":
            yield from _elements(text, None)
        case "{":
            yield from _members(text)
        case _:
            raise UnreadableInput("not JSON: neither an object nor an array")
    if text.peek():
        raise UnreadableInput("not JSON: something follows the outermost value")


def stream_file(file: DumpFile) -> Iterator[JsonPart]:
    """The parts of a file of a dump.

    Raises:
        UnreadableInput: as `stream_parts`, or the file can't be opened or unpacked.
    """
    try:
        with file.open_bytes() as stream:
            yield from stream_parts(stream)
    except UNPACKING_ERRORS as error:
        raise UnreadableInput(f"the file can't be read: {error}") from None


def _members(text: "_Text") -> Iterator[JsonPart]:
    text.take("{")
    separator = "," if text.peek() != "}" else text.take("}")
    while separator == ",":
        name = text.value().value
        if not isinstance(name, str):
            raise UnreadableInput("not JSON: a member without a name")
        text.take(":")
        if text.peek() == "[":
            yield from _elements(text, name)
        else:
            yield JsonPart(name, 0, text.value())
        separator = text.take(",}")


def _elements(text: "_Text", member: str | None) -> Iterator[JsonPart]:
    text.take("[")
    separator = "," if text.peek() != "]" else text.take("]")
    number = 0
    while separator == ",":
        number += 1
        yield JsonPart(member, number, text.value())
        separator = text.take(",]")


class _Text:
    """The text of a stream, from where it has been understood to where it has been read."""

    def __init__(self, stream: ByteStream) -> None:
        self._stream = stream
        self._decode = codecs.getincrementaldecoder("utf-8-sig")(errors="surrogateescape").decode
        self._parser = json.JSONDecoder(parse_constant=_refuse_constant)
        self._buffer = ""
        self._at = 0
        self._is_complete = False

    def peek(self) -> str:
        """The next character that is no space, empty at the end."""
        while True:
            self._at = _end_of_space(self._buffer, self._at)
            if self._at < len(self._buffer):
                return self._buffer[self._at]
            if self._is_complete:
                return ""
            self._read_more()

    def take(self, allowed: str) -> str:
        """The next character, which has to be one of `allowed`."""
        found = self.peek()
        if not found or found not in allowed:
            what = repr(found) if found else "the end"
            raise UnreadableInput(f"not JSON: {what} where one of {' '.join(allowed)} is needed")
        self._at += 1
        return found

    def value(self) -> Cleaned[Any]:
        """The next value with its texts made safe."""
        if not self.peek():
            raise UnreadableInput("not JSON: the file ends too early")
        while True:
            try:
                value, end = self._parser.raw_decode(self._buffer, self._at)
            except json.JSONDecodeError as error:
                if self._is_complete or len(self._buffer) - self._at > MAX_VALUE_CHARACTERS:
                    raise UnreadableInput(self._complaint(error)) from None
            except (ValueError, RecursionError) as error:
                raise UnreadableInput(f"not usable JSON: {error}") from None
            else:
                # A number at the end of what was read may go on in what was not.
                if end < len(self._buffer) or self._is_complete:
                    return self._cleaned(value, end)
            self._read_more()

    def _complaint(self, error: json.JSONDecodeError) -> str:
        if self._is_complete:
            return f"not JSON: {error.msg}"
        return f"not JSON, or a value longer than {MAX_VALUE_CHARACTERS} characters"

    def _cleaned(self, value: Any, end: int) -> Cleaned[Any]:
        source, self._at = self._buffer[self._at : end], end
        invalid = len(_ESCAPED_BYTE.findall(source))
        if not invalid and not may_need_cleaning(source):
            return Cleaned(value, Repairs())
        cleaned = clean_values(value)
        return Cleaned(cleaned.value, cleaned.repairs + Repairs(surrogates=-invalid, invalid_utf8=invalid))

    def _read_more(self) -> None:
        """Read at least as much as is waiting to be understood, so that a long value is not tried too often."""
        waiting = self._buffer[self._at :]
        data = self._stream.read(max(_CHUNK_BYTES, len(waiting)))
        self._is_complete = not data
        self._buffer, self._at = waiting + self._decode(data, not data), 0


def _end_of_space(text: str, start: int) -> int:
    match = _SPACE.match(text, start)
    return match.end() if match else start


def _refuse_constant(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no number")
