"""What kind of thing answers a question of documents, and in which unit: a number of days, money, a name."""

import re
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
_LENGTHS = (*DURATIONS, "pages", *DISTANCES)
_MEASURED: dict[str, tuple[str, ...]] = {
    "loud": ("decibels", "db"),
    "heavy": ("kilograms", "grams", "tons", "tonnes", "pounds", "ounces", "kg"),
    "bright": ("lux", "lumens", "watts", "candles"),
    "hot": ("degrees",),
    "cold": ("degrees",),
}
"""Properties with units of their own: a number of such a unit says them, whether or not the word is there."""

_MEASURE = re.compile(rf"\bhow (?P<property>{'|'.join(_MEASURED)})\b", re.IGNORECASE)
_HOW_MANY = re.compile(r"\b(?:how many|(?:number|amount) of|wie ?vielen?)\b", re.IGNORECASE)
_COST = re.compile(
    r"\b(?:what|how much)\b.{0,100}\b(?:costs?|pays?(?! attention)|paid(?! attention)|charged?|worth"
    r"|(?:sell|sold|buy|bought) for)\b"
    r"|\bhow much\b.{0,100}\b(?:spen[dt]|earn(?:s|ed)?)\b"
    r"|\b(?:what|how (?:high|much|big))\b.{0,30}\b(?:prices?|fees?|fare|rent|wages?|salary|salaries|budget|costs?)\b"
    r"|\bwas kostete?n?\b|\bwie teuer\b",
    re.IGNORECASE,
)
_NUMBER = re.compile(
    r"\bhow (?:many|much|long|often|far|old|big|large|high|tall|wide|heavy|deep|loud|fast|hot|cold|bright)\b"
    r"|\bwie ?viele?n?\b|\bwie (?:lange?|oft|hoch|weit)\b|\b(?:(?:what|which|the) )?(?:number|amount) of\b"
    r"|\bat what (?:level|scale|price)\b"
)
_DATE = re.compile(
    r"\bwhen\b|\b(?:what|which) (?:day|date|month|year|time|hour)\b|\bwann\b|\bsince when\b"
    r"|\bwelche[mnrs]? (?:tag|datum|monat|jahr|uhrzeit)\b"
)
_NAME = re.compile(
    r"\bwho(?:m|se)?\b|\b(?:what|which) (?:person|people|man|woman)\b|\bwer\b|\bwessen\b"
    r"|\bwhat (?:is|was|are|were) the (?:first |last |full )?names?\b"
    r"|\bwhat (?:is|was|are|were) .{1,80} (?:called|named)\b"
)
_REASON = re.compile(
    r"\bwhy\b|\bfor (?:what|which) reason\b|\bwhat (?:is|was) the reason\b|\bwarum\b|\bweshalb\b|\bwieso\b"
)
_PLACE = re.compile(r"\bwhere(?!as)\b|\bwo\b")
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
    (Wanted.ANYTHING, _OTHER),
)


def wanted_of(question: str, asked: tuple[str, ...]) -> Wanted:
    """What the question word that comes first asks for; who somebody is, is told by an account."""
    small = question.casefold()
    if _ACCOUNT.search(small):
        return Wanted.ACCOUNT
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
    if measure := _MEASURE.search(question):
        return _MEASURED[measure["property"].lower()]
    if re.search(r"\bhow far\b", question, re.IGNORECASE):
        return DISTANCES
    if re.search(r"\bhow long\b", question, re.IGNORECASE):
        return _LENGTHS
    if _COST.search(question):
        return MONEY
    return _AMOUNTS if re.search(r"\bhow much\b", question, re.IGNORECASE) else ()


def property_of(question: str) -> str | None:
    """The property that the unit of a number says: `how loud` loud."""
    measure = _MEASURE.search(question)
    return measure["property"].lower() if measure is not None else None
