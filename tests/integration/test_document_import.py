"""Documents into PostgreSQL: what is stored, what a second import writes, and what a removed document leaves."""

import json
from collections.abc import Sequence
from pathlib import Path
from uuid import UUID

import pytest
import sqlalchemy as sa
from agent_core.document_contracts import DocumentIntent, SearchMode
from agent_core.retrieval.chunk_search import ChunkSearch
from agent_core.retrieval.document_executor import PostgresDocumentExecutor
from agent_core.retrieval.resolver import NameResolver
from datastore.edges import EDGES, EdgeType
from datastore.identity import entity_id
from datastore.postgres.catalogue import edges, entities, external_ids, name_pages, names
from datastore.postgres.document_reads import list_documents, read_same_texts
from datastore.postgres.documents import chunks, document_references, document_sections, documents
from datastore.postgres.engine import ReadOnlyEngine, ReadWriteEngine
from datastore.postgres.graph_facts import read_truth_rows
from datastore.postgres.outbox import outbox
from datastore.postgres.projection import ORIGIN_CODES, rebuild_edges
from datastore.vectors.edge import EdgeVectorStore
from embeddings.protocol import ModelIdentity
from fixtures.catalogue_imports import changed_rows, count, dump_tables, fetch, kept
from fixtures.document_files import docx_bytes, import_documents, pdf_bytes, write_files
from ingestion.chunking import ChunkOptions
from ingestion.documents.importing import DocumentImporter, DocumentOptions
from ingestion.documents.incoming import Origin
from ingestion.documents.limits import DocumentLimits
from ingestion.index_sync import IndexRelay
from ingestion.loss import LossLimit
from ingestion.report import Duplicate, ExitStatus, Place

_CRANES = (
    "---\ntitle: Of cranes\ndate: 2024-03\nabbreviation: OC\n---\n"
    "# Flight\n\nCranes fly. See Of storks.\n\n## § 2 Rest\n\nThey rest.\n"
)
_STORKS = "Of storks\n\nStorks stand.\n"


def _id(key: str, collection: str = "notes") -> UUID:
    return entity_id(collection, "document", key)


async def _edges(engine: ReadWriteEngine) -> set[tuple[str, str, str]]:
    """Every edge by its ends' names."""
    src, dst = entities.alias("src"), entities.alias("dst")
    statement = (
        sa.select(src.c.name, edges.c.rel, dst.c.name)
        .join(src, src.c.node == edges.c.src)
        .join(dst, dst.c.node == edges.c.dst)
    )
    names_of = {edge.code: edge.type.value for edge in EDGES.values()}
    return {(a, names_of[rel], b) for a, rel, b in await fetch(engine, statement)}


async def test_a_document_is_an_entity_with_names_sections_chunks_and_a_date(
    tmp_path: Path, read_write: ReadWriteEngine
) -> None:
    report = await import_documents(read_write, write_files(tmp_path / "in", cranes_md=_CRANES))
    assert (kept(report), report.exit_status) == ({"document": (1, 0, 0)}, ExitStatus.OK)
    owner = _id("cranes.md")
    columns = documents.c
    assert await fetch(
        read_write,
        sa.select(
            columns.id,
            columns.collection,
            columns.source_uri,
            columns.media_type,
            columns.language,
            sa.cast(columns.document_date, sa.Text),
            columns.date_precision,
            columns.document_time,
            columns.date_raw,
            columns.text,
        ),
    ) == [(owner, "notes", "cranes.md", "text/markdown", None, "2024-03-01", "month", None, "2024-03", _CRANES)]
    assert await fetch(read_write, sa.select(names.c.name, names.c.kind).order_by(names.c.id)) == [
        ("OC", "abbreviation"),
        ("Flight", "alias"),
        ("Of cranes", "main"),
    ]
    stored = document_sections.c
    assert await fetch(
        read_write, sa.select(stored.position, stored.number, stored.path).order_by(stored.position)
    ) == [
        (0, None, ["Flight"]),
        (1, "§ 2", ["Flight", "§ 2 Rest"]),
    ]
    of_chunk = chunks.c
    found = await fetch(
        read_write,
        sa.select(of_chunk.text, of_chunk.section_path, of_chunk.start_offset, of_chunk.end_offset, of_chunk.heading)
        .order_by(of_chunk.position),
    )  # fmt: skip
    assert [(text, path, heading) for text, path, _, _, heading in found] == [
        ("# Flight\n\nCranes fly. See Of storks.", ["Flight"], "Flight"),
        ("## § 2 Rest\n\nThey rest.", ["Flight", "§ 2 Rest"], "§ 2 Rest"),
    ]
    assert all(_CRANES[start:end] == text for text, _, start, end, _ in found)
    told = outbox.c
    assert await fetch(read_write, sa.select(told.entity_id, told.entity_type, told.version, told.operation)) == [
        (owner, "document", 1, "upsert")
    ]


