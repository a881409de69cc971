"""From the words around a name to the chain of relations that starts there.

English puts the outermost relation first (`the director of the sequel of X`), except in possessives (`X's sequel's
director`) and where the name is a subject (`X directed`). So the chain is: what X owns, in order; a relative clause
whose subject is X; what stands before X, last to first; the verb of the main clause.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from datastore.edges import EdgeType
from datastore.vocabulary import WORK_TYPES, EntityType, StaffRole

from agent_core.agents.rule_based.cues import Form, Mark, MarkCue, RelationCue
from agent_core.agents.rule_based.edge_ends import leads_to, starts_from
from agent_core.agents.rule_based.items import ASKING, BE, CONNECTORS, DETERMINERS, DO, RELATIVE, WHO, Item
from agent_core.agents.rule_based.wanted import (
    EXTREMES,
    Wanted,
    head_of,
    lists_works,
    next_item,
    only_type,
    suited,
    wanted_of,
)
from agent_core.schemas import AskedRelation

_E = EdgeType
_APPEARS_IN = AskedRelation(edge=_E.APPEARS_IN)
_FEATURES = AskedRelation(edge=_E.FEATURES)
_CHAINABLE = frozenset({_E.SEQUEL, _E.PREQUEL, _E.CHARACTER_RELATION, _E.SIDE_STORY, _E.SPIN_OFF})
"""Edges that may follow themselves; any other twice in a row is one relation said twice."""
_WORKS_OF = AskedRelation(edge=_E.STAFF_OF)
_PARTICIPLE = ("ed", "en", "wn", "made", "sung", "done")
_ENDLESS = frozenset({"in", "from", "part", "on"})


@dataclass(frozen=True, slots=True)
class ChainReading:
    """The relations read around a name, and what the words beside it say it is."""

    relations: tuple[AskedRelation, ...] = ()
    wanted: Wanted = field(default_factory=Wanted)
    hint: tuple[EntityType, ...] = ()
    family: str = ""
    is_bare: bool = False
    is_usual: bool = False
    """The hint is what such a chain usually starts from, and the words beside the name say nothing else of it."""


@dataclass(frozen=True, slots=True)
class _Step:
    steps: tuple[AskedRelation, ...]
    family: str


def read_chain(items: Sequence[Item], first: int, last: int) -> ChainReading:
    """The chain that starts at the names from item `first` to item `last`, read as one."""
    left, right, name_is_called = _uncalled(items[:first]), items[last + 1 :], False
    name_is_called = len(left) < first
    head = head_of(left) if not name_is_called else None
    suffix, rest = _suffix(right)
    clause, rest = _relative_clause(left, rest)
    stated = [*suffix, *clause, *_before(left), *_main(left, rest)]
    steps = stated or list(_bare(left, rest, head))
    wanted = wanted_of(left, right, head)
    merged = _merged([relation for step in steps for relation in step.steps])
    relations = suited(merged, wanted, steps[-1].family if steps else "", head)
    usual = _usual_start(left, right, relations, is_clause=bool(clause))
    return ChainReading(
        relations=_in_language(relations, items),
        wanted=wanted,
        hint=usual or _hint(left, right, relations),
        is_usual=bool(usual),
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


def _uncalled(left: Sequence[Item]) -> Sequence[Item]:
    """`the character named X` reads like `the character X`."""
    return left[:-1] if left and left[-1].is_word(frozenset({"named", "called", "titled"})) else left


_ATTRIBUTES = frozenset({"own", "original", "most", "famous", "other"})


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
            or (right[here].type is not None and here + 1 < len(right) and right[here + 1].is_form(Form.NOUN))
            or (is_owned and right[here].is_word(_ATTRIBUTES, EXTREMES))
        ):
            here += 1
        noun = right[here] if here < len(right) else None
        is_extreme = here > position + 1 and right[here - 1].is_word(EXTREMES)
        is_work = noun is not None and noun.type is not None
        if is_owned and noun is not None and is_work and (is_extreme or _is_printed(noun, right[here + 1 :])):
            found.append(_Step((_WORKS_OF.model_copy(update=only_type(noun)),), "works"))
            position = here + 1
            continue
        if noun is None or not noun.is_form(Form.NOUN) or not (is_owned or position == 0):
            break
        assert noun.relation is not None
        found.append(_Step(noun.relation.of, noun.relation.family))
        position = here + 1
    return found, right[position:]


def _is_printed(item: Item, following: Sequence[Item]) -> bool:
    """Whether `X's manga`, `X's films` are works of X: not where X's anime is X itself."""
    is_owner = bool(following) and following[0].text == "'s"
    return item.text in ("manga", "novels", "light novels", "works", "films", "movies") and not is_owner


