"""The name of the law that stands beside a section: `des Telemediengesetzes`, `BGB`, `of the Copyright Act`."""

import re
from dataclasses import dataclass

from references.scanning import SOME_SPACE

_INFLECTED = (
    ("gesetzbuches", "gesetzbuch"),
    ("gesetzbuchs", "gesetzbuch"),
    ("gesetzbuche", "gesetzbuch"),
    ("gesetzes", "gesetz"),
    ("vertrages", "vertrag"),
    ("vertrags", "vertrag"),
    ("statuts", "statut"),
    ("übereinkommens", "übereinkommen"),
    ("abkommens", "abkommen"),
    ("protokolls", "protokoll"),
)
_KINDS = (
    r"[Gg]esetz(?:buch(?:e?s|e)?|es)|[Oo]rdnung|[Rr]ichtlinie|[Vv]ertrage?s|[Ss]atzung|[Ss]tatuts|[Kk]onvention"
    r"|[Üü]bereinkommens|[Aa]bkommens|[Pp]rotokolls|[Cc]harta"
)
_OWN = re.compile(
    rf"{SOME_SPACE}(?:dieses|dieser|of this|in this|this){SOME_SPACE}"
    r"(?:Gesetz(?:es|buchs)|Verordnung|Vertrage?s|Dokument(?:e?s)|Satzung|Act|Agreement|Code|Regulation|Directive|"
    r"[Dd]ocument|[Ss]pecification|PEP|RFC)\b"
)
_GERMAN = re.compile(
    rf"{SOME_SPACE}(?:des|der){SOME_SPACE}(?P<name>(?:[A-ZÄÖÜ][a-zäöüß]{{1,30}}(?:en|es|er){SOME_SPACE}){{0,3}}"
    rf"(?:[A-ZÄÖÜ][\w-]{{0,80}}?)?(?:{_KINDS})(?!\w))"
)
# What a title follows; without one, it is the law at hand, but for those that are always of something.
_BARE = re.compile(
    r"(?:Gesetzes|Vertrage?s|Satzung|(?P<other>Verordnung|Richtlinie|Einführungsgesetzes|Ausführungsgesetzes))"
)
_SMALL = r"(?:über|zur|zum|gegen|betreffend|für|vom|von|der|des|die|das|den|und|an|am)\b"
_ADJECTIVE = rf"[a-zäöüß]{{2,30}}(?:e|en|er|es|em)(?={SOME_SPACE}[A-ZÄÖÜ])"
# A title goes on as long as its words are nouns, or lead to one: the verb of the sentence ends it.
_TITLE = re.compile(
    rf"(?={SOME_SPACE}(?:über|zur|zum|gegen|betreffend|für|vom|von|des{SOME_SPACE}(?:Rates|Europäischen))\b)"
    rf"(?:(?:{SOME_SPACE}(?:{_SMALL}|{_ADJECTIVE})){{0,4}}{SOME_SPACE}(?:[A-ZÄÖÜ][\w-]{{0,60}}|\d{{1,4}}\b\.?)){{1,10}}"
)
_ENGLISH = re.compile(
    rf"{SOME_SPACE}of(?:{SOME_SPACE}the)?{SOME_SPACE}(?P<name>(?:[A-Z][\w'-]{{1,30}}{SOME_SPACE}(?:of{SOME_SPACE})?){{0,5}}"
    rf"(?:Act|Code|Treaty|Convention|Constitution|Charter|Declaration|Agreement|Statute)(?!\w)"
    rf"(?:{SOME_SPACE}of(?:{SOME_SPACE}the)?(?:{SOME_SPACE}[A-Z][\w'-]{{1,30}}){{1,4}})?(?:,?{SOME_SPACE}(?:of{SOME_SPACE})?\d{{4}}\b)?)"
)
_TWO_CAPITALS = r"(?=\w{0,11}[A-ZÄÖÜ]\w{0,11}[A-ZÄÖÜ])[A-ZÄÖÜ][A-Za-zÄÖÜäöü]{1,11}"
_ABBREVIATED = re.compile(
    rf"{SOME_SPACE}(?:(?:des|der|of|of the){SOME_SPACE})?"
    rf"(?P<name>{_TWO_CAPITALS}(?:-(?:G|VO|Gesetz(?:es)?|Richtlinie))?)(?![\w-]|{SOME_SPACE}\d)"
)
_SPACE_IN_DATE = re.compile(r"(?<=\d\.) (?=\d)")
_GAZETTE = re.compile(rf"{SOME_SPACE}(?P<name>(?:G|V|Bek\.) v\. ?\d{{1,2}}\. ?\d{{1,2}}\. ?\d{{4}})")


@dataclass(frozen=True, slots=True)
class NamedLaw:
    """A name in its usual form, empty for the document itself, and where it ends in the text."""

    name: str
    end: int


def law_after(text: str, position: int, *, is_legal: bool) -> NamedLaw | None:
    """The law that is named directly after `position`, where a section ends; None when there is none.

    After a paragraph or an article (`is_legal`) an abbreviation is one: `§ 823 BGB`.
    """
    own = _OWN.match(text, position)
    if own:
        return NamedLaw("", own.end())
    german = _GERMAN.match(text, position)
    if german:
        return _german(text, german)
    for pattern in (_GAZETTE, _ENGLISH, _ABBREVIATED):
        found = pattern.match(text, position)
        if found and (is_legal or pattern is not _ABBREVIATED):
            return NamedLaw(_SPACE_IN_DATE.sub("", " ".join(found["name"].split())), found.end())
    return None


def _german(text: str, found: re.Match[str]) -> NamedLaw:
    """`des Telemediengesetzes`; `des Gesetzes` alone is the law at hand, and another one when a title follows."""
    bare = _BARE.fullmatch(found["name"])
    if bare:
        title = _TITLE.match(text, found.end())
        if title:
            return NamedLaw(nominative(text[found.start("name") : title.end()].rstrip(".")), title.end())
        if not bare["other"]:
            return NamedLaw("", found.end())
    return NamedLaw(nominative(found["name"]), found.end())


def nominative(name: str) -> str:
    """A German name of a law without the ending of its genitive: `Telemediengesetz` for "Telemediengesetzes"."""
    words = name.split()
    # The noun is the last word, or the first when a title follows it.
    for place in {0, len(words) - 1}:
        ending, plain = next((each for each in _INFLECTED if words[place].casefold().endswith(each[0])), ("", ""))
        words[place] = words[place][: len(words[place]) - len(ending) + len(plain)]
    return " ".join(words)
