"""What an answer states: values as people write them, quantities with units, names and their order. Pure."""

import calendar
import re
from collections.abc import Hashable, Mapping, Sequence
from decimal import ROUND_HALF_UP, Decimal

_ISO_DATE = re.compile(r"^(\d{4})-(\d{2})-(\d{2})$")
_ISO_MONTH = re.compile(r"^(\d{4})-(\d{2})$")
_SENTENCE_END = re.compile(r"(?<=[.!?。])\s+|\n+")
_NUMBER = re.compile(r"(?<![\w.,])\d+(?:,\d{3})*(?:\.\d+)?(?![\w-])")
_NUMBER_WORDS = (
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
)
_NAME_PLACE = re.compile("\ue000(\\d+)\ue001")
_GERMAN_MONTHS = re.findall(
    r"\w+", "Januar Februar März April Mai Juni Juli August September Oktober November Dezember"
)
_SPANISH_MONTHS = re.findall(
    r"\w+", "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre"
)


def is_stated(value: str, text: str) -> bool:
    """Whether `text` states a catalogue value, in the catalogue's form or as people write it."""
    return any(re.search(pattern, text, re.IGNORECASE) is not None for pattern in _renderings(value))


def is_quantity_stated(quantity: Decimal, units: Sequence[str], text: str) -> bool:
    """Whether a sentence of `text` has the number, rounded or not, together with one of its units."""
    return any(
        quantity_in(sentence, quantity) and any(is_stated(unit, sentence) for unit in units)
        for sentence in _SENTENCE_END.split(text)
    )


def quantity_in(text: str, quantity: Decimal) -> bool:
    """Whether `text` has the number in digits or, up to twelve, as an English word."""
    written = [Decimal(number.replace(",", "")) for number in _NUMBER.findall(text)]
    if any(_rounded(quantity, like=number) == number for number in written):
        return True
    is_word = quantity == int(quantity) and 0 <= quantity < len(_NUMBER_WORDS)
    return is_word and is_stated(_NUMBER_WORDS[int(quantity)], text)


def names_in_order[Key: Hashable](names: Mapping[Key, Sequence[str]], text: str) -> tuple[Key, ...]:
    """Whom `text` names, in the order of their first mention; the longest name wins where several fit."""
    keys = list(names)
    found = _NAME_PLACE.findall(_with_places(names, text))
    return tuple(dict.fromkeys(keys[int(place)] for place in found))


def said_of[Key: Hashable](names: Mapping[Key, Sequence[str]], text: str) -> dict[Key, str]:
    """What `text` says of whom: the sentences that name them, and those after it that name nobody."""
    keys = list(names)
    said: dict[Key, list[str]] = {}
    spoken_of: list[Key] = []
    for sentence in _SENTENCE_END.split(_with_places(names, text)):
        spoken_of = [keys[int(place)] for place in _NAME_PLACE.findall(sentence)] or spoken_of
        for key in dict.fromkeys(spoken_of):
            said.setdefault(key, []).append(_NAME_PLACE.sub(" ", sentence))
    return {key: " ".join(sentences) for key, sentences in said.items()}


def _with_places[Key: Hashable](names: Mapping[Key, Sequence[str]], text: str) -> str:
    """`text` with a place for each name. A name that several bear is whose first name it is."""
    owners: dict[str, int] = {}
    for at, own in enumerate(names.values()):
        if own:
            owners[own[0].casefold()] = at
    for at, own in enumerate(names.values()):
        for name in own:
            owners.setdefault(name.casefold(), at)
    longest_first = sorted((name for name in owners if len(name) > 1), key=len, reverse=True)
    if not longest_first:
        return text
    pattern = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest_first))})(?!\w)", re.IGNORECASE)
    return pattern.sub(lambda match: _place_of(owners.get(match.group().casefold()), match.group()), text)


def _place_of(owner: int | None, name: str) -> str:
    return name if owner is None else f"\ue000{owner}\ue001"


def _rounded(quantity: Decimal, *, like: Decimal) -> Decimal:
    """`quantity` with as many decimals as `like` has."""
    exponent = like.as_tuple().exponent
    return quantity.quantize(Decimal(1).scaleb(exponent if isinstance(exponent, int) else 0), ROUND_HALF_UP)


def _renderings(value: str) -> tuple[str, ...]:
    if value.isdecimal():
        return (rf"(?<![\d.,-]){value}(?![\d-])(?![.,]\d)",)
    day = _ISO_DATE.match(value)
    if day is not None:
        return (value, *_written_days(int(day[1]), int(day[2]), int(day[3])))
    month = _ISO_MONTH.match(value)
    if month is not None:
        return (rf"{value}(?!-?\d)", rf"\b{calendar.month_name[int(month[2])]} {month[1]}\b")
    return (rf"\b{re.escape(value).replace('_', '[ _-]')}\b",)


def _written_days(year: int, month: int, day: int) -> tuple[str, ...]:
    english, german, spanish = calendar.month_name[month], _GERMAN_MONTHS[month - 1], _SPANISH_MONTHS[month - 1]
    return (
        rf"\b0?{day} {english},? {year}\b",
        rf"\b{english} 0?{day},? {year}\b",
        rf"\b0?{day}\. {german} {year}\b",
        rf"\b0?{day} de {spanish} de {year}\b",
        rf"{year}年0?{month}月0?{day}日",
    )
