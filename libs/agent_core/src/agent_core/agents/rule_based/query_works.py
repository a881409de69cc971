"""Questions about sets of works: lists, counts, extremes, averages, totals, groups."""

import re
from dataclasses import dataclass

from datastore.edges import EdgeType
from datastore.vocabulary import AppearanceRole

from agent_core.agents.rule_based.query_conditions import may_say_works, take_conditions
from agent_core.agents.rule_based.query_links import Links, take_work_links
from agent_core.agents.rule_based.query_nouns import (
    ANIME,
    ANY_ROLE_NOUN,
    STUDIO_NOUNS,
    WORK_NOUNS,
    WorkNoun,
    roles_of_noun,
    roles_of_verb,
    take_work_noun,
)
from agent_core.agents.rule_based.query_scan import Scan
from agent_core.agents.rule_based.query_superlatives import Extreme, take_extreme
from agent_core.set_question import FollowingStep, Grouping, Measure, SetConditions, SetQuestion, SetTask

Read = tuple[SetQuestion, Links]
"""A question about a set, and what the places of its names say of their types."""


@dataclass(frozen=True, slots=True)
class Works:
    """A set of works as it was said."""

    noun: WorkNoun
    conditions: SetConditions
    links: Links

    def question(self, task: SetTask, **asked: object) -> SetQuestion:
        """What is asked of this set."""
        formats = tuple(self.conditions.formats) or self.noun.formats
        values: dict[str, object] = {
            "task": task,
            "entity_types": self.noun.types,
            "noun": next(
                (each.noun for each in WORK_NOUNS if each.formats and each.formats == formats), self.noun.noun
            ),
            "conditions": self.conditions.model_copy(update={"formats": formats}),
            "links": tuple(self.links.found),
            **asked,
        }
        return SetQuestion.model_validate(values)


def take_works(scan: Scan) -> Works | None:
    """The set of works that the rest of the text says; None when anything is left that it doesn't explain."""
    if not may_say_works(scan):
        return None
    scan.take(r"of all time|in history|ever (?:made|released|produced)")
    links = take_work_links(scan)
    conditions = take_conditions(scan)
    noun = take_work_noun(scan)
    if noun is None and conditions is not None and (conditions.genres_all or conditions.sources):
        # `the longest mecha`, `how many adaptations of manga`: that stands for anime.
        noun = ANIME
    if conditions is None or noun is None or scan.left:
        return None
    return Works(noun, conditions, links)


_HOW_MANY = (
    r"^(?:(?:(?:in|on|for) )?how many(?: different| distinct)?"
    r"|(?:(?:what is|what was) )?(?:the )?(?:total |exact )?(?:number|count|amount) of"
    r"|count(?: of| up)?(?: all)?(?: the)?)"
)
_PER = r"(?:per|by|for (?:each|every)|(?:in |from )?each|in every|grouped by|split by)"
_GROUP_WORDS: tuple[tuple[str, Grouping], ...] = (
    (r"(?:release |start )?years?", Grouping.YEAR),
    (r"decades?", Grouping.DECADE),
    (r"seasons?", Grouping.SEASON),
    (r"formats?", Grouping.FORMAT),
    (r"(?:kinds? of )?sources?(?: materials?)?", Grouping.SOURCE),
    (r"status(?:es)?", Grouping.STATUS),
    (r"genres?", Grouping.GENRE),
    (r"(?:animation )?studios?", Grouping.STUDIO),
)
GROUP_WORD = r"(?P<group>" + "|".join(pattern for pattern, _ in _GROUP_WORDS) + r")"


def grouping_of(text: str) -> Grouping:
    """What a word of GROUP_WORD groups works by."""
    return next(grouping for pattern, grouping in _GROUP_WORDS if Scan(text).find(rf"^(?:{pattern})$"))


def read_count(text: str) -> Read | None:
    """`How many movies did X make?`, `How many anime per decade?`"""
    scan = Scan(text)
    if scan.take(_HOW_MANY) is None:
        return None
    per = scan.take(rf"{_PER} {GROUP_WORD}")
    works = take_works(scan)
    if works is None:
        return None
    if per is not None:
        return works.question(SetTask.GROUPS, grouping=grouping_of(per.group("group")), limit=50), works.links
    return works.question(SetTask.COUNT), works.links


_FIGURES: tuple[tuple[str, Measure | None], ...] = (
    (r"(?:episode counts?|(?:number|amount|count) of episodes|episodes)", Measure.EPISODES),
    (r"(?:chapter counts?|(?:number|amount|count) of chapters|chapters)", Measure.CHAPTERS),
    (r"(?:volume counts?|(?:number|amount|count) of volumes|volumes)", Measure.VOLUMES),
    (r"(?:scores?|ratings?)", Measure.SCORE),
    (r"(?:run ?times?|durations?|running times?|length in minutes|minutes)", Measure.DURATION),
    (r"(?:lengths?)", None),
)


_OVER = rf"(?: (?:of|for|in|among|across|per(?! {GROUP_WORD.replace('?P<group>', '?:')})))?"


_ASKS_FIGURE = re.compile(r"(?:average|mean|how many|total|combined|overall) ")