async def test_the_same_documents_once_more_write_nothing(tmp_path: Path, read_write: ReadWriteEngine) -> None:
    folder = write_files(
        tmp_path / "in", a_md=_CRANES, b_txt=_STORKS, c_pdf=pdf_bytes("Cranes fly."), d_docx=docx_bytes(), e_bin=b"x"
    )
    first = await import_documents(read_write, folder)
    before = await dump_tables(read_write)
    second = await import_documents(read_write, folder, sync=True)
    assert changed_rows(before, await dump_tables(read_write)) == {}
    assert (kept(first), kept(second)) == ({"document": (4, 0, 0)}, {"document": (0, 0, 4)})
    assert [(each.kind, each.count) for each in second.not_imported] == [("other_file", 1)]


async def test_nothing_of_a_changed_document_s_old_text_stays(tmp_path: Path, read_write: ReadWriteEngine) -> None:
    """Complaints about stale answers: an edited document is only what it says now, in every table."""
    folder = write_files(tmp_path / "in", a_md=_CRANES, b_txt=_STORKS)
    await import_documents(read_write, folder)
    assert await _edges(read_write) == {
        ("Of cranes", "mentions", "Of storks"),
        ("Of storks", "mentioned_by", "Of cranes"),
    }
    old_chunks = {row[0] for row in await fetch(read_write, sa.select(chunks.c.id))}
    (folder / "a.md").write_text("---\ntitle: Of herons\n---\nHerons wait.\n")
    report = await import_documents(read_write, folder)
    assert kept(report) == {"document": (0, 1, 1)}
    dumped = repr({name: rows for name, rows in (await dump_tables(read_write)).items() if name != "start_gaps"})
    for trace in ("Cranes fly", "Of cranes", "of cranes", "They rest", "§ 2"):
        assert trace not in dumped
    assert await _edges(read_write) == set()
    assert await count(read_write, document_references) == 0
    version = sa.select(entities.c.name, entities.c.version).where(entities.c.id == _id("a.md"))
    assert await fetch(read_write, version) == [("Of herons", 2)]
    kept_chunks = {row[0] for row in await fetch(read_write, sa.select(chunks.c.id))}
    assert len(kept_chunks & old_chunks) == 1
    last = sa.select(outbox.c.entity_id, outbox.c.version).order_by(outbox.c.id.desc()).limit(1)
    assert await fetch(read_write, last) == [(_id("a.md"), 2)]


async def test_a_deleted_document_leaves_only_its_tombstone(tmp_path: Path, read_write: ReadWriteEngine) -> None:
    """Complaints about stale answers: after a delete no row of any table knows the document."""
    folder = write_files(tmp_path / "in", a_md=_CRANES, b_txt=_STORKS)
    await import_documents(read_write, folder)
    (folder / "b.txt").unlink()
    report = await import_documents(read_write, folder, sync=True)
    assert (report.removed, report.dangling_count, report.dangling) == (1, 1, ("Of storks",))
    gone = _id("b.txt")
    for table, rows in (await dump_tables(read_write)).items():
        if table != "outbox":
            assert not [row for row in rows if gone in row or "Storks stand" in repr(row)], table
    assert await fetch(read_write, sa.select(names.c.name).where(names.c.entity_id == gone)) == []
    pages = await fetch(read_write, sa.select(name_pages.c.entries))
    assert not [page for page in pages if "storks" in page[0].lower()]
    assert await _edges(read_write) == set()
    told = sa.select(outbox.c.operation, outbox.c.version).where(outbox.c.entity_id == gone).order_by(outbox.c.id)
    assert await fetch(read_write, told) == [("upsert", 1), ("delete", 2)]
    again = await import_documents(read_write, write_files(folder, b_txt=_STORKS))
    assert (kept(again), again.dangling_count) == ({"document": (1, 0, 1)}, 0)
    assert len(await _edges(read_write)) == 2


