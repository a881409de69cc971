"""Paths and comparisons: questions whose whole shape says what they want."""

import re
from collections.abc import Sequence

from datastore.edges import EdgeType
from datastore.vocabulary import EntityType

from agent_core.agents.rule_based.asked import asked_fields
from agent_core.agents.rule_based.cues import RelationCue
from agent_core.agents.rule_based.draft import Draft
from agent_core.agents.rule_based.mentions import Notes, kind_beside, mentions_of
from agent_core.agents.rule_based.number_checks import bounded_fields
from agent_core.agents.rule_based.operands import Operands, without_places
from agent_core.agents.rule_based.query_dates import is_inside_date
from agent_core.agents.rule_based.shapes import Shape, Slots, comparative_fields, compares, hops_asked
from agent_core.agents.rule_based.understanding import Understanding
from agent_core.agents.rule_based.words import ARTICLES, FUNCTION_WORDS
from agent_core.schemas import MAX_HOPS, AnswerKind, AskedField, AskedRelation, Mention

_MAX_RAW_WORDS = 8
_DESCRIPTIVE = frozenset({AskedField.SYNOPSIS, AskedField.DESCRIPTION, AskedField.UNSUPPORTED})
_COUNTED = ((r"episodes?", AskedField.EPISODES), (r"chapters?", AskedField.CHAPTERS), (r"volumes?", AskedField.VOLUMES))
_E = EdgeType
_PATH_WORDS: tuple[tuple[str, tuple[EdgeType, ...]], ...] = (
    ("voice", (_E.VOICED_BY, _E.VOICES, _E.FEATURES, _E.APPEARS_IN)),
    ("actor", (_E.VOICED_BY, _E.VOICES, _E.FEATURES, _E.APPEARS_IN)),
    ("seiyuu", (_E.VOICED_BY, _E.VOICES, _E.FEATURES, _E.APPEARS_IN)),
    ("staff", (_E.HAS_STAFF, _E.STAFF_OF)),
    ("director", (_E.HAS_STAFF, _E.STAFF_OF)),
    ("studio", (_E.PRODUCED_BY, _E.PRODUCED)),
    ("character", (_E.FEATURES, _E.APPEARS_IN, _E.CHARACTER_RELATION)),
)
_MEANS = re.compile(
    r"\b(?:chains?|paths?|links?|connections?) (?:of|through|via|by|using) (?P<a>[\w ]+?)(?= between| from| that| to|$)"
    r"|\b(?:through|via|by way of|using|over) (?:only )?(?:shared |common )?(?P<b>[\w ]+)$"
)


def read_slots(understood: Understanding, slots: Slots) -> Draft | None:
    """The draft of a question with this shape; None when its operands are not there."""
    if slots.shape is Shape.COMPARISON and _COMMON.search(understood.text) and _is_of_one_kind(understood):
        return None
    if slots.shape is Shape.COMPARISON and understood.is_yes_no and bounded_fields(understood.text):
        return None
    operands = without_places(understood.items, only_beside=True)
    asked = _fields_of_comparison(understood) if slots.shape is Shape.COMPARISON else ()
    hint = _compared_types(understood, asked) if slots.shape is Shape.COMPARISON else ()
    if asked and not hint:
        hint = _kind_of_one(understood, operands.names)
    found = [mention for span in slots.operands for mention in _operand(understood, span, operands, hint)]
    mentions = tuple(dict.fromkeys(found))
    if len(mentions) < 2:
        return None
    if slots.shape is Shape.COMPARISON:
        return Draft(AnswerKind.COMPARISON, mentions, fields=asked, rationale="compares what is named")
    places = mentions_of(understood.noted, operands.places)
    edges = _allowed_edges(understood.text)
    asked_hops = hops_asked(understood.text)
    return Draft(
        AnswerKind.PATH,
        (*mentions[:2], *places),
        edges,
        max_hops=min(asked_hops, MAX_HOPS) if asked_hops else None,
        rationale="asks how two entities are linked",
    )


_COMMON = re.compile(r"\b(?:in common|shared|common) (?:between|among|to|by|of) ")


def _is_of_one_kind(understood: Understanding) -> bool:
    """Whether what two have in common is asked of one kind only: `a voice actor in common between X and Y`."""
    return len({cue.family for cue in understood.cues_of(RelationCue)}) == 1


def read_namesakes(understood: Understanding) -> Draft | None:
    """`compare the 2003 and 2009 X`, `the X anime and manga`: two works of one name."""
    names = [name for name in understood.names if understood.noted.notes.get(name, Notes()).is_double]
    if len(names) != 1 or not compares(understood.text):
        return None
    mentions = mentions_of(understood.noted, names, hints={names[0]: kind_beside(understood.reading, names[0])})
    fields = _fields_of_comparison(understood)
    return Draft(AnswerKind.COMPARISON, mentions, fields=fields, rationale="compares two works of one name")


