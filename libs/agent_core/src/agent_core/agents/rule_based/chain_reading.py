"""From the words around a name to the chain of relations that starts there.

English puts the outermost relation first (`the director of the sequel of X`), except in possessives (`X's sequel's
director`) and where the name is a subject (`X directed`). So the chain is: what X owns, in order; a relative clause
whose subject is X; what stands before X, last to first; the verb of the main clause.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from datastore.edges import EdgeType
from datastore.vocabulary import WORK_TYPES, EntityType, WorkFormat

from agent_core.agents.rule_based.cues import Form, Mark, MarkCue, RelationCue
from agent_core.agents.rule_based.items import ASKING, BE, CONNECTORS, DETERMINERS, DO, RELATIVE, WHO, Item
from agent_core.schemas import AskedRelation

_E = EdgeType
_APPEARS_IN = AskedRelation(edge=_E.APPEARS_IN)
_FEATURES = AskedRelation(edge=_E.FEATURES)
_WORKS_OF = AskedRelation(edge=_E.STAFF_OF)
_PARTICIPLE = ("ed", "en", "wn", "made", "sung", "done")
_ENDLESS = frozenset({"in", "from", "part", "on"})

_LEADS_TO: dict[EdgeType, frozenset[EntityType]] = {
    _E.VOICED_BY: frozenset({EntityType.PERSON}),
    _E.HAS_STAFF: frozenset({EntityType.PERSON}),
    _E.PRODUCED_BY: frozenset({EntityType.STUDIO}),
    _E.VOICES: frozenset({EntityType.CHARACTER}),
    _E.FEATURES: frozenset({EntityType.CHARACTER}),
    _E.CHARACTER_RELATION: frozenset({EntityType.CHARACTER}),
    _E.HAS_EPISODE: frozenset({EntityType.EPISODE}),
    _E.PRODUCED: frozenset({EntityType.ANIME}),
}
_STARTS_FROM: dict[EdgeType, tuple[EntityType, ...]] = {
    _E.VOICED_BY: (EntityType.CHARACTER,),
    _E.VOICES: (EntityType.PERSON,),
    _E.CHARACTER_RELATION: (EntityType.CHARACTER,),
    _E.APPEARS_IN: (EntityType.CHARACTER, EntityType.PERSON),
    _E.STAFF_OF: (EntityType.PERSON, EntityType.STUDIO),
    _E.PRODUCED: (EntityType.STUDIO,),
    _E.HAS_STAFF: (EntityType.ANIME, EntityType.MANGA),
    _E.FEATURES: (EntityType.ANIME, EntityType.MANGA),
    _E.PRODUCED_BY: (EntityType.ANIME,),
    _E.HAS_EPISODE: (EntityType.ANIME,),
}
_WORKS = (EntityType.ANIME, EntityType.MANGA)
_CHAINABLE = frozenset({_E.SEQUEL, _E.PREQUEL, _E.CHARACTER_RELATION, _E.SIDE_STORY, _E.SPIN_OFF})
"""Edges that may follow themselves; any other twice in a row is one relation said twice."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a question says that its answer must be."""

    types: tuple[EntityType, ...] = ()
    format: WorkFormat | None = None
    is_who: bool = False


@dataclass(frozen=True, slots=True)
class ChainReading:
    """The relations read around a name, and what the words beside it say it is."""

    relations: tuple[AskedRelation, ...] = ()
    wanted: Wanted = Wanted()
    hint: tuple[EntityType, ...] = ()
    family: str = ""
    is_bare: bool = False


@dataclass(frozen=True, slots=True)
class _Step:
    steps: tuple[AskedRelation, ...]
    family: str


def leads_to(edge: EdgeType) -> frozenset[EntityType]:
    """The types at the far end of an edge; works for all that are not listed."""
    return _LEADS_TO.get(edge, frozenset(WORK_TYPES))


