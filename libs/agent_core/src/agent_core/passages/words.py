"""Words by their stems, so that `borrowing` meets `borrowed` and `spectators` meet `visitors`."""

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import Stemmer
from datastore.folding import fold

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


_library: Any = Stemmer  # it has no types
_stemmed: Callable[[str], str] = _library.Stemmer("english").stemWord


@lru_cache(maxsize=65_536)
def _stem(word: str) -> str:
    return _stemmed(word) if word.isascii() and word.isalpha() else word


_MEANINGS: dict[str, str] = {
    _stem(word): line.split()[0] for line in _SYNONYMS.strip().splitlines() for word in line.split()
}


@lru_cache(maxsize=65_536)
def meaning(word: str) -> str:
    """What a word counts as: its stem, or what stands for all words of nearly that meaning. Numbers lose commas."""
    folded = fold(word.replace("’", "'").removesuffix("'s")).replace(" ", "")
    if word[:1].isdigit():
        return word.replace(",", "")
    stem = _stem(folded)
    return _MEANINGS.get(stem, stem)


def meanings(text: str) -> frozenset[str]:
    """All that the words of a text count as."""
    return frozenset(meaning(match.group()) for match in _WORD.finditer(text))


def words_in(text: str) -> list[str]:
    """The words of a text as written, numbers among them."""
    return _WORD.findall(text)
