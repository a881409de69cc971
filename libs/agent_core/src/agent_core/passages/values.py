"""The figures, dates and names of a sentence: what a question that wants one of them is answered by."""

import re
from collections.abc import Iterator, Sequence

from embeddings.languages import DEFAULT

from agent_core.document_contracts import Wanted
from agent_core.passages.words import meaning

_NUMBER_WORDS_TEXT = """
    two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
    eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million half third
    quarter once twice nobody none no one zwei drei vier fünf sechs sieben acht neun zehn elf zwölf zwanzig dreißig
    vierzig fünfzig hundert tausend
"""
_NUMBER_WORDS = frozenset(_NUMBER_WORDS_TEXT.split())
_MONTHS_TEXT = """
    january february march april may june july august september october november december spring summer autumn
    winter monday tuesday wednesday thursday friday saturday sunday morning evening midnight noon
    januar februar märz mai juni juli oktober dezember frühling frühjahr sommer herbst montag dienstag mittwoch
    donnerstag freitag samstag sonntag
"""
_MONTHS = frozenset(_MONTHS_TEXT.split())
_HOURS = "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
_CLOCK = re.compile(
    rf"\b(?:at|from|until|till|by|before|after|since|to) (?:half past |a quarter (?:to|past) )?({_HOURS}|\d{{1,2}})"
    rf"(?: (?:to|until|till|and) (?:{_HOURS}|\d{{1,2}}))?"
    r"(?=\s*(?:[.,;:!?]|$|o['’]clock|[ap]\.?m\b|sharp\b|every\b|each\b|in the (?:morning|afternoon|evening)|at night))",
    re.IGNORECASE,
)
"""A time of the day in words: `from four to six in the afternoon`, `every evening at six`."""

_PART_OF_TIME = re.compile(
    r"\b(?:in|by|since|until|till|during|at|last|next|this|that|each|every|one) (?:the )?(?:early |late |following )?"
    r"(spring|summer|autumn|winter|morning|afternoon|evening|midnight|noon|night)\b",
    re.IGNORECASE,
)
_MONEY_TEXT = "crowns dollars euros yen pounds cents francs shillings pence rupees roubles pesos money $ € £ ¥"
MONEY = tuple(_MONEY_TEXT.split())
"""What money is counted in."""

DURATIONS = ("seconds", "minutes", "hours", "days", "nights", "weeks", "months", "years", "decades")
"""What time is counted in."""

DISTANCES = ("metres", "kilometres", "centimetres", "millimetres", "feet", "miles", "inches", "yards", "steps")
"""What lengths are counted in."""

_KINDS_OF = frozenset({"kinds", "sorts", "types"})
"""What is counted where a number stands before one of these is not what is of them."""

