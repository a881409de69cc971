"""What each mention of a question is to its chain."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from datastore.vocabulary import WORK_TYPES

from agent_core.evidence import EntityRef
from agent_core.remembering import for_same
from agent_core.schemas import AnswerKind, AskedField, MatchKind, QueryRewrite, ResolvedMention


@dataclass(frozen=True, slots=True)
class Roles:
    """What each mention is to the question, as indexes into `rewrite.mentions`."""

    starts: tuple[int, ...] = ()
    targets: tuple[int, ...] = ()
    scopes: tuple[int, ...] = ()


@for_same
def roles_of(rewrite: QueryRewrite) -> Roles:
    """Which mentions the chain starts from, which it must lead to, and which only narrow another."""
    within = {mention.within.casefold() for mention in rewrite.mentions if mention.within}
    scopes = tuple(
        index
        for index, mention in enumerate(rewrite.mentions if within else ())
        if mention.text.casefold() in within and mention.within is None
    )
    rest = tuple(index for index in range(len(rewrite.mentions)) if index not in scopes)
    if not rewrite.relations or rewrite.answer_kind in (AnswerKind.LIST, AnswerKind.PATH, AnswerKind.COMPARISON):
        return Roles(starts=rest, scopes=scopes)
    return Roles(starts=rest[:1], targets=rest[1:], scopes=scopes)


_MAX_NAMESAKES = 3


def namesakes_of(resolved: Sequence[ResolvedMention]) -> tuple[EntityRef, ...]:
    """What else bears a name that was taken for one of several, best first."""
    return tuple(
        candidate.entity
        for mention in resolved
        if mention.is_ambiguous and mention.chosen is not None
        for candidate in mention.candidates[: _MAX_NAMESAKES + 1]
        if candidate.entity.key != mention.chosen.entity.key
        and candidate.matched_name.casefold() == mention.chosen.matched_name.casefold()
    )


_DATES = frozenset({AskedField.START_DATE, AskedField.END_DATE, AskedField.YEAR})
_OFFICIAL = frozenset({MatchKind.EXACT, MatchKind.FOLDED})


def other_forms_of(rewrite: QueryRewrite, resolved: Sequence[ResolvedMention]) -> tuple[EntityRef, ...]:
    """The works of another type with the very title asked about, where dates are asked and nothing says which is meant.

    `When did X start?` may mean the anime or the manga X; of episodes only one of them can have any.
    """
    if rewrite.relations or not rewrite.asked_fields or not _DATES.issuperset(rewrite.asked_fields):
        return ()
    return tuple(
        candidate.entity
        for mention in resolved
        if mention.chosen is not None and mention.chosen.match in _OFFICIAL and mention.mention.year is None
        if len(mention.mention.entity_types) != 1 and mention.chosen.entity.entity_type in WORK_TYPES
        for candidate in mention.candidates
        if candidate.match in _OFFICIAL and candidate.entity.entity_type in WORK_TYPES
        if candidate.entity.entity_type is not mention.chosen.entity.entity_type
        and candidate.matched_name.casefold() == mention.chosen.matched_name.casefold()
    )[:_MAX_NAMESAKES]


def chosen_of(resolved: Sequence[ResolvedMention], indexes: Iterable[int]) -> tuple[EntityRef, ...]:
    """The entities chosen for these mentions, those without one left out."""
    picked = (resolved[index].chosen for index in indexes if index < len(resolved))
    return tuple(candidate.entity for candidate in picked if candidate is not None)
