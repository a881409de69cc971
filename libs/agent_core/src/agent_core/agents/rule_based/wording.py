"""How facts are put into plain English: lists, dates, roles, relations."""

import re
from collections.abc import Sequence

from datastore.dates import PartialDate
from datastore.edges import EdgeType
from datastore.vocabulary import CharacterRelationKind, StaffRole

_MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)

ROLE_NOUNS: dict[str, str] = {
    StaffRole.AUTHOR: "author",
    StaffRole.ILLUSTRATOR: "illustrator",
    StaffRole.WRITER: "writer",
    StaffRole.SERIES_COMPOSER: "series composer",
    StaffRole.COMPOSER: "composer",
    StaffRole.STORYBOARD: "storyboard artist",
    StaffRole.KEY_ANIMATION: "key animator",
    StaffRole.THEME_SONG: "theme song performer",
    StaffRole.OTHER: "staff member",
}
"""Roles whose noun is not simply the role's own words."""

WORK_NOUNS: dict[EdgeType, tuple[str, str]] = {
    EdgeType.PREQUEL: ("prequel", "prequels"),
    EdgeType.SEQUEL: ("sequel", "sequels"),
    EdgeType.PARENT_STORY: ("parent story", "parent stories"),
    EdgeType.SIDE_STORY: ("side story", "side stories"),
    EdgeType.SPIN_OFF: ("spin-off", "spin-offs"),
    EdgeType.SUMMARY: ("summary", "summaries"),
    EdgeType.FULL_STORY: ("full story", "full stories"),
    EdgeType.COMPILATION_OF: ("compiled work", "compiled works"),
    EdgeType.CONTAINS: ("compilation", "compilations"),
    EdgeType.ALTERNATIVE: ("alternative version", "alternative versions"),
    EdgeType.SAME_SETTING: ("work with the same setting", "works with the same setting"),
    EdgeType.SHARES_CHARACTER: ("work that shares a character", "works that share a character"),
    EdgeType.HAS_ADAPTATION: ("adaptation", "adaptations"),
    EdgeType.ADAPTATION_OF: ("source work", "source works"),
    EdgeType.OTHER_RELATION: ("related work", "related works"),
    EdgeType.SUPERSEDES: ("replaced document", "replaced documents"),
    EdgeType.SUPERSEDED_BY: ("replacing document", "replacing documents"),
    EdgeType.REQUIRES: ("required document", "required documents"),
    EdgeType.REQUIRED_BY: ("dependent document", "dependent documents"),
    EdgeType.REFERENCES: ("referenced document", "referenced documents"),
    EdgeType.REFERENCED_BY: ("referring document", "referring documents"),
    EdgeType.SHARES_FRANCHISE: ("work of the same franchise", "works of the same franchise"),
}
"""What the far end of a relation between works is to the near one."""

KIND_NOUNS: dict[str, tuple[str, str]] = {
    CharacterRelationKind.FAMILY: ("relative", "relatives"),
    CharacterRelationKind.PARENT: ("parent", "parents"),
    CharacterRelationKind.CHILD: ("child", "children"),
    CharacterRelationKind.SIBLING: ("sibling", "siblings"),
    CharacterRelationKind.SPOUSE: ("spouse", "spouses"),
    CharacterRelationKind.ENEMY: ("enemy", "enemies"),
    CharacterRelationKind.SAME_PERSON: ("other self", "other selves"),
    CharacterRelationKind.OTHER: ("acquaintance", "acquaintances"),
}
"""Kinds of character relations whose noun, or its plural, is not simply the kind's own word."""

_LANGUAGES = {
    "ja": "Japanese",
    "en": "English",
    "de": "German",
    "fr": "French",
    "es": "Spanish",
    "it": "Italian",
    "ko": "Korean",
}
_SENTENCE = re.compile(r".+?(?:[.!?…]+[\"”')]*(?=\s|$)|[。！？]|$)", re.DOTALL)


def joined(parts: Sequence[str], *, word: str = "and") -> str:
    """`A`, `A and B`, `A, B, and C`."""
    if len(parts) < 3:
        return f" {word} ".join(parts)
    return f"{', '.join(parts[:-1])}, {word} {parts[-1]}"


def date_phrase(text: str) -> str:
    """A date with its preposition, as precise as it is: `on 5 April 2009`, `in April 2009`, `in 2009`."""
    date = PartialDate.parse(text)
    if date is None:
        return f"in {text}"
    if date.month is None:
        return f"in {date.year}"
    month = _MONTHS[date.month - 1]
    return f"in {month} {date.year}" if date.day is None else f"on {date.day} {month} {date.year}"


def role_noun(role: str, *, plural: bool = False) -> str:
    """What a person with this role is called."""
    noun = ROLE_NOUNS.get(role, role.replace("_", " ")) or "staff member"
    return f"{noun}s" if plural else noun


def kind_noun(kind: str, *, plural: bool = False) -> str:
    """What the far end of a character relation is called."""
    singular, many = KIND_NOUNS.get(kind, (kind.replace("_", " "), f"{kind.replace('_', ' ')}s"))
    return many if plural else singular


def work_noun(edge: EdgeType, *, plural: bool = False) -> str:
    """What the far end of a relation between works is called."""
    singular, many = WORK_NOUNS.get(edge, ("related work", "related works"))
    return many if plural else singular


def language_name(tag: str) -> str:
    """A language by its English name; the tag itself where it has none here."""
    return _LANGUAGES.get(tag, tag)


def counted(number: str, singular: str) -> str:
    """`1 episode`, `26 episodes`."""
    return f"{number} {singular}" if number == "1" else f"{number} {singular}s"


def article(noun: str) -> str:
    """A noun with `a` or `an`."""
    starts_with_vowel = noun[:1].casefold() in "aeio" or noun in ("OVA", "ONA")
    return f"{'an' if starts_with_vowel else 'a'} {noun}"


def first_sentences(prose: str, *, at_most: int, characters: int) -> list[str]:
    """The first sentences of a text: at most so many, and together no longer than so many characters if avoidable."""
    found: list[str] = []
    length = 0
    for match in _SENTENCE.finditer(" ".join(prose.split())):
        sentence = match.group().strip()
        if not sentence:
            continue
        length += len(sentence)
        if found and (length > characters or len(found) >= at_most):
            break
        found.append(sentence)
    return found