def starts_from(edge: EdgeType) -> tuple[EntityType, ...]:
    """The types an edge can start from; works for all that are not listed."""
    return _STARTS_FROM.get(edge, _WORKS)


def read_chain(items: Sequence[Item], first: int, last: int) -> ChainReading:
    """The chain that starts at the names from item `first` to item `last`, read as one."""
    left, right = items[:first], items[last + 1 :]
    left, right = _topic_last(left, right)
    head = _head(left)
    suffix, rest = _suffix(right)
    clause, rest = _relative_clause(left, rest)
    stated = [*suffix, *clause, *_before(left), *_main(left, rest)]
    steps = stated or list(_bare(left, rest, head))
    wanted = _wanted(left, right, head)
    merged = _merged([relation for step in steps for relation in step.steps])
    relations = _suited(merged, wanted, steps)
    return ChainReading(
        relations=_in_language(relations, items),
        wanted=wanted,
        hint=_hint(left, right, relations),
        family=steps[0].family if steps else "",
        is_bare=bool(steps) and not stated,
    )


def _in_language(relations: tuple[AskedRelation, ...], items: Sequence[Item]) -> tuple[AskedRelation, ...]:
    """Voices in the language that the question names."""
    said = next((item.cue.value for item in items if isinstance(item.cue, MarkCue) and item.cue.value), None)
    if said is None:
        return relations
    voices = (_E.VOICED_BY, _E.VOICES)
    return tuple(
        relation.model_copy(update={"qualifier": said}) if relation.edge in voices else relation
        for relation in relations
    )


def _topic_last(left: Sequence[Item], right: Sequence[Item]) -> tuple[Sequence[Item], Sequence[Item]]:
    """`In X, who is the hero` and `X: who directed it` read like `who is the hero in X`."""
    opening = [item for item in left if not item.is_word(DETERMINERS) and item.type is None]
    is_opening = not opening or (len(opening) == 1 and opening[0].is_word(CONNECTORS | {"regarding", "as"}))
    marks = [index for index, item in enumerate(right[:2]) if item.text in (",", ":", "-", "?")]
    if not is_opening or not marks:
        asks_inside = bool(opening) and opening[-1].is_word(CONNECTORS) and len(opening) > 1
        if asks_inside and opening[-2].is_word(WHO, ASKING) and right and right[0].is_word(BE, DO):
            return [*opening[:-1], *right, opening[-1]], ()
        return left, right
    rest = [item for item in right[marks[0] + 1 :] if not (item.is_word(frozenset({"it", "its", "this", "that"})))]
    if not any(item.is_word(WHO, ASKING) or item.is_mark(Mark.WHEN, Mark.HOW_MANY) for item in rest):
        return left, right
    tail = [] if rest and (rest[-1].is_word(CONNECTORS) or rest[-1].is_form(Form.PASSIVE, Form.VERB)) else [_OF]
    return [*rest, *tail], ()


_OF = Item("of", -1, -1)


def _suffix(right: Sequence[Item]) -> tuple[list[_Step], Sequence[Item]]:
    """What the name owns: `X's sequel's director`, `X director`."""
    found: list[_Step] = []
    position = 0
    while position < len(right):
        here = position
        is_owned = right[here].text == "'s"
        here += is_owned
        while here < len(right) and (
            right[here].is_mark(Mark.OTHER, Mark.IN_LANGUAGE)
            or (is_owned and right[here].is_word(frozenset({"own", "original", "first", "most", "famous"})))
        ):
            here += 1
        noun = right[here] if here < len(right) else None
        if noun is None or not noun.is_form(Form.NOUN) or not (is_owned or position == 0):
            break
        assert noun.relation is not None
        found.append(_Step(noun.relation.of, noun.relation.family))
        position = here + 1
    return found, right[position:]


