"""English answers that code wrote, in another language; names, numbers and markers stay as they are.

Before a sentence is compared with the shapes, each known name in it becomes one mark: no word inside a name is read or
translated.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from agent_core.grounding.sentences import NameFinder, Sentence, clean, sentences
from agent_core.grounding.vocabulary import MONTHS
from agent_core.languages.catalogue import NOUNS, OPENINGS, SHAPES, TEXTS
from agent_core.languages.comparisons import COMPARISONS
from agent_core.languages.hops import HOPS
from agent_core.languages.likeness import likeness, portrait
from agent_core.languages.set_shapes import EXTREMES, FIGURES, GROUPS, NOTES, SET_SHAPES
from agent_core.languages.sets import set_phrase

LANGUAGES = ("en", "de", "es", "ja")

type Row = tuple[str, str, str, str]

_FIRST_MARK = 0xE000
_MAX_MARKS = 0x1900
_MAX_CHARACTERS = 4_000
"""A longer sentence, names counted as one, is none that code wrote."""

_NAME = r"[\ue000-\uf8ff](?: \((?:anime|manga|character|person|studio|episode|document)\))?"
_ENTRY = rf"{_NAME}(?: \([^()]*\))?(?: ?\[\d+\])+"
_PLACES: dict[str, str] = {
    "a": rf"(?P<a>{_NAME})",
    "b": rf"(?P<b>{_NAME})",
    "q": r"(?P<q>.+?)",
    "d": r"(?P<d>(?: \([^()]*\))?)",
    "n": r"(?P<n>(?:at least )?\d[\d.,]*)",
    "w": r"(?P<w>(?:on \d{1,2} [A-Z][a-z]+ \d{4}|in (?:[A-Z][a-z]+ )?\d{4}))",
    "l": rf"(?P<l>{_ENTRY}(?:(?:, and|,| and) {_ENTRY})*)",
    "p": r"(?P<p>.+?)",
    "k": r"(?P<k>[A-Za-z' -]+?)",
    "s": r"(?P<s>[^:;\[\]]+?)",
    "e": r"(?P<e>[a-z ]+?)",
    "f": r"(?P<f>(?:on |in )?\d[\w., ]*?)",
    "g": r"(?P<g>[a-z ]+?)",
}
_MARKERS = r"(?P<markers>(?: ?(?:\[\d+\])+)?)"
_WHEN = re.compile(r"(?:on (\d{1,2}) )?(?:in )?(?:([A-Z][a-z]+) )?(\d{4})")
_SENTENCE = re.compile(rf"(?P<body>.+?){_MARKERS}\.")
_MARK = re.compile(r"[\ue000-\uf8ff]")
_SEPARATOR = re.compile(r", and |, | and ")
_IN_BRACKETS = re.compile(r"\(([^()]*)\)")
_NOTE = re.compile(r" \(([a-z ]+)\)(?= ?\[)")
_ARTICLES = re.compile(r"^(?:Der|Die|Das|Im|In|Bei|Von|Aus|El|La|Los|Las|En|De|Tanto)\b")
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

    `names` are those in the answer; they are kept to the letter. A text without anything to put into other words comes
    back unchanged.
    """
    code = language_code(language)
    if code == "en" or not answer:
        return answer
    text = _with_texts(answer, code)
    finder = NameFinder(names)
    lines: dict[int, list[str]] = {}
    changed = False
    for sentence in sentences(clean(text), finder):
        found = _translated(sentence, code, finder)
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


def _translated(sentence: Sentence, code: str, finder: NameFinder) -> str | None:
    masked, names = _masked(sentence.text, finder)
    match = _SENTENCE.fullmatch(masked) if len(masked) <= _MAX_CHARACTERS else None
    if match is None:
        return None
    opening, body = _opened(match["body"], code)
    for candidate in dict.fromkeys((body, body[:1].upper() + body[1:])):
        said = _said(candidate, match["markers"], code)
        if said is not None:
            said = opening + (_lowered(said) if opening else said[:1].upper() + said[1:])
            return _MARK.sub(lambda mark: names[ord(mark.group()) - _FIRST_MARK], said)
    return None


def _masked(text: str, finder: NameFinder) -> tuple[str, Sequence[str]]:
    """The text with a mark for each name, and the names by the number of their mark."""
    spans = finder.find(text)[:_MAX_MARKS]
    parts: list[str] = []
    end = 0
    for number, span in enumerate(spans):
        parts += [text[end : span.start], chr(_FIRST_MARK + number)]
        end = span.end
    return "".join([*parts, text[end:]]), [text[span.start : span.end] for span in spans]


def _opened(body: str, code: str) -> tuple[str, str]:
    """`Yes`, `No` and `Also` in the language, and what follows."""
    for row in OPENINGS:
        if body.startswith(row[0]):
            return row[LANGUAGES.index(code)], body.removeprefix(row[0])
    return "", body


def _lowered(said: str) -> str:
    return said[:1].lower() + said[1:] if _ARTICLES.match(said) else said


def _said(body: str, markers: str, code: str) -> str | None:
    """A sentence without its full stop, in the language; None where no shape fits it."""
    stop = "。" if code == "ja" else "."
    for text, tail in ((body, markers), (body + markers, "")):
        shaped = _by_shape(text, code)
        if shaped is not None:
            return f"{shaped}{tail}{stop}"
    told = likeness(body, code) or portrait(body, code)
    return f"{told}{markers}{stop}" if told is not None else _hops(body, markers, code)


