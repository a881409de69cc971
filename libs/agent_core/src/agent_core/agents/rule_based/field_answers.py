"""Answers about the fields of one or several entities."""

import re
from collections.abc import Callable, Sequence

from datastore.edges import EdgeType
from datastore.vocabulary import WORK_TYPES, EntityType

from agent_core.agents.rule_based.asked import what_is_unsupported
from agent_core.agents.rule_based.composing import Composition
from agent_core.agents.rule_based.date_checks import is_then
from agent_core.agents.rule_based.glossary import language_of
from agent_core.agents.rule_based.names import find_names
from agent_core.agents.rule_based.number_checks import meets_number
from agent_core.agents.rule_based.query_bounds import take_bounds
from agent_core.agents.rule_based.query_dates import names_a_day
from agent_core.agents.rule_based.query_scan import Scan
from agent_core.agents.rule_based.relation_sentences import say_relation
from agent_core.agents.rule_based.text import clean
from agent_core.agents.rule_based.understanding import Understanding, understand, unexplained
from agent_core.agents.rule_based.wording import article, counted, date_phrase, first_sentences, joined
from agent_core.chain import Used, chosen_of, links, other_forms_of, places_of, roles_of, walks
from agent_core.evidence import EntityRef, EntityRowEvidence
from agent_core.fields import fits, is_told_by_edge, read_field
from agent_core.schemas import AskedField, AskedRelation, Mention, SearchFilters
from agent_core.slots import field_subjects

_F = AskedField
_MAX_NAMES = 8
_PROSE_SENTENCES, _PROSE_CHARACTERS = 3, 420
_WIDE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7ff]")

_NOUNS: dict[AskedField, str] = {
    _F.SYNOPSIS: "a synopsis",
    _F.EPISODES: "the number of episodes",
    _F.CHAPTERS: "the number of chapters",
    _F.VOLUMES: "the number of volumes",
    _F.START_DATE: "a start date",
    _F.END_DATE: "an end date",
    _F.YEAR: "the year",
    _F.SEASON: "the season",
    _F.FORMAT: "the format",
    _F.STATUS: "the status",
    _F.GENRES: "genres",
    _F.SCORE: "a score",
    _F.SOURCE: "the source",
    _F.DURATION: "the running time",
    _F.NAMES: "other names",
    _F.DESCRIPTION: "a description",
    _F.GENDER: "the gender",
    _F.AIR_DATE: "an air date",
}
"""What is missing when a field is not known."""

_FORMAT_NOUNS = {"TV": "TV series", "TV short": "TV short", "one shot": "one-shot"}


def say_fields(composition: Composition) -> None:
    """A sentence for every asked field of every entity it is asked of."""
    view = composition.view
    subjects = field_subjects(view.rewrite, view.resolved, view.evidence)
    walked = walks(view.rewrite, view.resolved, view.evidence, view.outcomes) if view.rewrite.relations else ()
    asked = sorted(view.rewrite.asked_fields, key=lambda field: field is _F.UNSUPPORTED)
    for _, entity in subjects:
        composition.found(entity)
        known = [field for field in asked if read_field(entity, field, view.evidence) is not None]
        if _F.DURATION in known and _has_one_episode(composition, entity):
            known = [field for field in known if field is not _F.EPISODES]
        for field in asked:
            if field in known:
                say_field(composition, entity, field)
            elif read_field(entity, field, view.evidence) is not None or is_told_by_edge(field, view.rewrite, walked):
                continue
            elif field is _F.UNSUPPORTED and (known or view.rewrite.relations):
                _say_other_part(composition, entity)
            elif not known or fits(field, entity.entity_type):
                say_missing(composition, entity, field)
    if not subjects:
        composition.doubt(0.3)
        return
    _say_other_forms(composition)


def _say_other_forms(composition: Composition) -> None:
    """The same of the work in another form that may be meant as well, as far as it is known."""
    view = composition.view
    for entity in other_forms_of(view.rewrite, view.resolved):
        known = [field for field in view.rewrite.asked_fields if read_field(entity, field, view.evidence) is not None]
        for field in known:
            composition.found(entity)
            say_field(composition, entity, field)


