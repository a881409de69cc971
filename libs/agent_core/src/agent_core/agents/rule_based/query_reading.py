"""A question about a whole set, read from its words: counts, extremes, groups, averages, intersections, lists.

Every word must be explained; a question with one that is not stays with the other readings.
"""

import re
from collections.abc import Mapping, Sequence

from datastore.vocabulary import EntityType

from agent_core.agents.rule_based.conditions import find_years
from agent_core.agents.rule_based.query_bounds import take_bounds
from agent_core.agents.rule_based.query_conditions import is_genre
from agent_core.agents.rule_based.query_groups import read_groups
from agent_core.agents.rule_based.query_nouns import ANY_WORK
from agent_core.agents.rule_based.query_people import read_all, read_characters, read_people, read_studios
from agent_core.agents.rule_based.query_rewording import in_set_words
from agent_core.agents.rule_based.query_scan import Scan
from agent_core.agents.rule_based.query_ways import without_kinds, without_ways
from agent_core.agents.rule_based.query_works import (
    Read,
    read_count,
    read_extreme,
    read_figure,
    read_list,
)
from agent_core.agents.rule_based.recommend_reading import read_recommendation
from agent_core.agents.rule_based.shapes import is_yes_no
from agent_core.agents.rule_based.text import CONTRACTIONS, NAME, Name, Reading, blank
from agent_core.agents.rule_based.understanding import plain_reading
from agent_core.agents.rule_based.watch_reading import read_watch_order
from agent_core.schemas import Mention, QueryRewrite
from agent_core.set_question import SetQuestion, Way

_IS_THERE = re.compile(r"^(?:(?:is|are|was|were) there|do you have|have you got) (?:an? |any |some )?(?=\S)")
_HAS_ANY = re.compile(
    rf"^(?P<aux>has|have|did|does|do) (?P<who>{NAME})(?: ever)? (?P<verb>[a-z]+) (?:any|an?|some)"
    rf" (?P<set>(?:[a-z]+ ){{0,3}}?{ANY_WORK}\b.*)$"
)
_ENDS = re.compile(r"(?:holds? )?the (?:record|largest|biggest|greatest|highest|longest|most|fewest|oldest|earliest)")
_READERS = (
    read_recommendation,
    read_groups,
    read_figure,
    read_people,
    read_studios,
    read_characters,
    read_all,
    read_count,
    read_extreme,
    read_list,
)


def with_set_question(rewrite: QueryRewrite, question: str, names: Sequence[Name]) -> QueryRewrite:
    """The rewrite with the set question that the same words ask, if they ask one."""
    reading = plain_reading(question, [name for name in names if not _is_word(name)])
    text = _HAS_ANY.sub(r"which \g<set> \g<aux> \g<who> \g<verb>", _IS_THERE.sub("which ", reading.text))
    text = in_set_words(text)
    watching = read_watch_order(text)
    if is_yes_no(text) and watching is None:
        return rewrite
    ways: dict[int, Way] = {}
    bare, kinds = without_kinds(text)
    read = watching or (_read(bare) if kinds else None)
    if read is None:
        kinds = {}
        read = _read(text)
    if read is None:
        text, ways = without_ways(text)
        read = _read(text) if ways else None
    if read is None:
        return rewrite
    read[1].hints.update(kinds)
    asked, mentions = _with_mentions(read, reading, ways)
    return rewrite.model_copy(update={"set_question": asked, "set_mentions": mentions})


def _is_word(name: Name) -> bool:
    """Whether what was taken for a name only for its place is a word that conditions are made of."""
    if name.is_known or name.is_quoted:
        return False
    text = name.text.casefold()
    return text in CONTRACTIONS or is_genre(text) or _ENDS.fullmatch(name.text) is not None or _is_condition(text)


_MOST = re.compile(
    rf"(?:the )?(?:most|fewest)(?: (?:common|frequent|popular|{ANY_WORK}))?(?: releases?)?|over|under|at least|at most"
)


def _is_condition(text: str) -> bool:
    """Whether a text is nothing but a time, a limit or a superlative: `the nineties`, `two hours`, `the most`."""
    scan = Scan(text)
    if take_bounds(scan) and not scan.left:
        return True
    years = find_years(text)
    is_time = years is not None and not Scan(blank(text, years.start, years.end)).left
    return is_time or _MOST.fullmatch(text) is not None


def _read(text: str) -> Read | None:
    return next((found for reader in _READERS if (found := reader(text)) is not None), None)


def _with_mentions(read: Read, reading: Reading, ways: Mapping[int, Way]) -> tuple[SetQuestion, tuple[Mention, ...]]:
    """The question with its links counted along its mentions, each name once."""
    question, links = read
    order = question.mentions
    renumbered = tuple(
        link.model_copy(update={"mention": order.index(link.mention), "way": ways.get(link.mention)})
        for link in question.links
    )
    hints = {**links.hints, **{name: way.named_types for name, way in ways.items()}}
    mentions = tuple(_mention(reading, index, hints) for index in order)
    taste = question.taste.model_copy(
        update={
            "liked": tuple(map(order.index, question.taste.liked)),
            "disliked": tuple(map(order.index, question.taste.disliked)),
        }
    )
    return question.model_copy(update={"links": renumbered, "taste": taste}), mentions


def _mention(reading: Reading, index: int, hints: Mapping[int, tuple[EntityType, ...]]) -> Mention:
    name = reading.names[index]
    return Mention(text=name.text[:300], entity_types=hints.get(index, ()), is_quoted=name.is_quoted)
