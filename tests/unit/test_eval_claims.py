"""What an answer claims in plain text."""

from agent_evals.claims import catalogue_names_in, is_said, markers, phrases_in, unsupported_numbers, without_markers


def test_markers() -> None:
    assert markers("One [1]. Two [2][10].") == {1, 2, 10}
    assert without_markers("One [1].") == "One ."


def test_numbers_need_support() -> None:
    support = "episodes: 26; start date: 1998-04-03; Cowboy Bebop 2"
    assert unsupported_numbers("26 episodes since 1998-04-03, April 3, 1998", support) == ()
    assert unsupported_numbers("27 episodes since 1998-04-04", support) == ("1998-04-04", "27")
    assert unsupported_numbers("1,000 of them", "1000") == ()


def test_a_name_inside_another_is_not_said_by_itself() -> None:
    names = {"Naruto", "Naruto: Shippuden", "L", "ナルト", "Ed"}
    assert catalogue_names_in("Naruto: Shippuden follows ナルト. Edward.", names) == ("Naruto: Shippuden", "ナルト")
    assert catalogue_names_in("Naruto: Shippuden follows Naruto.", names) == ("Naruto: Shippuden", "Naruto")


def test_phrases_are_capitalised_or_quoted() -> None:
    text = "The film was directed by Hayao Miyazaki at Studio of Dreams. It is “my favourite”. Nobody knows."
    assert phrases_in(text) == ("my favourite", "Hayao Miyazaki", "Studio of Dreams")


def test_a_phrase_is_said_with_or_without_the_sentence_start() -> None:
    assert is_said("Yes Monkey D. Luffy", "the captain monkey d. luffy")
    assert not is_said("Monkey D. Dragon", "the captain Monkey D. Luffy")
