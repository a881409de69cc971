"""Answers about what a chain of relations leads to, and whether it leads to a given entity."""

from collections.abc import Sequence

from datastore.edges import EDGES, EdgeType

from agent_core.agents.rule_based.composing import Composition
from agent_core.agents.rule_based.field_answers import say_fields
from agent_core.agents.rule_based.left_out import excepted_of, parted
from agent_core.agents.rule_based.list_answers import say_extreme
from agent_core.agents.rule_based.operands import says_both
from agent_core.agents.rule_based.relation_sentences import far_noun, lacking, say_relation
from agent_core.agents.rule_based.row_filters import meets
from agent_core.agents.rule_based.superlatives import Superlative, superlative_of
from agent_core.agents.rule_based.understanding import understand
from agent_core.agents.rule_based.wording import article, joined
from agent_core.chain import Layer, Used, chosen_of, reached_at, roles_of, targets_of, unique, walks
from agent_core.evidence import EntityRef, absent_field

Walk = Sequence[Layer]

_MAX_BEFORE = 8
"""How many entities between start and end are worth a sentence of their own."""


def say_relations(composition: Composition) -> None:
    """The answer to a chain: what it leads to, or where it ends."""
    view = composition.view
    walked = list(walks(view.rewrite, view.resolved, view.evidence, view.outcomes))
    roles = roles_of(view.rewrite)
    starts = chosen_of(view.resolved, roles.starts)
    # Where it leads without a name that the catalogue lacks is no answer to whether it leads there.
    is_unknown = len(chosen_of(view.resolved, roles.targets)) < len(roles.targets)
    if not walked or not starts or is_unknown:
        composition.doubt(0.3)
        return
    targets = targets_of(view.rewrite, view.resolved)
    if targets:
        _say_proof(composition, starts[0], walked[0], targets)
    elif len(walked) > 1:
        _say_shared(composition, starts, walked)
    else:
        _say_chain(composition, starts[0], walked[0])
    if view.rewrite.asked_fields and _asked_extreme(composition) is None:
        say_fields(composition)


def _asked_extreme(composition: Composition) -> Superlative | None:
    """The extreme of a field that is asked for."""
    asked = composition.view.rewrite.asked_fields
    found = superlative_of(composition.question) if asked else None
    return found if found is not None and found.field in asked else None


def _say_chain(composition: Composition, start: EntityRef, walk: Walk) -> None:
    view = composition.view
    composition.about(start)
    ends = _narrowed(composition, walk)
    if not walk[-1].reached:
        _say_gap(composition, start, walk)
        return
    ends, left_out = parted(ends, excepted_of(composition, ends))
    if not ends and left_out:
        _say_no_other(composition, start, walk, left_out)
        return
    if not ends:
        _say_none_fitting(composition, start, walk)
        return
    extreme = _asked_extreme(composition)
    if extreme is not None and say_extreme(composition, extreme, ends, _lead(walk)):
        _say_steps(composition, walk, composition.results[-1:])
        return
    if composition.is_yes_no:
        composition.open_with("Yes")
    _say_steps(composition, walk, ends)
    _say_absent(composition, start, walk[-1].relation.edge)
    if not (view.rewrite.asked_fields and not view.rewrite.fields_of_mention):
        composition.found(*ends)
    if not all(layer.is_complete for layer in walk):
        composition.doubt(0.7)


def _lead(walk: Walk) -> str:
    return "" if all(layer.is_complete for layer in walk) else "Among the matches found, "


def _say_none_fitting(composition: Composition, start: EntityRef, walk: Walk) -> None:
    """Something was reached, but none of it meets the conditions."""
    composition.doubt(0.6)
    composition.found(start)
    noun = far_noun(walk[-1].relation)
    found = f"The catalogue doesn't list {article(noun)}" if _lead(walk) == "" else f"The matches found show no {noun}"
    ids = composition.row_ids((start, *walk[-1].reached[:5]))
    composition.say(f"{found} for {composition.name(start)} that meets the conditions", *ids)


def _say_no_other(composition: Composition, start: EntityRef, walk: Walk, left_out: Sequence[EntityRef]) -> None:
    """Nothing is reached but what the question leaves out."""
    composition.doubt(0.6)
    composition.found(start)
    used = [each.evidence_id for layer in walk for each in layer.used]
    if composition.is_yes_no and _lead(walk) == "":
        composition.open_with("No")
    found = "The catalogue doesn't list" if _lead(walk) == "" else "The matches found show"
    thing = f"{'another' if _lead(walk) == '' else 'no other'} {far_noun(walk[-1].relation)}"
    others = joined([composition.name(entity) for entity in left_out])
    composition.say(f"{found} {thing} of {composition.name(start)} than {others}", *dict.fromkeys(used[:3]))


def _narrowed(composition: Composition, walk: Walk) -> tuple[EntityRef, ...]:
    """What the last step reached and meets the conditions."""
    last = walk[-1]
    filters = composition.view.rewrite.filters
    if not filters.is_empty:
        rows = {entity.key: composition.row(entity) for entity in last.reached}
        return tuple(entity for entity in last.reached if (row := rows[entity.key]) is None or meets(row, filters))
    return last.reached


def _say_steps(composition: Composition, walk: Walk, ends: Sequence[EntityRef]) -> None:
    """One sentence for every entity that a step leads on from, as far as it leads to the ends."""
    wanted = [set[object]() for _ in walk]
    wanted[-1] = {entity.key for entity in ends}
    for depth in range(len(walk) - 1, 0, -1):
        wanted[depth - 1] = {used.step.from_.key for used in walk[depth].used if used.step.to.key in wanted[depth]}
    for depth, layer in enumerate(walk):
        used = [each for each in layer.used if each.step.to.key in wanted[depth] or _is_detour(layer, each)]
        is_last = depth == len(walk) - 1
        if not is_last and len({each.step.to.key for each in used}) > _MAX_BEFORE:
            continue
        _say_layer(composition, layer, used)


