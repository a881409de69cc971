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
_TOKEN = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+(?:['’-][^\W\d_]+)*|[%$€£¥]")
_REACH = 3
"""How many words may stand between a number and what it counts."""

_DOER = re.compile(r"\b\w+(?:ed|en|wn|ght|id|nt|lt|de) (?:for |up |out )?by (?:the|an?) ([a-z]+(?: [a-z]+)?)")
"""What something was done by: `painted by the pottery class`."""

_YEAR = re.compile(r"(?:19|20)\d{2}")
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_TIME = re.compile(r"\b\d{4}\b|\b\d{1,2}(?::\d{2})\b")


def values_of(sentence: str, wanted: Wanted, counted: Sequence[str] = (), *, language: str = DEFAULT) -> frozenset[str]:
    """The values of the wanted kind in a sentence, in a form in which equal ones are equal.

    A number counts where one of the words `counted` stands beside it, if there are any. A name is also who or what did
    what a sentence says was done.
    """
    words = _WORD.findall(sentence)
    match wanted:
        case Wanted.NUMBER:
            return frozenset(_numbers(sentence, {meaning(word, language) for word in counted}, language))
        case Wanted.DATE:
            named = {word.casefold() for word in words if word.casefold() in _MONTHS and (word[0].isupper())}
            return frozenset(named | set(_TIME.findall(sentence)))
        case Wanted.NAME:
            return frozenset((*_names(words, sentence), *_DOER.findall(sentence)))
        case Wanted.ANYTHING | Wanted.ACCOUNT:
            return frozenset()


def _numbers(sentence: str, counted: set[str], language: str) -> Iterator[str]:
    tokens = _TOKEN.findall(sentence)
    for place, token in enumerate(tokens):
        if not _is_number(token):
            continue
        beside = (*tokens[place + 1 : place + 1 + _REACH], *tokens[max(0, place - 1) : place])
        if not counted or any(meaning(word, language) in counted for word in beside):
            yield token.replace(",", "").casefold()


def _is_number(token: str) -> bool:
    if token[0].isdigit():
        return _YEAR.fullmatch(token) is None
    return any(part in _NUMBER_WORDS for part in token.casefold().split("-"))


def _names(words: list[str], sentence: str) -> list[str]:
    """Capitalised words that are no month or day; the first word counts when another one follows it."""
    found: list[str] = []
    for place, word in enumerate(words):
        if not word[0].isupper() or word.casefold() in _MONTHS:
            continue
        opens = place == 0 and sentence.lstrip("\"'“‘(").startswith(word)
        if not opens or (len(words) > 1 and words[1][0].isupper()):
            found.append(word)
    return found
