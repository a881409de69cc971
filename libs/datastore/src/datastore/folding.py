"""Folding of names for search (pure): what a person may type for a name and the name itself become the same text.

Two forms. `spell` undoes differences of writing: width, case, diacritics, invisible characters, punctuation, katakana
and the prolonged sound mark. `fold` also unites romanisations, word by word, where a word reads as romaji: Kunrei and
Hepburn spellings, long vowels. Folded text is for comparison only, and never shown.
"""

import html
import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache

MAX_INDEXED_CHARS = 200
"""A B-tree entry must stay small: of a longer name, this much is searchable."""

_MAX_SUFFIXES = 32
_MAX_ROUNDS = 4

# Letters that have no decomposition, and signs that people type as letters or words.
_SPELLED = {
    **str.maketrans(dict(zip("øłđðħıŧ", "oldd" + "hit", strict=True))),
    **str.maketrans({"æ": "ae", "œ": "oe", "þ": "th", "&": " and ", "×": " x ", "✕": " x ", "✖": " x ", "⨯": " x "}),
    # Historical kana, still in titles.
    **str.maketrans("ゐゑをヰヱヲ", "いえおイエオ"),
    # Apostrophes join: "howl's" is typed as "howls", "jun'ichi" as "junichi".
    **dict.fromkeys(map(ord, "'’‘ʼʻ`´′"), None),
}
_KATAKANA_TO_HIRAGANA = {code: code - 0x60 for code in (*range(0x30A1, 0x30F7), 0x30FD, 0x30FE)}
_PROLONGED = "ー"
_HANGUL_FILLERS = frozenset("\u115f\u1160\u3164\uffa0")

# Marks that are diacritics. Vowel signs of Indic scripts are letters in all but name and stay.
_DIACRITICS = re.compile(
    "[\u0300-\u036f\u0483-\u0489\u0591-\u05c7\u064b-\u065f\u0670\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff"
    "\ufe00-\ufe0f\ufe20-\ufe2f\U000e0100-\U000e01ef]"
)
_ENTITY = re.compile(r"&(?:#\d{1,7}|#x[0-9a-f]{1,6}|[a-z][a-z0-9]{1,31});")
_STRAY_VOICING = re.compile("[\u3099\u309a]")

_ROMAJI = re.compile(
    r"(?:(?:k?ky?|s?sy?|s?sh|t?ty?|tch|c?ch|t?ts|ny?|hy?|f?fy?|my?|y|ry?|w|g?gy?|z?zy?|d?dy?|d?dz|j?jy?|b?by?|p?py?)?"
    r"[aiueo]|n(?![aiueoy])|m(?=[bmp]))+"
)
_ROMAN_NUMERAL = re.compile(r"[ivx]+")
_ROMANISATIONS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), replacement)
    for pattern, replacement in (
        (r"m(?=[bmp])", "n"),
        (r"sy(?=[auoe])", "sh"),
        (r"si", "shi"),
        (r"ty(?=[auoe])", "ch"),
        (r"ti", "chi"),
        (r"tu", "tsu"),
        (r"cch", "tch"),
        (r"(?<![cst])hu", "fu"),
        (r"(?:zy|dy|jy)(?=[auoe])", "j"),
        (r"[zd]i", "ji"),
        (r"dz?u", "zu"),
        (r"dz", "z"),
        (r"^wo$", "o"),
        (r"o[ou]+", "o"),
        (r"([aeiu])\1+", r"\1"),
    )
)


@dataclass(frozen=True, slots=True)
class NameSuffix:
    """One searchable beginning of a name: all of it (`is_whole`), or from a word or change of script to the end."""

    text: str
    is_whole: bool


@dataclass(frozen=True, slots=True)
class NameEntry:
    """A name as search reads it: its folded form, and every beginning that a person may type."""

    folded: str
    suffixes: tuple[NameSuffix, ...]


def fold(text: str) -> str:
    """The form in which names are compared; folding it again changes nothing.

    Text of symbols only ("☆") keeps them; only text without any visible character folds to nothing. Never raises.
    """
    return _fold_short(text) if len(text) <= MAX_INDEXED_CHARS else _stable(text, _romanisations_united)


def spell(text: str) -> str:
    """The form without differences of writing, with the romanisation as given. Never raises."""
    return _stable(text, _romanisation_kept)


def words(folded: str) -> list[str]:
    """The words of a folded text, in order."""
    return folded.split()


def squeeze(folded: str) -> str:
    """The text without its spaces: "steins gate" and "steinsgate" become one."""
    return folded.replace(" ", "")


def suffixes(folded: str) -> list[str]:
    """The text from every word, every change of script and every kanji on, the whole text first."""
    return [folded[start:] for start in _starts(folded)]


def name_entry(name: str) -> NameEntry:
    """The folded form of a name and its beginnings, in both forms."""
    folded = fold(name)[:MAX_INDEXED_CHARS].rstrip()
    found = {folded: True, spell(name)[:MAX_INDEXED_CHARS].rstrip(): True}
    for text in _part_texts(_cleaned(name)[:MAX_INDEXED_CHARS]):
        found.setdefault(text[:MAX_INDEXED_CHARS].rstrip(), False)
    rows = [NameSuffix(text, whole) for text, whole in found.items() if text]
    return NameEntry(folded, tuple(rows[:_MAX_SUFFIXES]))


