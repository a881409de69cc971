"""Answers that set entities side by side."""

import re
from collections.abc import Sequence
from itertools import pairwise

from datastore.edges import EdgeType

from agent_core.agents.rule_based.composing import Composition
from agent_core.agents.rule_based.field_answers import say_field, say_missing
from agent_core.agents.rule_based.wording import joined
from agent_core.chain import chosen_of, roles_of
from agent_core.evidence import ComparisonEvidence, EntityRef
from agent_core.fields import FieldReading, fits, read_field
from agent_core.schemas import AskedField

_F = AskedField
_DEFAULT = (
    _F.FORMAT,
    _F.START_DATE,
    _F.EPISODES,
    _F.CHAPTERS,
    _F.VOLUMES,
    _F.STATUS,
    _F.SCORE,
    _F.GENRES,
    _F.SOURCE,
)
_MAX_SHARED = 8
_SHARED: tuple[tuple[EdgeType, str], ...] = (
    (EdgeType.HAS_STAFF, "share the staff members"),
    (EdgeType.PRODUCED_BY, "share the studio"),
    (EdgeType.FEATURES, "both feature"),
    (EdgeType.SHARED_VOICE_ACTOR, "share the voice actors"),
    (EdgeType.VOICED_BY, "are both voiced by"),
    (EdgeType.APPEARS_IN, "both appear in"),
    (EdgeType.STAFF_OF, "both worked on"),
    (EdgeType.PRODUCED, "both produced"),
    (EdgeType.VOICES, "both voice"),
    (EdgeType.CHARACTER_RELATION, "are both related to"),
)
_AMOUNTS = (_F.EPISODES, _F.CHAPTERS, _F.VOLUMES, _F.DURATION)


def say_comparison(composition: Composition) -> None:
    """The asked fields of each, who leads in them where that is asked, and what they share."""
    view = composition.view
    ends = chosen_of(view.resolved, roles_of(view.rewrite).starts)
    composition.found(*ends)
    if len(ends) < 2:
        composition.doubt(0.3)
        return
    asked = view.rewrite.asked_fields
    wants_shared = _wants_shared(composition.question)
    if asked:
        _say_lead(composition, ends, asked)
    for entity in ends if not wants_shared else ():
        _say_side(composition, entity, asked)
    if not asked or wants_shared:
        for comparison in _comparisons(composition, ends):
            _say_shared(composition, comparison, wants_shared=wants_shared)


def _wants_shared(question: str) -> bool:
    return re.search(r"\b(?:in common|share|shared|similarit(?:y|ies)|anything in common)\b", question) is not None


def _say_side(composition: Composition, entity: EntityRef, asked: Sequence[AskedField]) -> None:
    wanted = [field for field in asked or _DEFAULT if fits(field, entity.entity_type)]
    known = [field for field in wanted if read_field(entity, field, composition.view.evidence) is not None]
    for field in known:
        say_field(composition, entity, field)
    for field in wanted[:1] if asked and not known else ():
        say_missing(composition, entity, field)


def _say_lead(composition: Composition, ends: Sequence[EntityRef], asked: Sequence[AskedField]) -> None:
    """`Yes, X is longer than Y`, where one field is known of both and a comparing word is said."""
    left, right = ends[0], ends[1]
    for field in asked:
        one = read_field(left, field, composition.view.evidence)
        two = read_field(right, field, composition.view.evidence)
        order = _order(field, one, two)
        words = _words(field, composition.question)
        if one is None or two is None or order is None or words is None:
            continue
        _say_order(composition, (left, right), order, words, ids=(one[1], two[1]))
        return


def _say_order(
    composition: Composition,
    ends: tuple[EntityRef, EntityRef],
    order: int,
    words: tuple[str, str, str],
    *,
    ids: tuple[str, str],
) -> None:
    more, less, same = words
    left, right = composition.name(ends[0]), composition.name(ends[1])
    if composition.is_yes_no:
        asks_less = re.search(_LESS, composition.question) is not None
        composition.open_with("Yes" if (order < 0 if asks_less else order > 0) else "No")
    if order == 0:
        composition.say(f"{left} and {right} are equal in {same}", *ids)
    elif re.search(_LESS, composition.question):
        small, large = (left, right) if order < 0 else (right, left)
        composition.say(f"{small} {less} {large}", *ids)
    else:
        large, small = (left, right) if order > 0 else (right, left)
        composition.say(f"{large} {more} {small}", *ids)


