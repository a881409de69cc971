"""What a sentence claims that can be checked by code: names, numbers, dates."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from datastore.dates import PartialDate
from datastore.folding import fold

from agent_core.grounding.links import links_in, without_links
from agent_core.grounding.sentences import Span
from agent_core.grounding.support import Support, take_dates, take_numbers
from agent_core.grounding.vocabulary import DOMAIN_WORDS, KANJI_WORDS, MONTHS, NUMBER_WORDS, PLAIN_WORDS

_QUOTED = re.compile(r"“([^”]{1,200})”|\"([^\"]{1,200})\"|«([^»]{1,200})»|「([^」]{1,200})」|『([^』]{1,200})』")
_ID = re.compile(
    r"\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b|\b[en]\d{1,4}\b"
    r"|\b(?:row|edge|path|chunk|compare|list|query|session|trace|web):[\w:.-]*\d[\w:.-]*"
)
"""Ids and labels are for machines: evidence that asks for one to be printed doesn't make it part of an answer."""

_AT_LEAST = re.compile(r"\b(?:at least|more than|over)\s+(\d+(?:[.,]\d+)*)", re.IGNORECASE)
_DECADE = re.compile(r"(?<!\d)(\d{3}0)['’]?s\b")
_POSSESSIVE = re.compile(r"['’]s?$")
_TOKEN = re.compile(r"[^\W\d_](?:[\w.'’-]*\w)?\.?")
_DIGIT = re.compile(r"\d")
_LETTERS = re.compile(r"[^\W\d_]+")
_POINTING = re.compile(r"\b(?:the|these|those|both|all|of|between)\s+(two|three|four)\b", re.IGNORECASE)
_SPACELESS_RUN = re.compile(
    r"[\u30a0-\u30ff\u31f0-\u31ff\uff66-\uff9f]{2,}"  # katakana
    r"|[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff々〆〇]+"  # kanji and hanzi
    r"|[\u0590-\u0dff\u0e00-\u0fff\u1100-\u11ff\uac00-\ud7ff]+"  # Hebrew, Arabic, Indic, Thai, hangul: no upper case
)


class ClaimKind(StrEnum):
    """What sort of thing is claimed."""

    NAME = "name"
    NUMBER = "number"
    AT_LEAST = "at_least"
    DATE = "date"
    DECADE = "decade"
    LINK = "link"
    ID = "id"


@dataclass(frozen=True, slots=True)
class Claim:
    """One checkable part of a sentence. `value` is a name, a number in normal form, or an ISO date."""

    kind: ClaimKind
    value: str

    def is_backed_by(self, *evidence: Support) -> bool:
        """Whether one of these says it."""
        return any(map(self._stands_in, evidence))

    def _stands_in(self, support: Support) -> bool:
        match self.kind:
            case ClaimKind.NAME:
                return _name_stands(self.value, support)
            case ClaimKind.NUMBER:
                return support.has_number(self.value)
            case ClaimKind.AT_LEAST:
                return support.has_number(self.value) or self.value in support.lower_bounds
            case ClaimKind.DECADE:
                return support.has_decade(int(self.value))
            case ClaimKind.LINK:
                return self.value in support.links
            case ClaimKind.ID:
                return False
            case ClaimKind.DATE:
                date = PartialDate.parse(self.value)
                return date is not None and support.has_date(date)


def claims_of(text: str, spans: Sequence[Span]) -> list[Claim]:
    """The claims of a sentence without markers. `spans` are the known names in it."""
    harmless = {span.name.casefold() for span in spans if not set(span.name) & set("/\\:@")}
    claims = [Claim(ClaimKind.LINK, link) for link in links_in(text) if link.casefold() not in harmless]
    blanked = without_links(text) if claims else _blank(text, spans)
    claims.extend(Claim(ClaimKind.ID, found) for found in _ID.findall(blanked))
    claims.extend(Claim(ClaimKind.NAME, span.name) for span in spans if not _is_plain_opening(span, text))
    claims.extend(_quotations(text))
    dates, undated = take_dates(blanked)
    claims.extend(Claim(ClaimKind.DATE, str(date)) for date in dates)
    claims.extend(_numbers(undated))
    claims.extend(Claim(ClaimKind.NAME, run) for run in _capital_runs(take_numbers(undated)[1]))
    if not blanked.isascii():
        claims.extend(Claim(ClaimKind.NAME, piece) for run in _SPACELESS_RUN.findall(blanked) for piece in _pieces(run))
    return list(dict.fromkeys(claims))


