"""Set questions as graph queries: one text a task, from templates; values are parameters, names are ids."""

from collections.abc import Sequence

from datastore.edges import EdgeType
from datastore.vocabulary import WORK_TYPES

from agent_core.agents.rule_based.query_patterns import Pattern, pattern_of, role_condition
from agent_core.agents.rule_based.recommend_query import recommendation_of
from agent_core.evidence import EntityRef
from agent_core.schemas import GraphQueryIntent
from agent_core.set_question import Grouping, SetQuestion, SetTask

TIES = 20
"""How many members beyond the asked ones are read, so that those with an equal figure are there too."""

_GROUP_CHAINS: dict[Grouping, str] = {
    Grouping.STUDIO: "(m)-[:PRODUCED_BY]->(g:Studio)",
    Grouping.STAFF: "(m)-[s:HAS_STAFF]->(g:Person)",
    Grouping.CHARACTER: "(m)-[:FEATURES]->(g:Character)",
}


_OWN_CHAINS: dict[Grouping, str] = {
    Grouping.CAST: "(m)-[:FEATURES]->(c:Character)",
    Grouping.ADAPTATIONS: "(m)-[:HAS_ADAPTATION]->(c:Work)",
}
"""Where the members themselves are the groups, ranked by how many of something they have."""

_FOLLOWING_CHAINS: dict[EdgeType, str] = {
    EdgeType.HAS_STAFF: "(m)-[s:HAS_STAFF]->(g:Person)",
    EdgeType.PRODUCED_BY: "(m)-[s:PRODUCED_BY]->(g:Studio)",
    EdgeType.FEATURES: "(m)-[s:FEATURES]->(g:Character)",
    EdgeType.VOICED_BY: "(m)-[s:FEATURES]->(:Character)<-[:VOICES]-(g:Person), (g)-[:ACTS_IN]->(m)",
}


def intent_of(question: SetQuestion, named: Sequence[EntityRef], reason: str) -> GraphQueryIntent | None:
    """The query that answers the question; None when a link can't lead to what its name turned out to be."""
    if question.task is SetTask.RECOMMENDATION:
        return recommendation_of(question, named, reason)
    pattern = pattern_of(question, named)
    if pattern is None:
        return None
    text = _text(question, pattern)
    if text is None:
        return None
    return GraphQueryIntent(text=text, parameters=pattern.parameters, reason=reason)


def _text(question: SetQuestion, pattern: Pattern) -> str | None:
    """The query's text; None of a watch order, which takes queries of its own."""
    match question.task:
        case SetTask.LIST | SetTask.COUNT | SetTask.RECOMMENDATION:
            return _members(question, pattern)
        case SetTask.EXTREME:
            return _followed(question, pattern) if question.following is not None else _extreme(question, pattern)
        case SetTask.GROUPS:
            return _groups(question, pattern)
        case SetTask.AVERAGE | SetTask.TOTAL:
            return _figure(question, pattern)
        case SetTask.WATCH_ORDER:
            return None


def _members(question: SetQuestion, pattern: Pattern) -> str:
    if WORK_TYPES.issuperset(question.entity_types):
        return f"{pattern.text()} RETURN DISTINCT m.id AS id, m.name AS name, m.year AS year ORDER BY year, name"
    return f"{pattern.text()} RETURN DISTINCT m.id AS id, m.name AS name ORDER BY name"


def _extreme(question: SetQuestion, pattern: Pattern) -> str:
    measure = question.measure or ""
    order = "DESC" if question.is_descending else "ASC"
    keep = pattern.bind("rows", question.limit + TIES)
    known = pattern.text(where=[f"m.{measure} IS NOT NULL"])
    returned = f"RETURN DISTINCT m.id AS id, m.name AS name, m.{measure} AS {measure}"
    return f"{known} {returned} ORDER BY {measure} {order}, name LIMIT {keep}"


