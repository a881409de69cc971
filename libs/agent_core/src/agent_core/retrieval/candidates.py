"""Which entity a mention means: candidates ranked, one chosen, or the choice left open (pure).

How it is decided:

1. Context first. A work must be of the mention's year (one year off if none is of that very year), a character, person,
   studio or episode must belong to the work named in `within`. When no candidate fits, nothing is chosen: a known name
   of another year or work is no answer. Of the mention's types, a match by more than a typo is wanted; only when there
   is none does a full name of another type count. Of those that a mention called a film meets best, films are meant.
2. Then the class of the match: an official name, an alias or abbreviation, whole words of a name, the beginning of a
   name, the beginning of a word in it, a typo in the whole name, one in a part of it, a neighbour in the vector space
   whose name has every word of the mention. A neighbour that shares but a word is shown, never chosen.
3. Inside the class, where a whole name is met in a mention open as to type: anime before manga before characters,
   people, studios and episodes. A title spoken alone means the work, and of a work and its adaptation the anime is
   asked about most. The others are alternatives; this is not ambiguous. Where a part is met, popularity decides.
4. It is ambiguous when another candidate of the same class and type stands beside the best and nothing tells them
   apart: always when both have the same official name, labels such as "(2011)" apart, otherwise when the best leads by
   less than the fitted threshold (agent_core.retrieval.ambiguity). Names that differ in their signs alone, as "K-On!"
   and "K-On!!" do, are told apart by a mention that is written as one of them is. Works of one franchise that are met
   by an alias or a part of a name are no rivals: of them the anime series that came first is meant, whose film may
   bear its very name when a part of it was said. Two entities are never merged.
5. One is chosen, and the name called ambiguous all the same, when the best leads clearly but others bear the whole name
   too, or one of other signs: the answer says which was meant and lists them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from datastore.folding import fold
from datastore.postgres.entity_cards import EntityCard, WorkDetails
from datastore.vocabulary import WORK_TYPES, EntityType, WorkFormat

from agent_core.evidence import EntityRef
from agent_core.retrieval.ambiguity import FITTED
from agent_core.retrieval.name_likeness import official_bases
from agent_core.schemas import Candidate, MatchKind, Mention, ResolvedMention

MAX_CANDIDATES = 8

CLASS_SCORES: dict[MatchKind, float] = {
    MatchKind.EXACT: 0.97,
    MatchKind.FOLDED: 0.95,
    MatchKind.ALIAS: 0.9,
    MatchKind.PREFIX: 0.75,
    MatchKind.WORD_PREFIX: 0.7,
    MatchKind.TYPO: 0.55,
    MatchKind.VECTOR: 0.35,
}
"""The score of a match before popularity and context."""

POPULARITY_WEIGHT = 0.03
LOOSE_FACTOR = 0.8
UNFIT_FACTOR = 0.5

_OFFICIAL, _OTHER_NAME, _WHOLE_WORDS, _BEGINNING, _WORD_BEGINNING, _TYPO, _TYPO_IN_A_PART, _NEIGHBOUR = range(8, 0, -1)
_MERE_NEIGHBOUR = 0
_STRENGTH: dict[MatchKind, tuple[int, int]] = {
    MatchKind.EXACT: (_OFFICIAL, _OFFICIAL),
    MatchKind.FOLDED: (_OFFICIAL, _OFFICIAL),
    MatchKind.ALIAS: (_OTHER_NAME, _OTHER_NAME),
    MatchKind.PREFIX: (_WHOLE_WORDS, _BEGINNING),
    MatchKind.WORD_PREFIX: (_WHOLE_WORDS, _WORD_BEGINNING),
    MatchKind.TYPO: (_TYPO, _TYPO_IN_A_PART),
    MatchKind.VECTOR: (_NEIGHBOUR, _MERE_NEIGHBOUR),
}
"""The class of a match, of a clean and of a loose one; higher is stronger."""
_OF_WHOLE_NAMES = frozenset({_OFFICIAL, _OTHER_NAME, _TYPO})
_TYPE_ORDER = (
    EntityType.ANIME,
    EntityType.MANGA,
    EntityType.CHARACTER,
    EntityType.PERSON,
    EntityType.STUDIO,
    EntityType.EPISODE,
    EntityType.DOCUMENT,
)
_SERIES_FORMATS = frozenset({WorkFormat.TV, WorkFormat.MANGA, WorkFormat.LIGHT_NOVEL, WorkFormat.NOVEL})
_NO_YEAR = 9_999


@dataclass(frozen=True, slots=True)
class NameCandidate:
    """An entity whose name a mention may be, with what the choice needs.

    `is_clean`: the mention is made of whole words of the name, misspells a whole name, or has no word that the name of
    a neighbour lacks. `year_asked` is the year that
    the mention gives. `belongs` says whether the entity is linked to the work named in `within`; None where that
    doesn't matter. `main_link` is the most popular entity it is linked to, `franchise` the same value for works that
    are related.
    """

    card: EntityCard
    matched_name: str
    match: MatchKind
    is_clean: bool = True
    year_asked: int | None = None
    belongs: bool | None = None
    main_link: str | None = None
    franchise: UUID | None = None

    @property
    def year(self) -> int | None:
        """The year of a work; None for anything else and where it is not known."""
        return self.card.details.year if isinstance(self.card.details, WorkDetails) else None

    @property
    def is_film(self) -> bool:
        """Whether it is a film."""
        return isinstance(self.card.details, WorkDetails) and self.card.details.format is WorkFormat.MOVIE

    @property
    def strength(self) -> int:
        """The class of the match; higher is stronger."""
        return _STRENGTH[self.match][not self.is_clean]

    @property
    def discriminators(self) -> tuple[str, ...]:
        """What tells it from its namesakes: year and format of a work, else the work it is best known for."""
        details = self.card.details
        if isinstance(details, WorkDetails):
            form = details.format or self.card.entity_type
            return tuple(str(part) for part in (details.year, form) if part is not None)
        return (self.main_link,) if self.main_link else ()


def choose(
    mention: Mention, found: Sequence[NameCandidate], *, clear_lead: float = FITTED.clear_lead
) -> ResolvedMention:
    """The candidates of a mention, ranked, with the one meant, or with the choice left open.

    `clear_lead`: by how much of a percentile the best must lead before namesakes by alias, part of a name or typo are
    told apart.
    """
    viable = _viable(mention, found)
    leaders = _leaders(viable)
    rivals = _rivals(leaders, clear_lead)
    others = sorted((c for c in found if c not in leaders), key=lambda c: (c not in viable, *_order(c)))
    shown = tuple(
        _shown(candidate, is_viable=candidate in viable) for candidate in [*leaders, *others][:MAX_CANDIDATES]
    )
    return ResolvedMention(
        mention=mention,
        candidates=shown,
        chosen=shown[0] if leaders and not rivals else None,
        margin=_margin(shown),
        is_ambiguous=bool(rivals) or _shares_its_name(leaders, viable),
    )


def _viable(mention: Mention, found: Sequence[NameCandidate]) -> list[NameCandidate]:
    return _of_asked_form(mention, _of_asked_type(mention, _in_context(mention, found)))


def _in_context(mention: Mention, found: Sequence[NameCandidate]) -> list[NameCandidate]:
    """The candidates of the year asked and of the work named."""
    belonging = [candidate for candidate in found if candidate.belongs is not False]
    of_year = [candidate for candidate in belonging if _years_off(mention, candidate) == 0]
    return of_year or [candidate for candidate in belonging if _years_off(mention, candidate) == 1]


def _years_off(mention: Mention, candidate: NameCandidate) -> int:
    """How far a work is from the year asked. What has no year fits only where the mention can't be a work."""
    if candidate.year_asked is None:
        return 0
    if candidate.card.entity_type not in WORK_TYPES:
        return 0 if mention.entity_types and not WORK_TYPES.intersection(mention.entity_types) else _NO_YEAR
    return abs(candidate.year - candidate.year_asked) if candidate.year is not None else _NO_YEAR


