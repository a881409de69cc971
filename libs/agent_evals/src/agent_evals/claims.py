"""What an answer claims in plain text: numbers, dates, names. Pure."""

import re
from collections.abc import Iterable

_MARKER = re.compile(r"\[\d+\]")
_ISO_DATE = re.compile(r"\b\d{4}-\d{2}(?:-\d{2})?\b")
_NUMBER = re.compile(r"(?<![\w.,])\d+(?:[.,]\d+)*(?!\w)")
_QUOTED = re.compile('["“「『]([^"“”「」『』]{2,120})["”」』]')
_SENTENCE_START = re.compile(r"(?:^|[.!?:;]\s+|\n\s*[-*•]?\s*)$")
# An initial keeps its point; other words leave it to the sentence.
_CAPITALISED = r"(?:[A-Z]\.|[^\W\d_a-z][^\W_]*(?:['’.-][^\W_]+)*)"
_PHRASE = re.compile(rf"\b{_CAPITALISED}(?: (?:(?:of|the|no|and|x|×|de) )?{_CAPITALISED})*")


def without_markers(answer: str) -> str:
    """The answer as prose, its citation markers taken out."""
    return _MARKER.sub("", answer)


def markers(answer: str) -> frozenset[int]:
    """The citation markers that the answer carries."""
    return frozenset(int(marker.strip("[]")) for marker in _MARKER.findall(answer))


def unsupported_numbers(answer: str, support: str) -> tuple[str, ...]:
    """Numbers and dates of `answer` that `support` does not have; `04` supports `4`."""
    dates = set(_ISO_DATE.findall(answer)) - set(_ISO_DATE.findall(support))
    known = {_numeric(part) for number in _NUMBER.findall(support) for part in (number, *re.split("[.,]", number))}
    known |= {_numeric(digits) for digits in re.findall(r"\d+", support)}
    numbers = [number for number in _NUMBER.findall(_ISO_DATE.sub(" ", answer)) if _numeric(number) not in known]
    return (*sorted(dates), *dict.fromkeys(numbers))


def catalogue_names_in(answer: str, names: Iterable[str]) -> tuple[str, ...]:
    """The catalogue names that `answer` says, longest first; a name inside another is not said by itself."""
    rest, found = answer, list[str]()
    for name in sorted((name for name in names if name in answer and _is_telling(name)), key=len, reverse=True):
        pattern = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
        if pattern.search(rest) is not None:
            found.append(name)
            rest = pattern.sub(" ", rest)
    return tuple(found)


def phrases_in(answer: str) -> tuple[str, ...]:
    """What reads like a name: quoted text, and runs of capitalised words that are no sentence's first word alone."""
    phrases = [quoted.strip() for quoted in _QUOTED.findall(answer)]
    for match in _PHRASE.finditer(answer):
        starts_sentence = _SENTENCE_START.search(answer[: match.start()]) is not None
        if not starts_sentence or " " in match.group():
            phrases.append(match.group())
    return tuple(dict.fromkeys(phrases))


def is_said(phrase: str, support: str) -> bool:
    """Whether `support` says `phrase`, or all of it after a sentence's first word."""
    folded = support.casefold()
    rest = phrase.partition(" ")[2]
    return phrase.casefold() in folded or (bool(rest) and rest.casefold() in folded)


def _is_telling(name: str) -> bool:
    return len(name) > 1 and any(sign.isupper() or not sign.isascii() for sign in name)


def _numeric(number: str) -> str:
    return number.replace(",", "").lstrip("0") or "0"
