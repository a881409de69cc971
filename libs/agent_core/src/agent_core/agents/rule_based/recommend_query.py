"""The query behind a recommendation: works that meet the conditions and have much in common with liked ones."""

from collections.abc import Sequence

from datastore.edges import EdgeType
from datastore.vocabulary import AppearanceRole, StaffRole, WorkStatus

from agent_core.agents.rule_based.query_patterns import Pattern, pattern_of
from agent_core.evidence import EntityRef
from agent_core.schemas import GraphQueryIntent
from agent_core.set_question import SetQuestion

SPARE = 2
"""How many members beyond the asked ones are read."""

_E = EdgeType
_FAMILY = "|".join(
    edge.value.upper()
    for edge in (
        _E.SEQUEL,
        _E.PREQUEL,
        _E.SIDE_STORY,
        _E.PARENT_STORY,
        _E.SPIN_OFF,
        _E.SUMMARY,
        _E.FULL_STORY,
        _E.CONTAINS,
        _E.COMPILATION_OF,
        _E.ALTERNATIVE,
        _E.ADAPTATION_OF,
        _E.HAS_ADAPTATION,
    )
)
"""Relations within a franchise; works that merely share a setting or a character are others."""

_FAMILY_HOPS = 5
_CREATORS = (StaffRole.DIRECTOR, StaffRole.AUTHOR, StaffRole.WRITER, StaffRole.SERIES_COMPOSER)
_IS_LATER = "EXISTS { MATCH (m)-[:PREQUEL|FULL_STORY|PARENT_STORY]->(:Anime) }"
_COMMON = "[g IN m.genres WHERE g IN l.genres] AS genres, [t IN m.tags WHERE t IN l.tags] AS tags"
_ENOUGH = "2 * size(genres) >= size(l.genres) OR size(tags) >= 2"
"""What two works must share at least, if nobody shaped both: half of the liked one's genres, or two tags."""

_FACTS = (
    "m.id AS id, m.name AS name, m.format AS format, m.status AS status, m.year AS year, m.episodes AS episodes,"
    " m.duration AS duration"
)
_PRINTED_FACTS = (
    "m.id AS id, m.name AS name, m.format AS format, m.status AS status, m.year AS year, m.chapters AS chapters,"
    " m.volumes AS volumes"
)


def recommendation_of(question: SetQuestion, named: Sequence[EntityRef], reason: str) -> GraphQueryIntent | None:
    """The query that finds what to recommend; None when a link can't lead to what its name turned out to be.

    `named` are the entities that the question's names mean, in the order of its mentions. A row is a work; with liked
    works it is a work beside one of them, and what both have.
    """
    pattern = pattern_of(question, named)
    if pattern is None:
        return None
    if not question.conditions.statuses:
        pattern.require(f"coalesce(m.status, '') <> {pattern.bind('unreleased', WorkStatus.NOT_YET_RELEASED.value)}")
    taste = question.taste
    liked, disliked = ([str(named[index].id) for index in indexes] for indexes in (taste.liked, taste.disliked))
    start, kept = _start(pattern, liked, disliked)
    rest = _alike(question, pattern, kept) if liked else _by_conditions(question, pattern, kept)
    return GraphQueryIntent(text=f"{start}{rest}", parameters=pattern.parameters, reason=reason)


