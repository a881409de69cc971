"""Questions about names: their fields, what a chain of relations leads to, and whether it leads to another name."""

import re
from collections.abc import Sequence
from dataclasses import replace

from datastore.edges import EDGES, EdgeType
from datastore.vocabulary import WORK_TYPES, EntityType, WorkStatus

from agent_core.agents.rule_based.asked import asked_fields, episode_number
from agent_core.agents.rule_based.beyond_chains import is_beyond_chains
from agent_core.agents.rule_based.chain_reading import ChainReading, read_chain
from agent_core.agents.rule_based.conditions import filters_of, find_format
from agent_core.agents.rule_based.cues import GenreCue, Mark, MarkCue, UnsupportedCue
from agent_core.agents.rule_based.draft import Draft
from agent_core.agents.rule_based.edge_ends import leads_to, starts_from
from agent_core.agents.rule_based.field_cues import OTHER_VERSION
from agent_core.agents.rule_based.items import Item
from agent_core.agents.rule_based.mentions import Notes, kind_beside, mentions_of
from agent_core.agents.rule_based.number_checks import bounded_fields
from agent_core.agents.rule_based.operands import Operands, is_joined, positions_of, says_both, without_places
from agent_core.agents.rule_based.proof import read_proof
from agent_core.agents.rule_based.superlatives import superlative_of
from agent_core.agents.rule_based.text import NAME
from agent_core.agents.rule_based.understanding import Understanding, unexplained
from agent_core.schemas import AnswerKind, AskedField, AskedRelation, DateRange, Mention, SearchFilters

_F = AskedField
_T = EntityType
_WORKS = (_T.ANIME, _T.MANGA)
_DESCRIPTIVE = frozenset({_F.SYNOPSIS, _F.DESCRIPTION})
_DATES = frozenset({_F.START_DATE, _F.END_DATE, _F.YEAR, _F.SEASON})
_FIELD_HINTS: dict[AskedField, tuple[EntityType, ...]] = {
    _F.EPISODES: (_T.ANIME,),
    _F.CHAPTERS: (_T.MANGA,),
    _F.VOLUMES: (_T.MANGA,),
    _F.DURATION: (_T.ANIME,),
    _F.SEASON: (_T.ANIME,),
    _F.SOURCE: (_T.ANIME,),
    _F.GENDER: (_T.CHARACTER,),
    _F.STATUS: _WORKS,
    _F.GENRES: _WORKS,
    _F.SCORE: _WORKS,
    _F.FORMAT: _WORKS,
    _F.YEAR: _WORKS,
    _F.START_DATE: _WORKS,
    _F.END_DATE: _WORKS,
}
_VOICED_FROM_PEOPLE = frozenset({EdgeType.STAFF_OF, EdgeType.PRODUCED, EdgeType.VOICES})


def read_named(understood: Understanding) -> Draft:
    """The draft of a question with at least one name."""
    number = episode_number(understood.text)
    if number is not None:
        return _episode(understood, number)
    if is_beyond_chains(understood):
        return _of_no_row(understood)
    if understood.is_yes_no and len(understood.names) > 1:
        draft = _proof(understood)
        if draft is not None:
            return draft
    operands = without_places(understood.items)
    if len(operands.names) > 1 and understood.is_yes_no and _is_kinship(operands.items):
        draft = _proof(understood)
        if draft is not None:
            return draft
    if len(operands.names) > 1 and (is_joined(operands.items) or says_both(operands.items)):
        return _shared(understood, operands)
    if len(operands.names) > 1:
        draft = _proof(understood)
        if draft is not None:
            return draft
    return read_single(understood, operands)


def _episode(understood: Understanding, number: str) -> Draft:
    fields = tuple(_F.AIR_DATE if field is _F.START_DATE else field for field in asked_fields(understood))
    relation = AskedRelation(edge=EdgeType.HAS_EPISODE, qualifier=number)
    name = understood.names[-1]
    mentions = mentions_of(understood.noted, (name,), hints={name: (_T.ANIME,)})
    return Draft(AnswerKind.RELATION, mentions, (relation,), fields, rationale="asks about one episode")


