"""The query behind a recommendation: works that meet the conditions and have much in common with liked ones."""

from collections.abc import Sequence

from datastore.edges import EdgeType
from datastore.vocabulary import StaffRole

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
_GENRES = "[g IN m.genres WHERE g IN l.genres]"
_TAGS = "[t IN m.tags WHERE t IN l.tags]"
_ENOUGH = "2 * size(genres) >= size(l.genres) OR size(tags) >= 2 OR size(creators) > 0"
"""What two works must share at least: half of the liked one's genres, two tags, or somebody who shaped both."""

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
    taste = question.taste
    liked, disliked = ([str(named[index].id) for index in indexes] for indexes in (taste.liked, taste.disliked))
    start, kept = _start(pattern, liked, disliked)
    if liked:
        text = start + _alike(question, pattern, kept, is_disliking=bool(disliked))
    else:
        text = start + _by_conditions(question, pattern, kept, is_disliking=bool(disliked))
    return GraphQueryIntent(text=text, parameters=pattern.parameters, reason=reason)


def _start(pattern: Pattern, liked: Sequence[str], disliked: Sequence[str]) -> tuple[str, str]:
    """What is known before the members are matched, and the names that it is kept under."""
    if not liked and not disliked:
        return "", ""
    parts: list[str] = []
    kept = ""
    if liked:
        pattern.bind("liked", [*liked])
    if disliked:
        unwanted = pattern.bind("disliked", [*disliked])
        kept = "unwanted, "
        parts.append(f"MATCH (d:Work) WHERE d.id IN {unwanted} UNWIND d.tags AS tag")
        parts.append("WITH collect(DISTINCT tag) AS unwanted")
    names = pattern.bind("named", [*liked, *disliked])
    parts.append(f"MATCH (s:Work)-[:{_FAMILY}*0..{_FAMILY_HOPS}]->(f:Work) WHERE s.id IN {names}")
    parts.append(f"WITH {kept}collect(DISTINCT f.id) AS family ")
    return " ".join(parts), kept


def _alike(question: SetQuestion, pattern: Pattern, kept: str, *, is_disliking: bool) -> str:
    """Members with enough in common with a liked work; staff and tags in common weigh more than genres."""
    rows = pattern.bind("rows", (question.limit + SPARE) * len(question.taste.liked))
    creators = pattern.bind("creators", [*_CREATORS])
    shaped = (
        "OPTIONAL MATCH (l)-[a:HAS_STAFF]->(p:Person)<-[b:HAS_STAFF]-(m)"
        f" WHERE a.role IN {creators} AND b.role IN {creators}"
    )
    common = f"{_GENRES} AS genres, {_TAGS} AS tags"
    against = " - size([t IN coalesce(m.tags, []) WHERE t IN unwanted])" if is_disliking else ""
    likeness = f"sum(3 * size(creators) + size(genres) + 2 * coalesce(size(tags), 0)){against} AS likeness"
    group = f"{kept}m" if is_disliking else "m"
    leads = _with_leads(question, pattern, "m, l, likeness, genres, tags, creators, is_later")
    facts = _facts(pattern)
    returned = f"{facts}, l.name AS liked, genres, tags, creators{', leads' if leads else ''}"
    return " ".join(
        (
            pattern.text("(l:Work)", where=["l.id IN $liked", "NOT m.id IN family"]),
            f"WITH DISTINCT {kept}m, l {shaped}",
            f"WITH {kept}m, l, collect(DISTINCT p.name) AS creators",
            f"WITH {kept}m, l, creators, {common} WHERE {_ENOUGH}",
            f"WITH {group}, {likeness}",
            f"MATCH (l:Work) WHERE l.id IN $liked {shaped}",
            "WITH m, l, likeness, collect(DISTINCT p.name) AS creators",
            f"WITH m, l, likeness, creators, {common}, {_IS_LATER} AS is_later WHERE {_ENOUGH}",
            leads + f"RETURN {returned}",
            f"ORDER BY is_later, likeness DESC, coalesce(m.popularity, 0.0) DESC, name, liked LIMIT {rows}",
        )
    )


def _by_conditions(question: SetQuestion, pattern: Pattern, kept: str, *, is_disliking: bool) -> str:
    """Members by their conditions alone, those that people know best first."""
    rows = pattern.bind("rows", question.limit + SPARE)
    outside = ["NOT m.id IN family"] if is_disliking else []
    against = "size([t IN coalesce(m.tags, []) WHERE t IN unwanted])" if is_disliking else "0"
    leads = _with_leads(question, pattern, "m, is_later, against")
    returned = f"{_facts(pattern)}, m.genres AS genres, m.tags AS tags{', leads' if leads else ''}"
    return " ".join(
        (
            pattern.text(where=outside),
            f"WITH DISTINCT {kept}m WITH m, {_IS_LATER} AS is_later, {against} AS against",
            leads + f"RETURN {returned}",
            f"ORDER BY is_later, against, coalesce(m.popularity, 0.0) DESC, name LIMIT {rows}",
        )
    )


def _with_leads(question: SetQuestion, pattern: Pattern, kept: str) -> str:
    """Names of the main characters for which a condition on them holds."""
    lead = question.conditions.lead
    if lead is None:
        return ""
    gender = pattern.bind("lead", lead)
    main = pattern.bind("main", "main")
    return (
        f"MATCH (m)-[x:FEATURES]->(c:Character) WHERE x.role = {main} AND c.gender = {gender}"
        f" WITH {kept}, collect(DISTINCT c.name) AS leads "
    )


def _facts(pattern: Pattern) -> str:
    return _PRINTED_FACTS if pattern.label == "Manga" else _FACTS