def read_figure(text: str) -> Read | None:
    """`What is the average episode count of …?`, `How many episodes do … have in total?`"""
    if _ASKS_FIGURE.search(text) is None:
        return None
    for pattern, measure in _FIGURES:
        for task, before, after in (
            (SetTask.AVERAGE, rf"(?:average|mean) {pattern}{_OVER}", None),
            (SetTask.AVERAGE, rf"how many {pattern} (?:do|does|did)", r"(?:have )?on average"),
            (SetTask.AVERAGE, rf"on average (?:,)? ?how many {pattern} (?:do|does|did)", r"have"),
            (SetTask.AVERAGE, rf"how many {pattern} (?:do|does|did) (?:the|an) average", r"have"),
            (SetTask.TOTAL, rf"(?:total|combined|overall) {pattern}{_OVER}", None),
            (
                SetTask.TOTAL,
                rf"how many {pattern} (?:do|does|did)",
                r"(?:have )?(?:in total|altogether|combined|all together|in sum)",
            ),
        ):
            scan = Scan(text)
            if scan.take(before) is None or (after is not None and scan.take(after) is None):
                continue
            per = scan.take(rf"{_PER} {GROUP_WORD}")
            works = take_works(scan)
            chosen = measure or (works.noun.length if works is not None else None)
            if works is None or chosen is None:
                continue
            grouping = grouping_of(per.group("group")) if per is not None else None
            return works.question(task, measure=chosen, grouping=grouping, limit=50), works.links
    return None


_FOLLOWING: tuple[tuple[str, FollowingStep], ...] = (
    (r"^when (?:did|does|was|were|has)", FollowingStep(field="start_date")),
    (r"^how many (?:episodes|eps) (?:does|did|do|has|have)", FollowingStep(field="episodes")),
    (r"^how many chapters (?:does|did|do|has|have)", FollowingStep(field="chapters")),
    (r"^how many volumes (?:does|did|do|has|have)", FollowingStep(field="volumes")),
    (r"^how many minutes (?:does|did|do|has|have|is)", FollowingStep(field="duration")),
    (r"^what (?:is|was) the (?:score|rating) of", FollowingStep(field="score")),
    (
        r"^who (?:voices?|voiced|plays?|played) the (?:main character|protagonist|lead|hero|heroine)s? (?:of|in)",
        FollowingStep(edge=EdgeType.VOICED_BY, qualifiers=(AppearanceRole.MAIN,)),
    ),
    (
        r"^who (?:is|are|was|were) the (?:main characters?|protagonists?|leads?|hero|heroine) (?:of|in)",
        FollowingStep(edge=EdgeType.FEATURES, qualifiers=(AppearanceRole.MAIN,)),
    ),
    (
        rf"^(?:which|what) {STUDIO_NOUNS} (?:made|produced|animated|created|is behind|was behind|did)|^who"
        rf" (?:animated|produced)",
        FollowingStep(edge=EdgeType.PRODUCED_BY),
    ),
)


_VERB_WORDS = 5


SAYS_EXTREME = re.compile(r"st\b|\b(?:top|by|before)\b")
"""A superlative, or another word that every extreme holds one of."""


def read_extreme(text: str) -> Read | None:
    """`Which movie by X has the most …?`, `the three oldest works by X`, `Who directed the longest …?`"""
    if SAYS_EXTREME.search(text) is None:
        return None
    scan = Scan(text)
    following = _take_following(scan)
    extreme = take_extreme(scan)
    if extreme is None:
        return None
    works = take_works(scan)
    measure = _measure(extreme, works) if works is not None else None
    if works is None or measure is None or (following is not None and extreme.limit > 1):
        return None
    question = works.question(
        SetTask.EXTREME,
        measure=measure,
        is_descending=extreme.is_descending,
        limit=extreme.limit,
        following=following,
    )
    return question, works.links


def _measure(extreme: Extreme, works: Works) -> Measure | None:
    if extreme.measure is Measure.RUNNING_DAYS and works.noun.length is Measure.DURATION:
        # A film runs for minutes.
        return Measure.DURATION
    return extreme.measure or works.noun.length


def _take_following(scan: Scan) -> FollowingStep | None:
    for pattern, following in _FOLLOWING:
        if scan.take(pattern):
            return following
    noun = scan.take(rf"^who (?:is|was|were|are) the (?P<noun>{ANY_ROLE_NOUN}) of")
    if noun is not None:
        return FollowingStep(edge=EdgeType.HAS_STAFF, qualifiers=roles_of_noun(noun.group("noun")) or ())
    words = scan.text.split(" ")
    for length in range(min(len(words) - 1, _VERB_WORDS), 0, -1):
        roles = roles_of_verb(" ".join(words[1 : length + 1])) if words[0] == "who" else None
        if roles:
            scan.cut(0, len(" ".join(words[: length + 1])))
            return FollowingStep(edge=EdgeType.HAS_STAFF, qualifiers=roles)
    return None


_LISTS = re.compile(r"^(?:list|show|name|give|which|what|all)\b")


def read_list(text: str) -> Read | None:
    """`movies directed by X`, `Which series from 2011 are finished?`: with more to it than one link."""
    scan = Scan(text)
    works = take_works(scan)
    if works is None:
        return None
    links, conditions = works.links, works.conditions
    says_more = not conditions.is_empty or len(links.found) > 1 or links.is_explicit
    says_more = says_more or any(link.is_absent for link in links.found)
    if not says_more and not (works.noun.formats and (links.found or _LISTS.match(text))):
        return None
    return works.question(SetTask.LIST), links