def _of_no_row(understood: Understanding) -> Draft:
    """What the relation does lead to would be the answer to another question."""
    mentions = mentions_of(understood.noted, understood.names[:1])
    return Draft(AnswerKind.ENTITY, mentions, (), (_F.UNSUPPORTED,), rationale="asks for what no row tells")


def _proof(understood: Understanding) -> Draft | None:
    """Whether one thing is so to another, or what two have in common."""
    operands = without_places(understood.items) if len(understood.names) > 2 else None
    items = operands.items if operands is not None and len(operands.names) > 1 else understood.items
    if says_both(items) and not _is_kinship(items):
        chosen = operands or Operands(tuple(items), {}, understood.names, ())
        shared = _shared(understood, chosen)
        return shared if shared.relations else None
    proof = read_proof(items)
    if proof is None:
        return None
    within = operands.within if operands is not None else {}
    places = operands.places if operands is not None else ()
    hints = {name: kind_beside(understood.reading, name) for name in understood.names}
    hints[proof.start] = kind_beside(understood.reading, proof.start, proof.chain.hint)
    names = (proof.start, proof.target, *(place for place in places if place not in (proof.start, proof.target)))
    mentions = mentions_of(understood.noted, names, hints=hints, within=within)
    if len(mentions) < 2:
        return None
    if understood.cues_of(UnsupportedCue):
        return Draft(AnswerKind.ENTITY, mentions, (), (_F.UNSUPPORTED,), rationale="")
    return Draft(AnswerKind.RELATION, mentions, proof.chain.relations, rationale="asks whether a relation holds")


def _is_kinship(items: Sequence[Item]) -> bool:
    """Whether it is asked if two characters are of one crew or family: a relation of the one to the other."""
    return any(item.relation is not None and item.relation.family.startswith("kin") for item in items)


def _shared(understood: Understanding, operands: Operands) -> Draft:
    """What several names lead to alike."""
    first, last = positions_of(operands.items, operands.names)
    kept = [item for index, item in enumerate(operands.items) if index <= first or index >= last or not item.is_name]
    start, end = positions_of(kept, operands.names)
    chain = read_chain(kept, start, end)
    if not chain.relations and chain.wanted.types and WORK_TYPES.issuperset(chain.wanted.types):
        only = chain.wanted.types[0] if len(chain.wanted.types) == 1 else None
        chain = replace(chain, relations=(AskedRelation(edge=EdgeType.APPEARS_IN, entity_type=only),))
    fields = asked_fields(understood) if not chain.relations else ()
    if not chain.relations and not fields and unexplained(replace(understood, items=operands.items)):
        fields = (_F.UNSUPPORTED,)
    mentions = _mentions(understood, operands.names, chain, operands, fields)
    return Draft(
        AnswerKind.LIST,
        mentions,
        chain.relations,
        fields,
        types=chain.wanted.types,
        filters=_chain_filters(understood, chain),
        rationale="asks for what several names lead to",
    )


def read_single(understood: Understanding, operands: Operands) -> Draft:
    """The draft of a question about one name, with the works that narrow it."""
    name = operands.names[0]
    start, end = positions_of(operands.items, (name,))
    chain = _and_back(operands.items, read_chain(operands.items, start, end))
    fields = asked_fields(replace(understood, items=operands.items))
    is_extreme = chain.family == "works" and superlative_of(understood.text) is not None
    if chain.is_bare and not _DESCRIPTIVE.issuperset(fields) and not is_extreme:
        is_open = chain.family == "works" or chain.hint == starts_from(EdgeType.APPEARS_IN)
        chain = ChainReading(hint=() if is_open else chain.hint)
    if not chain.relations and understood.is_yes_no:
        return _checked(understood, operands, fields)
    chain, fields = _agreed(understood, chain, fields)
    if _is_of_source(chain) and len(chain.relations) == 1 and not fields and not chain.wanted.types:
        return _source(understood, operands, chain)
    if not chain.relations and not fields and unexplained(replace(understood, items=operands.items)):
        fields = (_F.UNSUPPORTED,)
    filters, moved = _moved_year(understood, chain, _chain_filters(understood, chain))
    mentions = _mentions(understood, operands.names[:1], chain, operands, fields)
    if moved:
        mentions = tuple(mention.model_copy(update={"year": None}) for mention in mentions)
    if any(relation.edge is EdgeType.VOICES for relation in chain.relations):
        # Nobody belongs to a work by voicing in it: the work only says which roles are meant.
        mentions = tuple(mention.model_copy(update={"within": None}) for mention in mentions)
    return Draft(
        _kind(understood, chain, fields),
        (*mentions, *mentions_of(understood.noted, operands.places)),
        chain.relations,
        fields,
        types=chain.wanted.types,
        filters=filters,
        rationale="",
    )