def _by_shape(text: str, code: str) -> str | None:
    for shape in _shapes():
        match = shape.pattern.fullmatch(text)
        if match is None:
            continue
        parts = {name: _part(name, said, code) for name, said in match.groupdict().items()}
        if None not in parts.values():
            return shape.templates[code].format(**parts)
    return None


def _hops(body: str, markers: str, code: str) -> str | None:
    """Hop by hop, `A is the sequel of B, and B features C`; None where one of them has no shape."""
    said: list[str] = []
    position = 0
    while position < len(body):
        hits = ((shape, shape.pattern.match(body, position)) for shape in _hop_shapes())
        shape, match = next(((each, hit) for each, hit in hits if hit is not None), (None, None))
        if shape is None or match is None:
            return None
        parts = _of_hop(match.groupdict(), code)
        if parts is None:
            return None
        said.append(shape.templates[code].format(**parts))
        separator = _SEPARATOR.match(body, match.end())
        if separator is None:
            return _chained(said, markers, code) if match.end() == len(body) else None
        position = separator.end()
    return None


def _of_hop(parts: Mapping[str, str], code: str) -> dict[str, str] | None:
    """The places of a hop; a note in brackets is the catalogue's own unless it is a word for a role.

    None where what somebody worked as has no word.
    """
    note, work = parts.get("d", ""), parts.get("k", "")
    role, job = _noun(note.strip(" ()"), code), _noun(work, code)
    if work and job is None:
        return None
    return {**parts, "d": f" ({role})" if role else note, "k": job or ""}


def _chained(said: Sequence[str], markers: str, code: str) -> str:
    """The hops as one sentence; in Japanese, whose clauses end as sentences do, as one sentence each."""
    if code == "ja":
        return "".join(f"{each}{markers}。" for each in said)
    said = [said[0], *map(_lowered, said[1:])]
    return f" {_AND[code]} ".join(filter(None, (", ".join(said[:-1]), said[-1]))) + f"{markers}."


def _part(name: str, text: str | None, code: str) -> str | None:
    """A place's words in the language; None for words that the catalogue of messages lacks."""
    if text is None:
        return None
    make: Callable[[str, str], str | None] | None = _MAKERS.get(name)
    return make(text, code) if make is not None else text


def _number(text: str, code: str) -> str:
    return text.replace("at least ", {"de": "mindestens ", "es": "al menos ", "ja": "少なくとも"}[code])


def _noun(text: str, code: str) -> str | None:
    return _rows(NOUNS).get(text, {}).get(code)


def _extreme(text: str, code: str) -> str | None:
    return _rows(EXTREMES).get(text, {}).get(code)


def _group(text: str, code: str) -> str | None:
    return _rows(GROUPS).get(text, {}).get(code)


def _figure(text: str, code: str) -> str | None:
    """`26 episodes`, `91.5`, `on 5 April 2009`."""
    if text.startswith(("on ", "in ")):
        return _when(text, code).removesuffix("に") if _WHEN.fullmatch(text) else None
    if text.isdigit():
        return text
    number, _, unit = text.partition(" ")
    said = _rows(FIGURES).get(unit, {}).get(code) if unit else "{n}"
    return said.format(n=number) if said is not None else None


def _listed(text: str, code: str) -> str:
    """`A [1], B [2], and C [3]` with the language's own `and`; it stands behind markers only, never inside a name."""
    text = _NOTE.sub(lambda note: f" ({_noun(note[1], code) or note[1]})", text)
    if code == "ja":
        return re.sub(r"\](?:, and|,| and) ", "]、", text)
    return re.sub(r"\],? and ", f"] {_AND[code]} ", text)


def _joined(text: str, code: str) -> str:
    text = _IN_BRACKETS.sub(lambda note: f"({_bracketed(note[1], code)})", text)
    first, found, last = text.rpartition(" and ")
    if not found:
        return text
    first, last = first.removesuffix(","), _OTHERS[code] if last == "others" else last
    return f"{first}、{last}".replace(", ", "、") if code == "ja" else f"{first} {_AND[code]} {last}"


def _bracketed(note: str, code: str) -> str:
    """A year, a figure or a word on the place in a watch order; anything else as it is."""
    parts = (_rows(NOTES).get(part, {}).get(code) or _figure(part, code) or part for part in note.split("; "))
    return "; ".join(parts)


_AND = {"de": "und", "es": "y"}
_OTHERS = {"de": "weitere", "es": "otros", "ja": "その他"}


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


_MAKERS: dict[str, Callable[[str, str], str | None]] = {
    "n": _number,
    "w": _when,
    "l": _listed,
    "p": _joined,
    "k": _noun,
    "s": set_phrase,
    "e": _extreme,
    "f": _figure,
    "g": _group,
}


@cache
def _shapes() -> tuple[_Shape, ...]:
    return tuple(map(_shape, (*SHAPES, *COMPARISONS, *SET_SHAPES)))


@cache
def _hop_shapes() -> tuple[_Shape, ...]:
    """The longest first, so that no shape stops where a longer one goes on."""
    return tuple(map(_shape, sorted(HOPS, key=lambda row: -len(row[0]))))


def _shape(row: Row) -> _Shape:
    parts = re.split(r"\{(\w)\}", row[0])
    body = "".join(_PLACES[part] if index % 2 else re.escape(part) for index, part in enumerate(parts))
    return _Shape(re.compile(body), dict(zip(LANGUAGES, row, strict=True)))


@cache
def _rows(rows: tuple[Row, ...]) -> Mapping[str, Mapping[str, str]]:
    return {row[0]: dict(zip(LANGUAGES, row, strict=True)) for row in rows}
