"""Big JSON read value by value: what comes out, what is refused, and how little memory it takes."""

import io
import itertools
import json
import tracemalloc
from collections.abc import Iterator

import pytest
from ingestion.errors import UnreadableInput
from ingestion.formats.json_stream import MAX_VALUE_CHARACTERS, JsonPart, stream_parts
from ingestion.text import Repairs


def parts(data: bytes) -> list[tuple[str | None, int, object]]:
    """Member, number and value of each part."""
    return [(part.member, part.number, part.value.value) for part in stream_parts(io.BytesIO(data))]


class DrippingStream:
    """Gives a byte at a time, whatever is asked for."""

    def __init__(self, data: bytes) -> None:
        self._stream = io.BytesIO(data)

    def read(self, _size: int) -> bytes:
        """One byte."""
        return self._stream.read(1)


def test_members_and_elements_come_in_the_order_of_the_file() -> None:
    data = b'\xef\xbb\xbf {"a": {"b": [1]}, "list": [1, "two", [3]], "none": [], "last": 12}\n'
    assert parts(data) == [
        ("a", 0, {"b": [1]}),
        ("list", 1, 1),
        ("list", 2, "two"),
        ("list", 3, [3]),
        ("last", 0, 12),
    ]
    assert parts(b'[{"x": 1}, -2.5e3]') == [(None, 1, {"x": 1}), (None, 2, -2500.0)]
    assert parts(b"{}") == parts(b" [ ] ") == []


def test_where_the_stream_is_cut_into_reads_changes_nothing() -> None:
    data = json.dumps(
        {"title": "銀河 \U0001f680", "items": [12, 345, {"名": ["\\u00e9", "\u00e9"]}]}, ensure_ascii=False
    )
    dripped = [(part.member, part.value.value) for part in stream_parts(DrippingStream(data.encode()))]
    assert dripped == [(member, value) for member, _, value in parts(data.encode())]


def test_texts_are_made_safe_and_told() -> None:
    [first, second, third] = list(stream_parts(io.BytesIO(b'["a\\u0000b", "c\\udcb0", "d\xff\xfee"]')))
    assert (first.value.value, first.value.repairs) == ("ab", Repairs(nuls=1))
    assert (second.value.value, second.value.repairs) == ("c\ufffd", Repairs(surrogates=1))
    assert (third.value.value, third.value.repairs) == ("d\ufffd\ufffde", Repairs(invalid_utf8=2))


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "not JSON: neither an object nor an array"),
        (b"12", "not JSON: neither an object nor an array"),
        (b"[1, 2", "not JSON: the end where one of , ] is needed"),
        (b'{"a": 1,', "not JSON: the file ends too early"),
        (b'{"a" 1}', "not JSON: '1' where one of : is needed"),
        (b"{1: 2}", "not JSON: a member without a name"),
        (b"[1] [2]", "not JSON: something follows the outermost value"),
        (b"[NaN]", "not usable JSON: NaN is no number"),
        (b"[" + b"1" * 5000 + b"]", "not usable JSON: Exceeds the limit"),
        (b'["cut', "not JSON: Unterminated string starting at"),
    ],
)
def test_what_is_no_json_is_refused_with_its_reason(data: bytes, reason: str) -> None:
    with pytest.raises(UnreadableInput) as raised:
        parts(data)
    assert str(raised.value).startswith(reason)


def test_parts_before_a_fault_are_read() -> None:
    stream = stream_parts(io.BytesIO(b"[1, 2, oh]"))
    assert [part.value.value for part in itertools.islice(stream, 2)] == [1, 2]
    with pytest.raises(UnreadableInput, match="not JSON"):
        next(stream)


def test_a_value_of_no_end_is_given_up() -> None:
    with pytest.raises(UnreadableInput, match=f"longer than {MAX_VALUE_CHARACTERS} characters"):
        parts(b'["' + b"a" * (3 * MAX_VALUE_CHARACTERS))


def test_memory_does_not_grow_with_the_file() -> None:
    peaks = [_peak_of_reading(count) for count in (500, 4_000)]
    assert peaks[1] <= 1.2 * peaks[0], peaks


def _peak_of_reading(count: int) -> int:
    """The most memory, in bytes, that reading a list of `count` works takes."""
    stream = _Generated(count)
    tracemalloc.start()
    read = sum(1 for _ in _values(stream))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert read == count
    return peak


def _values(stream: "_Generated") -> Iterator[JsonPart]:
    return (part for part in stream_parts(stream) if part.number)


class _Generated:
    """A file that is made while it is read."""

    def __init__(self, count: int) -> None:
        self._lines = itertools.chain(
            (b'{"items": [',),
            (_work(number) + (b"," if number < count else b"") for number in range(1, count + 1)),
            (b"]}",),
        )

    def read(self, size: int) -> bytes:
        """About `size` bytes."""
        taken = bytearray()
        while len(taken) < size and (line := next(self._lines, b"")):
            taken += line
        return bytes(taken)


def _work(number: int) -> bytes:
    return b'{"title": "work %d", "summary": "%s"}' % (number, b"a" * 1_000)
