"""English answers that code wrote, in another language; names, numbers and markers stay as they are."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache

from agent_core.grounding.sentences import NameFinder, Sentence, clean, sentences
from agent_core.grounding.vocabulary import MONTHS
from agent_core.languages.catalogue import NOUNS, SHAPES, TEXTS

LANGUAGES = ("en", "de", "es", "ja")

_PLACES: dict[str, str] = {
    "a": r"(?P<a>.+?)",
    "b": r"(?P<b>.+?)",
    "n": r"(?P<n>(?:at least )?\d[\d.,]*)",
    "w": r"(?P<w>(?:on \d{1,2} [A-Z][a-z]+ \d{4}|in (?:[A-Z][a-z]+ )?\d{4}))",
    "l": r"(?P<l>.+\])",
    "p": r"(?P<p>.+?)",
    "k": r"(?P<k>[A-Za-z' -]+?)",
}
_MARKERS = r"(?P<markers>(?: ?(?:\[\d+\])+)?)"
_WHEN = re.compile(r"(?:on (\d{1,2}) )?(?:in )?(?:([A-Z][a-z]+) )?(\d{4})")
_SPANISH_MONTHS = "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre".split()  # noqa: SIM905 - one line a language
_GERMAN_MONTHS = "Januar Februar März April Mai Juni Juli August September Oktober November Dezember".split()  # noqa: SIM905


@dataclass(frozen=True, slots=True)
class _Shape:
    pattern: re.Pattern[str]
    templates: Mapping[str, str]


def language_code(language: str) -> str:
    """The language that an answer is written in: `de-AT` is `de`; what is not spoken here is English."""
    code = language.strip().casefold().split("-")[0].split("_")[0]
    return code if code in LANGUAGES else "en"


def localized(answer: str, language: str, names: Iterable[str] = ()) -> str:
    """The answer in a language, sentence by sentence; one that has no shape in the catalogue stays as it is.

    `names` are those in the answer, so that no sentence is cut inside one. A text without anything to put into other
    words comes back unchanged.
    """
    code = language_code(language)
    if code == "en" or not answer:
        return answer
    text = _with_texts(answer, code)
    finder = NameFinder(names)
    lines: dict[int, list[str]] = {}
    changed = False
    for sentence in sentences(clean(text), finder):
        found = _translated(sentence, code)
        changed = changed or found is not None
        lines.setdefault(sentence.line, []).append(sentence.prefix + (found or sentence.text))
    if not changed:
        return text
    joint = "" if code == "ja" else " "
    return "\n".join(joint.join(parts) for _, parts in sorted(lines.items()))


def _with_texts(answer: str, code: str) -> str:
    index = LANGUAGES.index(code)
    for row in TEXTS:
        answer = answer.replace(row[0], row[index])
    return answer


def _translated(sentence: Sentence, code: str) -> str | None:
    for shape in _shapes():
        match = shape.pattern.fullmatch(sentence.text)
        if match is None:
            continue
        parts = {name: _part(name, text, code) for name, text in match.groupdict().items() if name != "markers"}
        if None in parts.values():
            continue
        body = shape.templates[code].format(**parts)
        body = body[:1].upper() + body[1:]
        return f"{body}{match.group('markers')}{'。' if code == 'ja' else '.'}"
    return None


def _part(name: str, text: str, code: str) -> str | None:
    """A place's words in the language; None for a noun that the catalogue of messages lacks."""
    make: Callable[[str, str], str | None] | None = {"w": _when, "l": _listed, "p": _joined, "k": _noun}.get(name)
    if name == "n":
        return text.replace("at least ", {"de": "mindestens ", "es": "al menos ", "ja": "少なくとも"}[code])
    return make(text, code) if make is not None else text


def _noun(text: str, code: str) -> str | None:
    return _nouns().get(text, {}).get(code)


def _listed(text: str, code: str) -> str:
    """`A [1], B [2], and C [3]` with the language's own `and`; it stands behind markers only, never inside a name."""
    if code == "ja":
        return re.sub(r"\](?:, and|,| and) ", "]、", text)
    return re.sub(r"\],? and ", f"] {_AND[code]} ", text)


def _joined(text: str, code: str) -> str:
    first, found, last = text.rpartition(" and ")
    if not found:
        return text
    first = first.removesuffix(",")
    return f"{first}、{last}".replace(", ", "、") if code == "ja" else f"{first} {_AND[code]} {last}"


_AND = {"de": "und", "es": "y"}


def _when(text: str, code: str) -> str:
    match = _WHEN.fullmatch(text)
    assert match is not None, "the shape's own pattern"
    day, name, year = match.groups()
    month = MONTHS[name.casefold()] if name else None
    if code == "ja":
        return f"{year}年{f'{month}月' if month else ''}{f'{day}日' if day else ''}に"
    if month is None:
        return f"en {year}" if code == "es" else year
    if code == "es":
        words = f"{_SPANISH_MONTHS[month - 1]} de {year}"
        return f"el {day} de {words}" if day else f"en {words}"
    words = f"{_GERMAN_MONTHS[month - 1]} {year}"
    return f"am {day}. {words}" if day else f"im {words}"


@cache
def _shapes() -> tuple[_Shape, ...]:
    return tuple(
        _Shape(_pattern(english), dict(zip(LANGUAGES, (english, german, spanish, japanese), strict=True)))
        for english, german, spanish, japanese in SHAPES
    )


def _pattern(english: str) -> re.Pattern[str]:
    parts = re.split(r"\{(\w)\}", english)
    body = "".join(_PLACES[part] if index % 2 else re.escape(part) for index, part in enumerate(parts))
    return re.compile(rf"{body}{_MARKERS}\.")


@cache
def _nouns() -> Mapping[str, Mapping[str, str]]:
    return {row[0]: dict(zip(LANGUAGES, row, strict=True)) for row in NOUNS}