def _relative_clause(left: Sequence[Item], right: Sequence[Item]) -> tuple[list[_Step], Sequence[Item]]:
    """`the works (that) X directed`, as part of a longer question: the clause is nearer than what stands before."""
    if not left:
        return [], right
    before = left[-1]
    is_clause = before.is_word(RELATIVE) or before.type is not None or before.is_form(Form.NOUN)
    asks_only = all(item.is_word(ASKING, WHO, DETERMINERS) or item.type or item.is_mark(Mark.HOW_MANY) for item in left)
    if not is_clause or asks_only or _is_subject(left):
        return [], right
    for index, item in enumerate(right):
        if item.is_form(Form.VERB, Form.PASSIVE):
            assert item.relation is not None
            steps = list(item.relation.inverse)
            steps[-1] = steps[-1].model_copy(update=only_type(next((each for each in left[-3:] if each.type), before)))
            return [_Step(tuple(steps), item.relation.family)], right[index + 1 :]
        if item.relation is not None or item.is_name:
            break
    ends = [item for item in right if not item.is_word(BE)]
    if len(ends) == 1 and (ends[0].is_word(_ENDLESS) or ends[0].is_mark(Mark.COMES_FROM)):
        kind = next((each for each in left[-2:] if each.type), before)
        return [_Step((_APPEARS_IN.model_copy(update=only_type(kind)),), "appears")], ()
    return [], right


def _is_subject(left: Sequence[Item]) -> bool:
    """Whether an auxiliary stands before the name with no verb or relative word between: `is the film X based on`."""
    for item in reversed(left):
        if item.relation is not None or item.is_word(RELATIVE):
            return False
        if item.is_word(BE, DO):
            return True
    return False


def _before(left: Sequence[Item]) -> Iterator[_Step]:
    """What stands before the name, nearest first."""
    for index in range(len(left) - 1, -1, -1):
        item, following = left[index], next_item(left, index)
        relation = item.relation
        if relation is not None:
            if relation.form is Form.PASSIVE:
                yield _Step(_narrowed(relation.of, left[:index]), relation.family)
            elif relation.form is Form.VERB:
                is_clause = index > 0 and left[index - 1].is_word(RELATIVE)
                steps = _narrowed(relation.of, left[:index]) if is_clause else relation.of
                yield _Step(steps, relation.family)
            elif following is not None and following.is_word(CONNECTORS) and not _leads_clause(left, index):
                yield _Step(relation.of, relation.family)
        elif item.type is not None and following is not None:
            yield from _typed(item, following, left, index)


def _leads_clause(left: Sequence[Item], index: int) -> bool:
    """`the works in which …`: the noun is what the clause is about, no relation to what follows."""
    words = [item for item in left[index + 1 :] if not item.is_word(DETERMINERS)]
    return len(words) > 1 and words[0].is_word(CONNECTORS) and words[1].is_word(frozenset({"which", "whom"}))


def _typed(item: Item, connector: Item, left: Sequence[Item], index: int) -> Iterator[_Step]:
    """`anime by X`, `the anime with X`, `the manga behind X`."""
    is_last = next_item(left, index + 1) is None
    is_inner = any(other.relation is not None for other in left[:index])
    if _makes_works(item, connector, next_item(left, index + 1), () if is_inner else left[:index]):
        yield _Step((_WORKS_OF.model_copy(update=only_type(item)),), "works")
    elif is_last and connector.is_word(frozenset({"with"})):
        yield _Step((_APPEARS_IN.model_copy(update=only_type(item)),), "appears")
    elif is_last and connector.is_word(frozenset({"behind"})):
        yield _Step((AskedRelation(edge=_E.ADAPTATION_OF).model_copy(update=only_type(item)),), "source")


