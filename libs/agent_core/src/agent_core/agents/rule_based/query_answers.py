"""Answers of set questions, from the result of the query that ran; each sentence cites it."""

from collections.abc import Sequence
from dataclasses import dataclass

from datastore.edges import EdgeType
from pydantic import JsonValue

from agent_core.agents.rule_based.composing import Composition
from agent_core.agents.rule_based.query_words import noun_of, set_in_words
from agent_core.agents.rule_based.recommend_answers import say_recommendation
from agent_core.agents.rule_based.watch_order import say_watch_order
from agent_core.agents.rule_based.wording import date_phrase, joined, role_noun
from agent_core.chain import chosen_of
from agent_core.evidence import EntityRef, QueryResultEvidence
from agent_core.set_question import FollowingStep, Grouping, Measure, SetQuestion, SetTask

MAX_NAMED = 25
"""How many members an answer names; the others are counted, and stand in the evidence as far as it shows rows."""

_EXTREMES: dict[tuple[Measure, bool], str] = {
    (Measure.SCORE, True): "the highest score",
    (Measure.SCORE, False): "the lowest score",
    (Measure.EPISODES, True): "the most episodes",
    (Measure.EPISODES, False): "the fewest episodes",
    (Measure.CHAPTERS, True): "the most chapters",
    (Measure.CHAPTERS, False): "the fewest chapters",
    (Measure.VOLUMES, True): "the most volumes",
    (Measure.VOLUMES, False): "the fewest volumes",
    (Measure.DURATION, True): "the longest running time",
    (Measure.DURATION, False): "the shortest running time",
    (Measure.START_DATE, True): "the latest start",
    (Measure.START_DATE, False): "the earliest start",
    (Measure.RUNNING_DAYS, True): "the longest run",
    (Measure.RUNNING_DAYS, False): "the shortest run",
}
_KNOWN: dict[Measure, str] = {
    Measure.SCORE: "score",
    Measure.EPISODES: "number of episodes",
    Measure.CHAPTERS: "number of chapters",
    Measure.VOLUMES: "number of volumes",
    Measure.DURATION: "running time",
    Measure.START_DATE: "start date",
    Measure.RUNNING_DAYS: "start and end",
}
_UNITS: dict[Measure, str] = {
    Measure.EPISODES: "episodes",
    Measure.CHAPTERS: "chapters",
    Measure.VOLUMES: "volumes",
    Measure.DURATION: "minutes",
    Measure.RUNNING_DAYS: "days",
}

type Cell = JsonValue
type Rows = Sequence[dict[str, Cell]]


@dataclass(frozen=True, slots=True)
class _Told:
    """What an answer is made of."""

    composition: Composition
    question: SetQuestion
    result: QueryResultEvidence
    names: tuple[str, ...]

    @property
    def rows(self) -> list[dict[str, Cell]]:
        """The rows by column."""
        return [dict(zip(self.result.columns, row, strict=True)) for row in self.result.sample]

    @property
    def members(self) -> str:
        """The set in words."""
        return set_in_words(self.question, self.names)

    def known(self, measure: Measure) -> str:
        """The set as far as a figure is known: a work without one may well have the most."""
        if measure in (Measure.START_DATE, Measure.RUNNING_DAYS):
            return f"the {self.members}"
        return f"the {self.members} whose {_KNOWN[measure]} is known"

    @property
    def count(self) -> str:
        """How many members there are, or how many there are at least."""
        return f"{'at least ' if self.result.has_more else ''}{self.result.row_count}"

    def say(self, sentence: str) -> None:
        """Add a sentence that cites the query."""
        self.composition.say(sentence, self.result.id)

    def refs(self, rows: Rows, column: str = "id") -> tuple[EntityRef, ...]:
        """The entities of these rows."""
        by_id = {str(ref.id): ref for ref in self.result.entities}
        return tuple(by_id[str(row[column])] for row in rows if str(row.get(column)) in by_id)


