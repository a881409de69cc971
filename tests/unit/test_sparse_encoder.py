"""Lexical vectors: equal words meet, function words don't count, repetition counts ever less."""

import pytest
from datastore.folding import fold, spell, words
from embeddings.languages import language_of
from embeddings.sparse import PassageEncoder, SparseEncoder, SparseTerms


@pytest.fixture
def encoder() -> SparseEncoder:
    return SparseEncoder(lambda text: words(fold(text)))


def dot(text: SparseTerms, query: SparseTerms) -> float:
    values = dict(zip(text.indices, text.values, strict=True))
    return sum(values.get(index, 0.0) * value for index, value in zip(query.indices, query.values, strict=True))


def test_hashes_are_stable_ascending_and_fit_32_bits(encoder: SparseEncoder) -> None:
    encoded = encoder.encode_query("pirate captain")
    assert encoded == SparseTerms((472200410, 959022506), (1.0, 1.0))
    assert all(0 <= index < 2**32 for index in encoder.encode_text("a ship of many words").indices)


def test_case_plural_and_spelling_do_not_matter(encoder: SparseEncoder) -> None:
    assert encoder.encode_query("PIRATES") == encoder.encode_query("pirate")
    assert encoder.encode_query("Syounen") == encoder.encode_query("shōnen")
    assert encoder.encode_query("Naruto's") == encoder.encode_query("Naruto")


def test_function_words_count_nothing(encoder: SparseEncoder) -> None:
    assert encoder.encode_query("Who is the one that would you") == encoder.encode_query("one")
    assert encoder.encode_query("what is it about") == SparseTerms((), ())
    assert encoder.encode_text(" ") == SparseTerms((), ())


def test_repetition_counts_ever_less(encoder: SparseEncoder) -> None:
    query = encoder.encode_query("ship")
    once, twice, often = (dot(encoder.encode_text("ship " * count), query) for count in (1, 2, 50))
    assert once < twice < often < 2.2
    assert twice - once > (often - twice) / 48


def test_a_word_weighs_less_in_a_long_text(encoder: SparseEncoder) -> None:
    query = encoder.encode_query("ship")
    long_text = "ship " + " ".join(f"word{number}" for number in range(200))
    assert dot(encoder.encode_text(long_text), query) < dot(encoder.encode_text("ship word1"), query)


def test_a_query_counts_each_word_once(encoder: SparseEncoder) -> None:
    assert encoder.encode_query("ship ship ship") == encoder.encode_query("ship")


def test_scripts_without_spaces_meet_in_pairs(encoder: SparseEncoder) -> None:
    text = encoder.encode_text("進撃の巨人")
    assert dot(text, encoder.encode_query("巨人")) > 0
    assert dot(text, encoder.encode_query("海賊")) == 0


@pytest.fixture
def passages() -> PassageEncoder:
    return PassageEncoder(lambda text: words(spell(text)))


@pytest.mark.parametrize(
    ("language", "text", "query"),
    [
        ("de", "Häusern", "Wie hoch ist das Haus?"),
        ("de-AT", "der Gesetze", "nach welchem Gesetz?"),
        ("fr", "ils dansaient", "où est-ce que l'on danse et chante?"),
        ("es", "las canciones", "¿cuál es la canción?"),
        ("en", "the houses", "what is a house?"),
        (None, "the houses", "what is a house?"),
        ("pt", "houses", "houses"),
    ],
)
def test_inflected_words_meet_in_the_language_of_both(
    passages: PassageEncoder, language: str | None, text: str, query: str
) -> None:
    assert dot(passages.encode_text(text, language), passages.encode_query(query)) > 0


def test_equal_words_meet_whatever_the_languages(passages: PassageEncoder) -> None:
    queries = [passages.encode_query(f"{asked} Kobe Hauses Miller") for asked in ("", "what is", "wer ist", "qui est")]
    for language in ("de", "en", "es", "fr", None):
        text = passages.encode_text("Kobe Hauses Miller", language)
        assert all(dot(text, query) >= 3 * min(text.values) for query in queries)


def test_function_words_of_its_language_say_nothing(passages: PassageEncoder) -> None:
    assert passages.encode_query("Wie viele sind es, und wo sind sie?") == passages.encode_query("viele und wie")
    assert passages.encode_text("die der das und", "de") == SparseTerms((), ())
    # A word with two stems makes no text longer than its translation.
    german, english = passages.encode_text("Hauses", "de"), passages.encode_text("house", "en")
    assert set(german.values) == set(english.values)


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("when did the composer die", "en"),
        ("wann war das und wo", "de"),
        ("cuándo es la fiesta", "es"),
        ("où est la fête", "fr"),
        ("kobe harbour film", "en"),
        ("die film", "de"),
        ("der film of the year", "en"),
        ("", "en"),
    ],
)
def test_the_function_words_of_a_question_tell_its_language(question: str, language: str) -> None:
    assert language_of(question.split()) == language