_LINKING = re.compile(
    r"\b(?:link(?:s|ed|ing)?|connect(?:s|ed|ion|ions|ing)?|relat(?:e|es|ed|ion|ions|ionship|ionships)|tie[sd]?|bond|bonds|chain|path"
    r"|degrees|joins?|joined|reach|between|mean to each other|get from|get to|have to do)\b"
)
_COMPARING_END = re.compile(
    r"\b(?:compare|comparison|than|before or after|earlier or later|side by side|differ|differs|different)\b"
)


def read_linked(understood: Understanding) -> Draft | None:
    """Two names and a word for a link or a comparison, in whatever order; None when the words ask something else."""
    names = understood.names
    if len(names) != 2:
        return None
    families = {cue.family for cue in understood.cues_of(RelationCue)} - {"main_characters", "appears", "features"}
    mentions = mentions_of(
        understood.noted, names, hints={name: kind_beside(understood.reading, name) for name in names}
    )
    fields = _fields_of_comparison(understood)
    is_comparing = _COMPARING_END.search(understood.text) is not None or comparative_fields(understood.text)
    if len(mentions) < 2 or families:
        return None
    if is_comparing:
        hint = _compared_types(understood, fields)
        typed = mentions_of(understood.noted, names, hints=dict.fromkeys(names, hint)) if hint else mentions
        return Draft(AnswerKind.COMPARISON, typed, fields=fields, rationale="compares what is named")
    if fields or _LINKING.search(understood.text) is None:
        return None
    asked_hops = hops_asked(understood.text)
    return Draft(
        AnswerKind.PATH,
        mentions,
        _allowed_edges(understood.text),
        max_hops=min(asked_hops, MAX_HOPS) if asked_hops else None,
        rationale="asks how two entities are linked",
    )


def _fields_of_comparison(understood: Understanding) -> tuple[AskedField, ...]:
    """What is compared: the fields that are named; else what the comparing word is about."""
    named = _compared_fields(understood)
    return named or comparative_fields(understood.text)


def _compared_fields(understood: Understanding) -> tuple[AskedField, ...]:
    named = [field for word, field in _COUNTED if re.search(rf"\b{word}\b", understood.text)]
    asked = [field for field in asked_fields(understood) if field not in _DESCRIPTIVE]
    return tuple(dict.fromkeys([*named, *asked]))


def _compared_types(understood: Understanding, asked: Sequence[AskedField]) -> tuple[EntityType, ...]:
    """What both sides of a comparison are: `which manga …`, or what alone can have the field."""
    said = re.match(r"^(?:which|what) (anime|manga|movie|film|series|show) ", understood.text)
    if said is not None:
        return {"manga": (EntityType.MANGA,), "series": ()}.get(said.group(1), (EntityType.ANIME,))
    if asked and set(asked).issubset({AskedField.CHAPTERS, AskedField.VOLUMES}):
        return (EntityType.MANGA,)
    return (EntityType.ANIME,) if tuple(asked) == (AskedField.EPISODES,) else ()


def _kind_of_one(understood: Understanding, names: Sequence[int]) -> tuple[EntityType, ...]:
    """What the question says of one side, `the X manga or Y`, goes for the other of which it says nothing."""
    said = {kind for name in names if (kind := kind_beside(understood.reading, name))}
    return said.pop() if len(said) == 1 else ()


def _operand(
    understood: Understanding, span: tuple[int, int], operands: Operands, hint: tuple[EntityType, ...]
) -> tuple[Mention, ...]:
    names = [item.name for item in operands.items if item.is_name and span[0] <= item.start < span[1]]
    if not names:
        raw = raw_mention(understood, *span)
        return (raw,) if raw else ()
    hints = {name: kind_beside(understood.reading, name, hint) for name in names}
    return mentions_of(understood.noted, names, hints=hints, within=operands.within)


def raw_mention(understood: Understanding, start: int, end: int) -> Mention | None:
    """A name that nothing but its place in the question marks as one."""
    reading = understood.reading
    words = [piece for piece in reading.pieces_in(start, end) if re.match(r"\w", piece.text)]
    while len(words) > 2 and words[0].text in ARTICLES:
        words = words[1:]
    if not words or len(words) > _MAX_RAW_WORDS or all(_says_nothing(word.text) for word in words):
        return None
    if is_inside_date(reading.question, words[0].start, words[-1].end):
        return None
    return Mention(text=reading.question[words[0].start : words[-1].end])


def _says_nothing(word: str) -> bool:
    return word in FUNCTION_WORDS or word[0].isdigit()


def _allowed_edges(text: str) -> tuple[AskedRelation, ...]:
    """The edges that a path may use, when the question says so: `a chain of voice actors`."""
    match = _MEANS.search(text)
    said = (match.group("a") or match.group("b")) if match else ""
    edges: Sequence[EdgeType] = next((edges for word, edges in _PATH_WORDS if word in said), ())
    return tuple(AskedRelation(edge=edge) for edge in edges)