def _narrowed(steps: tuple[AskedRelation, ...], left: Sequence[Item]) -> tuple[AskedRelation, ...]:
    """`the anime directed by X`: the last step leads to anime."""
    before = [item for item in left if not item.is_word(RELATIVE, BE, DETERMINERS)]
    if not before or before[-1].type is None or not WORK_TYPES.intersection(leads_to(steps[-1].edge)):
        return steps
    return (*steps[:-1], steps[-1].model_copy(update=only_type(before[-1])))


def _makes_works(item: Item, connector: Item, following: Item | None, before: Sequence[Item]) -> bool:
    """`anime by X`, `movies from the director of X`: works of whoever follows. `the manga of X` is X itself."""
    is_end = (
        following is None
        or following.is_word(DETERMINERS)
        or following.is_form(Form.NOUN)
        or following.type is not None
    )
    is_plural = item.text.endswith("s") or item.text in ("anime", "manga")
    if connector.is_word(frozenset({"by"})):
        return True
    if item.start > 0 and any(other.end == item.start - 1 and other.text == "the" for other in before):
        return False
    return is_end and is_plural and connector.is_word(frozenset({"of", "from"})) and item.type is not None


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
        before = right[index - 1] if index else None
        if item.type is not None and _is_made_by_whom(right[index + 1 :]):
            yield _Step((AskedRelation(edge=_E.HAS_STAFF, qualifier=StaffRole.AUTHOR),), "author_only")
        is_asked_for = before is not None and before.is_word(ASKING) and item.is_form(Form.NOUN) and index > 1
        if relation is None or is_asked_for or _is_carried(item, relation, right[index + 1 :]):
            continue
        is_noun = before is not None and before.is_word(DETERMINERS)
        if relation.form is Form.VERB and is_noun:
            yield _Step(relation.of, relation.family)
            continue
        is_one = be_before and before is not None and before.is_word(frozenset({"a", "an"}))
        yield _Step(_directed(item, relation, right[index + 1 :], be_before=be_before, is_one=is_one), relation.family)


def _is_made_by_whom(following: Sequence[Item]) -> bool:
    """`a manga by whom`."""
    return len(following) > 1 and following[0].is_word(frozenset({"by"})) and following[1].is_word(WHO)


def _is_carried(item: Item, relation: RelationCue, following: Sequence[Item]) -> bool:
    """Whether a verb only carries the noun after it: `made by the same studio`, `belong to the same crew`."""
    after = next_item([item, *following], 0)
    if relation.family == "maker" and relation.form is Form.PASSIVE:
        return after is not None and after.is_form(Form.NOUN)
    if relation.family == "appears" and item.text.startswith("belong"):
        return after is not None and (after.is_word(WHO) or after.is_form(Form.NOUN))
    return False


def _directed(
    item: Item, relation: RelationCue, following: Sequence[Item], *, be_before: bool, is_one: bool
) -> tuple[AskedRelation, ...]:
    if relation.form is Form.PASSIVE:
        return relation.inverse
    if relation.form is Form.VERB:
        is_passive = be_before and item.text.split()[0].endswith(_PARTICIPLE)
        return relation.of if is_passive else relation.inverse
    rest = [other for other in following if not other.is_word(frozenset({",", "?", "."}))]
    is_led = bool(rest) and rest[0].is_word(CONNECTORS)
    asks_after = len(rest) > 1 and rest[1].is_word(ASKING, WHO)
    hangs = is_led and (asks_after or all(other.is_word(CONNECTORS) or other.type for other in rest))
    return relation.inverse if hangs or (is_one and not rest) else relation.of