def say_set(composition: Composition) -> None:
    """The answer of the rewrite's set question, as far as its query ran."""
    question = composition.view.rewrite.set_question
    result = next((item for item in composition.view.evidence if isinstance(item, QueryResultEvidence)), None)
    if question is None or result is None:
        return
    named = chosen_of(composition.view.resolved, range(len(composition.view.resolved)))
    told = _Told(composition, question, result, tuple(composition.name(ref) for ref in named))
    composition.about(*named)
    match question.task:
        case SetTask.COUNT:
            _say_count(told)
        case SetTask.LIST:
            _say_list(told)
        case SetTask.EXTREME:
            _say_extreme(told)
        case SetTask.GROUPS:
            _say_groups(told)
        case SetTask.AVERAGE | SetTask.TOTAL:
            _say_figure(told)
        case SetTask.RECOMMENDATION:
            say_recommendation(composition, question, result)
        case SetTask.WATCH_ORDER:
            say_watch_order(composition)


def _say_count(told: _Told) -> None:
    total = told.result.row_count
    if total == 0:
        told.say(f"The catalogue holds no {told.members}: the count is 0")
        return
    told.say(f"The catalogue holds {told.count} {set_in_words(told.question, told.names, is_one=total == 1)}")
    if total <= MAX_NAMED:
        told.say(f"{'They are' if total > 1 else 'It is'} {joined(_named(told.rows))}")
    if not told.result.truncated:
        told.composition.found(*told.refs(told.rows))


def _say_list(told: _Told) -> None:
    rows, total = told.rows, told.result.row_count
    if not rows:
        told.say(f"The catalogue holds no {told.members}")
        return
    shown = joined(_named(rows[:MAX_NAMED]))
    if total == 1:
        told.say(f"The only match in the catalogue is {shown}")
    elif total <= MAX_NAMED:
        told.say(f"The catalogue holds {total} {told.members}: {shown}")
    else:
        told.say(f"The catalogue holds {told.count} {told.members}; the first of them are {shown}")
    told.composition.found(*told.refs(rows))


def _named(rows: Rows) -> list[str]:
    return [f"{row['name']} ({row['year']})" if row.get("year") else str(row["name"]) for row in rows]


def _say_extreme(told: _Told) -> None:
    question, rows = told.question, told.rows
    measure = question.measure or Measure.START_DATE
    if not rows:
        told.say(f"The catalogue holds no {told.members} with a known {_KNOWN[measure]}")
        return
    if question.following is not None:
        _say_following(told, rows, measure)
        return
    best = _with_ties(rows, question.limit, measure.value)
    extreme = _EXTREMES[measure, question.is_descending]
    if len(best) == 1:
        told.say(
            f"Of {told.known(measure)}, {best[0]['name']} has {extreme}: {_figure(best[0][measure.value], measure)}"
        )
    else:
        entries = [f"{row['name']} ({_figure(row[measure.value], measure)})" for row in best]
        told.say(f"Of {told.known(measure)}, those with {extreme} are {joined(entries)}")
    told.composition.found(*told.refs(best))


def _with_ties(rows: Rows, limit: int, column: str) -> list[dict[str, Cell]]:
    """The first rows, and those after them whose figure is the last one's."""
    last = rows[min(limit, len(rows)) - 1][column]
    return [row for index, row in enumerate(rows) if index < limit or row[column] == last]


def _say_following(told: _Told, rows: Rows, measure: Measure) -> None:
    following = told.question.following
    best = list({str(row["id"]): row for row in rows}.values())
    extreme = _EXTREMES[measure, told.question.is_descending]
    for row in best:
        told.say(f"Of {told.known(measure)}, {row['name']} has {extreme}: {_figure(row[measure.value], measure)}")
        if following is None or following.edge is None:
            asked = Measure(following.field) if following is not None and following.field else measure
            if asked is not measure and row.get(asked.value) is not None:
                told.say(f"{row['name']}: {_asked(asked, row[asked.value])}")
            told.composition.found(*told.refs([row]))
            continue
        own = [each for each in rows if each["id"] == row["id"]]
        role = _followed(following, is_many=len(own) > 1)
        verb = "are" if len(own) > 1 else "is"
        told.say(f"Its {role} {verb} {joined([str(each['found']) for each in own])}")
        told.composition.found(*told.refs(own, "found_id"))


