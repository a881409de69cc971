"""Warns where an answer rests on a field in which the catalogue's sources contradict each other."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from uuid import UUID

from datastore.edges import EdgeType

from agent_core.chain import franchise_of, story_order, unplaced
from agent_core.evidence import (
    EntityRowEvidence,
    Evidence,
    FieldConflict,
    PathEvidence,
    QueryResultEvidence,
    entities_of,
)
from agent_core.orchestrator.run import Run
from agent_core.schemas import AskedField, QueryRewrite, WarningCode
from agent_core.set_question import SetTask, Watching

MAX_CONFLICTS = 5
LOOP = "sequel"
"""The field of works whose sequels lead back to them."""

_ALONG_SEQUELS = frozenset({EdgeType.SEQUEL, EdgeType.PREQUEL, EdgeType.SHARES_FRANCHISE})
_PROPERTY = re.compile(r"\.(\w+)")


def warn_of_conflicts(run: Run, cited: Sequence[Evidence], rows: Mapping[UUID, EntityRowEvidence], answer: str) -> None:
    """One DATA_CONFLICT for each contradicted field that the question touches, naming the values and who says them.

    A watch order whose relations run in a circle has one too, be they sequels or not.
    `rows` are the rows of the cited entities as they are now. A question that names no field touches those whose value
    the answer states.
    """
    touched = list(_touched(run.rewrite, cited, rows, answer))
    for row, conflict in touched[:MAX_CONFLICTS]:
        run.warn(WarningCode.DATA_CONFLICT, _message(row.title, conflict), f"{row.title}: {conflict.field}")
    told = {row.title for row, conflict in touched if conflict.field == LOOP}
    looped = story_order(franchise_of(cited)).looped if _asks_for_an_order(run.rewrite) else ()
    if looped and told.isdisjoint(work.name for work in looped):
        names = ", ".join(work.name for work in looped)
        message = f"The relations of these works run in a circle: {names}."
        run.warn(WarningCode.DATA_CONFLICT, message, f"{looped[0].name}: order of the story")


def warn_of_vague_dates(run: Run, cited: Sequence[Evidence]) -> None:
    """One DATE_PRECISION for a watch order in which the place of some works is not known from their dates."""
    vague = unplaced(franchise_of(cited)) if _is_told_whole(run) else ()
    if vague:
        names = ", ".join(work.name for work in vague)
        message = f"The dates of these works are not known closely enough to tell their place by release: {names}."
        run.warn(WarningCode.DATE_PRECISION, message, f"{vague[0].name}: order of release")


def _asks_for_an_order(rewrite: QueryRewrite) -> bool:
    return rewrite.set_question is not None and rewrite.set_question.task is SetTask.WATCH_ORDER


def _is_told_whole(run: Run) -> bool:
    """Whether a franchise is told by release, and not only what comes before a work or which of two comes first."""
    asked = run.rewrite.set_question
    named = {mention.chosen.entity.key for mention in run.resolved if mention.chosen}
    is_whole = asked is not None and asked.watching is not Watching.BEFORE
    return _asks_for_an_order(run.rewrite) and is_whole and len(named) == 1


def _touched(
    rewrite: QueryRewrite, cited: Sequence[Evidence], rows: Mapping[UUID, EntityRowEvidence], answer: str
) -> Iterator[tuple[EntityRowEvidence, FieldConflict]]:
    fields = {*_asked(rewrite), *_queried(cited)}
    for row in _rows_of((item for item in cited if not isinstance(item, PathEvidence)), rows):
        for conflict in row.conflicts:
            is_said = not fields and _states(answer, conflict.shown.value)
            if conflict.field != LOOP and (conflict.field in fields or is_said):
                yield row, conflict
    if _follows_sequels(rewrite, cited):
        loops = [(row, each) for row in _rows_of(cited, rows) for each in row.conflicts if each.field == LOOP]
        # Each work of a loop has it; once is enough.
        yield from {each.shown.value: (row, each) for row, each in reversed(loops)}.values()


def _follows_sequels(rewrite: QueryRewrite, cited: Iterable[Evidence]) -> bool:
    """Whether the question asks for what comes before or after, or the answer goes along such an edge."""
    if _asks_for_an_order(rewrite):
        return True
    if any(relation.edge in _ALONG_SEQUELS for relation in rewrite.relations):
        return True
    return any(
        step.rel in _ALONG_SEQUELS for item in cited if isinstance(item, PathEvidence) for step in item.path.steps
    )


def _rows_of(cited: Iterable[Evidence], rows: Mapping[UUID, EntityRowEvidence]) -> Iterator[EntityRowEvidence]:
    """The rows behind evidence, each once."""
    found: dict[str, EntityRowEvidence] = {}
    for item in cited:
        if isinstance(item, EntityRowEvidence):
            found.setdefault(item.id, rows.get(item.entity.id, item))
        for ref in entities_of(item):
            if ref.id in rows:
                found.setdefault(rows[ref.id].id, rows[ref.id])
    yield from found.values()


def _asked(rewrite: QueryRewrite) -> Iterator[str]:
    """The fields that the question asks for or puts a condition on."""
    filters = rewrite.filters
    yield from (field for field in rewrite.asked_fields if field is not AskedField.UNSUPPORTED)
    conditions = {
        AskedField.SEASON: filters.season,
        AskedField.FORMAT: filters.format,
        AskedField.STATUS: filters.status,
        AskedField.SOURCE: filters.source,
        AskedField.YEAR: filters.years or rewrite.date_range,
    }
    yield from (field for field, condition in conditions.items() if condition is not None)


def _queried(cited: Iterable[Evidence]) -> Iterator[str]:
    """The properties that a query reads."""
    for item in cited:
        if isinstance(item, QueryResultEvidence):
            yield from _PROPERTY.findall(item.query)


def _states(answer: str, value: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(value)}(?!\w)", answer) is not None


def _message(name: str, conflict: FieldConflict) -> str:
    shown = conflict.shown
    if conflict.field == LOOP:
        return f"The sequels of {name} lead back to it: {shown.value} (source: {shown.source})."
    others = "; ".join(f"{each.source} says {each.value}" for each in conflict.others)
    field = conflict.field.replace("_", " ")
    return f"Sources disagree on the {field} of {name}: {shown.source} says {shown.value}, which is shown; {others}."
