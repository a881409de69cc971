"""One sentence for the edges of one kind that lead on from one entity, and the nouns for what is not there."""

import re
from collections.abc import Sequence

from datastore.edges import EDGES, EdgeType
from datastore.vocabulary import AppearanceRole, StaffRole

from agent_core.agents.rule_based.composing import Composition
from agent_core.agents.rule_based.edge_ends import OF_DOCUMENTS
from agent_core.agents.rule_based.wording import article, joined, kind_noun, language_name, role_noun, work_noun
from agent_core.chain import Layer, Used, unique
from agent_core.evidence import EntityRef
from agent_core.schemas import AskedRelation

MAX_LISTED = 15
_E = EdgeType
_WORK = re.compile(r"\) in (?P<work>.+?)\.?$")
_MADE: dict[str, str] = {
    StaffRole.DIRECTOR: "directed",
    StaffRole.AUTHOR: "is the author of",
    StaffRole.ILLUSTRATOR: "illustrated",
    StaffRole.WRITER: "wrote the script of",
    StaffRole.SERIES_COMPOSER: "did the series composition of",
    StaffRole.COMPOSER: "composed the music of",
    StaffRole.CHARACTER_DESIGNER: "designed the characters of",
    StaffRole.PRODUCER: "was a producer of",
    StaffRole.THEME_SONG: "performed a theme song of",
}
"""What a person did to a work, by role; other roles are said in brackets."""

Group = list[tuple[EntityRef, tuple[str, ...]]]


def say_relation(
    composition: Composition, near: EntityRef, used: Sequence[Used], *, asked: AskedRelation, is_complete: bool
) -> None:
    """Say what the edges, all of one type, lead to from `near`. A list that may be cut is never worded as whole."""
    if not used:
        return
    say = _SAYERS.get(used[0].step.rel, _say_work_relation)
    say(composition, near, used, asked)
    distinct = {each.step.to.key for each in used}
    if not is_complete or len(distinct) > MAX_LISTED:
        last = composition.sentences.pop()
        composition.sentences.append(f"Among the matches found: {last}")
        composition.doubt(0.7)


def _grouped(used: Sequence[Used]) -> Group:
    """The far ends in order, each with the evidence of all its edges."""
    ids: dict[object, tuple[str, ...]] = {}
    for each in used:
        ids[each.step.to.key] = (*ids.get(each.step.to.key, ()), each.evidence_id)
    return [(entity, ids[entity.key]) for entity in unique(each.step.to for each in used)][:MAX_LISTED]


def _listed(composition: Composition, group: Group) -> str:
    """`A [1], B [2], and C [3]`; an entity with many edges is cited by its first three."""
    return joined(composition.listed([(composition.name(entity), ids[:3]) for entity, ids in group]))


def _by_qualifier(used: Sequence[Used]) -> dict[str, list[Used]]:
    groups: dict[str, list[Used]] = {}
    for each in used:
        groups.setdefault(each.step.qualifier, []).append(each)
    return groups


def _say_staff(composition: Composition, near: EntityRef, used: Sequence[Used], asked: AskedRelation) -> None:
    name = composition.name(near)
    groups = _by_qualifier(used)
    if asked.qualifier is None and len(groups) > 1:
        parts = [
            f"{composition.name(entity)} ({_roles(used, entity)}) {composition.cite(*ids[:3])}"
            for entity, ids in _grouped(used)
        ]
        composition.say(f"The staff of {name} includes {joined(parts)}")
        return
    for role, of_role in groups.items():
        group = _grouped(of_role)
        if role == StaffRole.DIRECTOR:
            composition.say(f"{name} was directed by {_listed(composition, group)}")
            continue
        is_many = len(group) > 1
        noun, verb = role_noun(role, plural=is_many), "are" if is_many else "is"
        composition.say(f"The {noun} of {name} {verb} {_listed(composition, group)}")


def _roles(used: Sequence[Used], entity: EntityRef) -> str:
    roles = [role_noun(each.step.qualifier) for each in used if each.step.to.key == entity.key]
    return ", ".join(dict.fromkeys(roles))


def _say_made(composition: Composition, near: EntityRef, used: Sequence[Used], asked: AskedRelation) -> None:
    name = composition.name(near)
    groups = _by_qualifier(used)
    if len(groups) == 1 and next(iter(groups)) in _MADE:
        composition.say(f"{name} {_MADE[next(iter(groups))]} {_listed(composition, _grouped(used))}")
        return
    parts = [
        f"{composition.name(entity)} ({_roles(used, entity)}) {composition.cite(*ids[:3])}"
        for entity, ids in _grouped(used)
    ]
    composition.say(f"{name} worked on {joined(parts)}")


def _say_produced_by(composition: Composition, near: EntityRef, used: Sequence[Used], asked: AskedRelation) -> None:
    main = [each for each in used if each.step.qualifier == "main"] or list(used)
    composition.say(f"{composition.name(near)} was produced by {_listed(composition, _grouped(main))}")


def _say_produced(composition: Composition, near: EntityRef, used: Sequence[Used], asked: AskedRelation) -> None:
    composition.say(f"{composition.name(near)} produced {_listed(composition, _grouped(used))}")


def _say_voiced_by(composition: Composition, near: EntityRef, used: Sequence[Used], asked: AskedRelation) -> None:
    """One voice, or each voice with its language or work where that tells them apart."""
    group = _grouped(used)
    name = composition.name(near)
    if len(group) == 1:
        composition.say(f"{name} is voiced by {_listed(composition, group)}")
        return
    languages = {each.step.qualifier for each in used}
    parts: list[str] = []
    for entity, ids in group:
        of_entity = [each for each in used if each.step.to.key == entity.key]
        detail = language_name(of_entity[0].step.qualifier) if len(languages) > 1 else _works(of_entity)
        parts.append(f"{composition.name(entity)}{f' ({detail})' if detail else ''} {composition.cite(*ids[:3])}")
    composition.say(f"{name} is voiced by {joined(parts)}")


