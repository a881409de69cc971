"""Chunks: exact pieces of the text, within their size, along sections; by examples and by properties."""

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ingestion.chunking import ChunkOptions, chunk_text, count_tokens, span_at
from ingestion.documents.model import Heading
from ingestion.documents.sections import sections_of

_WORDS = st.sampled_from(
    ["crane", "z.", "B.", "Größe", "鶴が飛ぶ。", "🐦", "!", "?", ".", "A", "b" * 40, "1.", "-", "  "]
)
_SPACE = st.sampled_from([" ", "\n", "\n\n", " \n \n", "\u00a0"])
_TEXT = st.lists(st.tuples(_WORDS, _SPACE), max_size=120).map(lambda parts: "".join(a + b for a, b in parts))


@st.composite
def _documents(draw: st.DrawFn) -> tuple[str, list[Heading], int]:
    text = draw(_TEXT)
    places = draw(st.lists(st.integers(0, max(0, len(text) - 1)), max_size=8, unique=True)) if text else []
    headings = [Heading(draw(st.integers(1, 4)), text[at : at + 5], at) for at in sorted(places)]
    return text, headings, draw(st.integers(0, min(10, len(text))))


@settings(max_examples=150, deadline=None)
@given(_documents(), st.integers(1, 30), st.integers(0, 29))
def test_every_chunk_is_its_place_and_nothing_is_left_out(
    document: tuple[str, list[Heading], int], size: int, overlap: int
) -> None:
    text, headings, body = document
    options = ChunkOptions(size, min(overlap, size - 1))
    sections = sections_of(headings, len(text), limit=100)
    chunks = chunk_text(text, sections, body=body, options=options)
    covered = [False] * len(text)
    for chunk in chunks:
        assert chunk.text == text[chunk.start : chunk.end]
        assert 0 < count_tokens(chunk.text) <= size
        covered[chunk.start : chunk.end] = [True] * (chunk.end - chunk.start)
        if chunk.section is not None:
            section = sections[chunk.section]
            assert chunk.end <= section.end
    assert all(covered[at] or not text[at].strip() for at in range(body, len(text)))
    assert [chunk.position for chunk in chunks] == list(range(len(chunks)))
    ends = [chunk.end for chunk in chunks]
    assert ends == sorted(set(ends))
    assert all(
        second.start < second.end and second.start >= first.start for first, second in itertools.pairwise(chunks)
    )


def test_paragraphs_are_kept_whole_where_they_fit() -> None:
    text = "One two three. Four five.\n\nSix seven. Eight nine.\n\nTen."
    chunks = chunk_text(text, (), body=0, options=ChunkOptions(10, 0))
    assert [chunk.text for chunk in chunks] == ["One two three. Four five.", "Six seven. Eight nine.\n\nTen."]


def test_a_chunk_repeats_the_end_of_the_one_before_up_to_the_overlap() -> None:
    text = "Aa bb cc. Dd ee ff. Gg hh ii. Jj kk ll."
    chunks = chunk_text(text, (), body=0, options=ChunkOptions(9, 4))
    assert [chunk.text for chunk in chunks] == ["Aa bb cc. Dd ee ff.", "Dd ee ff. Gg hh ii.", "Gg hh ii. Jj kk ll."]


def test_sections_are_not_mixed_and_a_bare_heading_goes_with_its_first_part() -> None:
    text = "# Law\n\n## Part 1\n\n### § 1\n\nText one.\n\n### § 2 (repealed)\n\n### § 3\n\nText three."
    headings = [
        Heading(line.count("#"), line.strip("# "), text.index(line)) for line in text.split("\n") if "#" in line
    ]
    sections = sections_of(headings, len(text), limit=9)
    found = [
        (chunk.text, sections[chunk.section].heading)
        for chunk in chunk_text(text, sections, body=0, options=ChunkOptions())
        if chunk.section is not None
    ]
    assert found == [
        ("# Law\n\n## Part 1\n\n### § 1\n\nText one.", "§ 1"),
        ("### § 2 (repealed)", "§ 2 (repealed)"),
        ("### § 3\n\nText three.", "§ 3"),
    ]


def test_tokens_are_counted_by_six_letters_by_sign_and_by_wide_character() -> None:
    assert count_tokens("crane") == 1
    assert count_tokens("cranes1") == 2
    assert count_tokens("鶴は飛ぶ。") == 5
    assert count_tokens("a-b, c!") == 6
    assert count_tokens(" \n ") == 0


def test_two_hundred_thousand_distinct_tokens_are_chunked_to_the_last() -> None:
    text = " ".join(f"w{number:05x}" for number in range(200_000))
    chunks = chunk_text(text, (), body=0, options=ChunkOptions(200, 40))
    assert chunks[-1].text.endswith("w30d3f")
    assert sum(count_tokens(chunk.text) for chunk in chunks) >= 200_000


def test_the_first_span_at_a_place() -> None:
    spans = [(0, 6), (4, 9), (10, 12)]
    assert [span_at(spans, offset) for offset in (0, 5, 6, 8, 9, 11, 99)] == [0, 0, 1, 1, None, 2, None]


def test_an_overlap_must_leave_room() -> None:
    with pytest.raises(ValueError, match="overlap"):
        ChunkOptions(10, 10)