def _has_one_episode(composition: Composition, entity: EntityRef) -> bool:
    reading = read_field(entity, _F.EPISODES, composition.view.evidence)
    return reading is not None and reading[0] == "1"


def say_field(composition: Composition, entity: EntityRef, field: AskedField) -> None:
    """The sentence for a field that is known."""
    reading = read_field(entity, field, composition.view.evidence)
    if reading is None:
        return
    value, evidence_id = reading
    name = composition.name(entity)
    if field in (_F.SYNOPSIS, _F.DESCRIPTION):
        is_work = entity.entity_type in WORK_TYPES
        _say_prose(composition, value if is_work else _with_subject(name, value), evidence_id)
        return
    if field is _F.NAMES:
        _say_names(composition, entity, value, evidence_id)
        return
    composition.say(_SENTENCES[field](name, value, composition.row(entity)), evidence_id)


def _with_subject(name: str, prose: str) -> str:
    """A description that says whom it is about."""
    opening = prose[:120].casefold()
    return prose if any(part in opening for part in name.casefold().split() if len(part) > 2) else f"{name}: {prose}"


def _say_prose(composition: Composition, prose: str, evidence_id: str) -> None:
    for sentence in first_sentences(prose, at_most=_PROSE_SENTENCES, characters=_PROSE_CHARACTERS):
        marker = composition.cite(evidence_id)
        ends = re.search(r"[.!?…。！？]+[\"”')]*$", sentence)
        body, end = (sentence[: ends.start()], ends.group()) if ends else (sentence, ".")
        composition.sentences.append(f"{body} {marker}{end}")


def _say_names(composition: Composition, entity: EntityRef, value: str, evidence_id: str) -> None:
    names = value.split("; ")
    name = composition.name(entity)
    if re.search(r"\b(?:japanese|native|original|kanji|japan)\b", composition.question):
        native = [each for each in names if _WIDE.search(each)]
        if native:
            composition.say(f"The native name of {name} is {joined(native[:2])}", evidence_id)
            return
    composition.say(f"{name} is also known as {joined(names[:_MAX_NAMES])}", evidence_id)


def _say_other_part(composition: Composition, entity: EntityRef) -> None:
    """That a part of the question beside one that is told is nothing that a row holds, if there is such a part."""
    understood = _understood(composition)
    other = "the other part of the question" if unexplained(understood) else None
    if (what := what_is_unsupported(understood) or other) is not None:
        _say_unrecorded(composition, entity, what)


def _say_unrecorded(composition: Composition, entity: EntityRef, what: str) -> None:
    composition.doubt(0.6)
    rows = composition.row_ids((entity,))
    composition.say(f"The catalogue doesn't record {what} for {composition.name(entity)}", *rows)


def _understood(composition: Composition) -> Understanding:
    """The question as it reads when it is known which names are meant: their words ask nothing."""
    view, text = composition.view, clean(composition.view.request.query)
    meant = (Mention(text=each.chosen.matched_name) for each in view.resolved if each.chosen is not None)
    return understand(text, find_names(text, (*view.rewrite.mentions, *meant), language_of(text)).names)


def say_missing(composition: Composition, entity: EntityRef, field: AskedField) -> None:
    """That the catalogue doesn't know a field; for a description, what it knows instead."""
    if field is _F.UNSUPPORTED:
        _say_unrecorded(composition, entity, what_is_unsupported(_understood(composition)) or "that")
        return
    rows = composition.row_ids((entity,))
    composition.doubt(0.6)
    if field in (_F.DESCRIPTION, _F.SYNOPSIS) and _say_links(composition, entity):
        return
    status = read_field(entity, _F.STATUS, composition.view.evidence)
    if field is _F.END_DATE and status is not None and status[0] != "finished":
        name = composition.name(entity)
        composition.say(f"The catalogue gives no end date for {name}, whose status is {status[0]}", status[1])
        return
    composition.say(f"The catalogue doesn't give {_NOUNS[field]} of {composition.name(entity)}", *rows)


