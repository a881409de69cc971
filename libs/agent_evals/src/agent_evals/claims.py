"""What an answer claims in plain text: numbers, dates, names. Pure."""

import calendar
import re
from collections.abc import Iterable
from dataclasses import dataclass

_MARKER = re.compile(r"\[\d+\]")
_ISO_DATE = re.compile(r"\b\d{4}-\d{2}(?:-\d{2})?\b")
_NUMBER = re.compile(r"(?<![\w.,])\d+(?:[.,]\d+)*(?!\w)")
_QUOTED = re.compile('["“「『]([^"“”「」『』]{2,120})["”」』]')
_MONTHS = calendar.month_name[1:]
_WRITTEN_DATE = re.compile(
    rf"\b(?:(?P<day>\d{{1,2}}) )?(?P<month>{'|'.join(_MONTHS)})(?: (?P<day_after>\d{{1,2}}))?,? (?P<year>\d{{4}})\b"
)
# Stands for what was taken out, so that the words around it stay apart.
_NAME_PLACE = "·"
_SENTENCE_START = re.compile(r"(?:^|[.!?:;]\s+|\n\s*[-*•]?\s*)$")
# Letters that are small and not of ASCII, up to the end of Cyrillic: "über" is no name.
_SMALL = "".join(letter for letter in map(chr, range(0x80, 0x530)) if letter.islower())
# An initial keeps its point; other words leave it to the sentence.
_CAPITALISED = rf"(?:[A-Z]\.|[^\W\d_a-z{_SMALL}][^\W_]*(?:['’.-][^\W_]+)*)"
_UNSPACED_DATE = re.compile(r"(?P<year>\d{4})年(?:(?P<month>\d{1,2})月(?:(?P<day>\d{1,2})日)?)?")
_WORD = re.compile(r"[^\W\d_]+")
_DATED_NAME = re.compile(r"(?P<name>.+) \((?P<year>\d{4})\)")
_UNSPACED = re.compile(r"[぀-ヿ㐀-鿿々〆ー・]+")
# Titles that also open an ordinary sentence.
_OPENERS = frozenset({"Another", "Given"})
_ARTICLES = frozenset({"A", "An", "The"})
_CONNECTORS = re.compile(r"^(?:(?:of|the|no|and|x|×|de) )+")
_PHRASE = re.compile(rf"\b{_CAPITALISED}(?: (?:(?:of|the|no|and|x|×|de) )?{_CAPITALISED})*")


def without_markers(answer: str) -> str:
    """The answer as prose, its citation markers taken out."""
    return _MARKER.sub("", answer)


def markers(answer: str) -> frozenset[int]:
    """The citation markers that the answer carries."""
    return frozenset(int(marker.strip("[]")) for marker in _MARKER.findall(answer))


def spaced(answer: str) -> str:
    """The answer with room around the runs of scripts that have none, in which no name or number could be told.

    Their dates become `1998-04-03`, their words go.
    """
    return _UNSPACED.sub(" ", _UNSPACED_DATE.sub(_iso_of_unspaced, answer))


def ordinary_words(texts: Iterable[str]) -> frozenset[str]:
    """The capitalised words of sentences without names, as German has many."""
    return frozenset(word for text in texts for word in _WORD.findall(text) if word[:1].isupper())


def unsupported_numbers(answer: str, support: str) -> tuple[str, ...]:
    """Numbers and dates of `answer` that `support` does not have; `04` supports `4`, and `4 May 2011` is a date."""
    known_dates = set(_ISO_DATE.findall(support)) | {_iso(match) for match in _WRITTEN_DATE.finditer(support)}
    written = {match.group(): _iso(match) for match in _WRITTEN_DATE.finditer(answer)}
    dates = [date for date in sorted(set(_ISO_DATE.findall(answer))) if date not in known_dates]
    dates += [text for text, date in written.items() if not any(known.startswith(date) for known in known_dates)]
    known = {_numeric(digits) for digits in re.findall(r"\d+", support)}
    known |= {_numeric(number) for number in _NUMBER.findall(support)}
    rest = _WRITTEN_DATE.sub(" ", _ISO_DATE.sub(" ", answer))
    return (*dates, *dict.fromkeys(number for number in _NUMBER.findall(rest) if _numeric(number) not in known))