async def test_documents_are_removed_by_reference_and_by_collection(
    tmp_path: Path, read_write: ReadWriteEngine
) -> None:
    folder = write_files(tmp_path / "in", a_md=_CRANES, b_txt=_STORKS)
    await import_documents(read_write, folder)
    await import_documents(read_write, folder, collection="other")
    importer = DocumentImporter(read_write)
    assert await importer.remove(["notes:document:a.md", "notes:document:none"]) == 1
    assert await importer.remove([], collection="other") == 2
    assert await fetch(read_write, sa.select(documents.c.id)) == [(_id("b.txt"),)]
    with pytest.raises(ValueError, match="source:kind:id"):
        await importer.remove(["a.md"])


async def test_a_sync_that_would_remove_much_is_held_back(tmp_path: Path, read_write: ReadWriteEngine) -> None:
    folder = write_files(tmp_path / "in", **{f"f{number}_txt": f"Text {number}" for number in range(6)})
    await import_documents(read_write, folder)
    for number in range(3):
        (folder / f"f{number}.txt").unlink()
    options = DocumentOptions(loss=LossLimit(share=0.1, minimum=3))
    held = await import_documents(read_write, folder, options=options, sync=True)
    assert (held.is_held_back, held.removed, held.losses[0].lost, held.exit_status) == (True, 0, 3, ExitStatus.PARTIAL)
    assert await count(read_write, documents) == 6
    accepted = await import_documents(read_write, folder, options=options, sync=True, accept_loss=True)
    assert (accepted.removed, await count(read_write, documents)) == (3, 3)


async def test_what_can_t_be_read_is_refused_by_name_and_the_stored_one_stays(
    tmp_path: Path, read_write: ReadWriteEngine
) -> None:
    folder = write_files(tmp_path / "in", a_md=_CRANES, b_txt=_STORKS, c_txt="x" * 2_000, d_pdf=b"%PDF-1.4 no")
    options = DocumentOptions(limits=DocumentLimits(file_bytes=1_000))
    report = await import_documents(read_write, folder, options=options)
    assert [(str(each.place), each.reason) for each in report.refused] == [
        ("c.txt", "it is larger than 1000 bytes"),
        ("d.pdf", "it is no PDF that can be read: PdfStreamError"),
    ]
    assert (kept(report), report.exit_status) == ({"document": (2, 0, 0)}, ExitStatus.PARTIAL)
    (folder / "a.md").write_bytes(b"---\n- no\n---\n")
    again = await import_documents(read_write, folder, options=options, sync=True)
    assert (again.removed, await count(read_write, documents)) == (0, 2)


async def test_links_and_hidden_files_are_left_out(tmp_path: Path, read_write: ReadWriteEngine) -> None:
    folder = write_files(tmp_path / "in", a_txt="Text")
    (tmp_path / "secret.txt").write_text("secret")
    (folder / "link.txt").symlink_to(tmp_path / "secret.txt")
    (folder / ".hidden").mkdir()
    (folder / ".hidden" / "b.txt").write_text("hidden")
    report = await import_documents(read_write, folder)
    assert (kept(report), [each.kind for each in report.not_imported]) == ({"document": (1, 0, 0)}, ["symbolic_link"])


async def test_the_same_text_under_two_names_and_dates_is_reported_and_found(
    tmp_path: Path, read_write: ReadWriteEngine
) -> None:
    texts = {"20210922_txt": "The rate stays.", "20211103_txt": "The rate stays.", "20211215_txt": "It rises."}
    report = await import_documents(read_write, write_files(tmp_path / "in", **texts), collection="minutes")
    refs = ("minutes:document:20210922.txt", "minutes:document:20211103.txt")
    assert report.duplicates == (Duplicate(documents=refs),)
    async with read_write.begin(5) as connection:
        (group,) = await read_same_texts(connection, [_id("20211103.txt", "minutes")])
        assert [(each.ref, str(each.document_date), each.date_precision) for each in group] == [
            (refs[0], "2021-09-22", "day"),
            (refs[1], "2021-11-03", "day"),
        ]
        assert await read_same_texts(connection, [_id("20211215.txt", "minutes")]) == []
        listed = await list_documents(connection, collection="minutes", limit=2, after=refs[0])
    assert [(each.ref, each.title, each.characters, each.chunks) for each in listed] == [
        (refs[1], "The rate stays.", 15, 1),
        ("minutes:document:20211215.txt", "It rises.", 9, 1),
    ]


