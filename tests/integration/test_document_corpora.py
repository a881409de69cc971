"""Real corpora: how much of each is read, divided and stored, and which of its documents say the same."""

import shutil
import tarfile
import time
from pathlib import Path

import pytest
import sqlalchemy as sa
from datastore.postgres.catalogue import names
from datastore.postgres.documents import chunks, document_sections, documents
from datastore.postgres.engine import ReadWriteEngine
from fixtures.catalogue_imports import count, fetch, kept
from fixtures.document_files import import_documents

pytestmark = pytest.mark.data

_SAMPLED_LAWS = ("juschg.md", "kunsturhg.md", "buchprg.md")
_SAMPLED_MINUTES = ("20210922.txt", "20211103.txt", "20240131.txt")


def _sample(source: Path, target: Path, files: tuple[str, ...]) -> Path:
    target.mkdir()
    for name in files:
        shutil.copy(source / name, target)
    return target


async def test_sections_of_statutes_are_found_by_their_number(
    data_folder: Path, tmp_path: Path, read_write: ReadWriteEngine
) -> None:
    report = await import_documents(
        read_write, _sample(data_folder / "docs" / "gesetze", tmp_path / "in", _SAMPLED_LAWS)
    )
    assert kept(report) == {"document": (3, 0, 0)}
    law = sa.select(names.c.entity_id).where(names.c.name == "JuSchG").scalar_subquery()
    columns = document_sections.c
    fifth = sa.select(columns.heading, columns.path, columns.start_offset, columns.end_offset).where(
        columns.document_id == law, columns.number == "§ 5"
    )
    ((heading, path, start, end),) = await fetch(read_write, fifth)
    assert (heading, path[:2]) == (
        "§ 5 Tanzveranstaltungen",
        ["Jugendschutzgesetz (JuSchG)", "Abschnitt 2 - Jugendschutz in der Öffentlichkeit"],
    )
    (text, language, date) = (
        await fetch(
            read_write,
            sa.select(documents.c.text, documents.c.language, sa.cast(documents.c.document_date, sa.Text)).where(
                documents.c.id == law
            ),
        )
    )[0]
    assert (language, date) == ("de", "2002-07-23")
    assert text[start:end].startswith("### § 5 Tanzveranstaltungen\n\n(1) Die Anwesenheit bei öffentlichen")
    assert "### § 6" not in text[start:end]
    mislaid = sa.select(sa.func.count()).where(
        documents.c.id == chunks.c.document_id,
        sa.func.substr(documents.c.text, chunks.c.start_offset + 1, chunks.c.end_offset - chunks.c.start_offset)
        != chunks.c.text,
    )
    assert await fetch(read_write, mislaid) == [(0,)]


async def test_minutes_of_two_meetings_that_are_one_text_are_reported(
    data_folder: Path, tmp_path: Path, read_write: ReadWriteEngine
) -> None:
    folder = _sample(data_folder / "docs" / "fomc_minutes", tmp_path / "in", _SAMPLED_MINUTES)
    report = await import_documents(read_write, folder, collection="fomc")
    assert [each.documents for each in report.duplicates] == [
        ("fomc:document:20210922.txt", "fomc:document:20211103.txt")
    ]


@pytest.mark.slow
@pytest.mark.timeout(900)
async def test_all_of_the_corpora_are_read(data_folder: Path, tmp_path: Path, read_write: ReadWriteEngine) -> None:
    with tarfile.open(data_folder / "docs" / "peps" / "peps_public_domain.tar.xz") as archive:
        archive.extractall(tmp_path / "peps", filter="data")
    shutil.copytree(data_folder / "docs" / "gesetze", tmp_path / "laws", ignore=shutil.ignore_patterns("*.txt"))
    found: dict[str, tuple[int, int, int]] = {}
    for collection, folder in (
        ("peps", tmp_path / "peps"),
        ("laws", tmp_path / "laws"),
        ("fomc", data_folder / "docs" / "fomc_minutes"),
    ):
        begun = time.monotonic()
        report = await import_documents(read_write, folder, collection=collection)
        print(f"{collection}: {report.created} documents in {time.monotonic() - begun:.1f} s")
        found[collection] = (report.created, report.refused_count, report.duplicate_count)
    assert found == {"peps": (703, 0, 0), "laws": (17, 0, 0), "fomc": (30, 0, 2)}
    of_peps = sa.select(documents.c.id).where(documents.c.collection == "peps")
    undated = sa.select(documents.c.source_uri).where(documents.c.document_date.is_(None)).order_by(documents.c.id)
    assert await fetch(read_write, undated) == []
    called = sa.select(sa.func.count()).where(names.c.name.regexp_match("^PEP [0-9]+$"), names.c.entity_id.in_(of_peps))
    assert await fetch(read_write, called) == [(703,)]
    assert await count(read_write, chunks) > 20_000
    again = await import_documents(read_write, tmp_path / "peps", collection="peps", sync=True)
    assert (kept(again), again.removed) == ({"document": (0, 0, 703)}, 0)
