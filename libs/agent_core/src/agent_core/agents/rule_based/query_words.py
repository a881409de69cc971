"""Sets in words: `finished TV series by Bones from the 2010s with at most 25 episodes`."""

from collections.abc import Iterator, Sequence

from datastore.edges import EdgeType
from datastore.vocabulary import EntityType

from agent_core.agents.rule_based.query_dates import closing, opening
from agent_core.agents.rule_based.wording import date_phrase, joined, role_noun
from agent_core.document_contracts import DateSpan
from agent_core.set_question import Bound, Measure, SetConditions, SetLink, SetQuestion

_UNITS = {
    Measure.EPISODES: "episodes",
    Measure.CHAPTERS: "chapters",
    Measure.VOLUMES: "volumes",
    Measure.DURATION: "minutes",
}
_OPERATORS = {"<": "fewer than", "<=": "at most", "=": "exactly", ">=": "at least", ">": "more than"}
_SCORES = {"<": "below", "<=": "of at most", "=": "of", ">=": "of at least", ">": "above"}
_OTHER = "other than"
_SINGULAR = {"TV series": "TV series", "series": "series", "anime": "anime", "manga": "manga", "people": "person"}
_STATUS = {"releasing": "still running", "not_yet_released": "upcoming"}


def noun_of(question: SetQuestion, *, is_one: bool = False) -> str:
    """The members in a word, in the plural or of one."""
    return _SINGULAR.get(question.noun, question.noun.removesuffix("s")) if is_one else question.noun


def set_in_words(question: SetQuestion, names: Sequence[str], *, is_one: bool = False) -> str:
    """The members with all that was said of them."""
    said = question.conditions
    before = (
        *_statuses(said),
        *_plain(said.sources, "original"),
        *_genres(said),
        *([said.gender] if said.gender else []),
    )
    role = [said.role] if said.role else []
    parts = [*before, *role, noun_of(question, is_one=is_one), *_links(question, names), *_years(said)]
    parts.extend(_started(said.started) if said.started is not None else ())
    parts.extend(_after(said))
    return " ".join(parts)


def _statuses(said: SetConditions) -> Iterator[str]:
    yield from (_STATUS.get(status, status.replace("_", " ")) for status in said.statuses)
    yield from (f"not {_STATUS.get(status, status.replace('_', ' '))}" for status in said.statuses_none)


def _plain(values: Sequence[str], word: str) -> tuple[str, ...]:
    return (word,) if word in values else ()


def _genres(said: SetConditions) -> Iterator[str]:
    yield from (genre.casefold() for genre in said.genres_all)
    if said.genres_any:
        yield joined([genre.casefold() for genre in said.genres_any], word="or")


def _years(said: SetConditions) -> Iterator[str]:
    first, last = said.first_year, said.last_year
    season = f"{said.season.value} " if said.season is not None else ""
    if first is not None and first == last:
        yield f"from {season}{first}"
    elif first is not None and last is not None and first % 10 == 0 and last == first + 9:
        yield f"from the {first}s"
    elif first is not None and last is not None:
        yield f"from {first} to {last}"
    elif first is not None:
        yield f"from {first} on"
    elif last is not None:
        yield f"up to {last}"
    elif season:
        yield f"from {season}seasons"


def _started(days: DateSpan) -> Iterator[str]:
    """Days of the start; what is known to the year alone is not known to lie within them."""
    first = opening(days.first) if days.first is not None else ""
    last = closing(days.last) if days.last is not None else ""
    if len(first) < len(last) == len("2003-06") and first:
        # Beside a month, the year that a month opens would say another time than it does.
        first = f"{first}-01"
    if first == last:
        yield f"known to have started {date_phrase(first)}"
    elif first and last:
        yield f"known to have started from {_bare(first)} to {_bare(last)}"
    else:
        yield f"known to have started {f'from {_bare(first)} on' if first else f'up to {_bare(last)}'}"


def _bare(text: str) -> str:
    """A date without its preposition."""
    return date_phrase(text).partition(" ")[2]


def _after(said: SetConditions) -> Iterator[str]:
    sources = [source.replace("_", " ") for source in said.sources if source != "original"]
    yield from (f"based on a {source}" for source in sources)
    yield from (f"not based on a {source.value.replace('_', ' ')}" for source in said.sources_none)
    yield from (_bound(bound) for bound in said.bounds)
    without = [genre.casefold() for genre in said.genres_none]
    without += [f"{work_format.value.replace('_', ' ')} format" for work_format in said.formats_none]
    if without:
        yield f"without {joined(without, word='or')}"
    if said.lead is not None:
        yield f"with a {said.lead} main character"
    yield from (f"with a {_edge(edge)}" for edge in said.having if edge is not EdgeType.VOICES)
    if said.lacking:
        yield f"without a {joined([_edge(edge) for edge in said.lacking], word='or')}"


def _edge(edge: EdgeType) -> str:
    return edge.value.replace("_", " ")


def _bound(bound: Bound) -> str:
    value = f"{bound.value:g}"
    if bound.measure is Measure.SCORE:
        return f"with a score {_SCORES[bound.operator]} {value}"
    return f"with {_OPERATORS[bound.operator]} {value} {_UNITS.get(bound.measure, 'days')}"


def _links(question: SetQuestion, names: Sequence[str]) -> Iterator[str]:
    """Links of one kind together: `in both A and B`."""
    groups: dict[tuple[str, bool], list[str]] = {}
    for link in question.links:
        phrase = _phrase(question, link)
        groups.setdefault((phrase, link.is_absent), []).append(_by_way(link, names[link.mention]))
    for (phrase, is_absent), listed in groups.items():
        yield f"{'not ' if is_absent and phrase != _OTHER else ''}{phrase} {joined(listed)}"


def _by_way(link: SetLink, name: str) -> str:
    """A name, or who is found from it."""
    if link.way is None:
        return name
    return f"the {role_noun(link.way.qualifiers[0]) if link.way.qualifiers else 'studio'} of {name}"


def _phrase(question: SetQuestion, link: SetLink) -> str:
    if link.is_itself:
        return _OTHER
    of_works = question.entity_types[0] in (EntityType.ANIME, EntityType.MANGA)
    through = "adapted from works " if link.through is not None else ""
    if link.or_any_role or link.through is not None:
        return f"{through}by"
    if of_works and EdgeType.FEATURES in link.edges:
        return "with"
    if of_works and link.qualifiers:
        return f"with the {role_noun(link.qualifiers[0])}"
    if of_works:
        return "with work by"
    if EdgeType.STAFF_OF in link.edges:
        return f"credited as {role_noun(link.qualifiers[0])} of" if link.qualifiers else "credited for"
    if EdgeType.VOICED_BY in link.edges:
        return "of" if EdgeType.APPEARS_IN in link.edges else "voiced by"
    if EdgeType.PRODUCED in link.edges:
        return "behind"
    return "of" if EdgeType.VOICES in link.edges else "in"
