"""Questions in which no name was found: lists by conditions, descriptions, names that only their place gives away."""

import re

from datastore.vocabulary import WORK_TYPES, EntityType

from agent_core.agents.rule_based.asked import asked_fields
from agent_core.agents.rule_based.chain_reading import read_chain
from agent_core.agents.rule_based.conditions import filters_of
from agent_core.agents.rule_based.cues import Mark, RelationCue, TypeCue
from agent_core.agents.rule_based.descriptions import wants_title
from agent_core.agents.rule_based.draft import Draft, wanted_format, wanted_types
from agent_core.agents.rule_based.named import read_named
from agent_core.agents.rule_based.shaped import raw_mention
from agent_core.agents.rule_based.superlatives import superlative_of
from agent_core.agents.rule_based.text import Name
from agent_core.agents.rule_based.understanding import Understanding, loose_text, understand
from agent_core.agents.rule_based.words import FUNCTION_WORDS
from agent_core.schemas import AnswerKind, SearchFilters

_NAME_ONLY_ITEMS = 4
_IDLE_WORDS = """
    anime animes show shows series movie movies film films manga mangas title titles name called find look looking
    search searching remember recall remembering trying forgot forgotten saw watched watch read something anything
    someone story stories want know tell list recommend suggest please one ones kind old new where which what who
    about there was were had been think maybe guess help thing things character characters person works work set
    featuring named can could cannot good best highest lowest worst top rated longest shortest oldest newest latest
    earliest most popular recent famous score scores rating number episodes chapters volumes tells tale tales involving
    involves features feature
"""
_IDLE = frozenset(_IDLE_WORDS.split())


def read_nameless(understood: Understanding) -> Draft:
    """The draft of a question without a name."""
    asks = bool(understood.cues_of(RelationCue)) or bool(asked_fields(understood))
    filters = filters_of(understood.items, understood.text, wanted_format(understood))
    is_listing = bool(understood.cues_of(TypeCue)) and not filters.is_empty
    loose = loose_text(understood)
    if superlative_of(understood.text) is not None and understood.cues_of(TypeCue):
        return read_search(understood)
    if asks and not is_listing:
        return _with_raw_name(understood, loose) if loose is not None else _of_nothing(understood)
    if loose is not None and filters.is_empty and _is_hardly_more(understood):
        raw = raw_mention(understood, *loose)
        if raw is not None:
            return Draft(AnswerKind.ENTITY, (raw,), rationale="looks up one name")
    return read_search(understood)


def _is_hardly_more(understood: Understanding) -> bool:
    """Whether the text is hardly more than a name."""
    return len(understood.items) <= _NAME_ONLY_ITEMS and not understood.cues_of(TypeCue)


def _of_nothing(understood: Understanding) -> Draft:
    end = len(understood.items)
    chain = read_chain(understood.items, end, end - 1)
    fields = asked_fields(understood)
    return Draft(AnswerKind.ENTITY, (), chain.relations, fields, rationale="names nothing that could be looked up")


def _with_raw_name(understood: Understanding, loose: tuple[int, int]) -> Draft:
    """The same question read again with the unexplained words as its name."""
    reading = understood.reading
    pieces = reading.pieces_in(*loose)
    start, end = pieces[0].start, pieces[-1].end
    again = understand(reading.question, (Name(start, end, reading.question[start:end]),))
    return read_named(again) if again.names else read_search(understood)


_SOMEBODY = re.compile(r"\b(?:who|whose|with|that|characters?|person|somebody|someone)\b")


def read_described(understood: Understanding) -> Draft:
    """The draft of a description; of its conditions only those that are no words of a story."""
    filters = filters_of(understood.items, understood.text, wanted_format(understood))
    asks_for_somebody = re.match(r"(?:who|which (?:character|person))\b", understood.text) is not None
    types = (EntityType.CHARACTER,) if asks_for_somebody else wanted_types(understood)
    if wants_title(understood.text) or (not asks_for_somebody and _SOMEBODY.search(understood.text) is None):
        types = tuple(kind for kind in types if kind in WORK_TYPES)
    return Draft(
        AnswerKind.ENTITY,
        concepts=_concepts(understood, everything=True),
        types=types if types and set(types) != {EntityType.PERSON} else (EntityType.ANIME, EntityType.MANGA),
        filters=SearchFilters(years=filters.years, started=filters.started, format=filters.format),
        rationale="describes what it can't name",
    )


def read_search(understood: Understanding) -> Draft:
    """The draft of a search by conditions and by what else is said of the content."""
    filters = filters_of(understood.items, understood.text, wanted_format(understood))
    kind = AnswerKind.LIST
    concepts = _concepts(understood, everything=False)
    if any(item.is_mark(Mark.HOW_MANY) for item in understood.items):
        kind = AnswerKind.COUNT
    return Draft(
        kind,
        concepts=concepts,
        types=wanted_types(understood),
        filters=filters,
        rationale="describes what it wants instead of naming it",
    )


def _concepts(understood: Understanding, *, everything: bool) -> tuple[str, ...]:
    """The words that say something of the content, in order, as they were written.

    In a description every word may; otherwise what a cue explains is no content.
    """
    words: list[str] = []
    for item in understood.items:
        if item.cue is not None and not everything and item.relation is None:
            continue
        text = understood.reading.names[item.name].text if item.is_name else item.text
        words.extend(word for word in re.findall(r"[^\W_]+", text) if _has_content(word.casefold()))
    return tuple(dict.fromkeys(words))


def _has_content(word: str) -> bool:
    return word not in FUNCTION_WORDS and word not in _IDLE and not word[0].isdigit() and len(word) > 1
