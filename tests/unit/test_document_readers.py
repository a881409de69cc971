"""Readers of documents: what each format's text, headings, title and fields are, and what is refused."""

import io
import time
import zipfile

import pytest
from fixtures.document_files import docx_bytes, pdf_bytes
from ingestion.documents.decoding import decode
from ingestion.documents.limits import DocumentLimits
from ingestion.documents.model import Heading, ParsedText
from ingestion.documents.readers.docx import read_docx
from ingestion.documents.readers.html import read_html
from ingestion.documents.readers.markdown import read_markdown
from ingestion.documents.readers.pdf import read_pdf
from ingestion.documents.readers.plain import read_plain
from ingestion.documents.readers.restructured import read_restructured
from ingestion.documents.sections import section_number, sections_of
from ingestion.errors import UnreadableDocument

_LIMITS = DocumentLimits()


def _headings(parsed: ParsedText) -> list[tuple[int, str, str]]:
    """Level, heading and the first line of what stands at its place."""
    return [(each.level, each.text, parsed.text[each.start :].split("\n")[0]) for each in parsed.headings]


def test_markdown_is_its_own_text_with_front_matter_and_headings() -> None:
    source = (
        "---\nTitle: Of *cranes*\ndate: 2024-03\naliases: [Cranes, Grus]\n---\n\n# Cranes\n\nissued\n:   2020-01-02\n\n"
        "## 1.2 `Flight`\n\n> # not this\n\n```\n# nor this\n```\n\nSetext\n---\nend 🐦\n"
    )
    parsed = read_markdown(source.encode(), _LIMITS)
    assert parsed.text == source
    assert parsed.text[parsed.body :].startswith("\n# Cranes")
    assert parsed.fields == {
        "title": ("Of *cranes*",),
        "date": ("2024-03",),
        "aliases": ("Cranes", "Grus"),
        "issued": ("2020-01-02",),
    }
    assert _headings(parsed) == [
        (1, "Cranes", "# Cranes"),
        (2, "1.2 Flight", "## 1.2 `Flight`"),
        (2, "Setext", "Setext"),
    ]


@pytest.mark.parametrize(
    ("front", "reason"),
    [
        ("- a\n- b", "its front matter is no mapping of names to values"),
        ("a: [", "its front matter is no YAML"),
        ("a: " + "x" * 70_000, "its front matter is longer than 65536 bytes"),
    ],
    ids=["list", "broken", "long"],
)
def test_a_front_matter_that_is_none_is_refused(front: str, reason: str) -> None:
    with pytest.raises(UnreadableDocument) as caught:
        read_markdown(f"---\n{front}\n---\ntext".encode(), _LIMITS)
    assert str(caught.value) == reason


def test_front_matter_runs_nothing_and_expands_nothing() -> None:
    bomb = "a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\nd: !!python/object/apply:os.system ['false']"
    parsed = read_markdown(f"---\n{bomb}\n---\ntext".encode(), _LIMITS)
    assert parsed.fields == {"a": ("x", "x"), "d": ("false",)}


def test_restructured_text_is_its_own_text_with_a_header_and_sections() -> None:
    source = (
        "PEP: 7\nTitle: Of cranes\nPost-History: `one\n   <https://a.example/>`__\n\n\n"
        "Flight\n======\n\n.. include:: /etc/passwd\n\n"
        "===\nLow\n===\n\nword\n\nDeep :role:`x`\n--------------\n\nend\n"
    )
    parsed = read_restructured(source.encode(), _LIMITS)
    assert parsed.text == source
    assert parsed.fields == {
        "pep": ("7",),
        "title": ("Of cranes",),
        "post-history": ("`one <https://a.example/>`__",),
    }
    assert _headings(parsed) == [
        (1, "Flight", "Flight"),
        (2, "Low", "==="),
        (3, "Deep :role:`x`", "Deep :role:`x`"),
    ]


def test_a_field_list_is_a_header_too() -> None:
    parsed = read_restructured(b":Date: 2001-02-03\n:Author: A\n   B\n\nBody\n====\n\ntext\n", _LIMITS)
    assert parsed.fields == {"date": ("2001-02-03",), "author": ("A B",)}
    assert parsed.title == "Body"


def test_html_gives_the_main_part_block_by_block() -> None:
    source = (
        "<!doctype html><html lang='de-AT'><head><title> Of\n cranes </title>"
        "<meta property='article:published_time' content='2024-03-31T02:30:00'><script>x()</script></head>"
        "<body><nav>menu</nav><main><h1>Cranes <b>fly</b></h1>High.<p>One<br>two &amp; three</p><pre>a\n  b</pre>"
        "<ul><li>x<li>y</ul><table><tr><th>k<td>v</table><!-- no --></main><style>p{}</style><footer>end</footer>"
    )
    parsed = read_html(source.encode(), _LIMITS)
    assert parsed.text == "Cranes fly\n\nHigh.\n\nOne\ntwo & three\n\na\n  b\n\n- x\n\n- y\n\nk | v"
    assert parsed.headings == (Heading(1, "Cranes fly", 0),)
    assert (parsed.title, parsed.language, parsed.date) == ("Of cranes", "de-AT", "2024-03-31T02:30:00")


def test_html_is_read_in_the_encoding_it_declares() -> None:
    source = "<html><head><meta charset=iso-8859-1></head><body>Größe</body></html>".encode("latin-1")
    assert read_html(source, _LIMITS).text == "Größe"