def _followed(question: SetQuestion, pattern: Pattern) -> str:
    """The members with the extreme first, then what is asked of them."""
    measure, following = question.measure or "", question.following
    best = f"{pattern.text()} WITH {'max' if question.is_descending else 'min'}(m.{measure}) AS best"
    is_best = f"m.{measure} = best"
    returned = f"m.id AS id, m.name AS name, m.{measure} AS {measure}"
    if following is None or following.edge is None:
        asked = following.field if following is not None else None
        more = f", m.{asked} AS {asked}" if asked not in (None, measure) else ""
        return f"{best} {pattern.text(where=[is_best])} RETURN DISTINCT {returned}{more} ORDER BY name"
    chain = _FOLLOWING_CHAINS[following.edge]
    roles = [role_condition(pattern, "s", following.qualifiers, "asked_roles")] if following.qualifiers else []
    found = pattern.text(chain, where=[is_best, *roles])
    return f"{best} {found} RETURN DISTINCT g.id AS found_id, g.name AS found, {returned} ORDER BY name, found"


def _groups(question: SetQuestion, pattern: Pattern) -> str:
    grouping = question.grouping or Grouping.YEAR
    ends_first = "DESC" if question.is_descending else "ASC"
    keep = pattern.bind("rows", question.limit + TIES)
    if grouping in _OWN_CHAINS:
        found = pattern.text(_OWN_CHAINS[grouping])
        returned = "RETURN m.id AS id, m.name AS name, count(DISTINCT c) AS members"
        return f"{found} {returned} ORDER BY members {ends_first}, name LIMIT {keep}"
    if grouping in _GROUP_CHAINS or grouping is Grouping.VOICE_ACTOR:
        found = pattern.text(_group_chain(grouping, pattern), where=_group_roles(question, pattern))
        returned = "RETURN g.id AS id, g.name AS name, count(DISTINCT m) AS members"
        return f"{found} {returned} ORDER BY members {ends_first}, name LIMIT {keep}"
    if grouping is Grouping.GENRE:
        found = f"{pattern.text()} UNWIND m.genres AS genre"
    else:
        found = pattern.text(where=[f"m.{grouping.value} IS NOT NULL"])
    value = "genre" if grouping is Grouping.GENRE else f"m.{grouping.value}"
    order = f"members {ends_first}, {grouping.value}" if question.limit == 1 else grouping.value
    return f"{found} RETURN {value} AS {grouping.value}, count(DISTINCT m) AS members ORDER BY {order} LIMIT {keep}"


def _group_chain(grouping: Grouping, pattern: Pattern) -> str:
    if grouping is Grouping.VOICE_ACTOR and pattern.label != "Character":
        return "(g:Person)-[:ACTS_IN]->(m)"
    if grouping is Grouping.VOICE_ACTOR:
        # Of the characters of a work, whoever voices them there.
        there = [f", (g)-[:ACTS_IN]->(n{index})" for index, _ in enumerate(pattern.chains)]
        return "(g:Person)-[:VOICES]->(m)" + "".join(there)
    return _GROUP_CHAINS[grouping]


def _group_roles(question: SetQuestion, pattern: Pattern) -> list[str]:
    if question.grouping is not Grouping.STAFF or not question.group_qualifiers:
        return []
    return [role_condition(pattern, "s", question.group_qualifiers, "asked_roles")]


def _figure(question: SetQuestion, pattern: Pattern) -> str:
    """An average or a sum over the members whose figure is known, each counted once."""
    measure = question.measure or ""
    name, function = ("average", "avg") if question.task is SetTask.AVERAGE else ("total", "sum")
    known = [f"m.{measure} IS NOT NULL"]
    figures = f"{function}(m.{measure}) AS {name}, count(m) AS members"
    grouping = question.grouping
    if grouping is None:
        return f"{pattern.text(where=known)} WITH DISTINCT m RETURN {figures}"
    if grouping in _GROUP_CHAINS:
        chain = _group_chain(grouping, pattern)
        found = f"{pattern.text(chain, where=known)} WITH DISTINCT m, g"
        return f"{found} RETURN g.id AS id, g.name AS name, {figures} ORDER BY name"
    known.append(f"m.{grouping.value} IS NOT NULL")
    if grouping is Grouping.GENRE:
        found = f"{pattern.text(where=known)} WITH DISTINCT m UNWIND m.genres AS genre"
        return f"{found} RETURN genre, {figures} ORDER BY genre"
    found = f"{pattern.text(where=known)} WITH DISTINCT m"
    return f"{found} RETURN m.{grouping.value} AS {grouping.value}, {figures} ORDER BY {grouping.value}"