_TELLING_EDGES: dict[EntityType, tuple[EdgeType, ...]] = {
    EntityType.PERSON: (EdgeType.STAFF_OF, EdgeType.VOICES),
    EntityType.STUDIO: (EdgeType.PRODUCED,),
    EntityType.CHARACTER: (EdgeType.APPEARS_IN, EdgeType.VOICED_BY),
}
"""The edges that say who somebody is where no text does."""


def _say_links(composition: Composition, entity: EntityRef) -> bool:
    """What the entity is and what it is linked to; False when no such edge was read."""
    row = composition.row(entity)
    used = {edge: _told_links(composition, entity, edge) for edge in _TELLING_EDGES.get(entity.entity_type, ())}
    if row is None or not any(used.values()):
        return False
    composition.say(_identity(composition.name(entity), row), row.id)
    for edge, of_edge in used.items():
        if of_edge:
            say_relation(composition, entity, of_edge, asked=AskedRelation(edge=edge), is_complete=False)
    return True


def _told_links(composition: Composition, entity: EntityRef, edge: EdgeType) -> list[Used]:
    """The edges of a kind; where a work narrows the question, those for that work, if there are any."""
    view = composition.view
    found = links(view.evidence, entity, edge)
    places = [place.name for place in places_of(view.rewrite, view.resolved)]
    there = [used for used in found if any(place in (used.step.to.name, _work_of(used)) for place in places)]
    return there or found


def _work_of(used: Used) -> str:
    """The work that the evidence of a credit names, or nothing."""
    match = re.search(r"\) in (?P<work>.+?)\.?$", used.text)
    return match.group("work") if match else ""


_Row = EntityRowEvidence | None
_Sentence = Callable[[str, str, _Row], str]


def _value(row: _Row, field: AskedField) -> str | None:
    return next((each.value for each in row.fields if each.name == field.value), None) if row else None


def _started(name: str, value: str, row: _Row) -> str:
    when = date_phrase(value)
    if row is not None and row.entity.entity_type is EntityType.EPISODE:
        return f"{name} aired {when}"
    if row is not None and row.entity.entity_type is EntityType.MANGA:
        return f"{name} began publication {when}"
    is_single = _value(row, _F.FORMAT) in ("movie", "special", "music") or _value(row, _F.EPISODES) == "1"
    return f"{name} was released {when}" if is_single else f"{name} started {when}"


def _lasts(name: str, value: str, row: _Row) -> str:
    minutes = counted(value, "minute")
    if _value(row, _F.FORMAT) == "movie" or _value(row, _F.EPISODES) == "1":
        return f"{name} runs {minutes}"
    return f"Each episode of {name} runs {minutes}"


def _status(name: str, value: str, row: _Row) -> str:
    words = {"releasing": "still releasing", "hiatus": "on hiatus"}
    return f"{name} is {words.get(value, value)}"


def _genres(name: str, value: str, row: _Row) -> str:
    genres = value.split(", ")
    noun, verb = ("genre", "is") if len(genres) == 1 else ("genres", "are")
    return f"The {noun} of {name} {verb} {joined(genres)}"


def _source(name: str, value: str, row: _Row) -> str:
    return f"{name} is an original work" if value == "original" else f"{name} is based on {article(value)}"


_SENTENCES: dict[AskedField, _Sentence] = {
    _F.EPISODES: lambda name, value, row: f"{name} has {counted(value, 'episode')}",
    _F.CHAPTERS: lambda name, value, row: f"{name} has {counted(value, 'chapter')}",
    _F.VOLUMES: lambda name, value, row: f"{name} has {counted(value, 'volume')}",
    _F.START_DATE: _started,
    _F.AIR_DATE: _started,
    _F.END_DATE: lambda name, value, row: f"{name} ended {date_phrase(value)}",
    _F.YEAR: lambda name, value, row: f"{name} came out in {value[:4]}",
    _F.SEASON: lambda name, value, row: f"{name} aired in {value}",
    _F.FORMAT: lambda name, value, row: f"{name} is {article(_FORMAT_NOUNS.get(value, value))}",
    _F.STATUS: _status,
    _F.GENRES: _genres,
    _F.SCORE: lambda name, value, row: f"{name} has a score of {value} of 100",
    _F.SOURCE: _source,
    _F.DURATION: _lasts,
    _F.GENDER: lambda name, value, row: f"{name} is {value.lower()}",
}


