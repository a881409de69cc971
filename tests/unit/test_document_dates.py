"""Dates of documents: spellings, precision, and one rule for time zones."""

from datetime import UTC, datetime

import pytest
from ingestion.documents.dates import date_in_name, read_date
from ingestion.documents.languages import guess_language, language_tag


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("2024", "2024"),
        ("2024-03", "2024-03"),
        ("2024-03-31", "2024-03-31"),
        ("20240331", "2024-03-31"),
        ("05-Jul-2001", "2001-07-05"),
        ("5 July 2001", "2001-07-05"),
        ("Thursday, 5th July 2001", "2001-07-05"),
        ("July 5, 2001", "2001-07-05"),
        ("July 2001", "2001-07"),
        ("5. März 2001", "2001-03-05"),
        ("31.12.1999", "1999-12-31"),
        ("D:20240331", "2024-03-31"),
        ("2024-02-30", None),
        ("31 Foo 2001", None),
        ("soon", None),
    ],
)
def test_spellings(text: str, known: str | None) -> None:
    date = read_date(text)
    assert (str(date.known) if date.known else None, date.instant, date.raw) == (known, None, text)


def test_a_time_without_a_zone_is_one_in_utc_and_days_come_before_instants() -> None:
    """Three dates around one midnight: each has one place in the order, whatever its zone."""
    given = ["2024-03-31T02:30:00", "2024-03-30T18:30:00-07:00", "2024-03-31"]
    dates = [read_date(text) for text in given]
    assert [str(date.known) for date in dates] == ["2024-03-31"] * 3
    assert [date.instant for date in dates] == [
        datetime(2024, 3, 31, 2, 30, tzinfo=UTC),
        datetime(2024, 3, 31, 1, 30, tzinfo=UTC),
        None,
    ]
    earliest = datetime.min.replace(tzinfo=UTC)
    assert [date.raw for date in sorted(dates, key=lambda each: (each.first_day, each.instant or earliest))] == [
        "2024-03-31",
        "2024-03-30T18:30:00-07:00",
        "2024-03-31T02:30:00",
    ]


def test_the_time_of_a_pdf_is_an_instant() -> None:
    assert read_date("D:20240330183000-07'00'").instant == datetime(2024, 3, 31, 1, 30, tzinfo=UTC)
    assert read_date("D:20240330183000Z").instant == datetime(2024, 3, 30, 18, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("stem", "known"),
    [("20240131", "2024-01-31"), ("minutes-2024-01-31-b", "2024-01-31"), ("2024-01", "2024-01"), ("pep-8105", None)],
)
def test_the_date_in_a_name(stem: str, known: str | None) -> None:
    found = date_in_name(stem)
    assert (found and str(found.known)) == known


def test_languages() -> None:
    assert guess_language("The crane is a bird that flies to the south and is not seen in winter.") == "en"
    assert guess_language("Der Kranich ist ein Vogel, der in den Süden zieht und im Winter nicht zu sehen ist.") == "de"
    assert (
        guess_language("La grulla es el ave de los lagos que por el otoño vuela al sur y no vuelve con los suyos.")
        == "es"
    )
    assert guess_language("La grue est un oiseau qui vole vers le sud et que l'on ne voit pas dans les hivers.") == "fr"
    assert guess_language("鶴は冬に南へ飛ぶ鳥である。") == "ja"
    assert guess_language("x = 1") is None
    assert (language_tag("DE_at"), language_tag("english language"), language_tag(None)) == ("de-at", None, None)
