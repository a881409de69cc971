"""What an answer claims in plain text."""

import pytest
from agent_evals.claims import (
    Phrase,
    catalogue_names_in,
    is_name_said,
    is_said,
    markers,
    ordinary_words,
    phrases_in,
    quoted_in,
    spaced,
    unsupported_numbers,
    without_markers,
)


def test_markers() -> None:
    assert markers("One [1]. Two [2][10].") == {1, 2, 10}
    assert without_markers("One [1].") == "One ."


def test_numbers_need_support() -> None:
    support = "episodes: 26; start date: 1998-04-03; Cowboy Bebop 2"
    assert unsupported_numbers("26 episodes since 1998-04-03, part 2", support) == ()
    assert unsupported_numbers("27 episodes since 1998-04-04", support) == ("1998-04-04", "27")
    assert unsupported_numbers("1,000 of them", "1000") == ()


@pytest.mark.parametrize(
    ("answer", "unsupported"),
    [
        ("on 3 April 1998", ()),
        ("on April 3, 1998", ()),
        ("in April 1998", ()),
        ("in 1998", ()),
        ("on 4 April 1998", ("4 April 1998",)),
        ("in May 1998", ("May 1998",)),
        ("on 3 April 1999", ("3 April 1999",)),
    ],
)
def test_written_dates_need_the_same_date(answer: str, unsupported: tuple[str, ...]) -> None:
    assert unsupported_numbers(answer, "start date: 1998-04-03") == unsupported
    assert unsupported_numbers(answer, "started on 3 April 1998") == unsupported


def test_a_name_inside_another_is_not_said_by_itself() -> None:
    names = {"Naruto", "Naruto: Shippuden", "L", "ナルト", "Ed"}
    shippuden = catalogue_names_in("Naruto: Shippuden follows ナルト. Edward.", names)
    assert shippuden == (("Naruto: Shippuden", "ナルト"), "· follows ·. Edward.")
    both = catalogue_names_in("Naruto: Shippuden follows Naruto.", names)
    assert both == (("Naruto: Shippuden", "Naruto"), "· follows ·.")


def test_quotations_are_taken_as_a_whole() -> None:
    assert quoted_in("You wrote “Samurai Chamloo” and 'so on', not 「ナルト」.") == (
        ("Samurai Chamloo", "ナルト"),
        "You wrote · and 'so on', not ·.",
    )


def test_phrases_are_capitalised() -> None:
    text = "The film was directed by Hayao Miyazaki at Studio of Dreams. It is fine. Nobody knows."
    assert [phrase.text for phrase in phrases_in(text)] == ["Hayao Miyazaki", "Studio of Dreams"]
    assert phrases_in("It is · (The ·).") == ()
    assert phrases_in("· started on 20 July 2001. · is by ·.") == ()


def test_a_small_letter_of_any_script_begins_no_name() -> None:
    assert phrases_in("· sagt nichts über · und élan, так же.") == ()
    assert [phrase.text for phrase in phrases_in("· kennt Über Éclair und Ива.")] == ["Über Éclair", "Ива"]


def test_only_a_sentence_start_may_be_left_out() -> None:
    assert Phrase("Captain Monkey D. Luffy", starts_sentence=True).is_said_by("the monkey d. luffy")
    assert Phrase("Of the TV", starts_sentence=True).is_said_by("format: tv")
    assert not Phrase("Captain Monkey D. Luffy").is_said_by("the monkey d. luffy")
    assert not Phrase("Monkey D. Dragon", starts_sentence=True).is_said_by("the captain Monkey D. Luffy")


def test_words_are_said_whole() -> None:
    assert is_said("Doe", "John doe, of course")
    assert not is_said("Doe", "what does it")


def test_scripts_without_spaces_have_no_word_ends() -> None:
    assert is_said("鬼滅", "鬼滅の刃の監督は誰？")
    assert is_said("アニ", "アニメの監督")
    assert not is_said("ナルト", "鬼滅の刃")


def test_a_name_and_its_year_may_be_said_apart() -> None:
    assert is_name_said("Hunter x Hunter (2011)", "Hunter x Hunter\nstart date: 2 October 2011")
    assert not is_name_said("Hunter x Hunter (2011)", "Hunter x Hunter\nstart date: 16 October 1999")
    assert not is_name_said("Hunter x Hunter (2011)", "Hunter\nstart date: 2 October 2011")


def test_names_and_numbers_between_kana_are_told() -> None:
    told = spaced("Cowboy Bebopは1998年4月3日に始まり、全26話です")
    assert catalogue_names_in(told, {"Cowboy Bebop"})[0] == ("Cowboy Bebop",)
    assert unsupported_numbers(told, "Cowboy Bebop, 3 April 1998, 26 episodes") == ()
    assert unsupported_numbers(told, "Cowboy Bebop, 4 April 1998, 25 episodes") == ("1998-04-03", "26")
    assert [phrase.text for phrase in phrases_in(spaced("監督はJohn Doeです"))] == ["John Doe"]


def test_ordinary_words_are_capitalised_in_german() -> None:
    ordinary = ordinary_words(["Bei   führte   Regie", "Der Katalog kennt zu   nichts"])
    assert Phrase("Der Katalog", starts_sentence=True).is_made_of(ordinary)
    assert not Phrase("Regie Doe").is_made_of(ordinary)


def test_a_list_of_two_may_be_said_apart() -> None:
    assert Phrase("Action and Supernatural").is_said_by("Genres: Supernatural, Action")
    assert not Phrase("Action and Sports").is_said_by("Genres: Supernatural, Action")


def test_a_title_that_opens_sentences_is_said_elsewhere_only() -> None:
    assert catalogue_names_in("Another match is · [1].", {"Another"}) == ((), "Another match is · [1].")
    assert catalogue_names_in("It shares a genre with Another.", {"Another"})[0] == ("Another",)
