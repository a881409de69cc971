"""The renamed twin of a catalogue: the same graph, with nonsense for every name.

Equal words get equal nonsense, so that namesakes stay namesakes and a surname stays shared. Words that only give a name
its structure (`of`, `Season`, `Movie`, numbers) stay; so do references, which identify and are never shown as names.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial

from ingestion.records import (
    AnyEntity,
    AnyLink,
    CharacterRecord,
    CharacterRelationRecord,
    EntityRecord,
    EpisodeRecord,
    NameRecord,
    PersonRecord,
    WorkRecord,
)

from agent_evals.nonsense import Nonsense

type AnyCatalogueRecord = AnyEntity | AnyLink

_ARTICLES_AND_SUCH = "a an and at for from in it of on or s t the to with x no wo ga ni de e"
_PARTS_OF_WORKS = "season movie part special manga anime novel nd rd st th"
STRUCTURAL_WORDS = frozenset(f"{_ARTICLES_AND_SUCH} {_PARTS_OF_WORKS}".split())
_MAX_RESEEDS = 20
_WORD = re.compile(r"[A-Za-zÀ-ɏ]+")
_TOKEN = re.compile(r"\w+")
_NATIVE = re.compile(r"[぀-ヿ㐀-鿿]")
_IDEOGRAPH = re.compile(r"[㐀-鿿]")


def rename(records: Sequence[AnyCatalogueRecord], *, seed: int = 1) -> tuple[AnyCatalogueRecord, ...]:
    """`records` with every name replaced, in names and wherever texts say them; the same seed gives the same twin.

    Raises:
        ValueError: no twin was found in which no old name is left.
    """
    for attempt in range(_MAX_RESEEDS):
        renaming = _Renaming.of(records, seed * _MAX_RESEEDS + attempt)
        if renaming.is_clean:
            return tuple(_renamed(record, renaming) for record in records)
    raise ValueError("every renaming leaves an old name in place")


def to_jsonl(records: Iterable[AnyCatalogueRecord]) -> str:
    """`records` as interchange text, which the importer reads."""
    return "".join(f"{record.model_dump_json(by_alias=True, exclude_none=True)}\n" for record in records)


@dataclass(frozen=True, slots=True)
class _Renaming:
    """Old names and how they are found in texts, with the nonsense that replaces them."""

    names: frozenset[str]
    said: "_SaidNames"
    nonsense: Nonsense

    @classmethod
    def of(cls, records: Iterable[AnyCatalogueRecord], seed: int) -> "_Renaming":
        kept = list(records)
        names = frozenset(name.name for record in kept if isinstance(record, EntityRecord) for name in record.names)
        words = {word for text in (*names, *_texts(kept)) for word in _WORD.findall(text)}
        nonsense = Nonsense(
            seed,
            vocabulary={word for name in names for word in _WORD.findall(name)},
            reserved={word.casefold() for word in words} | STRUCTURAL_WORDS,
            ideographs={sign for name in names for sign in _IDEOGRAPH.findall(name)},
        )
        return cls(names, _SaidNames.of(names, _texts(kept)), nonsense)

    @property
    def is_clean(self) -> bool:
        """Whether no new name is an old one, and no two old ones became one; mere numbers, such as 1.28, stay."""
        named = sorted(name for name in self.names if _WORD.search(name) or _NATIVE.search(name))
        new = [self.name(name).casefold() for name in named]
        old = {name.casefold() for name in named}
        return not old & set(new) and len(set(new)) == len(old)

    def name(self, name: str) -> str:
        """Nonsense for a whole name. A name of nothing but structure loses its structure, too."""
        words = _WORD.findall(name)
        keeps = any(word.casefold() not in STRUCTURAL_WORDS for word in words) or _NATIVE.search(name) is not None
        latin = _WORD.sub(partial(self._word, keeps), name)
        return _NATIVE.sub(lambda match: self.nonsense.sign(match.group()), latin)

    def text(self, text: str) -> str:
        """`text` with the names in it replaced."""
        return self.said.replace(text, self.name)

    def _word(self, keeps_structure: bool, match: re.Match[str]) -> str:
        word = match.group()
        return word if keeps_structure and word.casefold() in STRUCTURAL_WORDS else self.nonsense.word(word)


@dataclass(frozen=True, slots=True)
class _SaidNames:
    """What counts as a name in a text: whole names as written, and words of names that texts use as nothing else.

    `by_first_word` has them under their first word, longest first.
    """

    by_first_word: dict[str, list[str]]

    @classmethod
    def of(cls, names: Iterable[str], texts: Iterable[str]) -> "_SaidNames":
        ordinary = {word for text in texts for word in _WORD.findall(text) if word.islower()} | STRUCTURAL_WORDS
        said = set(names)
        for name in names:
            said |= {word for word in _WORD.findall(name) if word[:1].isupper() and len(word) > 1} - {
                word for word in _WORD.findall(name) if word.casefold() in ordinary
            }
        by_first_word: dict[str, list[str]] = {}
        for name in sorted(said, key=lambda name: (-len(name), name)):
            by_first_word.setdefault(_TOKEN.findall(name)[0], []).append(name)
        return cls(by_first_word)

    def replace(self, text: str, change: Callable[[str], str]) -> str:
        """`text` with every name in it changed; the longest one wins."""
        parts: list[str] = []
        done = 0
        for token in _TOKEN.finditer(text):
            name = self._name_at(text, token) if token.start() >= done else None
            if name is not None:
                parts += [text[done : token.start()], change(name)]
                done = token.start() + len(name)
        return "".join([*parts, text[done:]])

    def _name_at(self, text: str, token: re.Match[str]) -> str | None:
        for name in self.by_first_word.get(token.group(), ()):
            end = token.start() + len(name)
            if text.startswith(name, token.start()) and not text[end : end + 1].isalnum():
                return name
        return None


def _texts(records: Iterable[AnyCatalogueRecord]) -> list[str]:
    texts: list[str | None] = []
    for record in records:
        match record:
            case WorkRecord() | EpisodeRecord():
                texts.append(record.synopsis)
            case CharacterRecord() | PersonRecord():
                texts.append(record.description)
            case CharacterRelationRecord():
                texts.append(record.note)
            case _:
                pass
    return [text for text in texts if text is not None]


def _renamed(record: AnyCatalogueRecord, renaming: _Renaming) -> AnyCatalogueRecord:
    changes: dict[str, object] = {}
    if isinstance(record, EntityRecord):
        changes["names"] = tuple(_renamed_name(name, renaming) for name in record.names)
    for field in ("synopsis", "description", "note"):
        text = getattr(record, field, None)
        if isinstance(text, str):
            changes[field] = renaming.text(text)
    return record.model_copy(update=changes)


def _renamed_name(name: NameRecord, renaming: _Renaming) -> NameRecord:
    return name.model_copy(update={"name": renaming.name(name.name)})