def test_pdf_gives_its_pages_and_what_it_says_about_itself() -> None:
    data = pdf_bytes("First page.", "Second.", info="/Title(Of cranes)/CreationDate(D:20240330183000-07'00')")
    parsed = read_pdf(data, _LIMITS)
    assert parsed.text == "First page.\n\nSecond."
    assert parsed.headings == (Heading(1, "Page 1", 0), Heading(1, "Page 2", 13))
    assert (parsed.title, parsed.language, parsed.date) == ("Of cranes", "en-GB", "D:20240330183000-07'00'")


def test_docx_gives_paragraphs_headings_and_tables() -> None:
    parsed = read_docx(docx_bytes(), _LIMITS)
    assert parsed.text == "Field notes\n\nWeather\n\nIt rained.\n\nCounts\n\ncranes | 12"
    assert parsed.headings == (Heading(1, "Weather", 13), Heading(2, "Counts", 34))
    assert (parsed.title, parsed.language) == ("Field notes", "en-US")


def test_plain_text_has_a_title_where_its_first_line_stands_alone() -> None:
    assert read_plain(b"\nOf cranes\n\nText", _LIMITS).title == "Of cranes"
    assert read_plain(b"They fly\nhigh", _LIMITS).title is None


def test_bytes_that_are_no_text_are_repaired_and_counted() -> None:
    decoded = decode("a\x00b\r\nc\u202egnp.exe".encode() + b"\xff")
    assert decoded.value == "ab\ncgnp.exe\N{REPLACEMENT CHARACTER}"
    assert (decoded.repairs.nuls, decoded.repairs.controls, decoded.repairs.invalid_utf8) == (1, 1, 1)
    assert decode("\ufeffGröße".encode("utf-16-le")).value == "Größe"
    assert decode(b"text", declared="zip").value == "text"


def test_elements_within_elements_are_refused_before_they_cost_anything() -> None:
    begun = time.monotonic()
    for depth in (2_000, 200_000):
        with pytest.raises(UnreadableDocument, match="nested more than 500 deep"):
            read_html(b"<div>" * depth + b"x", _LIMITS)
    assert time.monotonic() - begun < 5
    flat = read_html(b"<p>x<br><div></div>" * 2_000, _LIMITS)
    assert flat.text.count("x") == 2_000


@pytest.mark.parametrize("source", ["> " * 3_000 + "x", "- " * 3_000 + "x", "[" * 20_000, "*" * 20_000])
def test_deep_markdown_is_read_or_refused_but_never_breaks(source: str) -> None:
    assert read_markdown(source.encode(), _LIMITS).headings == ()


def test_deep_restructured_text_is_refused() -> None:
    source = "".join(f"{'  ' * depth}* x\n\n" for depth in range(400))
    with pytest.raises(UnreadableDocument, match="nested too deeply"):
        read_restructured(source.encode(), _LIMITS)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "it is no PDF that can be read: EmptyFileError"),
        (b"%PDF-1.4\ngarbage", "it is no PDF that can be read: PdfStreamError"),
        (pdf_bytes(" "), "its pages hold no text"),
    ],
    ids=["empty", "garbage", "scan"],
)
def test_a_pdf_without_text_is_refused(data: bytes, reason: str) -> None:
    with pytest.raises(UnreadableDocument) as caught:
        read_pdf(data, _LIMITS)
    assert str(caught.value) == reason


def test_limits_are_named_by_what_passes_them() -> None:
    small = DocumentLimits(unpacked_bytes=1_000, characters=10, pages=1, sections=1)
    with pytest.raises(UnreadableDocument, match="more than 1 pages"):
        read_pdf(pdf_bytes("a", "b"), small)
    with pytest.raises(UnreadableDocument, match="text is longer than 10 characters"):
        read_pdf(pdf_bytes("0123456789a"), small)
    with pytest.raises(UnreadableDocument, match="holds more than 1000 bytes when it is unpacked"):
        read_docx(docx_bytes(), small)
    with pytest.raises(UnreadableDocument, match="more than 1 sections"):
        sections_of([Heading(1, "a", 0), Heading(1, "b", 5)], 10, limit=1)


def test_a_zip_that_unpacks_to_much_is_refused_without_unpacking() -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/document.xml", b"0" * 3_000_000)
    with pytest.raises(UnreadableDocument, match="holds more than 2000000 bytes"):
        read_docx(packed.getvalue(), DocumentLimits(unpacked_bytes=2_000_000))


@pytest.mark.parametrize(
    ("heading", "number"),
    [
        ("§ 5a Begriffe", "§ 5a"),
        ("§12 Abs", "§ 12"),
        ("Art 6", "Art 6"),
        ("Abschnitt 1 - Allgemeines", "Abschnitt 1"),
        ("4.2.1 Scope", "4.2.1"),
        ("4. Scope", "4"),
        ("IV. Ende", "IV"),
        ("I. - Die Grundrechte", "I"),
        ("Scope", None),
        ("3D pictures", None),
        ("Part of it", None),
    ],
)
def test_the_number_of_a_heading(heading: str, number: str | None) -> None:
    assert section_number(heading) == number


def test_sections_end_where_one_of_their_level_begins() -> None:
    headings = [Heading(1, "A", 0), Heading(2, "B", 10), Heading(3, "C", 20), Heading(2, " ", 25), Heading(2, "D", 30)]
    found = [(each.heading, each.path, each.start, each.end) for each in sections_of(headings, 40, limit=9)]
    assert found == [
        ("A", ("A",), 0, 40),
        ("B", ("A", "B"), 10, 30),
        ("C", ("A", "B", "C"), 20, 30),
        ("D", ("A", "D"), 30, 40),
    ]