def _of_asked_type(mention: Mention, found: Sequence[NameCandidate]) -> list[NameCandidate]:
    if not mention.entity_types:
        return list(found)
    typed = [candidate for candidate in found if candidate.card.entity_type in mention.entity_types]
    named = [candidate for candidate in typed if candidate.strength > _TYPO]
    of_other_type = [candidate for candidate in found if candidate.strength >= _OTHER_NAME]
    return named or of_other_type or typed


def _of_asked_form(mention: Mention, found: list[NameCandidate]) -> list[NameCandidate]:
    """Of those that the name meets best the films, if it was called one and there are any."""
    strongest = max((candidate.strength for candidate in found), default=_MERE_NEIGHBOUR)
    films = [candidate for candidate in found if candidate.strength == strongest and candidate.is_film]
    return films if mention.is_film and films else found


def _leaders(viable: Sequence[NameCandidate]) -> list[NameCandidate]:
    """The candidates of the strongest class, best first."""
    strongest = max((candidate.strength for candidate in viable), default=_MERE_NEIGHBOUR)
    if strongest == _MERE_NEIGHBOUR:
        return []
    leaders = sorted((c for c in viable if c.strength == strongest), key=_order)
    if strongest == _OFFICIAL:
        return _as_spelled_first(leaders)
    if leaders[0].franchise is None:
        return leaders
    related = [candidate for candidate in leaders if candidate.franchise == leaders[0].franchise]
    opener = min(related, key=_opening_order)
    return [opener, *(candidate for candidate in leaders if candidate is not opener)]


def _as_spelled_first(leaders: list[NameCandidate]) -> list[NameCandidate]:
    """The leaders with the one whose name the mention is sign by sign before the first, if that is of other signs."""
    first = leaders[0]
    spelled = (each for each in leaders if _is_of_type(each, first) and _is_spelled_otherwise(first, each))
    exact = next(spelled, first)
    return [exact, *(each for each in leaders if each is not exact)]


