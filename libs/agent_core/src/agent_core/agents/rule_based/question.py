"""A question as a QueryRewrite. Pure."""

from collections.abc import Sequence
from typing import Literal

from agent_core.agents.rule_based.asked import episode_number
from agent_core.agents.rule_based.clauses import read_clauses
from agent_core.agents.rule_based.descriptions import is_description
from agent_core.agents.rule_based.document_reading import speaks_of_documents
from agent_core.agents.rule_based.draft import Draft
from agent_core.agents.rule_based.english import is_english
from agent_core.agents.rule_based.glossary import language_of
from agent_core.agents.rule_based.named import read_named
from agent_core.agents.rule_based.nameless import read_described, read_nameless
from agent_core.agents.rule_based.names import NamesFound, find_names
from agent_core.agents.rule_based.open_references import REFERENCE, is_open_reference
from agent_core.agents.rule_based.parts import parts_of
from agent_core.agents.rule_based.query_reading import with_set_question
from agent_core.agents.rule_based.shaped import read_linked, read_namesakes, read_slots
from agent_core.agents.rule_based.shapes import fixed_shape, is_yes_no, slots_of, without_hops
from agent_core.agents.rule_based.spelling import respelled
from agent_core.agents.rule_based.text import Name, clean
from agent_core.agents.rule_based.understanding import (
    Understanding,
    completed,
    english_reading,
    proper_text,
    understand,
    unexplained,
)
from agent_core.agents.rule_based.words import FUNCTION_WORDS
from agent_core.schemas import AnswerKind, AskedField, Mention, QueryRewrite
from agent_core.set_question import SetTask

MAX_CHARACTERS = 1_000
"""How much of a question is read; what is asked stands in its first lines."""

FixedAnswer = Literal["greeting", "abilities", "limits", "referent"]


def rewrite_question(question: str, known: Sequence[Mention], *, language: str | None = None) -> QueryRewrite:
    """The rewrite of a question. `known` are the catalogue names that a finder saw in the cleaned question."""
    text = respelled(clean(question)[:MAX_CHARACTERS], known)
    rewrite = _rewrite_whole(text, known, language)
    if not rewrite.needs_external_context:
        return rewrite
    found = find_names(text, known, language_of(text))
    if _is_about_nothing_named(rewrite, text, found):
        return _fixed(text, "referent", language or language_of(text))
    parts = parts_of(english_reading(text, found.names))
    read = [_rewrite_whole(part.text, known, language) for part in parts]
    is_of_several = rewrite.answer_kind in _OF_SEVERAL and not any(part.answer_kind in _OF_SEVERAL for part in read)
    if is_of_several or not all(part.leans or _asks(part.text, own) for part, own in zip(parts, read, strict=True)):
        return rewrite
    leaning = tuple(place for place, part in enumerate(parts) if part.leans)
    return rewrite.model_copy(update={"parts": tuple(part.text for part in parts), "leaning": leaning})


def _is_about_nothing_named(rewrite: QueryRewrite, text: str, found: NamesFound) -> bool:
    has_conditions = rewrite.set_question is not None or not rewrite.filters.is_empty
    return not has_conditions and REFERENCE.search(text) is not None and is_open_reference(understand(text, ()), found)


_OF_SEVERAL = frozenset({AnswerKind.PATH, AnswerKind.COMPARISON})
"""What is asked of two things together; `compare when X started and when Y started` is no question of each."""


def _asks(part: str, read: QueryRewrite) -> bool:
    """Whether a part is a question by itself: `what of X` is none."""
    if speaks_of_documents(part):
        return True
    is_asking = read.relations or read.asked_fields or read.set_question or read.answer_kind in _OF_SEVERAL
    return bool(is_asking or is_yes_no(part.casefold())) and bool(read.mentions or read.set_mentions)