_WHICH_IS = re.compile(rf"^(?:which|what) (?:character|person|one|guy|girl|boy) (?:is|was) {NAME}$")


def _agreed(
    understood: Understanding, chain: ChainReading, fields: tuple[AskedField, ...]
) -> tuple[ChainReading, tuple[AskedField, ...]]:
    """The chain and the fields, where both were read from one phrase only the one that it meant."""
    if _WHICH_IS.search(understood.text):
        return ChainReading(hint=chain.hint), (_F.DESCRIPTION,)
    if chain.relations and _DESCRIPTIVE.issuperset(fields):
        fields = ()
    if _F.SOURCE in fields and all(relation.edge is EdgeType.ADAPTATION_OF for relation in chain.relations):
        chain = ChainReading(hint=chain.hint)
    if any(cue.what == OTHER_VERSION for cue in understood.cues_of(UnsupportedCue)):
        return ChainReading(hint=chain.hint), (_F.UNSUPPORTED,)
    if _is_idle(chain, fields):
        return ChainReading(), fields
    if chain.relations and fields == (_F.UNSUPPORTED,):
        # Who is on the way to what no row holds would be no answer.
        return ChainReading(hint=chain.hint), fields
    superlative = superlative_of(understood.text) if chain.relations and not fields else None
    if superlative is not None and WORK_TYPES.intersection(leads_to(chain.relations[-1].edge)):
        fields = (superlative.field,)
    return chain, fields


def _is_of_source(chain: ChainReading) -> bool:
    return any(relation.edge is EdgeType.ADAPTATION_OF for relation in chain.relations)


_THERE_AND_BACK = frozenset({EdgeType.HAS_STAFF, EdgeType.VOICED_BY, EdgeType.PRODUCED_BY})


def _and_back(items: Sequence[Item], chain: ChainReading) -> ChainReading:
    """`what shares a director with X`, `by the same studio as X`: to the director, and back to all that is theirs."""
    says = any(item.text in ("same", "share", "shares", "shared", "sharing", "common") for item in items)
    if not says or len(chain.relations) != 1 or chain.relations[0].edge not in _THERE_AND_BACK:
        return chain
    there = chain.relations[0]
    types = chain.wanted.types
    only = types[0] if len(types) == 1 and WORK_TYPES.issuperset(types) else None
    back = AskedRelation(edge=EDGES[there.edge].inverse, qualifier=there.qualifier, entity_type=only)
    return replace(chain, relations=(there, back))


def _is_idle(chain: ChainReading, fields: Sequence[AskedField]) -> bool:
    """Whether the only relation is a verb that the field needs: `when was X made`, `which genre does X belong to`."""
    if len(chain.relations) != 1:
        return False
    if chain.family == "maker" and not chain.wanted.types:
        return bool(fields)
    return chain.family == "appears" and bool(set(fields).intersection({_F.GENRES, _F.FORMAT, _F.SCORE}))


def _source(understood: Understanding, operands: Operands, chain: ChainReading) -> Draft:
    """What a work is based on: the work itself where the catalogue has it, else the kind of source its row gives."""
    mentions = _mentions(understood, operands.names[:1], chain, operands, ())
    return Draft(
        AnswerKind.RELATION, mentions, chain.relations, (_F.SOURCE,), fields_of_mention=True, types=chain.wanted.types
    )