async def test_dates_around_one_midnight_are_stored_and_sort(tmp_path: Path, read_write: ReadWriteEngine) -> None:
    """Naive and aware times side by side: a time without a zone is one in UTC."""
    given = {"a": "2024-03-31T02:30:00", "b": "2024-03-30T18:30:00-07:00", "c": "2024-03-31"}
    files = {f"{name}_md": f"---\neffective_date: {date}\n---\nText of {name}." for name, date in given.items()}
    report = await import_documents(read_write, write_files(tmp_path / "in", **files))
    assert (kept(report), report.repaired) == ({"document": (3, 0, 0)}, ())
    columns = documents.c
    order = (columns.document_date, columns.document_time.asc().nulls_first(), columns.id)
    assert await fetch(
        read_write, sa.select(columns.source_uri, sa.cast(columns.document_date, sa.Text)).order_by(*order)
    ) == [("c.md", "2024-03-31"), ("b.md", "2024-03-31"), ("a.md", "2024-03-31")]


async def test_references_are_stored_at_their_place_and_make_one_edge_of_a_kind(
    tmp_path: Path, read_write: ReadWriteEngine
) -> None:
    text = (
        "---\ntitle: New\nsupersedes: Of storks\n---\n# § 3 Rest of PEP 9\n\n"
        "See Of storks, and Of storks again. See PEP 7 [1, 2]. And § 2.\n"
    )
    folder = write_files(tmp_path / "in", a_md=text, b_txt=_STORKS)
    report = await import_documents(read_write, folder)
    assert (report.dangling_count, report.dangling) == (1, ("PEP 7",))
    columns = document_references.c
    place = (columns.start_offset, columns.end_offset)
    statement = sa.select(columns.target_text, columns.target_section, columns.edge, *place, columns.target_id)
    rows = await fetch(read_write, statement.order_by(columns.start_offset, columns.target_section))
    assert [(*row[:3], text[row[3] : row[4]], row[5]) for row in rows] == [
        ("Of storks", "", "supersedes", "Of storks", _id("b.txt")),
        ("Of storks", "", "mentions", "Of storks", _id("b.txt")),
        ("Of storks", "", "mentions", "Of storks", _id("b.txt")),
        ("PEP 7", "", "mentions", "PEP 7", None),
        ("", "[1]", None, "[1, 2]", _id("a.md")),
        ("", "[2]", None, "[1, 2]", _id("a.md")),
        ("", "§ 2", None, "§ 2", _id("a.md")),
    ]
    in_chunks = await fetch(read_write, sa.select(columns.chunk_id.is_(None)).order_by(columns.start_offset))
    assert [row[0] for row in in_chunks] == [True] + [False] * 6
    expected = {
        ("New", "mentions", "Of storks"),
        ("Of storks", "mentioned_by", "New"),
        ("New", "supersedes", "Of storks"),
        ("Of storks", "superseded_by", "New"),
    }
    assert (await _edges(read_write), await count(read_write, edges)) == (expected, 4)
    async with read_write.begin(5) as connection:
        origin = ORIGIN_CODES["document_references"]
        rows = await connection.scalars(sa.select(edges.c.origin_id).where(edges.c.origin == origin).distinct())
        facts = await read_truth_rows(connection, [("document_references", row) for row in rows])
        assert {(fact.edge.value, fact.raw, fact.version) for fact in facts.values()} == {
            ("mentions", "Of storks", 1),
            ("supersedes", "Of storks", 1),
        }
        new, old = _id("a.md"), _id("b.txt")
        assert any(fact.says(old, EdgeType.SUPERSEDED_BY, new, "") for fact in facts.values())
        assert await rebuild_edges(connection) == 4
    assert await _edges(read_write) == expected


async def test_a_document_that_comes_later_is_found_in_those_that_name_it(
    tmp_path: Path, read_write: ReadWriteEngine
) -> None:
    folder = write_files(tmp_path / "in", a_txt="Birds\n\nIn the Book of Cranes it says so.", c_txt="Nothing of it.")
    await import_documents(read_write, folder)
    assert await count(read_write, document_references) == 0
    await import_documents(read_write, write_files(folder, b_md="# Book of Cranes\n\nThey fly."))
    assert await _edges(read_write) == {
        ("Birds", "mentions", "Book of Cranes"),
        ("Book of Cranes", "mentioned_by", "Birds"),
    }


async def test_of_two_documents_of_a_name_the_one_of_the_same_collection_is_meant(
    tmp_path: Path, read_write: ReadWriteEngine
) -> None:
    texts = {"pep-0007_rst": "PEP: 7\nTitle: Style\n\nText.", "pep-0009_rst": "PEP: 9\nTitle: Use\n\nSee PEP 7."}
    folder = write_files(tmp_path / "in", **texts)
    await import_documents(read_write, folder, collection="one")
    await import_documents(read_write, folder, collection="two")
    columns = document_references.c
    found = await fetch(read_write, sa.select(columns.document_id, columns.target_id).order_by(columns.id))
    pairs = [(_id("pep-0009.rst", each), _id("pep-0007.rst", each)) for each in ("one", "two")]
    assert sorted(found) == sorted(pairs)