def _part_texts(cleaned: str) -> Iterator[str]:
    """Both forms of the text from each of its parts on."""
    if cleaned.isascii() and cleaned.replace(" ", "").isalnum():
        # Such words fold each for itself, and once for all parts they are in.
        spelled = words(cleaned)
        folded = [fold(word) for word in spelled]
        for place in range(len(spelled)):
            yield " ".join(folded[place:])
            yield " ".join(spelled[place:])
        return
    for start in _starts(cleaned):
        yield fold(cleaned[start:])
        yield spell(cleaned[start:])


def edit_distance(left: str, right: str) -> int:
    """How many letters are missing, added, changed, or swapped with their neighbour (optimal string alignment)."""
    before: list[int] = []
    previous = list(range(len(right) + 1))
    for i, a in enumerate(left, start=1):
        current = [i]
        for j, b in enumerate(right, start=1):
            cost = min(previous[j] + 1, current[j - 1] + 1, previous[j - 1] + (a != b))
            if i > 1 and j > 1 and a == right[j - 2] and left[i - 2] == b:
                cost = min(cost, before[j - 2] + 1)
            current.append(cost)
        before, previous = previous, current
    return previous[-1]


@lru_cache(maxsize=4096)
def _fold_short(text: str) -> str:
    return _stable(text, _romanisations_united)


def _romanisations_united(spelled: str) -> str:
    return " ".join(map(_united_romanisation, spelled.split(" ")))


def _romanisation_kept(spelled: str) -> str:
    return spelled


def _stable(text: str, finish: Callable[[str], str]) -> str:
    """One pass can bring up what the next one folds (a compatibility form of a sign); a few reach the fixed point."""
    for _ in range(_MAX_ROUNDS):
        folded = finish(_kana_united(_cleaned(text)))
        if folded == text:
            break
        text = folded
    return text


def _cleaned(text: str) -> str:
    if text.isascii() and text.replace(" ", "").isalnum():
        # Most names, and what all others become: only their case and spaces differ.
        return " ".join(text.casefold().split())
    visible = _visible(text)
    lettered = _without_entities(unicodedata.normalize("NFKC", visible).casefold()).translate(_SPELLED)
    bare = _without_diacritics(lettered)
    cleaned = " ".join(_parted(bare).split())
    return cleaned or " ".join(unicodedata.normalize("NFKC", visible).casefold().split())


def _without_entities(text: str) -> str:
    """HTML's escapes are a way of writing too: "&amp;" is an ampersand, in titles that were copied from a page."""
    if "&" not in text or ";" not in text:
        return text
    return unicodedata.normalize("NFKC", _ENTITY.sub(lambda entity: html.unescape(entity[0]), text)).casefold()


def _visible(text: str) -> str:
    if text.isprintable() and _HANGUL_FILLERS.isdisjoint(text):
        # What prints has no control, format or surrogate characters, and no space but the plain one.
        return text
    return "".join(
        " " if char.isspace() else char
        for char in text
        if char not in _HANGUL_FILLERS and (char.isspace() or unicodedata.category(char) not in {"Cc", "Cf", "Cs"})
    )


def _without_diacritics(text: str) -> str:
    """Accents go, the voicing marks of kana stay: those make other letters."""
    if text.isascii():
        return text.translate(_SPELLED)
    bare = _DIACRITICS.sub("", unicodedata.normalize("NFKD", text))
    return _STRAY_VOICING.sub("", unicodedata.normalize("NFKC", bare)).translate(_SPELLED)


def _parted(text: str) -> str:
    """A space for whatever is no letter, mark or number."""
    if text.replace(" ", "").isalnum():
        return text
    return "".join(char if _is_letter(char) else " " for char in text)


def _is_letter(char: str) -> bool:
    return unicodedata.category(char)[0] in "LNM"


def _kana_united(text: str) -> str:
    if text.isascii():
        return text
    short = " ".join(text.replace(_PROLONGED, "").split())
    return (short or text).translate(_KATAKANA_TO_HIRAGANA)


@lru_cache(maxsize=4096)
def _united_romanisation(word: str) -> str:
    if not word.isascii() or _ROMAN_NUMERAL.fullmatch(word) or not _ROMAJI.fullmatch(word):
        return word
    for pattern, replacement in _ROMANISATIONS:
        word = pattern.sub(replacement, word)
    return word


def _starts(text: str) -> list[int]:
    """Where a searchable part begins: after a space, where the script changes, and at every kanji."""
    starts: list[int] = []
    before = " "
    for position, char in enumerate(text):
        script = before if char == _PROLONGED else _script(char)
        if script != " " and (script == "han" or script != before):
            starts.append(position)
        before = script
    return starts


def _script(char: str) -> str:
    if char == " ":
        return " "
    if "\u3041" <= char <= "\u309f":
        return "hiragana"
    if "\u30a0" <= char <= "\u30ff":
        return "katakana"
    if "\u3400" <= char <= "\u9fff" or "\uf900" <= char <= "\ufaff" or char >= "\U00020000" or char in "々〇":
        return "han"
    return "other"
