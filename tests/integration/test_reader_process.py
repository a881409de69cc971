"""Documents that are read in a process of their own: hanging and crashing readers cost one document, no import."""

import os
import sys
from pathlib import Path

import pytest
from datastore.postgres.engine import ReadWriteEngine
from fixtures import odd_readers
from fixtures.document_files import write_files
from ingestion.documents.importing import DocumentImporter
from ingestion.documents.limits import DocumentLimits
from ingestion.documents.reader_process import ReaderProcess
from ingestion.documents.reading import MARKDOWN, PLAIN, DirectReader
from ingestion.errors import UnreadableDocument
from ingestion.report import ExitStatus

ODD = (sys.executable, odd_readers.__file__)
LIMITS = DocumentLimits(pages=3)
MARKED = "---\ntitle: Cranes\n---\n\n# Cranes \u9db4\n\nThey fly south.\x00\n".encode()


async def test_it_reads_what_this_process_reads() -> None:
    async with ReaderProcess(20) as reader:
        assert await reader.read(MARKDOWN, MARKED, LIMITS) == await DirectReader().read(MARKDOWN, MARKED, LIMITS)


async def test_a_process_serves_until_a_document_takes_it_down() -> None:
    async with ReaderProcess(20, command=ODD) as reader:
        (first,) = (await reader.read(PLAIN, b"one", LIMITS)).fields["pid"]
        with pytest.raises(UnreadableDocument, match="it has more than 3 pages"):
            await reader.read(PLAIN, b"refuse", LIMITS)
        assert (await reader.read(PLAIN, b"two", LIMITS)).fields["pid"] == (first,)
        with pytest.raises(UnreadableDocument, match="its reader ended without a result"):
            await reader.read(PLAIN, b"crash", LIMITS)
        (second,) = (await reader.read(PLAIN, b"three", LIMITS)).fields["pid"]
        assert second != first
    with pytest.raises(ProcessLookupError):
        os.kill(int(second), 0)


async def test_a_document_that_is_never_read_is_refused_by_name_and_the_rest_is_stored(
    read_write: ReadWriteEngine, tmp_path: Path
) -> None:
    folder = write_files(tmp_path / "in", a_txt="cranes", b_txt="hang", c_txt="herons")
    async with ReaderProcess(0.3, command=ODD) as reader:
        report = await DocumentImporter(read_write, reader=reader).add(folder, collection="birds")
    (refusal,) = report.refused
    assert (refusal.subject, refusal.reason) == ("birds:document:b.txt", "it was not read within 0.3 seconds")
    assert (report.created, report.exit_status) == (2, ExitStatus.PARTIAL)
