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
    lead leader head
"""
_VERBS = """
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
    lead led
    drink drank drunk
    eat ate eaten
    fly flew flown
    swim swam
    bring brought
    throw threw thrown
    take took taken
    come came
    go went gone
    do did done
    see saw seen
    hear heard
    say said
    tell told
    know knew known
    spend spent
    spread spread
    feel felt
    fight fought
    forget forgot forgotten
    freeze froze frozen
    hide hid hidden
    hit hit
    knit knitted
    let let
    light lit
    mean meant
    ride rode ridden
    rise rose risen
    shoot shot
    shut shut
    slide slid
    strike struck
    swear swore sworn
    tear tore torn
    understand understood
    wake woke woken
    wind wound
    become became
    beat beaten
    bend bent
    bind bound
    bite bit bitten
    bleed bled
    blow blew blown
    burn burnt
    cast cast
    cling clung
    creep crept
    deal dealt
    dig dug
    drive drove driven
    feed fed
    flee fled
    forgive forgave forgiven
    grind ground
    hurt hurt
    learn learnt
    read read
    shake shook shaken
    shine shone
    shrink shrank shrunk
    sow sown
    sink sank sunk
    split split
    spin spun
    stick stuck
    sting stung
    string strung
    mow mown
    breed bred
"""
"""Irregular verbs with their past forms, which a stemmer doesn't unite."""

_MORE_FORMS = "built made paid lent shown begun began bought won wrote written spoke spoken sung sang found cut"
_STEMMERS = stemmers()


@lru_cache(maxsize=65_536)
def stem_of(word: str, language: str) -> str:
    """What is left of a word without its ending. Numbers lose their commas."""
    if word[:1].isdigit():
        return word.replace(",", "")
    folded = fold(word.replace("’", "'").removesuffix("'s")).replace(" ", "")
    if not (folded.isascii() and folded.isalpha()):
        return folded
    stem = _STEMMERS[language](folded)
    # The stemmer leaves `glue` whole and makes `glu` of `glued`.
    return stem.removesuffix("e") if language == DEFAULT and stem.endswith("ue") else stem


_MEANINGS: dict[str, str] = {
    stem_of(word, DEFAULT): line.split()[0]
    for line in (*_VERBS.strip().splitlines(), *_SYNONYMS.strip().splitlines())
    for word in line.split()
}
_LISTED = frozenset((*_VERBS.split(), *_SYNONYMS.split()))
_DOER = re.compile(r"[a-z]+(?:er|or)s?$")
_PAST_FORMS = frozenset(
    (*_MORE_FORMS.split(), *(form for line in _VERBS.strip().splitlines() for form in line.split()[1:]))
)


def meaning(word: str, language: str = DEFAULT) -> str:
    """What a word counts as: its stem or, in English, what stands for all words of nearly that meaning.

    Who does something is not all who do nearly that: a producer builds nothing.
    """
    stem = stem_of(word, language)
    if language != DEFAULT or (_DOER.match(word) and word.removesuffix("s") not in _LISTED):
        return stem
    return _MEANINGS.get(stem, stem)


def asked_as(word: str, language: str = DEFAULT) -> str:
    """What a word of a question counts as: a name is meant as it is, without near synonyms. See `senses`."""
    return stem_of(word, language) if word[:1].isupper() else meaning(word, language)


@lru_cache(maxsize=4_096)
def senses(text: str, language: str = DEFAULT) -> frozenset[str]:
    """All that words of a question may find in a text: its words as they are, and what they count as."""
    return meanings(text, language) | stems(text, language)


def meanings(text: str, language: str = DEFAULT) -> frozenset[str]:
    """All that the words of a text count as."""
    return frozenset(meaning(match.group(), language) for match in _WORD.finditer(text))


def stems(text: str, language: str = DEFAULT) -> frozenset[str]:
    """What is left of the words of a text."""
    return frozenset(stem_of(match.group(), language) for match in _WORD.finditer(text))


def is_irregular_form(word: str) -> bool:
    """Whether a word of small letters is a past form of an English verb that doesn't end in *-ed*."""
    return word in _PAST_FORMS


def words_in(text: str) -> list[str]:
    """The words of a text as written, numbers among them."""
    return _WORD.findall(text)