async def test_lines_of_json_are_documents(tmp_path: Path, read_write: ReadWriteEngine) -> None:
    lines = [
        {
            "id": "a/1 x",
            "title": "One",
            "text": "# Head\n\nText.",
            "format": "markdown",
            "date": "2024",
            "language": "en",
        },
        {"id": "b", "sections": [{"heading": "1 Scope", "text": "Body."}, {"text": "End."}], "collection": "other"},
        {"id": "b", "text": "again", "collection": "other"},
        {"id": "c"},
        {"id": "d", "text": " \u0000 "},
        [1],
    ]
    file = tmp_path / "docs.jsonl"
    file.write_text("\n".join(json.dumps(line) for line in lines))
    report = await import_documents(read_write, file)
    assert [(str(each.place), each.reason) for each in sorted(report.refused, key=lambda each: str(each.place))] == [
        ("docs.jsonl:3", "an earlier document of this import has the same id"),
        ("docs.jsonl:4", "text, sections: exactly one is required"),
        ("docs.jsonl:5", "it holds no text"),
        ("docs.jsonl:6", "the line is no JSON object"),
    ]
    refs = sa.select(external_ids.c.source, external_ids.c.external_id).order_by(external_ids.c.source)
    assert await fetch(read_write, refs) == [("notes", "a/1%20x"), ("other", "b")]
    other = sa.select(documents.c.text).where(documents.c.collection == "other")
    assert await fetch(read_write, other) == [("1 Scope\n\nBody.\n\nEnd.",)]
    number = sa.select(document_sections.c.number).where(document_sections.c.document_id == _id("b", "other"))
    assert await fetch(read_write, number) == [("1",)]
    one = sa.select(documents.c.language, documents.c.date_precision).where(documents.c.collection == "notes")
    assert await fetch(read_write, one) == [("en", "year")]


async def test_other_chunk_sizes_make_other_chunks(tmp_path: Path, read_write: ReadWriteEngine) -> None:
    folder = write_files(tmp_path / "in", a_txt="One two. Three four. Five six.")
    await import_documents(read_write, folder)
    assert await count(read_write, chunks) == 1
    report = await import_documents(read_write, folder, options=DocumentOptions(chunks=ChunkOptions(4, 0)))
    assert (kept(report), await count(read_write, chunks)) == ({"document": (0, 1, 0)}, 3)


class FlatEmbedder:
    """A model to which all texts are the same."""

    identity = ModelIdentity("flat", "1", 8)

    async def embed(self, texts: Sequence[str], *, timeout: float) -> list[list[float]]:
        del timeout
        return [[1.0] + [0.0] * 7 for _ in texts]


@pytest.mark.slow
async def test_the_tail_of_a_very_long_document_is_found(
    tmp_path: Path,
    read_write: ReadWriteEngine,
    read_only: ReadOnlyEngine,
    edge_store: EdgeVectorStore,
) -> None:
    """By its words alone; what a model makes of it is of no matter here, and takes a minute."""
    text = " ".join(f"w{number:05x}" for number in range(200_000))
    report = await import_documents(read_write, write_files(tmp_path / "in", long_txt=text))
    assert kept(report) == {"document": (1, 0, 0)}
    embedder = FlatEmbedder()
    relay = IndexRelay(read_write, edge_store, embedder)
    await relay.prepare()
    drained = await relay.drain(timeout=200)
    assert (drained.upserted, drained.dead) == (await count(read_write, chunks), 0)
    executor = PostgresDocumentExecutor(read_only, ChunkSearch(edge_store, embedder), NameResolver(read_only, None))
    intent = DocumentIntent(rationale="the last word", query="w30d3f", mode=SearchMode.KEYWORD)
    found = await executor.search(intent, timeout=30)
    best = found.hits[0].evidence
    assert (best.text.split()[-1], best.end_offset) == ("w30d3f", len(text))


def test_a_long_key_makes_a_short_reference_of_its_own() -> None:
    def ref(key: str) -> str:
        return str(Origin("notes", key, "text/plain", "x", "", Place(file="x")).ref)

    assert ref("a b/ü.md") == "notes:document:a%20b/%C3%BC.md"
    long = ref("x" * 300)
    assert len(long) <= 215
    assert long != ref("x" * 301)
