"""Public data sets in a folder that comes from elsewhere; none of it is part of the source."""

import csv
import gzip
import io
import json
from collections.abc import Iterator, Mapping
from pathlib import Path


class DataMissing(Exception):
    """A file isn't where it should be; the message is its path."""


def bench_file(data: Path, *parts: str) -> Path:
    """A file of the benchmarks' folder. Raises DataMissing."""
    path = data.joinpath("bench", *parts)
    if not path.is_file():
        raise DataMissing(str(path))
    return path


def lines(path: Path) -> Iterator[str]:
    """The lines of a text, packed when its name ends in .gz."""
    with (
        path.open("rb") as file,
        gzip.open(file) if path.suffix == ".gz" else file as content,
        io.TextIOWrapper(content, encoding="utf-8", newline="") as text,
    ):
        yield from text


def json_lines(path: Path) -> Iterator[Mapping[str, object]]:
    """The objects of a file with one a line."""
    return (json.loads(line) for line in lines(path))


def csv_rows(path: Path) -> Iterator[dict[str, str]]:
    """The rows of a file whose first line names the columns."""
    return iter(csv.DictReader(lines(path)))