def _works(used: Sequence[Used]) -> str:
    """The works that voice credits are for, as their evidence names them."""
    found = (_WORK.search(each.text) for each in used)
    return ", ".join(dict.fromkeys(match.group("work") for match in found if match is not None))


def _say_of_document(composition: Composition, near: EntityRef, used: Sequence[Used], asked: AskedRelation) -> None:
    sentence = EDGES[used[0].step.rel].sentence
    composition.say(sentence.format(a=composition.name(near), b=_listed(composition, _grouped(used))))


def _say_voices(composition: Composition, near: EntityRef, used: Sequence[Used], asked: AskedRelation) -> None:
    composition.say(f"{composition.name(near)} voices {_listed(composition, _grouped(used))}")


def _say_features(composition: Composition, near: EntityRef, used: Sequence[Used], asked: AskedRelation) -> None:
    group = _grouped(used)
    name = composition.name(near)
    if asked.qualifier in (AppearanceRole.MAIN, AppearanceRole.SUPPORTING):
        is_many = len(group) > 1
        noun = f"{asked.qualifier} character{'s' if is_many else ''}"
        composition.say(f"The {noun} of {name} {'are' if is_many else 'is'} {_listed(composition, group)}")
        return
    composition.say(f"{name} features {_listed(composition, group)}")


def _say_appears(composition: Composition, near: EntityRef, used: Sequence[Used], asked: AskedRelation) -> None:
    as_main = " as a main character" if asked.qualifier == AppearanceRole.MAIN else ""
    composition.say(f"{composition.name(near)} appears{as_main} in {_listed(composition, _grouped(used))}")


def _say_kin(composition: Composition, near: EntityRef, used: Sequence[Used], asked: AskedRelation) -> None:
    name = composition.name(near)
    for kind, of_kind in _by_qualifier(used).items():
        group = _grouped(of_kind)
        if len(group) > 1:
            composition.say(f"The {kind_noun(kind, plural=True)} of {name} are {_listed(composition, group)}")
        else:
            composition.say(
                f"{composition.name(group[0][0])} is {article(kind_noun(kind))} of {name}", *group[0][1][:3]
            )


def _say_episode(composition: Composition, near: EntityRef, used: Sequence[Used], asked: AskedRelation) -> None:
    name = composition.name(near)
    if asked.qualifier is not None and len(used) == 1:
        title = composition.name(used[0].step.to)
        composition.say(f"Episode {used[0].step.qualifier} of {name} is {title}", used[0].evidence_id)
        return
    composition.say(f"Episodes of {name} are {_listed(composition, _grouped(used))}")


def _say_adaptation_of(composition: Composition, near: EntityRef, used: Sequence[Used], asked: AskedRelation) -> None:
    composition.say(f"{composition.name(near)} is an adaptation of {_listed(composition, _grouped(used))}")


def _say_work_relation(composition: Composition, near: EntityRef, used: Sequence[Used], asked: AskedRelation) -> None:
    group = _grouped(used)
    is_many = len(group) > 1
    noun = work_noun(used[0].step.rel, plural=is_many)
    name = composition.name(near)
    composition.say(f"The {noun} of {name} {'are' if is_many else 'is'} {_listed(composition, group)}")


_SAYERS = {
    _E.HAS_STAFF: _say_staff,
    _E.STAFF_OF: _say_made,
    _E.PRODUCED_BY: _say_produced_by,
    _E.PRODUCED: _say_produced,
    _E.VOICED_BY: _say_voiced_by,
    _E.VOICES: _say_voices,
    _E.FEATURES: _say_features,
    _E.APPEARS_IN: _say_appears,
    _E.CHARACTER_RELATION: _say_kin,
    _E.HAS_EPISODE: _say_episode,
    _E.ADAPTATION_OF: _say_adaptation_of,
    **dict.fromkeys(OF_DOCUMENTS, _say_of_document),
}


def far_noun(relation: AskedRelation) -> str:
    """What a relation leads to, in a word."""
    first = (relation.qualifier or "").split("|")[0]
    match relation.edge:
        case EdgeType.HAS_STAFF:
            return role_noun(first) if first else "staff member"
        case EdgeType.PRODUCED_BY:
            return "studio"
        case EdgeType.VOICED_BY:
            return f"{language_name(first)} voice actor" if first else "voice actor"
        case EdgeType.VOICES:
            return "voiced character"
        case EdgeType.FEATURES:
            return f"{first} character" if first else "character"
        case EdgeType.APPEARS_IN | EdgeType.STAFF_OF | EdgeType.PRODUCED:
            return relation.entity_type.value if relation.entity_type else "work"
        case EdgeType.CHARACTER_RELATION:
            noun = kind_noun(first)
            return f"{relation.gender} {noun}" if relation.gender else noun
        case EdgeType.HAS_EPISODE:
            return "such episode" if first else "episode"
        case _:
            return work_noun(relation.edge)


def lacking(name: str, layer: Layer) -> str:
    """That nothing was found behind a step: as a fact of the catalogue only when all of it was read."""
    noun = far_noun(layer.relation)
    thing = f"any {noun}" if noun.startswith("such ") else article(noun)
    place = "for" if layer.relation.edge in (EdgeType.APPEARS_IN, EdgeType.STAFF_OF, EdgeType.PRODUCED) else "of"
    if layer.used:
        thing = f"another {noun}"
    if layer.is_complete and not layer.unread:
        return f"The catalogue doesn't list {thing} {place} {name}"
    return f"The matches found show no {noun} {place} {name}"