def _start(pattern: Pattern, liked: Sequence[str], disliked: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    """What is known before the members are matched, and the names that it is kept under.

    Each part ends in one row whatever it finds; the family comes last because every work is of its own.
    """
    if not liked and not disliked:
        return "", ()
    kept: tuple[str, ...] = ()
    parts: list[str] = []
    if disliked:
        parts.append(f"MATCH (d:Work) WHERE d.id IN {pattern.bind('disliked', [*disliked])} UNWIND d.tags AS tag")
        parts.append("WITH collect(DISTINCT tag) AS unwanted")
        kept = ("unwanted",)
    names = pattern.bind("named", [*liked, *disliked])
    parts.append(f"MATCH (s:Work)-[:{_FAMILY}*0..{_FAMILY_HOPS}]->(f:Work) WHERE s.id IN {names}")
    collected = [*kept, "collect(DISTINCT f.id) AS family"]
    if liked:
        where = f"s.id IN {pattern.bind('liked', [*liked])} AND {_shaping(pattern)}"
        parts.append(f"OPTIONAL MATCH (s)-[a:HAS_STAFF]->(:Person)-[b:STAFF_OF]->(o:Work) WHERE {where}")
        collected.append("collect(DISTINCT o.id) AS fellows")
    parts.append(f"WITH {_listed(*collected)}")
    return "".join(f"{part} " for part in parts), (*kept, "family", *(["fellows"] if liked else []))


def _shaping(pattern: Pattern) -> str:
    """The condition that somebody shaped both of two works."""
    creators = pattern.bind("creators", [*_CREATORS])
    return f"a.role IN {creators} AND b.role IN {creators}"


def _alike(question: SetQuestion, pattern: Pattern, kept: Sequence[str]) -> str:
    """Members with enough in common with a liked work; staff and tags in common weigh more than genres."""
    keep = pattern.bind("rows", question.limit + SPARE)
    group = _listed("m", *(name for name in kept if name == "unwanted"))
    against = " - size([t IN coalesce(m.tags, []) WHERE t IN unwanted])" if "unwanted" in kept else ""
    likeness = f"sum(3 * size(creators) + size(genres) + 2 * coalesce(size(tags), 0)){against} AS likeness"
    order = "is_later, likeness DESC, coalesce(m.popularity, 0.0) DESC, name"
    shaped = f"(l)-[a:HAS_STAFF]->(p:Person)<-[b:HAS_STAFF]-(m) WHERE {_shaping(pattern)}"
    candidates = pattern.text(where=["NOT m.id IN family"])
    returned = _listed(_facts(pattern), "l.name AS liked", "genres", "tags", "creators", *_leads(question, pattern))
    return " ".join(
        (
            # The limit is for the planner, who would expect more than these works.
            f"MATCH (l:Work) WHERE l.id IN $liked WITH l, {_listed(*kept)} LIMIT {len(question.taste.liked)}",
            f"{candidates} WITH DISTINCT {group}, l, fellows, {_COMMON} WHERE {_ENOUGH} OR m.id IN fellows",
            f"OPTIONAL MATCH {shaped} WITH {group}, l, genres, tags, collect(DISTINCT p.name) AS creators",
            f"WHERE {_ENOUGH} OR size(creators) > 0",
            f"WITH {group}, {likeness}, {_IS_LATER} AS is_later, m.name AS name ORDER BY {order} LIMIT {keep}",
            "MATCH (l:Work) WHERE l.id IN $liked",
            f"WITH m, l, likeness, is_later, {_COMMON}, [{shaped} | p.name] AS creators",
            f"WHERE {_ENOUGH} OR size(creators) > 0",
            f"RETURN {returned} ORDER BY {order}, liked",
        )
    )


def _by_conditions(question: SetQuestion, pattern: Pattern, kept: Sequence[str]) -> str:
    """Members by their conditions alone, those that people know best first."""
    rows = pattern.bind("rows", question.limit + SPARE)
    outside = ["NOT m.id IN family"] if "family" in kept else []
    against = "size([t IN coalesce(m.tags, []) WHERE t IN unwanted])" if "unwanted" in kept else "0"
    returned = _listed(_facts(pattern), "m.genres AS genres", "m.tags AS tags", *_leads(question, pattern))
    return " ".join(
        (
            pattern.text(where=outside),
            f"WITH DISTINCT {_listed('m', *(name for name in kept if name == 'unwanted'))}",
            f"WITH m, {_IS_LATER} AS is_later, {against} AS against",
            f"RETURN {returned}",
            f"ORDER BY is_later, against, coalesce(m.popularity, 0.0) DESC, name LIMIT {rows}",
        )
    )


def _listed(*names: str) -> str:
    return ", ".join(names)


def _leads(question: SetQuestion, pattern: Pattern) -> tuple[str, ...]:
    """Names of the main characters for which a condition on them holds."""
    lead = question.conditions.lead
    if lead is None:
        return ()
    is_lead = f"x.role = {pattern.bind('main', AppearanceRole.MAIN.value)} AND c.gender = {pattern.bind('lead', lead)}"
    return (f"[(m)-[x:FEATURES]->(c:Character) WHERE {is_lead} | c.name] AS leads",)


def _facts(pattern: Pattern) -> str:
    return _PRINTED_FACTS if pattern.label == "Manga" else _FACTS