def say_checked(composition: Composition) -> None:
    """Whether the row says what the question supposes, with what it says."""
    view = composition.view
    filters = view.rewrite.filters
    starts = chosen_of(view.resolved, roles_of(view.rewrite).starts)
    for entity in starts[:1]:
        composition.found(entity)
        verdicts = [_verdict(composition, entity, field, filters) for field in view.rewrite.asked_fields]
        known = [verdict for verdict in verdicts if verdict is not None]
        if known and len(known) == len(verdicts) and not offers_choice(composition.question):
            composition.open_with("Yes" if all(known) else "No")
        for field in view.rewrite.asked_fields:
            if read_field(entity, field, view.evidence) is None:
                say_missing(composition, entity, field)
            else:
                say_field(composition, entity, field)


def offers_choice(question: str) -> bool:
    """Whether a question holds one thing against another, `a manga or an anime`: neither yes nor no answers it."""
    return re.search(r"\bor\b", question) is not None and not take_bounds(Scan(question))


def _verdict(composition: Composition, entity: EntityRef, field: AskedField, filters: SearchFilters) -> bool | None:
    reading = read_field(entity, field, composition.view.evidence)
    if reading is None:
        return None
    value = reading[0]
    match field:
        case _F.STATUS if filters.status is not None:
            return value.replace(" ", "_") == filters.status.value
        case _F.FORMAT if filters.format is not None:
            return value.casefold().replace(" ", "_") == filters.format.value
        case _F.SOURCE if filters.source is not None:
            return value.replace(" ", "_") == filters.source.value
        case _F.GENRES:
            genres = {genre.casefold() for genre in value.split(", ")}
            return genres.issuperset(genre.casefold() for genre in (*filters.genres_all, *filters.genres_any))
        case _F.SCORE if filters.min_score is not None:
            return float(value) >= filters.min_score
        case _F.START_DATE | _F.END_DATE | _F.YEAR | _F.AIR_DATE | _F.SEASON if filters.years is not None:
            # Conditions know years only; a month or a day is held against the row's own date.
            asked = composition.view.rewrite.rewritten_query
            return is_then(value, asked) if names_a_day(asked) else _within_years(value, filters)
        case _:
            return meets_number(field, value, _understood(composition).text)


def _within_years(value: str, filters: SearchFilters) -> bool | None:
    year = re.search(r"\d{4}", value)
    if year is None or filters.years is None:
        return None
    first, last = filters.years.first_year or 0, filters.years.last_year or 9999
    is_season = filters.season is None or filters.season.value in value
    return first <= int(year.group()) <= last and is_season


def say_identity(composition: Composition, entities: Sequence[EntityRef]) -> None:
    """What an entity is, for a question that is hardly more than its name."""
    for entity in entities:
        composition.found(entity)
        row = composition.row(entity)
        if row is None:
            continue
        prose = read_field(entity, _F.SYNOPSIS, composition.view.evidence)
        if prose is None and _say_links(composition, entity):
            continue
        composition.say(_identity(composition.name(entity), row), row.id)
        if prose is not None:
            _say_prose(composition, prose[0], prose[1])


_TYPE_NOUNS = {EntityType.PERSON: "person", EntityType.STUDIO: "studio", EntityType.CHARACTER: "character"}


def _identity(name: str, row: EntityRowEvidence) -> str:
    entity_type = row.entity.entity_type
    form = _value(row, _F.FORMAT)
    noun = _FORMAT_NOUNS.get(form or "", form) or _TYPE_NOUNS.get(entity_type, entity_type.value)
    year = _value(row, _F.YEAR)
    sentence = f"{name} is {article(noun)}{f' from {year}' if year else ''}"
    for field, word in ((_F.EPISODES, "episode"), (_F.CHAPTERS, "chapter")):
        number = _value(row, field)
        if number and number != "1":
            return f"{sentence} with {counted(number, word)}"
    return sentence
