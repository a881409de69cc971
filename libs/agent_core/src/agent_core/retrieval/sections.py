"""Which sections of a document a person means by a number or a heading (pure)."""

import re
from collections.abc import Sequence

from datastore.folding import fold
from datastore.postgres.chunk_reads import SectionCard
from references.headings import Headings

_SIGNS = re.compile(
    r"^\s*(?:§+|sections?|sec\.|articles?|artikel|art\.?|chapter|kapitel|part|teil|abschnitt)?\s*", re.IGNORECASE
)
_NUMBER = re.compile(r"^(\d+(?:\.\d+)*[a-z]?)(?=$|[\s.):(])[.):]?", re.IGNORECASE)
_SUBDIVISION = re.compile(
    r"^\s*(?:abs(?:atz|\.)?|satz|nr\.?|nummer|para(?:graph|\.)?|subsection|\()\s*\d+[a-z]?\)?", re.IGNORECASE
)


def sections_meant(sections: Sequence[SectionCard], asked: str, until: str = "") -> list[int]:
    """Places of the sections that are meant, and of those inside them; none when the document has no such section.

    A number meets the same number; what stands behind it and divides the section further is left aside, as in
    `§ 5 Abs. 2`. Words meet an equal heading, else one that holds them; `#anchor` the heading that it is made of. With
    `until`, a range of numbers is meant.
    """
    if asked.startswith("#") or until:
        found = Headings([section.heading for section in sections]).find(asked, until)
        return sorted({sections[each].position for place in found for each in _inside(sections, place)})
    number, words = _parted(asked, is_reference=True)
    known = [(place, *_parted(section.heading)) for place, section in enumerate(sections)]
    if number and not words:
        headings = Headings([section.heading for section in sections])
        meant = headings.find(asked) or headings.find(number)
    elif words:
        numbered = [(place, said) for place, its, said in known if not number or its == number]
        equal = [place for place, said in numbered if said == words]
        meant = equal or [place for place, said in numbered if f" {words} " in f" {said} "]
    else:
        meant = []
    return sorted({sections[each].position for place in meant for each in _inside(sections, place)})


def _inside(sections: Sequence[SectionCard], place: int) -> range:
    """The section at this place and those below it, which follow it."""
    end = place + 1
    while end < len(sections) and sections[end].level > sections[place].level:
        end += 1
    return range(place, end)


def _parted(heading: str, *, is_reference: bool = False) -> tuple[str, str]:
    """The number that a heading begins with, and its words, folded; `§ 5 Scope` is `5` and `scope`."""
    rest = _SIGNS.sub("", heading, count=1)
    found = _NUMBER.match(rest)
    if found is None:
        return "", fold(heading)
    words = rest[found.end() :]
    while is_reference and (division := _SUBDIVISION.match(words)):
        words = words[division.end() :]
    return found[1].lower(), fold(words) if words.strip() else ""
