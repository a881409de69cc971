"""Two questions in one, about one name: `who is X and what does he appear in`."""

import re
from collections.abc import Sequence
from dataclasses import replace

from agent_core.agents.rule_based.draft import Draft
from agent_core.agents.rule_based.items import Item
from agent_core.agents.rule_based.named import read_single
from agent_core.agents.rule_based.operands import without_places
from agent_core.agents.rule_based.understanding import Understanding
from agent_core.schemas import AnswerKind

_CLAUSE = re.compile(
    r" (?:and|,|;|\?|\.|!)(?: and| also| so)? (?=(?:who|what|which|when|where|how|in which|is|are|was|were|did|does|do|has|can)\b)"
)
_ASKS = re.compile(r"\b(?:who|whom|whose|what|which|when|where|how)\b")
_PRONOUNS = frozenset({"it", "he", "she", "they", "him", "her", "them", "this", "that"})
_OWNERS = frozenset({"its", "his", "their"})


def read_clauses(understood: Understanding) -> Draft | None:
    """Two questions in one: `who is X and what does he appear in`. None when it is one question."""
    match = _CLAUSE.search(understood.text)
    if match is None:
        return None
    first = understood.reading.name_indexes(0, match.start())
    second = understood.reading.name_indexes(match.end())
    if len(set(first)) != 1 or any(index not in first for index in second):
        return None
    head = tuple(item for item in understood.items if item.end <= match.start())
    tail = tuple(item for item in understood.items if item.start >= match.end())
    named = next(item for item in head if item.is_name)
    cues = [found for found in understood.cues if found.end <= match.start()]
    rest = [found for found in understood.cues if found.start >= match.end()]
    one = _single_clause(replace(understood, items=head, cues=tuple(cues), is_yes_no=False))
    two = _single_clause(
        replace(understood, items=_with_name(tail, named, has_name=bool(second)), cues=tuple(rest), is_yes_no=False)
    )
    asks = _ASKS.search(" ".join(item.text for item in head)) is not None
    if not asks and not understood.is_yes_no:
        # A sentence that asks nothing only says what the question is about.
        return replace(two, mentions=two.mentions or one.mentions)
    return _joined(one, two)


def _single_clause(understood: Understanding) -> Draft:
    return read_single(understood, without_places(understood.items))


def _with_name(items: Sequence[Item], named: Item, *, has_name: bool) -> tuple[Item, ...]:
    """The items with pronouns replaced by the name; where nothing refers to it, it goes to the end."""
    if has_name:
        return tuple(items)
    owned = Item("'s", -1, -1)
    found: list[Item] = []
    for item in items:
        if item.is_word(_OWNERS):
            found.extend((named, owned))
        else:
            found.append(named if item.is_word(_PRONOUNS) else item)
    has = any(item.is_name for item in found)
    return tuple(found) if has else (*found, Item("of", -1, -1), named)


def _joined(first: Draft, second: Draft) -> Draft:
    relations = max(first.relations, second.relations, key=len)
    one, two = first.relations, second.relations
    if len(one) == len(two) == 1 and one[0].edge is two[0].edge and one[0].qualifier and two[0].qualifier:
        relations = (one[0].model_copy(update={"qualifier": f"{one[0].qualifier}|{two[0].qualifier}"}),)
    fields = tuple(dict.fromkeys((*first.fields, *second.fields)))
    return replace(
        first,
        kind=AnswerKind.RELATION if relations else first.kind,
        relations=relations,
        fields=fields,
        fields_of_mention=bool(relations) and bool(fields),
        mentions=first.mentions if len(first.mentions) >= len(second.mentions) else second.mentions,
    )