def deciding_lead(mention: Mention, found: Sequence[NameCandidate]) -> tuple[UUID, float] | None:
    """The best candidate and the lead that alone decides whether it is chosen; None where something else decides."""
    leaders = _leaders(_viable(mention, found))
    others = [candidate for candidate in leaders[1:] if _is_of_type(candidate, leaders[0])]
    kinds = [_told_apart(leaders[0], other) for other in others]
    if False in kinds or None not in kinds:
        return None
    best, open_ones = leaders[0].card, [c for c, kind in zip(others, kinds, strict=True) if kind is None]
    return best.id, min(best.popularity - candidate.card.popularity for candidate in open_ones)


def _rivals(leaders: Sequence[NameCandidate], clear_lead: float) -> list[NameCandidate]:
    """The leaders that nothing tells from the first."""
    return [
        candidate
        for candidate in leaders[1:]
        if _is_of_type(candidate, leaders[0]) and _rival(leaders[0], candidate, clear_lead)
    ]


def _shares_its_name(leaders: Sequence[NameCandidate], viable: Sequence[NameCandidate]) -> bool:
    """Whether another entity that could be meant bears the whole name too, officially or as an alias."""
    if not leaders or leaders[0].strength < _OTHER_NAME:
        return False
    best = leaders[0]
    others = (candidate for candidate in viable if candidate is not best and candidate.strength >= _OTHER_NAME)
    return any(_is_comparable(best, other) for other in others)


def _is_comparable(best: NameCandidate, other: NameCandidate) -> bool:
    """Works of one franchise, and a work and what is in it, bear one name without any doubt as to which is meant."""
    if _is_spelled_otherwise(other, best):
        return _is_of_type(best, other)
    if best.franchise is not None and best.franchise == other.franchise:
        return False
    is_any_work = not WORK_TYPES.isdisjoint((best.card.entity_type, other.card.entity_type))
    return _is_of_type(best, other) or not is_any_work


def _rival(best: NameCandidate, other: NameCandidate, clear_lead: float) -> bool:
    told_apart = _told_apart(best, other)
    if told_apart is None:
        return best.card.popularity - other.card.popularity < clear_lead
    return not told_apart


def _told_apart(best: NameCandidate, other: NameCandidate) -> bool | None:
    """Whether names and franchises tell two of one class apart; None leaves it to popularity."""
    if _is_spelled_otherwise(other, best):
        return True
    is_one_franchise = best.franchise is not None and best.franchise == other.franchise
    if best.strength == _OFFICIAL or official_bases(best.card.names) & official_bases(other.card.names):
        is_part = best.strength not in _OF_WHOLE_NAMES
        return is_one_franchise and is_part and _is_series(best) and not _is_series(other)
    return True if is_one_franchise else None


def _is_spelled_otherwise(candidate: NameCandidate, best: NameCandidate) -> bool:
    """Whether the mention is the best one's name sign by sign, and the candidate's only when signs don't count."""
    is_other = best.match is MatchKind.EXACT and candidate.match is MatchKind.FOLDED
    return is_other and fold(candidate.matched_name) == fold(best.matched_name)


def _is_series(candidate: NameCandidate) -> bool:
    details = candidate.card.details
    return isinstance(details, WorkDetails) and details.format in _SERIES_FORMATS


def _is_of_type(candidate: NameCandidate, other: NameCandidate) -> bool:
    return candidate.card.entity_type is other.card.entity_type


def _order(candidate: NameCandidate) -> tuple[int, int, float, int, str, str]:
    place = _TYPE_ORDER.index(candidate.card.entity_type)
    is_whole = candidate.strength in _OF_WHOLE_NAMES
    return (
        -candidate.strength,
        place if is_whole else 0,
        -candidate.card.popularity,
        place,
        candidate.card.name,
        str(candidate.card.id),
    )


def _opening_order(candidate: NameCandidate) -> tuple[bool, bool, int, float, str]:
    is_anime = candidate.card.entity_type is EntityType.ANIME
    year = candidate.year or _NO_YEAR
    return (not is_anime, not _is_series(candidate), year, -candidate.card.popularity, str(candidate.card.id))


def _shown(candidate: NameCandidate, *, is_viable: bool) -> Candidate:
    score = CLASS_SCORES[candidate.match] + POPULARITY_WEIGHT * candidate.card.popularity
    score *= 1.0 if candidate.is_clean else LOOSE_FACTOR
    score *= 1.0 if is_viable else UNFIT_FACTOR
    card = candidate.card
    return Candidate(
        entity=EntityRef(entity_type=card.entity_type, id=card.id, name=card.name),
        matched_name=candidate.matched_name,
        match=candidate.match,
        score=round(min(1.0, score), 4),
        discriminators=candidate.discriminators,
    )


def _margin(shown: Sequence[Candidate]) -> float:
    if not shown:
        return 0.0
    return round(max(0.0, shown[0].score - shown[1].score), 4) if len(shown) > 1 else 1.0
