"""The pattern and the conditions of a set as query text, every value a bound parameter."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date

from datastore.edges import EdgeType
from datastore.vocabulary import WORK_TYPES, AppearanceRole, EntityType
from pydantic import JsonValue

from agent_core.agents.rule_based.query_dates import closing, opening
from agent_core.document_contracts import DateSpan
from agent_core.evidence import EntityRef
from agent_core.set_question import SetConditions, SetLink, SetQuestion, Way

LABELS: dict[EntityType, str] = {
    EntityType.ANIME: "Anime",
    EntityType.MANGA: "Manga",
    EntityType.CHARACTER: "Character",
    EntityType.PERSON: "Person",
    EntityType.STUDIO: "Studio",
}
_ACTS_IN = "ACTS_IN"
_STATED: tuple[tuple[str, str, bool], ...] = (
    ("formats", "format", True),
    ("formats_none", "format", False),
    ("statuses", "status", True),
    ("statuses_none", "status", False),
    ("sources", "source", True),
    ("sources_none", "source", False),
)


@dataclass(slots=True)
class Pattern:
    """A MATCH in the making: what leads to it, its chains, its conditions, and the values bound to them."""

    label: str
    ways: list[str] = field(default_factory=list[str])
    chains: list[str] = field(default_factory=list[str])
    conditions: list[str] = field(default_factory=list[str])
    parameters: dict[str, JsonValue] = field(default_factory=dict[str, JsonValue])

    def bind(self, name: str, value: JsonValue) -> str:
        """A parameter of this name, or with a number where the name is taken; returns how the text writes it."""
        number, chosen = 2, name
        while chosen in self.parameters and self.parameters[chosen] != value:
            chosen, number = f"{name}_{number}", number + 1
        self.parameters[chosen] = value
        return f"${chosen}"

    def require(self, condition: str) -> None:
        """Add a condition."""
        self.conditions.append(condition)

    def text(self, *more: str, where: Sequence[str] = ()) -> str:
        """The MATCH with further chains and conditions."""
        chains = ", ".join((f"(m:{self.label})", *self.chains, *more))
        conditions = " AND ".join((*self.conditions, *where))
        return f"{''.join(self.ways)}MATCH {chains}" + (f" WHERE {conditions}" if conditions else "")


def label_of(types: Sequence[EntityType]) -> str:
    """The label that stands for these types."""
    return "Work" if len(types) > 1 and WORK_TYPES.issuperset(types) else LABELS[types[0]]


def pattern_of(question: SetQuestion, named: Sequence[EntityRef]) -> Pattern | None:
    """The set as a pattern; None when a link can't lead to what its name turned out to be.

    `named` are the entities that the question's names mean, in the order of its mentions.
    """
    pattern = Pattern(label_of(question.entity_types))
    for index, link in enumerate(question.links):
        target = named[link.mention]
        if link.is_itself and target.entity_type in WORK_TYPES:
            pattern.require(f"m.id <> {pattern.bind('without', str(target.id))}")
            continue
        edge = link.edge_to(target.entity_type)
        if edge is None:
            return None
        _add_link(pattern, link, edge, target, index)
        if edge is EdgeType.APPEARS_IN and question.conditions.role is not None:
            pattern.require(f"r{index}.role = {pattern.bind('role', question.conditions.role)}")
    pattern.chains.extend(_roles_there(question, named))
    for condition in _conditions(pattern, question.conditions):
        pattern.require(condition)
    return pattern


def _roles_there(question: SetQuestion, named: Sequence[EntityRef]) -> Iterator[str]:
    """Of characters with a voice and a work, the voice must be in that work: others may speak them elsewhere."""
    if question.entity_types != (EntityType.CHARACTER,):
        return
    said = [(index, link) for index, link in enumerate(question.links) if not link.is_absent]
    voices = [index for index, link in said if named[link.mention].entity_type is EntityType.PERSON]
    works = [index for index, link in said if named[link.mention].entity_type in WORK_TYPES]
    yield from (f"(n{voice})-[:{_ACTS_IN}]->(n{work})" for voice in voices for work in works)


def role_condition(pattern: Pattern, variable: str, roles: Sequence[str], name: str = "roles") -> str:
    """The condition that a relationship carries one of these roles."""
    if len(roles) == 1:
        return f"{variable}.role = {pattern.bind(name.removesuffix('s'), roles[0])}"
    return f"{variable}.role IN {pattern.bind(name, list(roles))}"


def _add_link(pattern: Pattern, link: SetLink, edge: EdgeType, target: EntityRef, index: int) -> None:
    parameter = pattern.bind(target.entity_type.value, str(target.id))
    end = f"(n{index}:{LABELS[target.entity_type]} {{id: {parameter}}})"
    if link.way is not None:
        end = _add_way(pattern, link.way, end.replace(f"(n{index}:", f"(k{index}:"), index)
    is_cast = edge in (EdgeType.VOICED_BY, EdgeType.VOICES) and EntityType.CHARACTER not in (
        target.entity_type,
        *([EntityType.CHARACTER] if pattern.label == "Character" else []),
    )
    start = "(m)"
    if link.through is not None:
        start = f"(m)-[:{link.through.value.upper()}]->(:Work)"
    if link.or_any_role and link.way is None and edge is EdgeType.HAS_STAFF:
        # Of somebody without a role behind the scenes, the works that he is heard in.
        chain = f"{start}<-[r{index}:{EdgeType.STAFF_OF.value.upper()}|{_ACTS_IN}]-{end}"
    elif is_cast and edge is EdgeType.VOICED_BY:
        chain = f"{start}<-[r{index}:{_ACTS_IN}]-{end}"
    else:
        name = _ACTS_IN if is_cast else edge.value.upper()
        chain = f"{start}-[r{index}:{name}]->{end}"
    where = _roles_of_link(pattern, link, edge, index)
    if link.is_absent:
        inner = f" WHERE {where}" if where else ""
        pattern.require(f"NOT EXISTS {{ MATCH {chain}{inner} }}")
        return
    pattern.chains.append(chain)
    if where:
        pattern.require(where)


def _add_way(pattern: Pattern, way: Way, named: str, index: int) -> str:
    """The end that is found from a named work: its director, its studio.

    It has a MATCH of its own: within one, the work that leads there could not be among what comes back.
    """
    role = f" WHERE {role_condition(pattern, f'y{index}', way.qualifiers, 'named_roles')}" if way.qualifiers else ""
    found = f"(n{index}:{LABELS[way.entity_type]})"
    pattern.ways.append(f"MATCH {named}-[y{index}:{way.edge.value.upper()}]->{found}{role} ")
    if way.leaves_out:
        pattern.require(f"m.id <> k{index}.id")
    return f"(n{index})"


def _roles_of_link(pattern: Pattern, link: SetLink, edge: EdgeType, index: int) -> str:
    if not link.qualifiers or edge not in (EdgeType.HAS_STAFF, EdgeType.STAFF_OF):
        return ""
    stated = role_condition(pattern, f"r{index}", link.qualifiers)
    if not link.or_any_role:
        return stated
    other = role_condition(pattern, f"x{index}", link.qualifiers)
    return f"({stated} OR NOT EXISTS {{ MATCH (n{index})-[x{index}:STAFF_OF]->(:Work) WHERE {other} }})"


def _conditions(pattern: Pattern, said: SetConditions) -> Iterator[str]:
    yield from _years(pattern, said)
    if said.started is not None:
        yield from _started(pattern, said.started)
    if said.season is not None:
        yield f"m.season = {pattern.bind('season', said.season.value)}"
    for attribute, name, is_wanted in _STATED:
        values: list[JsonValue] = [str(value) for value in getattr(said, attribute)]
        if values:
            yield _among(pattern, attribute, name, values, is_wanted=is_wanted)
    yield from (f"{pattern.bind('genre', genre)} IN m.themes" for genre in said.genres_all)
    if said.genres_any:
        choice = " OR ".join(f"{pattern.bind('genre', genre)} IN m.themes" for genre in said.genres_any)
        yield f"({choice})"
    yield from (f"NOT {pattern.bind('without_genre', genre)} IN m.themes" for genre in said.genres_none)
    for bound in said.bounds:
        value = int(bound.value) if bound.value.is_integer() else bound.value
        yield f"m.{bound.measure.value} {bound.operator} {pattern.bind(bound.measure.value, value)}"
    yield from (f"EXISTS {{ MATCH (m)-[:{edge.value.upper()}]->() }}" for edge in said.having)
    yield from (f"NOT EXISTS {{ MATCH (m)-[:{edge.value.upper()}]->() }}" for edge in said.lacking)
    if said.gender is not None:
        yield f"m.gender = {pattern.bind('gender', said.gender)}"
    if said.lead is not None:
        is_main = f"z.role = {pattern.bind('main', AppearanceRole.MAIN.value)}"
        is_lead = f"{is_main} AND y.gender = {pattern.bind('lead', said.lead)}"
        yield f"EXISTS {{ MATCH (m)-[z:FEATURES]->(y:Character) WHERE {is_lead} }}"


def _among(pattern: Pattern, attribute: str, name: str, values: list[JsonValue], *, is_wanted: bool) -> str:
    parameter = name if is_wanted else f"without_{name}"
    if len(values) == 1:
        return f"m.{name} {'=' if is_wanted else '<>'} {pattern.bind(parameter, values[0])}"
    bound = pattern.bind(attribute if is_wanted else f"{parameter}s", values)
    return f"m.{name} IN {bound}" if is_wanted else f"NOT m.{name} IN {bound}"


def _years(pattern: Pattern, said: SetConditions) -> Iterator[str]:
    if said.first_year is not None and said.first_year == said.last_year:
        yield f"m.year = {pattern.bind('year', said.first_year)}"
        return
    if said.first_year is not None:
        yield f"m.year >= {pattern.bind('first_year', said.first_year)}"
    if said.last_year is not None:
        yield f"m.year <= {pattern.bind('last_year', said.last_year)}"


def _started(pattern: Pattern, days: DateSpan) -> Iterator[str]:
    """Bounds on a start date as precise as it is known: one that reaches beyond them, as `2004` may, meets none.

    A date is less than a closer one that it begins, so only the last bound has to name what is too vague.
    """
    if days.first is not None:
        yield f"m.start_date >= {pattern.bind('first_start', opening(days.first))}"
    if days.last is None:
        return
    yield f"m.start_date <= {pattern.bind('last_start', days.last.isoformat())}"
    vague: list[JsonValue] = [text for text in _vaguer(days.last) if len(text) < len(closing(days.last))]
    if vague:
        yield f"NOT m.start_date IN {pattern.bind('vague_starts', vague)}"


def _vaguer(day: date) -> tuple[str, str]:
    text = day.isoformat()
    return text[:4], text[:7]
