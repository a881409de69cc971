"""Answers about how two entities are linked."""

from datastore.edges import EDGES, EdgeType

from agent_core.agents.rule_based.composing import Composition
from agent_core.agents.rule_based.wording import article, joined, kind_noun, language_name, role_noun
from agent_core.chain import chosen_of, intents, roles_of
from agent_core.evidence import EntityRef, PathEvidence, PathStep
from agent_core.schemas import GraphIntent, GraphQueryType, StepStatus

MAX_PATHS = 3


def say_paths(composition: Composition) -> None:
    """The shortest chains between the two ends, hop by hop; without any, that none is listed."""
    view = composition.view
    ends = chosen_of(view.resolved, roles_of(view.rewrite).starts)[:2]
    if len(ends) < 2:
        composition.doubt(0.3)
        return
    paths = _shortest(composition, ends)
    if not paths:
        _say_none(composition, ends)
        return
    if composition.is_yes_no:
        composition.open_with("Yes")
    for number, path in enumerate(paths[:MAX_PATHS]):
        composition.about(*path.path.nodes, *(step.hub for step in path.path.steps if step.hub is not None))
        _say_path(composition, path, is_first=number == 0)
    composition.found(*ends)


def _shortest(composition: Composition, ends: tuple[EntityRef, ...]) -> list[PathEvidence]:
    keys = {entity.key for entity in ends}
    found = [
        item
        for item in composition.view.evidence
        if isinstance(item, PathEvidence) and {item.path.nodes[0].key, item.path.nodes[-1].key} == keys
    ]
    shortest = min((_length(item) for item in found), default=0)
    best = [item for item in found if _length(item) == shortest]
    # An edge read from both its ends is one edge.
    return list({frozenset(_row(step) for step in item.path.steps): item for item in reversed(best)}.values())[::-1]


def _row(step: PathStep) -> str:
    return step.evidence_id.removesuffix(":in").removesuffix(":out")


def _length(item: PathEvidence) -> int:
    return sum(2 if step.hub is not None else 1 for step in item.path.steps)


def _say_path(composition: Composition, path: PathEvidence, *, is_first: bool) -> None:
    steps = path.path.steps
    if len(steps) == 1:
        composition.say(path.text, path.id)
        return
    sentences = [step_sentence(composition, step) for step in steps]
    lead = "" if is_first else "Also, "
    composition.say(f"{lead}{joined(sentences)}", path.id)


def step_sentence(composition: Composition, step: PathStep) -> str:
    """One hop in words, without a full stop."""
    near, far = composition.name(step.from_), composition.name(step.to)
    sentence = EDGES[step.rel].sentence.format(a=near, b=far)
    if step.hub is not None:
        return f"{sentence} ({composition.name(step.hub)})"
    match step.rel:
        case EdgeType.CHARACTER_RELATION:
            return f"{far} is {article(kind_noun(step.qualifier))} of {near}"
        case EdgeType.HAS_STAFF | EdgeType.STAFF_OF if step.qualifier:
            return f"{sentence} as {role_noun(step.qualifier)}"
        case EdgeType.VOICED_BY | EdgeType.VOICES if step.qualifier and step.qualifier != "ja":
            return f"{sentence} in {language_name(step.qualifier)}"
        case _:
            return sentence


def _say_none(composition: Composition, ends: tuple[EntityRef, ...]) -> None:
    """No chain: a fact of the catalogue only when the search ended by itself."""
    composition.doubt(0.6)
    composition.found(*ends)
    names = joined([composition.name(end) for end in ends])
    tried = [
        status
        for intent, status in intents(composition.view.outcomes)
        if isinstance(intent, GraphIntent) and intent.query_type is GraphQueryType.PATH
    ]
    is_proven = bool(tried) and tried[-1] is StepStatus.EMPTY
    if is_proven and composition.is_yes_no:
        composition.open_with("No")
    found = "The catalogue doesn't list a connection" if is_proven else "The search found no connection"
    composition.say(f"{found} between {names} within the steps searched", *composition.row_ids(ends))
