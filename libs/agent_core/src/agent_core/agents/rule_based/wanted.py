"""What a question says that its answer must be, and how a chain is led there."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from datastore.edges import EdgeType
from datastore.vocabulary import WORK_TYPES, EntityType, WorkFormat

from agent_core.agents.rule_based.cues import Form, Mark, RelationCue
from agent_core.agents.rule_based.edge_ends import leads_to
from agent_core.agents.rule_based.items import ASKING, CONNECTORS, DETERMINERS, DO, WHO, Item
from agent_core.schemas import AskedRelation

_E = EdgeType
_FEATURES = AskedRelation(edge=_E.FEATURES)


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a question says that its answer must be."""

    types: tuple[EntityType, ...] = ()
    format: WorkFormat | None = None
    is_who: bool = False


_SHARING = frozenset({"shared", "common", "mutual", "joint"})


def head_of(left: Sequence[Item]) -> RelationCue | None:
    """The relation noun that only says what is wanted: `which director …`, `the voice actor who …`."""
    for index, item in enumerate(left):
        if item.type is not None and is_asked(left, index):
            return None
        if item.relation is None:
            continue
        if index and any(other.is_word(DO) for other in left[:index]):
            return None
        following = next_item(left, index)
        is_led = all(
            other.is_word(WHO, ASKING, CONNECTORS, DETERMINERS, _SHARING) or other.is_mark(Mark.BOTH, Mark.OTHER)
            for other in left[:index]
        )
        is_named = index > 0 and left[index - 1].is_word(frozenset({"the"}))
        is_beside = index == len(left) - 1 and not is_asked(left, index) and (is_named or not is_led)
        is_head = item.is_form(Form.NOUN) and (following is None or not following.is_word(CONNECTORS)) and not is_beside
        return item.relation if is_head else None
    return None


def is_asked(left: Sequence[Item], index: int) -> bool:
    """Whether `which` or `what` stands before this item."""
    before = [other for other in left[:index] if not other.is_word(DETERMINERS) and other.cue is None]
    return bool(before) and before[-1].is_word(ASKING)


EXTREMES = frozenset(
    {
        "oldest",
        "newest",
        "latest",
        "earliest",
        "first",
        "highest",
        "lowest",
        "longest",
        "shortest",
        "best",
        "worst",
        "recent",
    }
)


def lists_works(left: Sequence[Item], right: Sequence[Item]) -> bool:
    """`which X movies`, `list all X anime`: the works of a studio or person, or of a franchise."""
    asks = any(
        item.is_word(ASKING, frozenset({"list", "all", "every", "show", "name", "any"})) or item.is_mark(Mark.HOW_MANY)
        for item in left
    )
    after = [item for item in right[:2] if item.text != "'s"]
    if not left and len(right) == 1 and right[0].type is not None and right[0].text.endswith("s"):
        return True
    if asks and after and after[0].type is not None and any(item.is_word(EXTREMES) for item in right):
        return True
    return asks and bool(after) and after[0].type is not None and after[0].text.endswith(("s", "anime", "manga"))


_LISTING = frozenset(
    {"list", "show", "name", "give", "me", "find", "are", "is", "there", "in", "for", "of", "on", "from"}
)


def wanted_of(left: Sequence[Item], right: Sequence[Item], head: RelationCue | None) -> Wanted:
    is_who = any(item.is_word(WHO) for item in (*left, *right))
    if head is not None:
        return Wanted(tuple(sorted(leads_to(head.of[-1].edge))), None, is_who)
    if lists_works(left, right):
        listed = next(item.type for item in right if item.type is not None)
        return Wanted(listed.types, listed.format, is_who)
    for index, item in enumerate(left):
        if item.type is None:
            continue
        stands_asked = is_asked(left, index)
        is_listed = all(
            other.is_word(DETERMINERS, ASKING, _LISTING, EXTREMES)
            or other.text[0].isdigit()
            or (other.cue is not None and other.relation is None)
            for other in left[:index]
        )
        names_it = index + 1 == len(left) and not stands_asked
        if (stands_asked or is_listed) and not names_it:
            return Wanted(item.type.types, item.type.format, is_who)
    said_last = [item for item in right if not item.is_mark(Mark.OTHER)]
    asked_last = [item for before, item in pairwise(said_last) if item.type is not None and before.is_word(ASKING)]
    if asked_last and asked_last[0].type is not None:
        return Wanted(asked_last[0].type.types, asked_last[0].type.format, is_who)
    own = [item.type for before, item in pairwise(right) if item.type is not None and before.is_word(EXTREMES)]
    return Wanted(own[0].types, own[0].format, is_who) if own else Wanted((), None, is_who)


def suited(
    relations: list[AskedRelation], wanted: Wanted, last_family: str, head: RelationCue | None
) -> tuple[AskedRelation, ...]:
    """The chain with what leads from its end to the type that is asked for."""
    if not relations or not wanted.types:
        return tuple(relations)
    if head is not None and last_family in ("maker", "behind", "staff"):
        return (*relations[:-1], *head.of)
    last = relations[-1]
    ends = leads_to(last.edge)
    if ends.intersection(wanted.types):
        if len(wanted.types) == 1 and len(ends) > 1 and last.entity_type is None:
            relations[-1] = last.model_copy(update={"entity_type": wanted.types[0]})
        return tuple(relations)
    if wanted.types == (EntityType.STUDIO,) and last.edge is _E.HAS_STAFF:
        return (*relations[:-1], AskedRelation(edge=_E.PRODUCED_BY))
    bridge = _bridge(last, ends, wanted.types)
    return (*relations, bridge) if bridge else tuple(relations)


def _bridge(last: AskedRelation, ends: frozenset[EntityType], wanted: tuple[EntityType, ...]) -> AskedRelation | None:
    only = wanted[0] if len(wanted) == 1 else None
    is_work = WORK_TYPES.issuperset(wanted)
    if EntityType.CHARACTER in ends and is_work:
        return AskedRelation(edge=_E.APPEARS_IN, entity_type=only)
    if EntityType.CHARACTER in ends and only is EntityType.PERSON:
        return AskedRelation(edge=_E.VOICED_BY)
    if EntityType.PERSON in ends and is_work:
        role = last.qualifier if last.edge is _E.HAS_STAFF else None
        return AskedRelation(edge=_E.STAFF_OF, qualifier=role, entity_type=only)
    if EntityType.PERSON in ends and only is EntityType.CHARACTER:
        return AskedRelation(edge=_E.VOICES)
    if EntityType.STUDIO in ends and is_work:
        return AskedRelation(edge=_E.PRODUCED)
    if WORK_TYPES.intersection(ends) and only is EntityType.CHARACTER:
        return _FEATURES
    if WORK_TYPES.intersection(ends) and only is EntityType.STUDIO:
        return AskedRelation(edge=_E.PRODUCED_BY)
    return None


def only_type(item: Item) -> dict[str, object]:
    types = item.type.types if item.type else ()
    return {"entity_type": types[0]} if len(types) == 1 else {}


def next_item(items: Sequence[Item], index: int) -> Item | None:
    """The item after this one, determiners and steering words left out."""
    for item in items[index + 1 :]:
        if not item.is_word(DETERMINERS) and not item.is_mark(Mark.OTHER, Mark.BOTH, Mark.IN_LANGUAGE):
            return item
    return None