_LESS = (
    r"\b(?:shorter|shortest|fewer|fewest|less|lower|lowest|worse|worst|older|oldest|earlier|earliest"
    r"|first|before|sooner)\b"
)


def _words(field: AskedField, question: str) -> tuple[str, str, str] | None:
    """How the larger, the smaller and the same value of a field are said; None when no word compares."""
    if not re.search(
        rf"{_LESS}|\b(?:longer|longest|more|most|higher|highest|better|best|newer|newest|later|last|after"
        rf"|recent|bigger)\b",
        question,
    ):
        return None
    if field in _AMOUNTS:
        noun = {_F.EPISODES: "episodes", _F.CHAPTERS: "chapters", _F.VOLUMES: "volumes", _F.DURATION: "minutes"}[field]
        return f"has more {noun} than", f"has fewer {noun} than", noun
    if field is _F.SCORE:
        return "has a higher score than", "has a lower score than", "score"
    if field in (_F.START_DATE, _F.END_DATE, _F.YEAR):
        return "is later than", "is earlier than", "date"
    return None


def _order(field: AskedField, one: FieldReading | None, two: FieldReading | None) -> int | None:
    """1 when the first value is the larger, -1 the smaller, 0 equal; None where the values can't be ordered.

    A date that is only known to the month or the year is not ordered among those of that month or year.
    """
    if one is None or two is None:
        return None
    if field in (_F.START_DATE, _F.END_DATE, _F.YEAR):
        length = min(len(one[0]), len(two[0]))
        left, right = one[0][:length], two[0][:length]
        if left == right and (len(one[0]) != len(two[0]) or (field is not _F.YEAR and length < len("2011-04-05"))):
            return None
        return (left > right) - (left < right)
    try:
        a, b = float(one[0]), float(two[0])
    except ValueError:
        return None
    return (a > b) - (a < b)


def _comparisons(composition: Composition, ends: Sequence[EntityRef]) -> list[ComparisonEvidence]:
    found = {
        frozenset((item.left.key, item.right.key)): item
        for item in composition.view.evidence
        if isinstance(item, ComparisonEvidence)
    }
    pairs = (frozenset((one.key, two.key)) for one, two in pairwise(ends))
    return [found[pair] for pair in pairs if pair in found]


def _say_shared(composition: Composition, comparison: ComparisonEvidence, *, wants_shared: bool) -> None:
    names = joined([composition.name(comparison.left), composition.name(comparison.right)])
    said = False
    for edge, verb in _SHARED:
        entities = [shared.entity for shared in comparison.shared if shared.edge is edge]
        unique = list({entity.key: entity for entity in entities}.values())
        if not unique:
            continue
        listed = [composition.name(entity) for entity in unique[:_MAX_SHARED]]
        tail = ["others"] if len(unique) > _MAX_SHARED else []
        noun = verb if len(unique) > 1 else verb.replace("members", "member").replace("actors", "actor")
        noun = noun.replace("studio", "studios") if len(unique) > 1 else noun
        composition.say(f"{names} {noun} {joined([*listed, *tail])}", comparison.id)
        composition.about(*unique[:_MAX_SHARED])
        said = True
    genres = _common_genres(comparison)
    if wants_shared and genres:
        composition.say(f"{names} share the genres {joined(genres)}", comparison.id)
        said = True
    if wants_shared and not said:
        if composition.is_yes_no:
            composition.open_with("No")
        composition.say(f"The catalogue doesn't list anything that {names} share", comparison.id)
        composition.doubt(0.6)


def _common_genres(comparison: ComparisonEvidence) -> list[str]:
    for field in comparison.fields:
        if field.field == _F.GENRES and field.left and field.right:
            right = set(field.right.split(", "))
            return [genre for genre in field.left.split(", ") if genre in right]
    return []
