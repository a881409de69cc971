"""Wishes for a recommendation: works liked and disliked, conditions, and how many are wanted."""

from datastore.vocabulary import WORK_TYPES, EntityType

from agent_core.agents.rule_based.beginnings import Sieve
from agent_core.agents.rule_based.cues import CueTable
from agent_core.agents.rule_based.query_conditions import GENRES, take_conditions
from agent_core.agents.rule_based.query_links import names_in, take_work_links
from agent_core.agents.rule_based.query_nouns import ANIME, WORK_NOUNS, WorkNoun, take_work_noun
from agent_core.agents.rule_based.query_scan import NUMBER, Scan, number_of
from agent_core.agents.rule_based.query_works import Read, Works
from agent_core.agents.rule_based.recommend_themes import THEME_CUES, UNCHECKED_WISHES
from agent_core.agents.rule_based.recommend_wordings import (
    ASKS,
    DISLIKED,
    ENOUGH_OF,
    GOES_ON,
    IDLE,
    KINDS,
    LIKED,
    LIKENESS,
    SEEN,
    SURELY_ALIKE,
    WEAK_ASKS,
)
from agent_core.agents.rule_based.text import name_index
from agent_core.set_question import Bound, Measure, SetTask, Taste

_THEMES = CueTable(GENRES, THEME_CUES)

DEFAULT_LIMIT, MAX_LIMIT = 5, 10
_SHORT: dict[Measure, Bound] = {
    Measure.EPISODES: Bound(measure=Measure.EPISODES, operator="<=", value=13),
    Measure.DURATION: Bound(measure=Measure.DURATION, operator="<=", value=90),
    Measure.CHAPTERS: Bound(measure=Measure.CHAPTERS, operator="<=", value=50),
    Measure.VOLUMES: Bound(measure=Measure.VOLUMES, operator="<=", value=5),
}
_LONG: dict[Measure, Bound] = {
    Measure.EPISODES: Bound(measure=Measure.EPISODES, operator=">=", value=50),
    Measure.DURATION: Bound(measure=Measure.DURATION, operator=">=", value=120),
    Measure.CHAPTERS: Bound(measure=Measure.CHAPTERS, operator=">=", value=100),
    Measure.VOLUMES: Bound(measure=Measure.VOLUMES, operator=">=", value=10),
}
"""What `short` and `long` are taken to mean where no figure is given; the answer says it."""

_GIVE = ("me", "us", "recommend", "suggest", "find", "need", "want", "top", "are")
_HOW_MANY = (
    rf"(?:{'|'.join(f'(?<={word} )' for word in _GIVE)}|^)(?P<number>{NUMBER})(?= \w)"
    r"(?! (?:or|episodes?|eps?|chapters?|volumes?|hours?|minutes?|days?|weekends?|evenings?|nights?)\b)"
)
_PRINTED = (
    r"(?:something|anything|one|more|what|some)? ?(?:good |great )?to read|what (?:should|could|can) i read(?: next)?"
)


_ASKING = (*ASKS, *WEAK_ASKS)
_WISHES = (*_ASKING, *SEEN, *DISLIKED, *LIKENESS, *LIKED)
_LIKELY = Sieve(_WISHES)