def _relative_clause(left: Sequence[Item], right: Sequence[Item]) -> tuple[list[_Step], Sequence[Item]]:
    """`the works (that) X directed`, as part of a longer question: the clause is nearer than what stands before."""
    if not left:
        return [], right
    before = left[-1]
    is_clause = before.is_word(RELATIVE) or before.type is not None or before.is_form(Form.NOUN)
    asks_only = all(item.is_word(ASKING, WHO, DETERMINERS) or item.type or item.is_mark(Mark.HOW_MANY) for item in left)
    if not is_clause or asks_only:
        return [], right
    for index, item in enumerate(right):
        if item.is_form(Form.VERB, Form.PASSIVE):
            assert item.relation is not None
            steps = list(item.relation.inverse)
            steps[-1] = steps[-1].model_copy(update=_only(next((each for each in left[-2:] if each.type), before)))
            return [_Step(tuple(steps), item.relation.family)], right[index + 1 :]
        if item.relation is not None or item.is_name:
            break
    ends = [item for item in right if not item.is_word(BE)]
    if len(ends) == 1 and (ends[0].is_word(_ENDLESS) or ends[0].is_mark(Mark.COMES_FROM)):
        kind = next((each for each in left[-2:] if each.type), before)
        return [_Step((_APPEARS_IN.model_copy(update=_only(kind)),), "appears")], ()
    return [], right


def _before(left: Sequence[Item]) -> Iterator[_Step]:
    """What stands before the name, nearest first."""
    for index in range(len(left) - 1, -1, -1):
        item, following = left[index], _next(left, index)
        relation = item.relation
        if relation is not None:
            if relation.form is Form.PASSIVE:
                yield _Step(_narrowed(relation.of, left[:index]), relation.family)
            elif relation.form is Form.VERB or (following is not None and following.is_word(CONNECTORS)):
                yield _Step(relation.of, relation.family)
        elif item.type is not None and following is not None and _makes_works(item, following, _next(left, index + 1)):
            yield _Step((_WORKS_OF.model_copy(update=_only(item)),), "works")


def _narrowed(steps: tuple[AskedRelation, ...], left: Sequence[Item]) -> tuple[AskedRelation, ...]:
    """`the anime directed by X`: the last step leads to anime."""
    before = [item for item in left if not item.is_word(RELATIVE, BE, DETERMINERS)]
    if not before or before[-1].type is None or not WORK_TYPES.intersection(leads_to(steps[-1].edge)):
        return steps
    return (*steps[:-1], steps[-1].model_copy(update=_only(before[-1])))


def _makes_works(item: Item, connector: Item, following: Item | None) -> bool:
    """`anime by X`, `movies from the director of X`: works of whoever follows."""
    is_end = following is None or following.is_word(DETERMINERS) or following.is_form(Form.NOUN) or following.type is not None
    is_plural = item.text.endswith("s") or item.text in ("anime", "manga")
    if connector.is_word(frozenset({"by"})):
        return True
    return is_end and is_plural and connector.is_word(frozenset({"of", "from"})) and item.type is not None


def _only(item: Item) -> dict[str, object]:
    types = item.type.types if item.type else ()
    return {"entity_type": types[0]} if len(types) == 1 else {}


def _next(items: Sequence[Item], index: int) -> Item | None:
    """The item after this one, determiners and steering words left out."""
    for item in items[index + 1 :]:
        if not item.is_word(DETERMINERS) and not item.is_mark(Mark.OTHER, Mark.BOTH, Mark.IN_LANGUAGE):
            return item
    return None


def _main(left: Sequence[Item], right: Sequence[Item]) -> Iterator[_Step]:
    """The verbs and nouns after the name."""
    last_auxiliary = next((item for item in reversed(left) if item.is_word(BE, DO)), None)
    be_before = last_auxiliary is not None and last_auxiliary.is_word(BE)
    for index, item in enumerate(right):
        relation = item.relation
        if item.is_word(BE):
            be_before = True
        elif item.is_word(DO):
            be_before = False
        if relation is None:
            continue
        is_one = be_before and index > 0 and right[index - 1].is_word(frozenset({"a", "an"}))
        yield _Step(_directed(item, relation, right[index + 1 :], be_before=be_before, is_one=is_one), relation.family)