def catalogue_names_in(answer: str, names: Iterable[str]) -> tuple[tuple[str, ...], str]:
    """The catalogue names that `answer` says, longest first, and the answer without them.

    A name inside another is not said by itself.
    """
    rest, found = answer, list[str]()
    for name in sorted((name for name in names if name in answer and _is_telling(name)), key=len, reverse=True):
        pattern = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
        if any(not _only_opens(name, rest, match.start()) for match in pattern.finditer(rest)):
            found.append(name)
            rest = pattern.sub(_NAME_PLACE, rest)
    return tuple(found), rest


@dataclass(frozen=True, slots=True)
class Phrase:
    """Words that read like a name. The first word of a sentence is capitalised whatever it is."""

    text: str
    starts_sentence: bool = False

    def is_made_of(self, words: frozenset[str]) -> bool:
        """Whether there is no other word in it."""
        return words.issuperset(self.text.split())

    def is_said_by(self, support: str) -> bool:
        """Whether `support` says it, or all of it after a sentence's first word."""
        rest = _CONNECTORS.sub("", self.text.partition(" ")[2]) if self.starts_sentence else ""
        return _is_said_in_parts(self.text, support) or (bool(rest) and _is_said_in_parts(rest, support))


def quoted_in(answer: str) -> tuple[tuple[str, ...], str]:
    """What stands between quotation marks, and the answer without it."""
    return tuple(dict.fromkeys(quoted.strip() for quoted in _QUOTED.findall(answer))), _QUOTED.sub(_NAME_PLACE, answer)


def phrases_in(answer: str) -> tuple[Phrase, ...]:
    """Runs of capitalised words that are not just a sentence's first word."""
    answer = _WRITTEN_DATE.sub(" ", answer)
    phrases: list[Phrase] = []
    for match in _PHRASE.finditer(answer):
        starts_sentence = _SENTENCE_START.search(answer[: match.start()]) is not None
        if match.group() not in _ARTICLES and (not starts_sentence or " " in match.group()):
            phrases.append(Phrase(match.group(), starts_sentence))
    return tuple(dict.fromkeys(phrases))


def is_said(words: str, support: str) -> bool:
    """Whether `support` has `words` as whole words, in whatever case; scripts without spaces have no word ends."""
    if _UNSPACED.fullmatch(words):
        return words in support
    return re.search(rf"(?<!\w){re.escape(words)}(?!\w)", support, re.IGNORECASE) is not None


def is_name_said(name: str, support: str) -> bool:
    """Whether `support` says a name; of one that ends in a year, name and year may be said apart."""
    dated = _DATED_NAME.fullmatch(name)
    return is_said(name, support) or (
        dated is not None and is_said(dated["name"], support) and is_said(dated["year"], support)
    )


def _only_opens(name: str, answer: str, at: int) -> bool:
    return name in _OPENERS and _SENTENCE_START.search(answer[:at]) is not None


def _is_said_in_parts(words: str, support: str) -> bool:
    """Of a list such as `Adventure and Fantasy`, each may be said elsewhere."""
    return is_said(words, support) or all(is_said(part, support) for part in words.split(" and "))


def _is_telling(name: str) -> bool:
    return len(name) > 1 and any(sign.isupper() or not sign.isascii() for sign in name)


def _iso(match: re.Match[str]) -> str:
    """A written date as `2011-05-04`, or `2011-05` without a day."""
    month = _MONTHS.index(match["month"]) + 1
    day = match["day"] or match["day_after"]
    return f"{match['year']}-{month:02d}" + (f"-{int(day):02d}" if day else "")


def _numeric(number: str) -> str:
    return number.replace(",", "").lstrip("0") or "0"


def _iso_of_unspaced(match: re.Match[str]) -> str:
    parts = (match["year"], *(f"{int(part):02d}" for part in (match["month"], match["day"]) if part))
    return f" {'-'.join(parts)} "