def read_recommendation(text: str) -> Read | None:
    """`something like X, but without romance`, `recommend a short finished mystery`, `I liked X and hated Y`."""
    scan = Scan(text)
    hints = _take_kinds(scan)
    scan.text = ENOUGH_OF.sub("without", scan.text)
    # What is understood on the way only takes words away: no other pattern becomes a likely one.
    likely = frozenset(_WISHES[place] for place in _LIKELY.of(scan.text))
    seen, disliked = _take_names(scan, SEEN, likely), _take_names(scan, DISLIKED, likely)
    asks = any(scan.find(pattern) for pattern in _ASKING if pattern in likely)
    alike = _take_names(scan, LIKENESS if asks else LIKENESS[:SURELY_ALIKE], likely)
    liked = (*alike, *_take_names(scan, LIKED, likely))
    if liked or disliked:
        disliked = (*disliked, *seen)
    else:
        # `I have seen X, recommend something similar`: what else could it be similar to?
        liked = seen
    if not (asks or liked):
        return None
    unchecked = tuple(dict.fromkeys(what for pattern, what in UNCHECKED_WISHES if scan.take(pattern)))
    number = scan.take(_HOW_MANY)
    limit = number_of(number.group("number")) if number is not None else None
    works = _take_works(scan, has_seed=bool(liked or disliked))
    if works is None:
        return None
    links = works.links
    for name in (*liked, *disliked):
        links.hints[name] = hints.get(name, (EntityType.ANIME, EntityType.MANGA))
    goes_on = len(liked) == 1 and not disliked and works.conditions.is_empty and GOES_ON.search(text) is not None
    taste = Taste(
        liked=tuple(dict.fromkeys(liked)),
        disliked=tuple(dict.fromkeys(disliked)),
        unchecked=unchecked,
        goes_on=goes_on,
    )
    wanted = min(max(limit or DEFAULT_LIMIT, 1), MAX_LIMIT)
    return works.question(SetTask.RECOMMENDATION, limit=wanted, taste=taste), links


def _take_kinds(scan: Scan) -> dict[int, tuple[EntityType, ...]]:
    """What is said of the kind of a name beside it, `the anime X`; the words are blanked."""
    hints: dict[int, tuple[EntityType, ...]] = {}
    for pattern in KINDS:
        for match in pattern.finditer(scan.text):
            is_printed = match.group("kind") in ("manga", "novel", "light novel", "book")
            hints[name_index(match.group("name"))] = (EntityType.MANGA,) if is_printed else (EntityType.ANIME,)
        scan.text = pattern.sub(lambda match: match.group("name"), scan.text)
    return hints


def _take_names(scan: Scan, patterns: tuple[str, ...], likely: frozenset[str]) -> tuple[int, ...]:
    """The names that the likely ones of the patterns hold, in order of the patterns."""
    found: list[int] = []
    for pattern in (each for each in patterns if each in likely):
        while (match := scan.take(pattern)) is not None:
            found.extend(names_in(match))
    return tuple(found)


def _take_works(scan: Scan, *, has_seed: bool) -> Works | None:
    """The set to choose from: anime where nothing else is said. None when a word is left that nothing explains."""
    printed = scan.take(_PRINTED)
    for pattern in ASKS:
        scan.take(pattern)
    links = take_work_links(scan)
    conditions = take_conditions(scan, _THEMES)
    noun = take_work_noun(scan)
    says_what = has_seed or bool(links.found) or noun is not None or printed is not None
    if conditions is None or (not says_what and conditions.is_empty):
        return None
    noun = _chosen(noun, is_printed=printed is not None)
    scan.take(r"animes?")
    for pattern, limits in (
        # `not too long` is `without long` by now.
        (r"(?:(?:very|really|rather|quite|relatively|fairly) )*short(?:er|ish)?|without long", _SHORT),
        (r"(?:(?:very|really|rather|quite|relatively|fairly) )*long(?:er|ish)?(?: running)?", _LONG),
    ):
        limit = limits.get(noun.length or Measure.EPISODES)
        if scan.take(pattern) and not conditions.bounds and limit is not None:
            conditions = conditions.model_copy(update={"bounds": (limit,)})
    for pattern in (*WEAK_ASKS, *IDLE):
        while scan.take(pattern) is not None:
            pass
    return Works(noun, conditions, links) if not scan.left else None


def _chosen(noun: WorkNoun | None, *, is_printed: bool) -> WorkNoun:
    """Printed works only where they are asked for."""
    if noun is None or WORK_TYPES.issubset(noun.types):
        return next(each for each in WORK_NOUNS if each.noun == "manga") if is_printed else ANIME
    return noun
