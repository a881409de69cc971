"""Which stretches of a text may be names (pure).

A Latin word is one atom, a kana, kanji or hangul sign is one atom: a span is a run of atoms with what stands between.

A span that consists of everyday or function words only ("another", "air", "your name") is more likely just words. It
counts as a name only when

- it is quoted, or
- a word of it is capitalised where no sentence begins (not "I", and not in a text written all in capitals), or
- it is a whole object: the text's only words, or between a word that asks for an object ("directed", "of", "does" …)
  and the end, a punctuation mark or a verb that a title can be the subject of. Function words alone never are; or
- its kind is said beside it: two words or more behind one for a kind ("anime death note"), or, where an object is asked
  for, between an article and a kind ("like the erased anime").
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from agent_core.retrieval.question_words import ASKS_FOR_OBJECT, EVERYDAY_WORDS, FOLLOWS_SUBJECT, FUNCTION_WORDS, KINDS

MAX_WORDS = 12
MAX_SIGNS = 20
MAX_ATOMS = 600
MAX_CHARACTERS = 300

_SIGN = (
    r"[\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7a3々〇]"
)
_ATOM = re.compile(rf"{_SIGN}|(?:(?!{_SIGN})[^\W_])+(?:['’](?:(?!{_SIGN})[^\W_])+)*")
_IS_SIGN = re.compile(_SIGN)
_HIRAGANA = re.compile(r"[\u3041-\u309f]+")
_POSSESSIVE = re.compile(r"['’]s$", re.IGNORECASE)
_SENTENCE_END = re.compile(r"[.!?。！？:]\s*$|[.!?。！？:]\s*[\"'“‘「『(]+$")
_OPENING, _CLOSING = "\"'“‘„«「『《〈", "\"'”’“»」』》〉"

_YEAR = r"\(?((?:19|20)\d\d)\)?"
_JOINT = r"(?:\s*(?:,|&|and|or|vs\.?|versus|with|to)\s*"
_YEARS_BEHIND = re.compile(rf"^\s*{_YEAR}(?!\w){_JOINT}{_YEAR}(?!\w))?", re.IGNORECASE)
_DATED_NAME = re.compile(rf"^(.*\S)\s*{_YEAR}$", re.IGNORECASE | re.DOTALL)
_FURTHER_YEAR = re.compile(rf"^{_JOINT}{_YEAR}(?!\w))", re.IGNORECASE)
_YEARS_BEFORE = re.compile(rf"(?<!\w){_YEAR}(?:\s*(?:,|&|and|or|vs\.?|versus)\s*{_YEAR})?\s+$", re.IGNORECASE)
_WHEN = re.compile(r"\b(?:in|since|from|of|until|till|before|after|by|around|during)\s+$", re.IGNORECASE)

_IS = frozenset({"is", "was", "are", "were"})
_ASKS_WHO = frozenset({"who", "how"})


@dataclass(frozen=True, slots=True)
class Atom:
    """One word or sign, by its place in the text."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of the text, by its place in it, and the atoms it is made of: from `first` to `last`, both included."""

    start: int
    end: int
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class QuestionText:
    """A text with its atoms."""

    text: str
    atoms: tuple[Atom, ...]

    @classmethod
    def read(cls, text: str) -> "QuestionText":
        """The text's first MAX_ATOMS atoms."""
        found = (Atom(*match.span()) for match in _ATOM.finditer(text))
        return cls(text, tuple(atom for _, atom in zip(range(MAX_ATOMS), found, strict=False)))

    def spans(self) -> Iterator[Span]:
        """Every stretch that is short enough to be a name and not too short to mean one; possessives stripped too."""
        for first, begin in enumerate(self.atoms):
            for last in range(first, min(len(self.atoms), first + MAX_SIGNS)):
                span = Span(begin.start, self.atoms[last].end, first, last)
                has_too_many_words = last - first >= MAX_WORDS and not self._has_signs(span)
                if has_too_many_words or span.end - span.start > MAX_CHARACTERS:
                    break
                if self._is_long_enough(span):
                    yield span
                    possessive = _POSSESSIVE.search(self.slice(span))
                    if possessive is not None:
                        yield Span(span.start, span.start + possessive.start(), first, last)

    def slice(self, span: Span) -> str:
        """The words of a span as written."""
        return self.text[span.start : span.end]

    def is_meant_as_name(self, span: Span) -> bool:
        """Whether the span, which is known to be a name, is one here; see this module's first lines."""
        words = self._words(span)
        if self._has_signs(span) or not all(_is_common(word) for word in words):
            return True
        if self._is_quoted(span) or self._is_capitalised(span):
            return True
        return not FUNCTION_WORDS.issuperset(words) and (self._is_whole_object(span) or self._has_kind(span))

    def years(self, span: Span) -> tuple[int | None, ...]:
        """The years written right behind or before a span: usually none or one; two in "1999 and 2011"."""
        behind = _YEARS_BEHIND.match(self.text[span.end :])
        before = _YEARS_BEFORE.search(self.text[: span.start])
        if before is not None and _WHEN.search(self.text[: before.start()]):
            before = None
        match = behind or before
        years = tuple(int(year) for year in match.groups() if year) if match is not None else ()
        return years or (None,)

    def dated_again(self, span: Span) -> tuple[str, int] | None:
        """The name without its year and another year, where a name that ends in a year is followed by one more.

        "Hunter x Hunter 1999 vs 2011" speaks of two works, the second by its year alone.
        """
        name, further = _DATED_NAME.match(self.slice(span)), _FURTHER_YEAR.match(self.text[span.end :])
        return (name[1], int(further[1])) if name is not None and further is not None else None

    def _words(self, span: Span) -> list[str]:
        text = self.slice(span)
        return [match.group().casefold().replace("’", "'") for match in _ATOM.finditer(text)]

    def _has_signs(self, span: Span) -> bool:
        return _IS_SIGN.search(self.text, span.start, span.end) is not None

    def _is_long_enough(self, span: Span) -> bool:
        text = self.slice(span)
        if not _IS_SIGN.match(text) or not self._has_only_signs(span):
            return True
        return span.last - span.first >= (2 if _HIRAGANA.fullmatch(text) else 1)

    def _has_only_signs(self, span: Span) -> bool:
        atoms = self.atoms[span.first : span.last + 1]
        return all(_IS_SIGN.match(self.text, atom.start) for atom in atoms)

    def _is_quoted(self, span: Span) -> bool:
        before, behind = self.text[: span.start].rstrip(" "), self.text[span.end :].lstrip(" .,!?")
        return bool(before and behind) and before[-1] in _OPENING and behind[0] in _CLOSING

    def _is_capitalised(self, span: Span) -> bool:
        if self.text.upper() == self.text:
            return False
        atoms: Sequence[Atom] = self.atoms[span.first : span.last + 1]
        return any(
            self.text[atom.start].isupper()
            and self.text[atom.start : atom.end] != "I"
            and not self._begins_sentence(atom)
            for atom in atoms
        )

    def _begins_sentence(self, atom: Atom) -> bool:
        before = self.text[: atom.start].rstrip()
        return not before.strip("\"'“‘「『(¿¡") or _SENTENCE_END.search(before) is not None

    def _is_whole_object(self, span: Span) -> bool:
        is_first, is_last = span.first == 0, span.last == len(self.atoms) - 1
        if is_first:
            return is_last
        led = self._is_led(span)
        if is_last:
            return led
        gap = self.text[span.end : self.atoms[span.last + 1].start]
        return led and (bool(gap.strip()) or self._word(span.last + 1) in FOLLOWS_SUBJECT)

    def _has_kind(self, span: Span) -> bool:
        before = self._word(span.first - 1) if span.first else ""
        if before in KINDS:
            return span.last > span.first
        behind = self._word(span.last + 1) if span.last + 1 < len(self.atoms) else ""
        return before == "the" and behind in KINDS and span.first > 1 and self._word(span.first - 2) in ASKS_FOR_OBJECT

    def _is_led(self, span: Span) -> bool:
        """Whether the word before asks for an object; "is" does where it begins the text or follows "who" or "how"."""
        before = self._word(span.first - 1)
        if before in _IS:
            return span.first == 1 or self._word(span.first - 2) in _ASKS_WHO
        return before in ASKS_FOR_OBJECT

    def _word(self, index: int) -> str:
        atom = self.atoms[index]
        return self.text[atom.start : atom.end].casefold()


def _is_common(word: str) -> bool:
    return word in FUNCTION_WORDS or word in EVERYDAY_WORDS or (len(word) == 1 and word.isascii())