def _checked(understood: Understanding, operands: Operands, fields: tuple[AskedField, ...]) -> Draft:
    """Whether a row holds what the question says: `is X finished`, `is X a movie`, `did X air in 2009`."""
    work_format = None if _F.FORMAT in fields else find_format(understood.text)
    filters = filters_of(understood.items, understood.text, work_format)
    asked = [*fields, *bounded_fields(understood.text)]
    marks = {cue.mark for cue in understood.cues_of(MarkCue)}
    if not asked and filters.is_empty and Mark.ENDS in marks:
        asked.append(_F.STATUS)
        filters = SearchFilters(status=WorkStatus.FINISHED)
    if work_format is not None:
        asked.append(_F.FORMAT)
    if understood.cues_of(GenreCue):
        asked.append(_F.GENRES)
    if filters.years is not None and not asked:
        asked.append(_F.START_DATE)
    if filters.season is not None:
        asked.append(_F.SEASON)
    if filters.min_score is not None:
        asked.append(_F.SCORE)
    found = tuple(dict.fromkeys(field for field in asked if field not in _DESCRIPTIVE or len(asked) == 1))
    mentions = _mentions(understood, operands.names[:1], ChainReading(), operands, found)
    return Draft(AnswerKind.ENTITY, mentions, (), found, filters=filters, rationale="asks whether a row says so")


def _kind(understood: Understanding, chain: ChainReading, fields: Sequence[AskedField]) -> AnswerKind:
    if chain.relations:
        counts = any(cue.mark is Mark.HOW_MANY for cue in understood.cues_of(MarkCue))
        return AnswerKind.COUNT if counts and not fields else AnswerKind.RELATION
    return AnswerKind.EXPLANATION if fields and _DESCRIPTIVE.issuperset(fields) else AnswerKind.ENTITY


def _mentions(
    understood: Understanding,
    names: Sequence[int],
    chain: ChainReading,
    operands: Operands,
    fields: Sequence[AskedField],
) -> tuple[Mention, ...]:
    hint = chain.hint or (() if chain.relations else _field_hint(understood, fields))
    hints = {name: hint if chain.is_usual else kind_beside(understood.reading, name, hint) for name in names}
    return mentions_of(understood.noted, names, hints=hints, within=operands.within)


def types_with(field: AskedField) -> frozenset[EntityType]:
    """The types of things that can have a field."""
    if field is _F.DESCRIPTION:
        return frozenset({_T.CHARACTER, _T.PERSON})
    return frozenset(_FIELD_HINTS.get(field, _WORKS if field is _F.SYNOPSIS else tuple(EntityType)))


def _field_hint(understood: Understanding, fields: Sequence[AskedField]) -> tuple[EntityType, ...]:
    hinted = [set(_FIELD_HINTS[field]) for field in fields if field in _FIELD_HINTS]
    if hinted:
        together = set[EntityType]().union(*hinted)
        return tuple(kind for kind in EntityType if kind in together)
    if _F.DESCRIPTION in fields and re.match(r"who\b", understood.text):
        return (_T.CHARACTER, _T.PERSON)
    return ()


def _chain_filters(understood: Understanding, chain: ChainReading) -> SearchFilters:
    """Conditions on what the chain leads to, where that can be works."""
    if not chain.relations or not WORK_TYPES.intersection(leads_to(chain.relations[-1].edge)):
        return SearchFilters()
    return filters_of(understood.items, understood.text, chain.wanted.format)


def _moved_year(understood: Understanding, chain: ChainReading, filters: SearchFilters) -> tuple[SearchFilters, bool]:
    """A year beside a person or studio is no part of the name: `anime by X from 2001`."""
    note = understood.noted.notes.get(understood.names[0], Notes())
    if not chain.relations or chain.relations[0].edge not in _VOICED_FROM_PEOPLE or note.year is None:
        return filters, False
    return filters.model_copy(update={"years": DateRange(first_year=note.year, last_year=note.year)}), True
