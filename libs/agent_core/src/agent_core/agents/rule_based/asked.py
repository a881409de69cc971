"""Which properties a question asks for."""

import re

from datastore.vocabulary import EntityType, WorkStatus

from agent_core.agents.rule_based.cues import FieldCue, Mark, MarkCue, SourceCue, StatusCue, UnsupportedCue
from agent_core.agents.rule_based.field_cues import LENGTH_FIELDS
from agent_core.agents.rule_based.text import NAME
from agent_core.agents.rule_based.understanding import Understanding, unexplained_words
from agent_core.schemas import AskedField

_F = AskedField
_ABOUT = re.compile(
    rf"(?:^|\b)(?:(?:what|who) (?:exactly )?(?:is|are|was|were)|(?:what|who) 's|tell me(?: more)? about"
    rf"|about|describe|explain|introduce|who) (?:an? |the |this |that |person |guy |character |called "
    rf"|named |show |anime |manga |movie |series )*{NAME}(?: (?:anime|manga|series|show|movie|character"
    rf"|person))?$"
)
_ASKED_BEFORE = re.compile(r"\b(?:who|whose|whom|which|what)\b(?!.*\band\b)")
_HOW_IT_ENDS = re.compile(rf"^how (?:does|did|do|will) .*{NAME}.* (?:end|finish|conclude)$")
_IN_LANGUAGE = re.compile(
    rf"\b(?:say|call|write|spell|translate|called|title|name) {NAME} in (?:japanese|english|kanji|romaji)$"
)
_EMBEDDED = re.compile(rf"^(?:who|what) {NAME} (?:is|are|was|were)$")
_RELEASING_WORDS = """
    tv television screen screens cinema cinemas theater theaters theatre theatres japan japanese world worldwide public
    audience audiences viewers readers fans shelves shelf store stores bookstores print magazine magazines market
    network light airwaves hit reach reached arrive arrived open opened drop dropped appear appeared showing shown get
    got getting make made making come came going went see saw seen available watch rolled turned
"""
_RELEASING = frozenset(_RELEASING_WORDS.split())
"""Words in which people ask when something came out, however they put it."""

_WHO = re.compile(r"\bwho\b")


def asked_fields(understanding: Understanding) -> tuple[AskedField, ...]:
    """The properties in the order of the question; what no row holds is UNSUPPORTED."""
    found: list[AskedField] = []
    marks = {cue.mark for cue in understanding.cues_of(MarkCue)}
    for each in understanding.cues:
        match each.cue:
            case FieldCue(fields=fields):
                found.extend(fields)
            case UnsupportedCue():
                found.append(_F.UNSUPPORTED)
            case MarkCue(mark=Mark.WHEN) if not _ASKED_BEFORE.search(understanding.said[: each.start]):
                found.append(_when(understanding, marks, each.start))
            case MarkCue(mark=Mark.HOW_LONG):
                found.extend(LENGTH_FIELDS)
            case StatusCue(status=WorkStatus.FINISHED) if Mark.WHEN in marks:
                found.append(_F.END_DATE)
            case StatusCue() if understanding.is_yes_no:
                found.append(_F.STATUS)
            case SourceCue() if understanding.is_yes_no:
                found.append(_F.SOURCE)
            case _:
                pass
    return tuple(dict.fromkeys(_said(_settled(found, marks), understanding.said))) or _about(understanding.said)


def _when(understanding: Understanding, marks: set[Mark], start: int) -> AskedField:
    """The date that `when` asks for: without a word for a start or an end, and with one of another kind, no row's."""
    if Mark.ENDS in marks:
        return _F.END_DATE
    # What stands before `when` only leads up to the question.
    behind = [item for item in understanding.items if item.start >= start]
    is_of_another = not _RELEASING.issuperset(unexplained_words(understanding, behind))
    return _F.UNSUPPORTED if Mark.STARTS not in marks and is_of_another else _F.START_DATE


def _said(found: list[AskedField], text: str) -> list[AskedField]:
    """The fields, with what only the question as a whole says."""
    if _IN_LANGUAGE.search(text):
        return [_F.NAMES]
    return [*found, _F.UNSUPPORTED] if _HOW_IT_ENDS.match(text) else found


def _settled(found: list[AskedField], marks: set[Mark]) -> list[AskedField]:
    """Fields that one phrase named twice, reduced to the one it meant."""
    if _F.YEAR in found and Mark.ENDS in marks and Mark.STARTS not in marks:
        found = [_F.END_DATE if field is _F.YEAR else field for field in found]
    if _F.UNSUPPORTED in found:
        found = [field for field in found if field not in (_F.START_DATE, _F.END_DATE)]
    if _F.START_DATE in found and _F.END_DATE in found and Mark.STARTS not in marks and Mark.WHEN in marks:
        found = [field for field in found if field is not _F.START_DATE]
    if _F.DURATION in found and set(LENGTH_FIELDS).issubset(found):
        return [field for field in found if field not in LENGTH_FIELDS] + list(LENGTH_FIELDS)
    return found


def _about(text: str) -> tuple[AskedField, ...]:
    """`who is X` and `what is X` ask for a description."""
    match = _EMBEDDED.match(text) or _ABOUT.search(text)
    if match is None:
        return ()
    return (_F.DESCRIPTION,) if _WHO.search(match.group()) else (_F.SYNOPSIS,)


def what_is_unsupported(understanding: Understanding) -> str | None:
    """In words, what was asked that no row holds."""
    return next((cue.what for cue in understanding.cues_of(UnsupportedCue)), None)


EPISODE = re.compile(
    rf"(?:episode|ep|eps)(?: number| no| nr)?(?: \.)?(?: #)? (?P<a>\d{{1,4}}) (?:of|from"
    rf"|in) (?:season \d+ of )?(?:the )?(?P<na>{NAME})"
    rf"|(?P<nb>{NAME})(?: 's)?(?: ,)? (?:episode|ep|eps)(?: number| no)?(?: \.)?(?: #)? (?P<b>\d{{1,4}})"
    rf"|(?P<c>first|second|third|1st|2nd|3rd) (?:episode|ep) (?:of|from|in) (?:the )?(?P<nc>{NAME})"
    rf"|(?P<nd>{NAME}) 's (?P<d>first|second|third|1st|2nd|3rd) (?:episode|ep)"
)
_ORDINALS = {"first": "1", "1st": "1", "second": "2", "2nd": "2", "third": "3", "3rd": "3"}


def episode_number(text: str) -> str | None:
    """The number of the episode that a text is about."""
    match = EPISODE.search(text)
    if match is None:
        return None
    number = next(match.group(key) for key in "abcd" if match.group(key))
    return _ORDINALS.get(number, number)


EPISODE_TYPES = (EntityType.EPISODE,)