def _is_detour(layer: Layer, used: Used) -> bool:
    return used.step.rel is EdgeType.ADAPTATION_OF and layer.relation.edge is EdgeType.HAS_STAFF


def _say_layer(composition: Composition, layer: Layer, used: Sequence[Used]) -> None:
    is_said_cut = False
    for near in unique(each.step.from_ for each in used):
        of_near = [each for each in used if each.step.from_.key == near.key]
        for rel in dict.fromkeys(each.step.rel for each in of_near):
            of_edge = [each for each in of_near if each.step.rel is rel]
            is_whole = layer.is_complete or is_said_cut
            say_relation(composition, near, of_edge, asked=layer.relation, is_complete=is_whole)
            is_said_cut = True
        composition.about(near, *(each.step.to for each in of_near))


def _say_absent(composition: Composition, subject: EntityRef, edge: EdgeType) -> bool:
    """What a document refers to that no collection holds; whether there is such."""
    row = composition.row(subject)
    name = absent_field(edge)
    missing = next((field.value for field in row.fields if field.name == name), None) if row is not None else None
    if row is None or missing is None:
        return False
    said = EDGES[edge].sentence.format(a=composition.name(subject), b=joined(missing.split("; ")))
    verb = "are" if ";" in missing else "is"
    composition.say(f"{said}, which {verb} not in the collection", row.id)
    return True


def _say_gap(composition: Composition, start: EntityRef, walk: Walk) -> None:
    """Where the chain ends: the first step that leads nowhere."""
    composition.doubt(0.6)
    near: tuple[EntityRef, ...] = (start,)
    for depth, layer in enumerate(walk):
        if layer.reached:
            _say_layer(composition, layer, layer.used)
            near = layer.reached
            continue
        if composition.is_yes_no and depth == len(walk) - 1 and layer.is_complete:
            composition.open_with("No")
        subject = near[0]
        if _say_absent(composition, subject, layer.relation.edge):
            composition.found(start)
            return
        ids = composition.row_ids((subject,)) or tuple(each.evidence_id for each in walk[depth - 1].used[:1])
        composition.say(lacking(composition.name(subject), layer), *ids)
        composition.found(start)
        return


def _say_proof(composition: Composition, start: EntityRef, walk: Walk, targets: Sequence[EntityRef]) -> None:
    """Yes with what proves it, or that the catalogue doesn't list it, with what it lists instead."""
    composition.found(start, *targets)
    keys = {target.key for target in targets}
    hits = [entity for entity in walk[-1].reached if entity.key in keys]
    if hits:
        if composition.is_yes_no:
            composition.open_with("Yes")
        _say_steps(composition, walk, hits)
        return
    composition.doubt(0.6)
    rows = composition.row_ids((start, *targets))
    is_proven = all(layer.is_complete and not layer.unread for layer in walk)
    names = composition.name(start), composition.name(targets[0])
    if is_proven:
        composition.open_with("No")
        composition.say(f"The catalogue doesn't list {_claim(walk, *names)}", *rows)
    else:
        composition.say(f"The matches found don't show {_claim(walk, *names)}", *rows)
    if walk[-1].reached and len(walk[-1].reached) <= _MAX_BEFORE:
        _say_steps(composition, walk, walk[-1].reached)


def _claim(walk: Walk, start: str, target: str) -> str:
    """What was asked about two names, as something that can be listed or not."""
    relation = walk[-1].relation
    if len(walk) > 1:
        return f"{target} there"
    match relation.edge:
        case EdgeType.STAFF_OF | EdgeType.PRODUCED:
            return f"{target} among the works of {start}"
        case EdgeType.APPEARS_IN:
            return f"{start} as a character of {target}"
        case _:
            return f"{target} as {article(far_noun(relation))} of {start}"


def _say_shared(composition: Composition, starts: Sequence[EntityRef], walked: Sequence[Walk]) -> None:
    """What several entities lead to alike; without any, what each of them leads to."""
    composition.about(*starts)
    reached = reached_at(walked, len(walked[0]))
    common, _ = parted(reached, excepted_of(composition, reached))
    is_asked = says_both(understand(composition.question, ()).items) or composition.is_yes_no
    if common:
        if composition.is_yes_no:
            composition.open_with("Yes")
        composition.found(*common)
        for walk in walked:
            _say_steps(composition, walk, common)
        return
    are_short = any(len(walk[-1].reached) <= _MAX_BEFORE for walk in walked)
    if is_asked or not are_short:
        complete = all(layer.is_complete and not layer.unread for walk in walked for layer in walk)
        if composition.is_yes_no and complete:
            composition.open_with("No")
        names = [composition.name(start) for start in starts]
        noun = far_noun(walked[0][-1].relation)
        found = f"The catalogue doesn't list {article(noun)}" if complete else f"The matches found show no {noun}"
        composition.say(f"{found} that {joined(names)} share", *composition.row_ids(starts))
        composition.doubt(0.6)
    for start, walk in zip(starts, walked, strict=True):
        if walk[-1].reached and len(walk[-1].reached) <= _MAX_BEFORE:
            composition.found(*walk[-1].reached)
            _say_steps(composition, walk, walk[-1].reached)
        elif not walk[-1].reached:
            _say_gap(composition, start, walk)