def _directed(
    item: Item, relation: RelationCue, following: Sequence[Item], *, be_before: bool, is_one: bool
) -> tuple[AskedRelation, ...]:
    if relation.form is Form.PASSIVE:
        return relation.inverse
    if relation.form is Form.VERB:
        is_passive = be_before and item.text.split()[0].endswith(_PARTICIPLE)
        return relation.of if is_passive else relation.inverse
    rest = [other for other in following if not other.is_word(frozenset({",", "?", "."}))]
    hangs = bool(rest) and rest[0].is_word(CONNECTORS) and all(other.is_word(ASKING, WHO, CONNECTORS) or other.type for other in rest)
    return relation.inverse if hangs or (is_one and not rest) else relation.of


def _head(left: Sequence[Item]) -> RelationCue | None:
    """The relation noun that only says what is wanted: `which director …`, `the voice actor who …`."""
    for index, item in enumerate(left):
        if item.type is not None and _is_asked(left, index):
            return None
        if item.relation is None:
            continue
        following = _next(left, index)
        is_head = item.is_form(Form.NOUN) and (following is None or not following.is_word(CONNECTORS))
        return item.relation if is_head else None
    return None


def _is_asked(left: Sequence[Item], index: int) -> bool:
    """Whether `which` or `what` stands before this item."""
    before = [other for other in left[:index] if not other.is_word(DETERMINERS) and other.cue is None]
    return bool(before) and before[-1].is_word(ASKING)


def _bare(left: Sequence[Item], right: Sequence[Item], head: RelationCue | None) -> Iterator[_Step]:
    """Questions whose only relation is `in`, `from`, `by`, or the noun that is asked for."""
    if head is not None:
        yield _Step(head.of, head.family)
        return
    ends = [item for item in right if item.text not in (",", "?", ".")]
    comes_from = any(item.is_mark(Mark.COMES_FROM) for item in right)
    types = [item for item in left if item.type is not None]
    hangs = bool(ends) and ends[-1].is_word(_ENDLESS | {"it", "of"}) and any(item.is_word(_ENDLESS) for item in ends)
    if left and left[-1].is_word(frozenset({"by"})):
        yield _Step((_WORKS_OF,), "works")
    elif comes_from or hangs:
        yield _Step((_APPEARS_IN,), "appears")
    elif left and left[-1].is_word(frozenset({"in"})) and any(item.is_word(WHO) for item in left) and not types:
        yield _Step((_FEATURES,), "characters")
    elif _lists_works(left, right):
        first = next(item for item in right if item.type is not None)
        yield _Step((_WORKS_OF.model_copy(update=_only(first)),), "works")


def _lists_works(left: Sequence[Item], right: Sequence[Item]) -> bool:
    """`which X movies`, `list all X anime`: the works of a studio or person, or of a franchise."""
    asks = any(
        item.is_word(ASKING, frozenset({"list", "all", "every", "show", "name", "any"})) or item.is_mark(Mark.HOW_MANY)
        for item in left
    )
    after = [item for item in right[:2] if item.text != "'s"]
    return asks and bool(after) and after[0].type is not None and after[0].text.endswith(("s", "anime", "manga"))


_LISTING = frozenset({"list", "show", "name", "give", "me", "find", "are", "is", "there", "in", "for", "of", "on", "from"})