def _blank(text: str, spans: Sequence[Span]) -> str:
    for span in spans:
        text = text[: span.start] + "\x00" * (span.end - span.start) + text[span.end :]
    return text


def _is_plain_opening(span: Span, text: str) -> bool:
    """Works are called Another, Given, Air: at the start of a sentence such a word need not be the name."""
    opening = not text[: span.start].strip("\"'“‘(*_ ")
    return opening and span.name.casefold() in PLAIN_WORDS


def _quotations(text: str) -> list[Claim]:
    found = (next(group for group in groups if group) for groups in _QUOTED.findall(text))
    return [Claim(ClaimKind.NAME, quoted.strip(" .,!?")) for quoted in found if quoted.strip(" .,!?")]


def _numbers(text: str) -> list[Claim]:
    claims: list[Claim] = []
    if _DIGIT.search(text) is not None:
        claims.extend(Claim(ClaimKind.DECADE, decade) for decade in _DECADE.findall(text))
        text = _DECADE.sub(" ", text) if claims else text
        claims.extend(Claim(ClaimKind.AT_LEAST, take_numbers(bound)[0][0]) for bound in _AT_LEAST.findall(text))
        text = _AT_LEAST.sub(" ", text)
        claims.extend(Claim(ClaimKind.NUMBER, number) for number in take_numbers(text)[0])
    if not NUMBER_WORDS.keys().isdisjoint(_LETTERS.findall(text.casefold())):
        words = _LETTERS.findall(_POINTING.sub(" ", text).casefold())
        claims.extend(Claim(ClaimKind.NUMBER, str(NUMBER_WORDS[word])) for word in words if word in NUMBER_WORDS)
    return claims


def _capital_runs(text: str) -> list[str]:
    """Runs of capitalised words joined by nothing but spaces, without the plain words at their ends."""
    runs: list[list[str]] = []
    end = -1
    for match in _TOKEN.finditer(text):
        word = _POSSESSIVE.sub("", match.group().rstrip("."))
        if not _is_capitalised(word):
            continue
        joined = end >= 0 and text[end : match.start()].strip(" ") == "" and runs
        if joined:
            runs[-1].append(word)
        else:
            runs.append([word])
        # A possessive or a full stop after a whole word ends the name.
        end = match.end() if len(word) == 1 or len(word) == len(match.group()) else -1
    trimmed = (_trim(run) for run in runs)
    return [" ".join(run) for run in trimmed if run]


def _is_capitalised(word: str) -> bool:
    return word[:1].isupper() or (not word.isalnum() and any(part[:1].isupper() for part in re.split(r"[-'’.]", word)))


def _trim(run: list[str]) -> list[str]:
    begin, end = 0, len(run)
    while begin < end and _is_plain(run[begin]):
        begin += 1
    while end > begin and _is_plain(run[end - 1]):
        end -= 1
    return run[begin:end]


def _is_plain(word: str) -> bool:
    folded = word.casefold()
    if folded in PLAIN_WORDS or folded in DOMAIN_WORDS or folded in NUMBER_WORDS:
        return True
    parts = [part for part in re.split(r"[-'’]", word) if part]
    return len(parts) > 1 and all(not part[0].isupper() or _is_plain(part) for part in parts)


def _pieces(run: str) -> list[str]:
    """What is left of a run once the words of the trade are cut out."""
    pieces = [run]
    for word in KANJI_WORDS:
        pieces = [piece for whole in pieces for piece in whole.split(word) if piece]
    return pieces


def _name_stands(name: str, support: Support) -> bool:
    if support.has_name(name):
        return True
    month = MONTHS.get(fold(name))
    return month is not None and any(date.month == month for date in support.dates)
