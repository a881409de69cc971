"""Words by their stems, so that `borrowing` meets `borrowed` and `spectators` meet `visitors`."""

import re
from functools import lru_cache

from datastore.folding import fold
from embeddings.languages import DEFAULT, stemmers

_WORD = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+(?:['’][^\W\d_]+)*")

_SYNONYMS = """
    build built construct make made create craft produce
    cost price pay paid fee
    lend lent loan borrow
    show shown screen project display
    begin began begun start open
    end finish close stop conclude
    spectator viewer visitor audience attendee guest attend people person
    child kid pupil
    big large huge
    allow permit may
    forbid ban prohibit
    repair fix restore
    long last duration length
    tall high height
    wide width broad
    count number
    job work
    picture photograph photo
    song piece music
    town city
    raise increase lift
    lower reduce decrease cut
    supersede replace
    buy bought purchase acquire
    need require must
    rule regulation
    win won winner victory
    write wrote written
    speak spoke spoken talk
    sing sang sung
    find found
    give gave given
    hold held
    keep kept
    lose lost
    sell sold
    send sent
    teach taught
    wear wore worn
    draw drew drawn
    fall fell fallen
    run ran
    grow grew grown
    choose chose chosen
    catch caught
    leave left
    meet met
    break broke broken
    steal stole stolen
    hang hung
    stand stood
    sit sat
    sleep slept
    lie lay lain
    put set
    think thought
    ring rang rung
    lead led leader head
    drink drank drunk
    eat ate eaten
    fly flew flown
    swim swam
"""


_STEMMERS = stemmers()


@lru_cache(maxsize=65_536)
def stem_of(word: str, language: str) -> str:
    """What is left of a word without its ending. Numbers lose their commas."""
    if word[:1].isdigit():
        return word.replace(",", "")
    folded = fold(word.replace("’", "'").removesuffix("'s")).replace(" ", "")
    return _STEMMERS[language](folded) if folded.isascii() and folded.isalpha() else folded


_MEANINGS: dict[str, str] = {
    stem_of(word, DEFAULT): line.split()[0] for line in _SYNONYMS.strip().splitlines() for word in line.split()
}


def meaning(word: str, language: str = DEFAULT) -> str:
    """What a word counts as: its stem or, in English, what stands for all words of nearly that meaning."""
    stem = stem_of(word, language)
    return _MEANINGS.get(stem, stem) if language == DEFAULT else stem


def meanings(text: str, language: str = DEFAULT) -> frozenset[str]:
    """All that the words of a text count as."""
    return frozenset(meaning(match.group(), language) for match in _WORD.finditer(text))


def stems(text: str, language: str = DEFAULT) -> frozenset[str]:
    """What is left of the words of a text."""
    return frozenset(stem_of(match.group(), language) for match in _WORD.finditer(text))


def words_in(text: str) -> list[str]:
    """The words of a text as written, numbers among them."""
    return _WORD.findall(text)
