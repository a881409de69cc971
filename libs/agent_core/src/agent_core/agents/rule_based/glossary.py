"""Cue words of other languages, replaced by the English ones, so that one grammar reads them all."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from agent_core.agents.rule_based.glossary_words import CERTAIN, WIDE, WORDS
from agent_core.agents.rule_based.text import NAME, Piece, Reading

WIDE_LANGUAGES = frozenset(WIDE)
"""Languages whose questions are written without spaces, or with endings glued to names."""

_WIDE_CHARACTER = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7ff]")
_KANA = re.compile(r"[\u3040-\u30ff]")
_HANGUL = re.compile(r"[\uac00-\ud7ff]")


@dataclass(frozen=True, slots=True)
class Segment:
    """A part of a run without spaces: `english` are the words it stands for, None when it is no cue."""

    start: int
    end: int
    english: tuple[str, ...] | None


@lru_cache(maxsize=16)
def _entries(language: str) -> dict[str, tuple[str, ...]]:
    table = WIDE.get(language) or WORDS[language]
    if language == "zh":
        # Japanese without kana looks the same: a name and a noun of two characters.
        table = " ".join([*(entry for entry in WIDE["ja"].split() if not _KANA.search(entry)), table])
    pairs = (entry.partition("=") for entry in table.split())
    return {
        foreign.replace("_", " "): tuple(english.rstrip("?").replace("_", " ").split()) for foreign, _, english in pairs
    }


_CERTAIN_SIGNS = frozenset[str]().union(*CERTAIN.values())


@lru_cache(maxsize=32)
def language_of(question: str, known_texts: tuple[str, ...] = ()) -> str:
    """The language of a question among those with a glossary; `en` for everything else.

    Names the catalogue knows are left out of the judgement.
    """
    rest = question.casefold()
    for text in known_texts:
        rest = rest.replace(text.casefold(), " ")
    if _WIDE_CHARACTER.search(rest):
        return "ko" if _HANGUL.search(rest) else "ja" if _KANA.search(rest) else "zh"
    found = re.findall(r"[^\W_]+", rest)
    said = {*found, *map(" ".join, pairwise(found)), *map(" ".join, zip(found, found[1:], found[2:], strict=False))}
    if said.isdisjoint(_CERTAIN_SIGNS):
        return "en"
    counts = {language: len(said.intersection(signs)) for language, signs in CERTAIN.items()}
    return max(counts, key=lambda language: counts[language])


@lru_cache(maxsize=16)
def foreign_words(language: str) -> frozenset[str]:
    """Single words that the glossary of a language holds, so that none of them is taken for a name."""
    if language not in WORDS:
        return frozenset()
    return frozenset(word for phrase in _entries(language) for word in phrase.split())


@lru_cache(maxsize=16)
def meanings(language: str) -> dict[str, str]:
    """The single words that the glossary of a language with spaces holds, and the English that each stands for."""
    if language not in WORDS:
        return {}
    return {foreign: " ".join(english) for foreign, english in _entries(language).items() if " " not in foreign}


def is_inside_cue(question: str, start: int, end: int, language: str) -> bool:
    """Whether these characters are part of a longer cue of a language without spaces: `アニ` in `アニメ`."""
    if language not in WIDE:
        return False
    return any(
        start - lead >= 0 and question.startswith(cue, start - lead)
        for cue in _entries(language)
        for lead in range(len(cue) - (end - start) + 1)
        if len(cue) > end - start
    )


def segments(run: str, language: str) -> Iterator[Segment]:
    """Cut a run without spaces into cues, longest first, and what lies between them."""
    entries = _entries(language)
    longest = max(map(len, entries))
    position = unknown = 0
    while position < len(run):
        size = next(
            (n for n in range(min(longest, len(run) - position), 0, -1) if run[position : position + n] in entries), 0
        )
        if not size:
            position += 1
            continue
        if unknown < position:
            yield Segment(unknown, position, None)
        yield Segment(position, position + size, entries[run[position : position + size]])
        position += size
        unknown = position
    if unknown < len(run):
        yield Segment(unknown, len(run), None)


def in_english(reading: Reading, language: str) -> Reading:
    """The reading with every cue of that language replaced by English words at the same place."""
    if language in WIDE:
        pieces = tuple(piece for old in reading.pieces for piece in _wide_piece(old, language))
    elif language in WORDS:
        pieces = _plain_order(tuple(_word_pieces(reading.pieces, language)), language)
    else:
        return reading
    return Reading(reading.question, reading.names, pieces)


def _plain_order(pieces: tuple[Piece, ...], language: str) -> tuple[Piece, ...]:
    """German puts the participle last, `who has X written`; Spanish the subject: `which movies has directed X`."""
    marks = [piece for piece in pieces if piece.text in ("?", ".", "!", "¿")]
    words = [piece for piece in pieces if piece not in marks]
    if len(words) < 4:
        return pieces
    if language == "de" and [piece.text for piece in words[:2]] == ["who", "has"]:
        return (words[0], words[-1], *words[2:-1], *marks)
    is_asked = words[0].text in ("what", "which", "how") and any(piece.text in ("has", "have") for piece in words[2:-2])
    if language == "es" and is_asked and words[-3].text in ("has", "have") and re.fullmatch(NAME, words[-1].text):
        return (*words[:-2], words[-1], words[-2], *marks)
    return pieces


def _wide_piece(piece: Piece, language: str) -> Iterator[Piece]:
    if not _WIDE_CHARACTER.search(piece.text) or len(piece.text) != piece.end - piece.start:
        yield piece
        return
    for segment in segments(piece.text, language):
        start, end = piece.start + segment.start, piece.start + segment.end
        words = segment.english if segment.english is not None else (piece.text[segment.start : segment.end],)
        yield from (Piece(word, start, end) for word in words)


def _word_pieces(pieces: tuple[Piece, ...], language: str) -> Iterator[Piece]:
    entries = _entries(language)
    longest = max(len(phrase.split()) for phrase in entries)
    position = 0
    while position < len(pieces):
        for size in range(min(longest, len(pieces) - position), 0, -1):
            run = pieces[position : position + size]
            english = entries.get(" ".join(piece.text for piece in run))
            if english is not None:
                yield from (Piece(word, run[0].start, run[-1].end) for word in english)
                position += size
                break
        else:
            yield pieces[position]
            position += 1