_REASON = re.compile(
    r"\b(?:because|so that|so as to|in order to|for the sake of|due to|owing to|thanks to|on account of"
    r"|for (?:fear|want|lack) of|on (?:that|the|this|one) condition|therefore|hence|(?:that|which) is why|reasons?"
    r"|weil|denn|damit|wegen|deshalb|daher|darum|aufgrund)\b|, since\b"
    r"|\bto (?:make|keep|save|avoid|protect|show|help|give|let|get|see|hear|find|prevent|raise|reach|allow|ensure|mark"
    r"|honour|celebrate|remember|prove|test|learn|cover|stop|hide|draw|attract|improve|reduce)\b",
    re.IGNORECASE,
)
_PLACE = re.compile(
    r"\b(?:in|at|on|near|behind|under|beside|between|through|along|down|inside|outside|from|to|into|off|above|below"
    r"|opposite|across|around|im|am|auf|an|bei|vor|hinter|neben|nach|aus) (?:(?:the|a|an|his|her|its|their|our|der|die"
    r"|das|dem|den|einer|einem) )?(?:[a-zäöüß-]+ )?([^\W\d_]+)"
)
_CALLED = re.compile(
    r"\b(?:called|named|known as|name (?:is|was)) (?:it |them |him |her )?(?:the |an? )?[\"“‘]?([^\W\d_]+)",
    re.IGNORECASE,
)
_TOKEN = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+(?:['’-][^\W\d_]+)*|[%$€£¥]")
_REACH = 3
"""How many words may stand between a number and what it counts."""

_LONGEST_SUBJECT = 5
_NO_SUBJECT_TEXT = """
    it they he she this these that those there what who which nobody is are was were be been being if when while after
    before in on at for from by with to of
"""
_NO_SUBJECT = frozenset(_NO_SUBJECT_TEXT.split())

_DOER = re.compile(
    r"\b(\w+(?:ed|en|wn|ght|id|nt|lt|de)) (?:for |up |out )?by "
    r"(?:(?:the|an?|some|two|three|four|five) )?([a-z]+(?: [a-z]+)?)"
)
"""What something was done by: `painted by the pottery class`."""

_TITLE = re.compile(r"“[^”]*”|„[^“”]*[“”]")
"""What stands in quotation marks is nobody."""

_YEAR = re.compile(r"(?:19|20)\d{2}")
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_TIME = re.compile(r"\b\d{4}\b|\b\d{1,2}(?::\d{2})\b")


def values_of(
    sentence: str,
    wanted: Wanted,
    counted: Sequence[str] = (),
    *,
    relation: str | None = None,
    language: str = DEFAULT,
) -> frozenset[str]:
    """The values of the wanted kind in a sentence, in a form in which equal ones are equal.

    A number counts where one of the words `counted` stands beside it, if there are any. A name is also who or what did
    what a sentence says was done, and whoever a sentence begins with that goes on with the verb `relation`.
    """
    words = _WORD.findall(sentence)
    match wanted:
        case Wanted.NUMBER:
            return frozenset(_numbers(sentence, {meaning(word, language) for word in counted}, language))
        case Wanted.DATE:
            return frozenset(_times(words, sentence))
        case Wanted.NAME:
            said = (
                *_doers(sentence, relation, language),
                *_CALLED.findall(sentence),
                *_subjects(words, relation, language),
            )
            untitled = _TITLE.sub(" ", sentence)
            return frozenset((*_names(_WORD.findall(untitled), untitled), *said))
        case Wanted.REASON:
            return frozenset(each.casefold() for each in _REASON.findall(sentence))
        case Wanted.PLACE:
            return frozenset(word for word in _PLACE.findall(sentence) if word.casefold() not in _MONTHS)
        case Wanted.ANYTHING | Wanted.ACCOUNT:
            return frozenset()


def _numbers(sentence: str, counted: set[str], language: str) -> Iterator[str]:
    found = list(_TOKEN.finditer(sentence))
    tokens = [match.group() for match in found]
    for place, token in enumerate(tokens):
        if not _is_number(token):
            continue
        beside = tokens[place + 1 : place + 1 + _REACH]
        if beside[:1] and beside[0] in _KINDS_OF:
            continue
        # `Most people two hours` counts hours; `of the lamps, 61 worked` lamps, and `$ 5` money.
        gap = sentence[found[place - 1].end() : found[place].start()] if place > 0 else ""
        is_apart = gap.strip() != "" and token != "one"
        if is_apart or tokens[max(0, place - 1)] in MONEY:
            beside = [*beside, tokens[place - 1]]
        if not counted or any(meaning(word, language) in counted for word in beside):
            yield token.replace(",", "").casefold()


def _times(words: Sequence[str], sentence: str) -> Iterator[str]:
    yield from (word.casefold() for word in words if _is_time(word) and word[0].isupper())
    yield from _TIME.findall(sentence)
    for pattern in (_CLOCK, _PART_OF_TIME):
        yield from (each.casefold() for each in pattern.findall(sentence))


def _is_time(word: str) -> bool:
    """Whether it names a month, a day or a part of one: `Mondays`."""
    small = word.casefold()
    return small in _MONTHS or small.removesuffix("s") in _MONTHS


def _doers(sentence: str, relation: str | None, language: str) -> Iterator[str]:
    """Whoever something was done by: of what is asked, where the question has a verb."""
    for done, doer in _DOER.findall(sentence):
        is_time = any(map(_is_time, doer.split()))
        if not is_time and (relation is None or meaning(done, language) == meaning(relation, language)):
            yield doer


def _subjects(words: Sequence[str], relation: str | None, language: str) -> Iterator[str]:
    """Whoever a sentence begins with, where the verb follows: `Schools pay no deposit`."""
    if relation is None:
        return
    verb = meaning(relation, language)
    place = next((place for place, word in enumerate(words) if meaning(word, language) == verb), 0)
    subject = [word.casefold() for word in words[:place]]
    if 0 < place <= _LONGEST_SUBJECT and _NO_SUBJECT.isdisjoint(subject):
        yield " ".join(subject)


def _is_number(token: str) -> bool:
    if token[0].isdigit():
        return _YEAR.fullmatch(token) is None
    return any(part in _NUMBER_WORDS for part in token.casefold().split("-"))


def _names(words: list[str], sentence: str) -> list[str]:
    """Capitalised words that are no month or day; the first word counts when another one follows it."""
    found: list[str] = []
    for place, word in enumerate(words):
        if not word[0].isupper() or _is_time(word):
            continue
        opens = place == 0 and sentence.lstrip("\"'“‘(").startswith(word)
        if not opens or (len(words) > 1 and words[1][0].isupper()):
            found.append(word)
    return found