def _rewrite_whole(text: str, known: Sequence[Mention], language: str | None) -> QueryRewrite:
    fixed = fixed_shape(proper_text(text)) if not known else None
    if fixed is not None:
        return _fixed(text, fixed, language or language_of(text))
    found = find_names(text, known, language_of(text))
    certain = understand(text, [name for name in found.names if _is_certain(name)])
    if is_description(certain):
        described = _finished(certain, read_described(certain), language)
        return _or_recommended(with_set_question(described, text, certain.reading.names), text, found)
    understood = _understood(text, found.names)
    draft = _read(understood)
    if found.doubtful and (not draft.mentions or draft.fields == (AskedField.UNSUPPORTED,)):
        again = _understood(text, (*found.names, *found.doubtful))
        other = _read(again)
        if other.mentions and (draft.lacks_name or _is_all_name(again) or _joins_more(other, draft)):
            understood, draft = again, other
    plain = with_set_question(_finished(understood, draft, language), text, understood.reading.names)
    return _or_recommended(plain, text, found) if found.doubtful else plain


def _joins_more(other: Draft, draft: Draft) -> bool:
    """Whether a name that may be none makes two things of one, which the question then holds against each other."""
    return other.kind in (AnswerKind.PATH, AnswerKind.COMPARISON) and len(other.mentions) > len(draft.mentions) > 0


def _or_recommended(plain: QueryRewrite, text: str, found: NamesFound) -> QueryRewrite:
    """The rewrite with a recommendation, if the words ask for one when `monster` is taken for a title after all."""
    for names in (found.names, (*found.names, *found.doubtful)) if plain.set_question is None else ():
        again = with_set_question(plain, text, _understood(text, names).reading.names)
        if again.set_question is not None and again.set_question.task is SetTask.RECOMMENDATION:
            return again
    return plain


def _is_certain(name: Name) -> bool:
    """Whether a name is one in any kind of text: one or two small English words may be part of a description."""
    words = name.text.split()
    is_small = name.text.islower() and (len(words) == 1 or (len(words) == 2 and all(map(is_english, words))))
    return name.is_quoted or (name.is_known and not is_small)


def _fixed(text: str, fixed: FixedAnswer, language: str) -> QueryRewrite:
    return QueryRewrite(
        rewritten_query=text,
        needs_external_context=False,
        rationale=f"{fixed}: a fixed answer",
        fixed_answer=fixed,
        language=language,
    )


def _understood(text: str, names: Sequence[Name]) -> Understanding:
    understood = understand(text, names)
    grown = completed(understood)
    return understood if grown == understood.reading.names else understand(text, grown)


def _is_all_name(understood: Understanding) -> bool:
    """Whether a question holds nothing beside its names that carries meaning."""
    return all(item.is_name or item.cue is not None or item.text in FUNCTION_WORDS for item in understood.items)


def _read(understood: Understanding) -> Draft:
    slots = slots_of(without_hops(understood.text))
    draft = read_slots(understood, slots) if slots is not None else None
    draft = draft or read_namesakes(understood)
    if draft is not None:
        return draft
    if not understood.names:
        return read_nameless(understood)
    if episode_number(understood.text) is not None:
        return read_named(understood)
    return read_clauses(understood) or read_linked(understood) or read_named(understood)


def _finished(understood: Understanding, draft: Draft, language: str | None) -> QueryRewrite:
    about = ", ".join(mention.text for mention in draft.mentions) or "the catalogue"
    return QueryRewrite(
        rewritten_query=_normal_form(understood),
        needs_external_context=True,
        rationale=draft.rationale or f"{draft.kind} about {about}",
        answer_kind=draft.kind,
        mentions=draft.mentions,
        concepts=draft.concepts,
        asked_fields=draft.fields,
        fields_of_mention=draft.fields_of_mention,
        relations=draft.relations,
        entity_types=draft.types,
        filters=draft.filters,
        date_range=draft.filters.years,
        max_hops=draft.max_hops,
        excepted=understood.noted.excepted,
        is_whole=not unexplained(understood) and all(name.is_known for name in understood.reading.names),
        language=language or understood.language,
    )


def _normal_form(understood: Understanding) -> str:
    """The question proper as it was written, with a capital and a question mark."""
    pieces = understood.reading.pieces
    if not pieces:
        return understood.reading.question
    start, end = min(piece.start for piece in pieces), max(piece.end for piece in pieces)
    body = understood.reading.question[start:end].strip(" ,.;:-?？")
    return f"{body[:1].upper()}{body[1:]}?"
