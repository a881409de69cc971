"""Two sentences about one name: `who is X and what does he appear in`, `X has a captain. Who voices him?`."""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from datastore.edges import EdgeType

from agent_core.agents.rule_based.cues import SourceCue, UnsupportedCue
from agent_core.agents.rule_based.draft import Draft
from agent_core.agents.rule_based.edge_ends import leads_to, starts_from
from agent_core.agents.rule_based.items import Item
from agent_core.agents.rule_based.named import read_single, types_with
from agent_core.agents.rule_based.operands import without_places
from agent_core.agents.rule_based.text import Reading
from agent_core.agents.rule_based.understanding import Understanding, part_of, unexplained
from agent_core.agents.rule_based.word_order import with_topic
from agent_core.schemas import AnswerKind, AskedField, AskedRelation

ASKING_WORDS = r"(?:(?:in|under|for|by|at|on|from|with|to|of) )?(?:who|whom|whose|what|which|when|where|how)\b"
YES_NO_WORDS = r"(?:is|are|was|were|did|does|do|has|can|may|must|should)\b"
_CLAUSE = re.compile(
    rf" (?:[.!;?] (?:¿ )?(?:and |so |but |now )*(?={ASKING_WORDS}|{YES_NO_WORDS} )"
    rf"|(?:and|,)(?: and| also| so)? (?={ASKING_WORDS}|{YES_NO_WORDS} ))"
)
ASKS = re.compile(rf"^{ASKING_WORDS}|\b(?:and|to|me|know) {ASKING_WORDS}")


def read_clauses(understood: Understanding) -> Draft | None:
    """The draft of two sentences about one name; None when it is one sentence, or about several."""
    match = _CLAUSE.search(understood.text)
    if match is None:
        return None
    reading = understood.reading
    first, second = reading.name_indexes(0, match.start()), reading.name_indexes(match.end())
    if len(set(first)) != 1 or any(index not in first for index in second):
        return None
    head_pieces = reading.pieces_in(0, match.start())
    tail_pieces = list(reading.pieces_in(match.end(), len(reading.text)))
    if not second:
        topic = next(piece for piece in reading.pieces if piece.text in reading.text and _is_name(piece.text))
        tail_pieces = with_topic(tail_pieces, [topic])
    head = part_of(understood, Reading(reading.question, reading.names, head_pieces))
    tail = part_of(understood, Reading(reading.question, reading.names, tuple(tail_pieces)))
    one, two = _read(head), _with_gap(tail, _read(tail))
    if ASKS.search(head.text) is None and not understood.is_yes_no:
        asking = [item for item in understood.items if item.start >= match.end()]
        one = replace(one, relations=one.relations or _source_meant(head, asking))
        return _told(one, two if second or tail.cues_of(UnsupportedCue) else _open(one, two))
    return _joined(one, two)


def _is_name(text: str) -> bool:
    return len(text) == 1 and "\ue000" <= text <= "\ue0ff"


def _read(understood: Understanding) -> Draft:
    return read_single(understood, without_places(understood.items))


def _with_gap(understood: Understanding, draft: Draft) -> Draft:
    """The draft of a part, which asks for something no row holds where its words stand for nothing that one does."""
    is_empty = not draft.relations and not draft.fields and draft.filters.is_empty
    return replace(draft, fields=(AskedField.UNSUPPORTED,)) if is_empty and unexplained(understood) else draft


def _told(context: Draft, question: Draft) -> Draft:
    """A question after a sentence that asks nothing: of the name, or of what that sentence leads to from it.

    `There is a sequel to X. Which studio made it?` asks of the sequel; `X has a captain. Who voices that captain?` says
    the step itself.
    """
    steps, further = context.relations, question.relations
    mentions = question.mentions or context.mentions
    if not steps or _begins_with(further, steps) or not _can_follow(steps[-1], further):
        return replace(question, mentions=mentions)
    return replace(question, mentions=context.mentions or mentions, relations=(*steps, *further))


def _source_meant(context: Understanding, question: Sequence[Item]) -> tuple[AskedRelation, ...]:
    """The step to what a work was made from, when the question goes on about that: `a manga. Who wrote that manga?`."""
    if not context.cues_of(SourceCue):
        return ()
    for before, item in pairwise(question):
        if item.type is not None and before.text in ("that", "this", "the") and len(item.type.types) == 1:
            return (AskedRelation(edge=EdgeType.ADAPTATION_OF, entity_type=item.type.types[0]),)
    return ()


def _open(context: Draft, question: Draft) -> Draft:
    """A question that names nothing itself, about what the context leads to: `X has a prequel. When did it start?`."""
    if not context.relations or question.relations:
        return question
    last = context.relations[-1]
    ends = {last.entity_type} if last.entity_type else leads_to(last.edge)
    fields = tuple(field for field in question.fields if field is not AskedField.UNSUPPORTED)
    if not all(ends.intersection(types_with(field)) for field in fields):
        return question
    kept = tuple(field for field in fields if field is not AskedField.DESCRIPTION)
    return replace(question, kind=AnswerKind.RELATION, relations=context.relations, fields=kept)


def _begins_with(chain: Sequence[AskedRelation], steps: Sequence[AskedRelation]) -> bool:
    return [(each.edge, each.qualifier) for each in chain[: len(steps)]] == [
        (each.edge, each.qualifier) for each in steps
    ]


def _can_follow(last: AskedRelation, further: Sequence[AskedRelation]) -> bool:
    """Whether what the context leads to can be what the question goes on from; without steps it only asks fields."""
    if not further:
        return False
    ends = {last.entity_type} if last.entity_type else leads_to(last.edge)
    return bool(ends.intersection(starts_from(further[0].edge)))


def _joined(first: Draft, second: Draft) -> Draft:
    """Two questions about the same name: their fields together, and their relation where one word covers both."""
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