def _followed(following: FollowingStep, *, is_many: bool) -> str:
    nouns = {EdgeType.PRODUCED_BY: "studio", EdgeType.FEATURES: "main character", EdgeType.VOICED_BY: "lead voice"}
    if following.edge is EdgeType.HAS_STAFF or following.edge is None:
        return role_noun(following.qualifiers[0] if following.qualifiers else "", plural=is_many)
    return f"{nouns.get(following.edge, 'link')}{'s' if is_many else ''}"


def _asked(measure: Measure, value: Cell) -> str:
    if measure is Measure.START_DATE:
        return f"the start was {date_phrase(str(value))}"
    return f"{_figure(value, measure)}" if measure in _UNITS else f"a score of {_number(value)}"


def _say_groups(told: _Told) -> None:
    question, rows = told.question, told.rows
    grouping = question.grouping or Grouping.YEAR
    if not rows:
        told.say(f"The catalogue links no {told.members} to a {grouping.value.replace('_', ' ')}")
        return
    if question.limit > 1:
        entries = [f"{_group(row, grouping)}: {row['members']}" for row in rows]
        told.say(f"The {told.members} in the catalogue by {grouping.value.replace('_', ' ')} are {joined(entries)}")
        told.composition.found(*told.refs(rows))
        return
    best = _with_ties(rows, 1, "members")
    most = "most" if question.is_descending else "fewest"
    listed = joined([_group(row, grouping) for row in best])
    if "name" not in best[0] and not _credit(question):
        listed = listed[:1].upper() + listed[1:]
    verb = "has" if len(best) == 1 else "have"
    count = best[0]["members"]
    if grouping in _COUNTED:
        told.say(f"Of the {told.members}, {listed} {verb} the {most} {_COUNTED[grouping]}: {count}")
    else:
        each = "" if len(best) == 1 else " each"
        told.say(f"{_credit(question)}{listed} {verb} the {most} {told.members} in the catalogue: {count}{each}")
    told.composition.found(*told.refs(best))


_COUNTED: dict[Grouping, str] = {Grouping.CAST: "characters", Grouping.ADAPTATIONS: "adaptations"}


def _credit(question: SetQuestion) -> str:
    if question.grouping is Grouping.STAFF and question.group_qualifiers:
        return f"As {role_noun(question.group_qualifiers[0])}, "
    return "As voice actor, " if question.grouping is Grouping.VOICE_ACTOR else ""


def _group(row: dict[str, Cell], grouping: Grouping) -> str:
    if "name" in row:
        return str(row["name"])
    value = str(row[grouping.value])
    if grouping is Grouping.DECADE:
        return f"the {value}s"
    # Genres, formats and the like are no names.
    return value.replace("_", " ") if grouping is not Grouping.GENRE else value


def _say_figure(told: _Told) -> None:
    question, rows = told.question, told.rows
    measure = question.measure or Measure.EPISODES
    column = "average" if question.task is SetTask.AVERAGE else "total"
    known = [row for row in rows if row.get(column) is not None and row.get("members")]
    if not known:
        told.say(f"The catalogue holds no {told.members} with a known {_KNOWN[measure]}")
        return
    if question.grouping is None:
        row = known[0]
        noun = noun_of(question, is_one=row["members"] == 1)
        figure = _figure(row[column], measure)
        told.say(f"The {column} over the {told.members} in the catalogue is {figure}, from {row['members']} {noun}")
        return
    grouping = question.grouping
    entries = [f"{_group(row, grouping)}: {_figure(row[column], measure)}" for row in known]
    told.say(f"The {column} over the {told.members} by {grouping.value.replace('_', ' ')} is {joined(entries)}")
    told.composition.found(*told.refs(known))


def _figure(value: Cell, measure: Measure) -> str:
    if measure is Measure.START_DATE:
        return date_phrase(str(value))
    number = _number(value)
    unit = _UNITS.get(measure, "")
    return f"{number} {unit.removesuffix('s') if number == '1' else unit}".strip()


def _number(value: Cell) -> str:
    """A figure as the evidence shows it: two decimals at most."""
    return f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)
