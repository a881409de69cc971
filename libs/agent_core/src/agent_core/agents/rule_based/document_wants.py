"""What kind of thing answers a question of documents, and in which unit: a number of days, money, a name."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

from agent_core.agents.rule_based.words import FUNCTION_WORDS
from agent_core.document_contracts import Wanted
from agent_core.passages.values import DISTANCES, DURATIONS, MONEY
from agent_core.passages.words import words_in

SAYS = (
    r"(?:says?|said|states?|stated|tells?|reports?|writes?|mentions?|mentioned|explains?|explained|describes?"
    r"|described)"
)
_AMOUNTS = (
    *MONEY,
    *("percent", "percentage", "points", "lux", "kilograms", "grams", "tons", "litres", "metres"),
    *("million", "billion", "trillion", "%"),
)
_LENGTHS = (*DURATIONS, "pages", "characters", "letters", "words", "lines", *DISTANCES)
_PEOPLE = ("people", "persons", "members", "staff", "kids", "adults", "Zuschauer", "Besucher")
_WEIGHTS = ("kilograms", "grams", "tons", "tonnes", "pounds", "ounces", "kg")
_MEASURED: dict[str, tuple[str, ...]] = {
    "loud": ("decibels", "db"),
    "heavy": _WEIGHTS,
    "bright": ("lux", "lumens", "watts", "candles"),
    "hot": ("degrees",),
    "cold": ("degrees",),
    "close": DISTANCES,
    "far": DISTANCES,
    "wide": DISTANCES,
    "tall": DISTANCES,
    "deep": DISTANCES,
    "old": ("years", "months", "weeks", "days"),
    "much time": DURATIONS,
}
"""Properties with units of their own: a number of such a unit says them, whether or not the word is there."""

_MEASURE = re.compile(rf"\bhow (?P<property>{'|'.join(_MEASURED)})\b", re.IGNORECASE)
_HOW_MANY = re.compile(r"\b(?:how many|(?:number|amount) of|wie ?vielen?)\b", re.IGNORECASE)
_CROWD = re.compile(
    r"\bhow (?:big|large) (?:was|were|is) the (?:\w+ )?(?:crowd|audience|turnout|attendance)\b"
    r"|\bsize of the (?:\w+ )?(?:crowd|audience)\b|\b(?:attendance|turnout|audience (?:size|number|figure)s?)\b",
    re.IGNORECASE,
)
_PAYS_FOR = re.compile(
    r"\bpay for\W*(?:$|(?:after|when|before|in|at|on|during|if|and)\b)|\b(?:do|done) (?:so that|in order|to)\b",
    re.IGNORECASE,
)
"""What somebody pays for is a thing, and what one must do to pay nothing is a deed."""

_COST = re.compile(
    r"\b(?:what|how much)\b.{0,100}\b(?:costs?|pays?(?! attention)|paid(?! attention)|charged?|worth"
    r"|(?:sell|sold|buy|bought) for)\b"
    r"|\bhow much\b.{0,100}\b(?:spen[dt]|earn(?:s|ed)?)\b"
    r"|\b(?:what|how (?:high|much|big))\b.{0,30}\b(?:prices?|fees?|fare|rent|wages?|salary|salaries|budget|costs?"
    r"|deposits?|fines?)\b"
    r"|\bwas kostete?n?\b|\bwie teuer\b",
    re.IGNORECASE,
)
_NUMBER = re.compile(
    r"\bhow (?:many|much|long|often|far|old|big|large|high|tall|wide|heavy|deep|loud|fast|hot|cold|bright|close)\b"
    r"|\bwie ?viele?n?\b|\bwie (?:lange?|oft|hoch|weit)\b|\b(?:(?:what|which|the) )?(?:number|amount) of\b"
    r"|\bat what (?:level|scale|price)\b|\b(?:what|which|welche[mnrs]?) (?:scale|maßstab)\b"
)
_DATE = re.compile(
    r"\bwhen\b|\b(?:what|which) (?:day|date|month|year|time|hour)\b|\bwann\b|\bsince when\b"
    r"|\bwelche[mnrs]? (?:tag|datum|monat|jahr|uhrzeit)\b|\bis there a date\b"
)
_NAME = re.compile(
    r"\bwho(?:m|se)?\b|\b(?:what|which) (?:person|people|man|woman)\b|\bwer\b|\bwessen\b"
    r"|\bwhat(?:['’]s| is| was| are| were) the (?:first |last |full )?names?\b"
    r"|\bwhat(?:['’]s| is| was| are| were) .{1,80} (?:called|named)\b"
)
_REASON = re.compile(
    r"\bwhy\b|\bfor (?:what|which) reason\b|\bwhat (?:is|was) the reason\b|\bwarum\b|\bweshalb\b|\bwieso\b"
)
_PLACE = re.compile(r"\bwhere(?!as)\b|\bwo\b|\b(?:in|at|on) (?:what|which) (?:place|town|city|street|country)\b")
_COLOUR = re.compile(r"\b(?:what|which) colou?rs?\b|\bcolou?r of\b|\bwelche farbe\b")
_ACCOUNT = re.compile(
    r"^\W*(?:tell|describe|explain|summar)|\bwhat happened\b|\bwhat became\b|\babout\W*$"
    rf"|\bwhat (?:do|does|did|can you)\b.*\b{SAYS}\b|\bwhat is (?:said|written|known|told)\b"
)
_OTHER = re.compile(r"\b(?:what|which|how|was|welche[rs]?)\b")
_KINDS = (
    (Wanted.NUMBER, _COST),
    (Wanted.NUMBER, _NUMBER),
    (Wanted.DATE, _DATE),
    (Wanted.NAME, _NAME),
    (Wanted.REASON, _REASON),
    (Wanted.PLACE, _PLACE),
    (Wanted.COLOUR, _COLOUR),
    (Wanted.ANYTHING, _OTHER),
)
_YES_OR_NO = re.compile(
    r"^\W*(?:is|are|was|were|does|do|did|has|have|had|can|could|may|might|must|should|will|would)\b(?! there a date)"
    r"|^\W*am\b",
    re.IGNORECASE,
)
_QUESTION_WORD = re.compile(
    r"\b(?:who|whom|whose|what|which|when|where|why|how|wer|wann|wo|warum|wie|welche[rsmn]?|wessen)\b", re.IGNORECASE
)
_AFTER_WHAT = re.compile(
    r"\bwhat (?:is|was|were|are) (?:the|its|their) (?P<noun>[a-z]+)\b|\b(?:what|which) (?P<only>[a-z]+)\b"
)


@dataclass(frozen=True, slots=True)
class _Noun:
    """What a noun asks for that stands where a question word could: `repair duration`, `reason of the move`."""

    wanted: Wanted
    counted: tuple[str, ...] = ()


def _nouns(text: str, wanted: Wanted, counted: Sequence[str] = ()) -> dict[str, _Noun]:
    return {noun: _Noun(wanted, tuple(counted)) for noun in text.split()}


_NOUNS: dict[str, _Noun] = {
    **_nouns("duration dauer", Wanted.NUMBER, DURATIONS),
    **_nouns("length", Wanted.NUMBER, _LENGTHS),
    **_nouns("distance width height depth km kilometres", Wanted.NUMBER, DISTANCES),
    **_nouns("weight", Wanted.NUMBER, _WEIGHTS),
    **_nouns("price cost fee fare rent budget salary wage", Wanted.NUMBER, MONEY),
    **_nouns("attendance turnout", Wanted.NUMBER, _PEOPLE),
    **_nouns("number amount capacity scale", Wanted.NUMBER),
    **_nouns("location place venue", Wanted.PLACE),
    **_nouns("reason cause", Wanted.REASON),
    **_nouns("date day month year", Wanted.DATE),
    **_nouns("name", Wanted.NAME),
    **_nouns("colour color", Wanted.COLOUR),
}
_OF_QUESTIONS = frozenset({"distance", "length", "duration", "width", "height", "depth", "weight"})
"""The nouns that ask as well after `what`."""


def wanted_of(question: str, asked: tuple[str, ...]) -> Wanted:
    """What the question word that comes first asks for; who somebody is, is told by an account."""
    small = question.casefold()
    if _ACCOUNT.search(small):
        return Wanted.ACCOUNT
    if (noun := _noun_of(question)) is not None:
        return noun.wanted
    if _CROWD.search(small):
        return Wanted.NUMBER
    if _YES_OR_NO.search(small) or _PAYS_FOR.search(small):
        return Wanted.ANYTHING
    found = [(match.start(), wanted) for wanted, pattern in _KINDS if (match := pattern.search(small))]
    first = min(found, key=lambda each: each[0])[1] if found else Wanted.ANYTHING
    is_of_name = first is Wanted.NAME and all(word[0].isupper() for word in asked)
    return Wanted.ACCOUNT if is_of_name else first


def counted_of(question: str) -> tuple[str, ...]:
    """What the wanted number counts: `how many umbrellas` umbrellas, `what does it cost` money, `how long` days."""
    match = _HOW_MANY.search(question)
    if match is not None:
        words = takewhile(lambda word: word.casefold() not in FUNCTION_WORDS, words_in(question[match.end() :]))
        return tuple(words)[:3]
    if (noun := _noun_of(question)) is not None:
        return noun.counted
    if _CROWD.search(question):
        return _PEOPLE
    if measure := _MEASURE.search(question):
        return _MEASURED[measure["property"].lower()]
    if re.search(r"\bhow long\b", question, re.IGNORECASE):
        return _LENGTHS
    if _PAYS_FOR.search(question):
        return ()
    if _COST.search(question):
        return MONEY
    return _AMOUNTS if re.search(r"\bhow much\b", question, re.IGNORECASE) else ()


def properties_of(question: str) -> frozenset[str]:
    """The words that the unit or the kind of the wanted says: `how loud` loud, `repair duration` duration."""
    crowd = _CROWD.search(question)
    if crowd is not None:
        return frozenset(words_in(crowd.group().lower()))
    word = _property(question)
    return frozenset({word} if word is not None else ())


def _property(question: str) -> str | None:
    measure = _MEASURE.search(question)
    if measure is not None:
        return measure["property"].lower()
    colour = _COLOUR.search(question.casefold())
    return next(iter(_NOUNS.keys() & colour.group().split()), None) if colour is not None else _noun_word(question)


def _noun_of(question: str) -> _Noun | None:
    word = _noun_word(question)
    return _NOUNS[word] if word is not None else None


def _noun_word(question: str) -> str | None:
    """The noun that asks: after `what`, or without any question word the first or the last of a few words."""
    small = question.casefold()
    for match in _AFTER_WHAT.finditer(small):
        noun = match["noun"] or match["only"]
        if noun in _OF_QUESTIONS:
            return noun
    if _QUESTION_WORD.search(small) or _YES_OR_NO.search(small):
        return None
    words = words_in(small)
    return next((word for word in (*words[::-1][:1], *words) if word in _NOUNS), None)
