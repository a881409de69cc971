"""Names of invented entities, in latin, kana, kanji, hangul and mixed: main, native, English, alias, abbreviation."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from datastore.vocabulary import NameKind

from agent_evals.bench.chance import Chance
from agent_evals.bench.invented_words import Vocabulary, Word

_TITLE_LENGTHS = (1, 2, 3, 4, 5, 6, 8)
_LENGTH_SHARES = (0.17, 0.24, 0.22, 0.15, 0.10, 0.07, 0.05)
_SEQUELS = (
    (" II", " II"),
    (" 2nd Season", " 第2期"),
    (" Season 2", " 第2期"),
    (" The Movie", " 劇場版"),
    (" OVA", " OVA"),
)
_SUFFIXES = ("-chan", "-kun", "-sama", "-san")


@dataclass(frozen=True, slots=True)
class InventedName:
    """One name of one entity."""

    text: str
    kind: NameKind


def work_names(seed: int, label: str, count: int, words: Vocabulary, *, aliases: float) -> Iterator[list[InventedName]]:
    """The names of each work in turn, the main one first; `aliases` is how many more a work has on average."""
    chance = Chance(seed, f"{label} titles")
    lengths = np.array(_TITLE_LENGTHS)[chance.weighted(np.cumsum(_LENGTH_SHARES), count)]
    ends = np.cumsum(lengths)
    romaji = chance.power_law(len(words.romaji), int(ends[-1]), exponent=0.85, flat=30)
    english = chance.power_law(len(words.english), int(ends[-1]), exponent=0.9, flat=12)
    dice = chance.uniform(8 * count).reshape(count, 8)
    for place, (length, end) in enumerate(zip(lengths.tolist(), ends.tolist(), strict=True)):
        part = slice(end - length, end)
        yield _names_of_work(place, words, romaji[part].tolist(), english[part].tolist(), dice[place].tolist(), aliases)


def _names_of_work(
    place: int,
    words: Vocabulary,
    romaji: Sequence[int],
    english: Sequence[int],
    dice: Sequence[float],
    aliases: float,
) -> list[InventedName]:
    parts = [words.romaji[i] for i in romaji]
    latin = " ".join(part.latin for part in parts).title()
    native = ("・" if dice[0] < 0.05 else "").join(part.native for part in parts)
    spoken = " ".join(words.english[i] for i in english).title()
    if dice[1] < 0.12:
        romanised, original = _SEQUELS[int(dice[1] * 1e4) % len(_SEQUELS)]
        latin, spoken, native = latin + romanised, spoken + romanised, native + original
    if dice[2] < 0.03:
        latin = latin.replace("o", "ō", 1)
    names = [InventedName(latin, NameKind.MAIN), InventedName(native, NameKind.NATIVE)]
    if dice[3] < 0.6:
        names.append(InventedName(spoken, NameKind.ENGLISH))
    for number in range(int(aliases + dice[4])):
        names.append(_alias_of_work(latin, spoken, [*romaji, place], words, dice[5 + number % 3]))
    return names


def _alias_of_work(latin: str, spoken: str, places: Sequence[int], words: Vocabulary, die: float) -> InventedName:
    if die < 0.4 and " " in latin:
        return InventedName("".join(word[0] for word in latin.split()).upper(), NameKind.ABBREVIATION)
    if die < 0.7:
        return InventedName(f"{' '.join(latin.split()[:2])} {spoken.split()[0]}", NameKind.ALIAS)
    return InventedName("".join(words.hangul[place % len(words.hangul)] for place in places), NameKind.ALIAS)


def person_names(
    seed: int, label: str, count: int, words: Vocabulary, *, alias_share: float
) -> Iterator[list[InventedName]]:
    """The names of each character or person in turn, the main one first."""
    chance = Chance(seed, f"{label} names")
    family: list[int] = chance.power_law(len(words.family), count, exponent=0.8, flat=20).tolist()
    given: list[int] = chance.power_law(len(words.given), count, exponent=0.75, flat=20).tolist()
    foreign: list[int] = chance.power_law(len(words.english), 2 * count, exponent=0.4, flat=50).tolist()
    dice: list[list[float]] = chance.uniform(4 * count).reshape(count, 4).tolist()
    for place, die in enumerate(dice):
        if die[0] < 0.8:
            main, native = _japanese(words.given[given[place]], words.family[family[place]], spaced=die[1] < 0.5)
        else:
            main, native = _foreign(words, foreign[2 * place : 2 * place + (2 if die[1] < 0.6 else 1)])
        names = [InventedName(main, NameKind.MAIN), InventedName(native, NameKind.NATIVE)]
        if die[2] < alias_share:
            names.append(InventedName(_nickname(main, die[3]), NameKind.ALIAS))
        yield names


def _japanese(given: Word, family: Word, *, spaced: bool) -> tuple[str, str]:
    return f"{given.latin} {family.latin}".title(), f"{family.native}{' ' if spaced else ''}{given.native}"


def _foreign(words: Vocabulary, places: Sequence[int]) -> tuple[str, str]:
    native = "・".join(words.given[(place * 7) % len(words.given)].native for place in places)
    return " ".join(words.english[place] for place in places).title(), native


def _nickname(main: str, die: float) -> str:
    first, *rest = main.split()
    return f"{rest[-1]} {first}" if rest and die < 0.4 else first + _SUFFIXES[int(die * 1e4) % len(_SUFFIXES)]


def studio_names(seed: int, count: int, words: Vocabulary) -> Iterator[list[InventedName]]:
    """One name a studio."""
    chance = Chance(seed, "studio names")
    places: list[int] = chance.permutation(len(words.english)).tolist()
    dice: list[float] = chance.uniform(count).tolist()
    for place, die in enumerate(dice):
        word = words.english[places[place % len(places)]].title()
        yield [InventedName(f"{('Studio ', '', 'Production ')[int(die * 3)]}{word}", NameKind.MAIN)]


def episode_titles(seed: int, count: int, words: Vocabulary) -> Iterator[str]:
    """One title an episode; episodes are found through their anime, so that a title is no searchable name."""
    chance = Chance(seed, "episode titles")
    lengths: list[int] = (1 + chance.below(4, count)).tolist()
    places: list[int] = chance.power_law(len(words.english), 4 * count, exponent=0.9, flat=12).tolist()
    for place, length in enumerate(lengths):
        yield " ".join(words.english[i] for i in places[4 * place : 4 * place + length]).title()