def _wanted(left: Sequence[Item], right: Sequence[Item], head: RelationCue | None) -> Wanted:
    is_who = any(item.is_word(WHO) for item in (*left, *right))
    if head is not None:
        return Wanted(tuple(leads_to(head.of[-1].edge)), None, is_who)
    if _lists_works(left, right):
        listed = next(item.type for item in right if item.type is not None)
        return Wanted(listed.types, listed.format, is_who)
    for index, item in enumerate(left):
        if item.type is None:
            continue
        is_asked = _is_asked(left, index)
        is_listed = all(
            other.is_word(DETERMINERS, ASKING, _LISTING) or (other.cue is not None and other.relation is None)
            for other in left[:index]
        )
        names_it = index + 1 == len(left) and not is_asked
        if (is_asked or is_listed) and not names_it:
            return Wanted(item.type.types, item.type.format, is_who)
    asked_last = [item for before, item in pairwise(right) if item.type is not None and before.is_word(ASKING)]
    if asked_last and asked_last[0].type is not None:
        return Wanted(asked_last[0].type.types, asked_last[0].type.format, is_who)
    return Wanted((), None, is_who)


def _merged(relations: Sequence[AskedRelation]) -> list[AskedRelation]:
    """A relation said twice counts once, with the narrower qualifier."""
    merged: list[AskedRelation] = []
    for relation in relations:
        if merged and merged[-1].edge is relation.edge and relation.edge not in _CHAINABLE:
            merged[-1] = merged[-1] if relation.qualifier is None else relation
        else:
            merged.append(relation)
    return merged


def _suited(relations: list[AskedRelation], wanted: Wanted, steps: Sequence[_Step]) -> tuple[AskedRelation, ...]:
    """The chain with what leads from its end to the type that is asked for."""
    if not relations or not wanted.types:
        return tuple(relations)
    last = relations[-1]
    ends = leads_to(last.edge)
    if ends.intersection(wanted.types):
        if len(wanted.types) == 1 and len(ends) > 1 and last.entity_type is None:
            relations[-1] = last.model_copy(update={"entity_type": wanted.types[0]})
        return tuple(relations)
    if wanted.types == (EntityType.STUDIO,) and last.edge is _E.HAS_STAFF:
        return (*relations[:-1], AskedRelation(edge=_E.PRODUCED_BY))
    if wanted.types == (EntityType.PERSON,) and last.edge is _E.PRODUCED_BY and steps[-1].family == "maker":
        return (*relations[:-1], AskedRelation(edge=_E.HAS_STAFF))
    bridge = _bridge(ends, wanted.types)
    return (*relations, bridge) if bridge else tuple(relations)


def _bridge(ends: frozenset[EntityType], wanted: tuple[EntityType, ...]) -> AskedRelation | None:
    only = wanted[0] if len(wanted) == 1 else None
    is_work = WORK_TYPES.issuperset(wanted)
    if EntityType.CHARACTER in ends and is_work:
        return AskedRelation(edge=_E.APPEARS_IN, entity_type=only)
    if EntityType.CHARACTER in ends and only is EntityType.PERSON:
        return AskedRelation(edge=_E.VOICED_BY)
    if EntityType.PERSON in ends and is_work:
        return AskedRelation(edge=_E.STAFF_OF, entity_type=only)
    if EntityType.STUDIO in ends and is_work:
        return AskedRelation(edge=_E.PRODUCED)
    if WORK_TYPES.intersection(ends) and only is EntityType.CHARACTER:
        return _FEATURES
    if WORK_TYPES.intersection(ends) and only is EntityType.STUDIO:
        return AskedRelation(edge=_E.PRODUCED_BY)
    return None


def _hint(left: Sequence[Item], right: Sequence[Item], relations: Sequence[AskedRelation]) -> tuple[EntityType, ...]:
    """What the name must be: by a word for it (`the manga X`, `X the movie`), else by the first relation."""
    beside = [*left[-1:], *right[:1]]
    said = next((item.type.types for item in beside if item.type is not None), ())
    allowed = starts_from(relations[0].edge) if relations else ()
    if said and (not allowed or set(said).intersection(allowed)):
        return tuple(kind for kind in said if not allowed or kind in allowed)
    role = next((item.relation for item in left[-1:] if item.is_form(Form.NOUN)), None)
    if role is not None and not relations:
        return tuple(leads_to(role.of[-1].edge))
    return allowed