def _bare(left: Sequence[Item], right: Sequence[Item], head: RelationCue | None) -> Iterator[_Step]:
    """Questions whose only relation is `in`, `from`, `by`, or the noun that is asked for."""
    if head is not None:
        yield _Step(head.of, head.family)
        return
    ends = [item for item in right if item.text not in (",", "?", ".")]
    if len(ends) > 2 and ends[-1].type is not None and ends[-2].is_word(ASKING):
        ends = ends[:-2]
    comes_from = bool(ends) and ends[-1].is_mark(Mark.COMES_FROM)
    types = [item for item in left if item.type is not None]
    hangs = bool(ends) and ends[-1].is_word(_ENDLESS | {"it", "of"}) and any(item.is_word(_ENDLESS) for item in ends)
    if left and left[-1].is_word(frozenset({"by"})):
        yield _Step((_WORKS_OF,), "works")
    elif comes_from or hangs:
        yield _Step((_APPEARS_IN,), "appears")
    elif left and left[-1].is_word(frozenset({"in"})) and any(item.is_word(WHO) for item in left) and not types:
        yield _Step((_FEATURES,), "characters")
    elif lists_works(left, right):
        first = next(item for item in right if item.type is not None)
        yield _Step((_WORKS_OF.model_copy(update=only_type(first)),), "works")
    elif (asked := _asked_last(right)) is not None:
        yield _Step(asked.of, asked.family)
    elif not left and len(ends) == 2 and ends[0].is_word(ASKING) and ends[1].type is not None:
        yield _Step((_APPEARS_IN,), "appears")


def _asked_last(right: Sequence[Item]) -> RelationCue | None:
    """The relation noun of `X is a production of which studio`."""
    return next((item.relation for before, item in pairwise(right) if before.is_word(ASKING) and item.relation), None)


def _merged(relations: Sequence[AskedRelation]) -> list[AskedRelation]:
    """A relation said twice counts once, with the qualifier that stands nearest to the name."""
    merged: list[AskedRelation] = []
    for relation in relations:
        if merged and merged[-1].edge is relation.edge and relation.edge not in _CHAINABLE:
            merged[-1] = relation if merged[-1].qualifier is None else merged[-1]
        else:
            merged.append(relation)
    return merged


def _hint(left: Sequence[Item], right: Sequence[Item], relations: Sequence[AskedRelation]) -> tuple[EntityType, ...]:
    """What the name must be: by a word for it (`the manga X`, `X the movie`), else by the first relation."""
    beside = [*left[-1:], *right[:1]]
    said = next((item.type.types for item in beside if item.type is not None), ())
    allowed = _allowed(relations[0], (*left, *right)) if relations else ()
    is_asked_of_makers = WORK_TYPES.issuperset(said) and EntityType.STUDIO in allowed
    if said and not is_asked_of_makers and (not allowed or set(said).intersection(allowed)):
        return tuple(kind for kind in said if not allowed or kind in allowed)
    role = next((item.relation for item in left[-1:] if item.is_form(Form.NOUN)), None)
    if role is not None and not relations:
        return tuple(sorted(leads_to(role.of[-1].edge)))
    return allowed


_USUAL_STARTS: dict[EdgeType, tuple[EntityType, ...]] = {
    _E.HAS_ADAPTATION: (EntityType.MANGA,),
    _E.ADAPTATION_OF: (EntityType.ANIME,),
}
"""Of two works of one name, the printed one is adapted and the animated one has a source."""


def _usual_start(
    left: Sequence[Item], right: Sequence[Item], relations: Sequence[AskedRelation], *, is_clause: bool
) -> tuple[EntityType, ...]:
    """The usual start where no word says what the name is; in `the manga X was adapted from` it says what is asked."""
    beside = [*left[-1:], *right[:1]]
    if not relations or (not is_clause and any(item.type is not None for item in beside)):
        return ()
    return _USUAL_STARTS.get(relations[0].edge, ())


def _allowed(first: AskedRelation, items: Sequence[Item]) -> tuple[EntityType, ...]:
    """What the first step can start from, with what effective_chain makes of other types."""
    if first == _WORKS_OF.model_copy(update={"entity_type": first.entity_type}):
        return (*starts_from(first.edge), EntityType.ANIME, EntityType.MANGA)
    if first.edge is _E.FEATURES and first.qualifier is None:
        return (*starts_from(first.edge), EntityType.PERSON)
    speaks_of_many = any(item.is_form(Form.NOUN) and item.text.endswith("s") for item in items)
    if first.edge is _E.VOICED_BY and speaks_of_many:
        return (*starts_from(first.edge), EntityType.ANIME)
    return starts_from(first.edge)
