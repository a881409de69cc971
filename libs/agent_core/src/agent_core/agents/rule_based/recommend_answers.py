"""Recommendations in words: each work with the facts of its row that speak for it."""

from collections.abc import Iterator, Mapping, Sequence

from datastore.edges import EdgeType
from datastore.vocabulary import WorkFormat, WorkStatus
from pydantic import JsonValue

from agent_core.agents.rule_based.composing import Composition
from agent_core.agents.rule_based.query_words import set_in_words
from agent_core.agents.rule_based.wording import article, counted, joined
from agent_core.chain import chosen_of, links
from agent_core.evidence import EntityRef, QueryResultEvidence
from agent_core.set_question import SetQuestion

type Row = Mapping[str, JsonValue]

_TAGS_SHOWN = 4
_FORMATS: dict[str, str] = {
    WorkFormat.TV: "TV series",
    WorkFormat.TV_SHORT: "series of shorts",
    WorkFormat.OVA: "OVA",
    WorkFormat.ONA: "ONA",
    WorkFormat.ONE_SHOT: "one-shot",
}
_STATUSES: dict[str, str] = {
    WorkStatus.FINISHED: "finished",
    WorkStatus.RELEASING: "running",
    WorkStatus.NOT_YET_RELEASED: "upcoming",
}
_UNITS = (("episodes", "episode"), ("chapters", "chapter"), ("volumes", "volume"))


def say_recommendation(composition: Composition, question: SetQuestion, result: QueryResultEvidence) -> None:
    """The works that the query found, best first, each with its reason; that there are none where it found none."""
    named = chosen_of(composition.view.resolved, range(len(composition.view.resolved)))
    names = [composition.name(ref) for ref in named]
    members = set_in_words(question, names)
    liked = joined([names[index] for index in question.taste.liked])
    chosen = _chosen(result, question.limit)
    composition.about(*named)
    if question.taste.goes_on:
        _say_sequels(composition, question, named)
    if not chosen:
        enough = f" that have enough in common with {liked}" if liked else " to recommend"
        composition.say(f"The catalogue holds no {members}{enough}", result.id)
        return
    if len(chosen) == 1:
        lead = f"this one is most like {liked}" if liked else "this one fits"
    else:
        lead = f"these are most like {liked}" if liked else "these are the best known"
    composition.say(f"Of the {members} in the catalogue, {lead}", result.id)
    for ref, rows in chosen:
        name = composition.name(ref)
        reason = _likeness(composition, name, rows) if liked else _portrait(name, rows[0])
        composition.say(reason, result.id)
        composition.found(ref)
    _say_unchecked(composition, question, result)


def _say_sequels(composition: Composition, question: SetQuestion, named: Sequence[EntityRef]) -> None:
    """What goes on with the story of the work, when the catalogue knows it and it is of the kind wanted."""
    for used in links(composition.view.evidence, named[0], EdgeType.SEQUEL):
        if used.step.to.entity_type not in question.entity_types:
            continue
        sequel = used.step.to
        composition.say(
            f"{composition.name(named[0])} goes on in its sequel {composition.name(sequel)}", used.evidence_id
        )
        composition.found(sequel)


def _chosen(result: QueryResultEvidence, limit: int) -> list[tuple[EntityRef, list[Row]]]:
    """The first works of the result, each with all its rows."""
    by_id = {str(ref.id): ref for ref in result.entities}
    found: dict[str, list[Row]] = {}
    for cells in result.sample:
        row = dict(zip(result.columns, cells, strict=True))
        found.setdefault(str(row["id"]), []).append(row)
    return [(by_id[key], rows) for key, rows in found.items() if key in by_id][:limit]


def _likeness(composition: Composition, name: str, rows: Sequence[Row]) -> str:
    """What a work shares with each of the liked ones."""
    told = {ref.name: composition.name(ref) for mention in composition.view.resolved for ref in _refs(mention.chosen)}
    shared = [f"{joined(list(_common(row)))} with {told.get(str(row['liked']), str(row['liked']))}" for row in rows]
    return f"{name} ({', '.join(_brief(rows[0]))}) shares {'; and '.join(shared)}{_leads(rows[0])}"


def _refs(candidate: object) -> tuple[EntityRef, ...]:
    entity = getattr(candidate, "entity", None)
    return (entity,) if isinstance(entity, EntityRef) else ()


def _common(row: Row) -> Iterator[str]:
    for column, noun in (("genres", "genre"), ("tags", "tag"), ("creators", "creator")):
        values = _texts(row.get(column))
        if values:
            yield f"the {noun if len(values) == 1 else f'{noun}s'} {joined(values)}"


def _brief(row: Row) -> Iterator[str]:
    """Format and year."""
    if row.get("format"):
        yield _format(row)
    if row.get("year"):
        yield str(row["year"])


def _portrait(name: str, row: Row) -> str:
    """What a work is, as far as its row tells."""
    is_film = row.get("format") == WorkFormat.MOVIE
    status = "" if is_film else _STATUSES.get(str(row.get("status")), "")
    year = f" from {row['year']}" if row.get("year") else ""
    sizes = [counted(str(row[column]), unit) for column, unit in _UNITS if row.get(column)]
    if is_film and row.get("duration"):
        sizes = [counted(str(row["duration"]), "minute")]
    size = f" with {joined(sizes)}" if sizes else ""
    genres, tags = _texts(row.get("genres")), _texts(row.get("tags"))[:_TAGS_SHOWN]
    about = [f"the {'genre' if len(genres) == 1 else 'genres'} {joined(genres)}"] if genres else []
    about += [f"the {'tag' if len(tags) == 1 else 'tags'} {joined(tags)}"] if tags else []
    themes = f"; it has {joined(about)}" if about else ""
    return f"{name} is {article(f'{status} {_format(row)}'.strip())}{year}{size}{themes}{_leads(row)}"


def _format(row: Row) -> str:
    value = str(row.get("format") or "work")
    return _FORMATS.get(value, value.replace("_", " "))


def _leads(row: Row) -> str:
    leads = _texts(row.get("leads"))
    if not leads:
        return ""
    return f"; {joined(leads)} {'is a main character' if len(leads) == 1 else 'are main characters'}"


def _texts(value: JsonValue) -> list[str]:
    return list(dict.fromkeys(str(part) for part in value)) if isinstance(value, list) else []


def _say_unchecked(composition: Composition, question: SetQuestion, result: QueryResultEvidence) -> None:
    if question.taste.unchecked:
        what = joined(question.taste.unchecked, word="or")
        composition.say(f"The catalogue doesn't record {what}, so none of them was chosen for that", result.id)
