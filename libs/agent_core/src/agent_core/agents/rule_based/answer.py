"""The answer stage without a model: sentences made of nothing but evidence, each with its markers."""

from datastore.edges import EdgeType

from agent_core.agents.rule_based.comparison_answers import say_comparison
from agent_core.agents.rule_based.composing import Composition
from agent_core.agents.rule_based.document_answers import say_documents
from agent_core.agents.rule_based.field_answers import say_checked, say_fields, say_identity
from agent_core.agents.rule_based.list_answers import say_matches
from agent_core.agents.rule_based.path_answers import say_paths
from agent_core.agents.rule_based.picture_answers import pictures_seen, say_picture, say_what_is_shown
from agent_core.agents.rule_based.query_answers import say_set
from agent_core.agents.rule_based.relation_answers import say_relations
from agent_core.agents.rule_based.wording import joined
from agent_core.budget import Budget
from agent_core.chain import chosen_of, links, namesakes_of, roles_of
from agent_core.evidence import EntityRef, EntityRowEvidence
from agent_core.protocols import LoopView
from agent_core.schemas import AnswerKind, Candidate, DraftAnswer, MatchKind
from agent_core.slots import needs_search


class RuleBasedAnswer:
    """Drafts from the evidence shown. Deterministic: the same view gives the same draft."""

    async def run(self, view: LoopView, budget: Budget) -> DraftAnswer:
        """The draft; without anything to say its text is empty and its confidence zero."""
        return compose(view)


def compose(view: LoopView) -> DraftAnswer:
    """The draft for a view."""
    composition = Composition.of(view)
    _say_spelling(composition)
    seen = pictures_seen(composition)
    if seen is not None and needs_search(view.rewrite):
        say_what_is_shown(composition, seen)
    else:
        if seen is not None:
            say_picture(composition, seen)
        _say_body(composition)
    _say_namesakes(composition)
    return composition.draft()


def _say_body(composition: Composition) -> None:
    rewrite = composition.view.rewrite
    if rewrite.document_question is not None:
        say_documents(composition, rewrite.document_question)
    elif rewrite.set_question is not None:
        say_set(composition)
    elif rewrite.answer_kind is AnswerKind.PATH:
        say_paths(composition)
    elif rewrite.answer_kind is AnswerKind.COMPARISON:
        say_comparison(composition)
    elif needs_search(rewrite):
        say_matches(composition)
    elif rewrite.relations:
        say_relations(composition)
    elif rewrite.asked_fields and composition.is_yes_no:
        say_checked(composition)
    elif rewrite.asked_fields:
        say_fields(composition)
    else:
        say_identity(composition, chosen_of(composition.view.resolved, roles_of(rewrite).starts))


def _say_spelling(composition: Composition) -> None:
    """Say which name a misspelt one was taken for, and which of several namesakes is meant."""
    for mention in composition.view.resolved:
        chosen = mention.chosen
        if chosen is None:
            continue
        row = composition.row(chosen.entity)
        if row is None:
            continue
        if chosen.match is MatchKind.TYPO:
            composition.say(f"Taking “{mention.mention.text}” as {composition.name(chosen.entity)}", row.id)
            composition.doubt(0.75)
        elif chosen.match is MatchKind.VECTOR:
            name = composition.name(chosen.entity)
            composition.say(f"Taking “{mention.mention.text}” as {name}, which is a guess", row.id)
            composition.doubt(0.5)
        elif mention.is_ambiguous:
            _say_meant(composition, chosen, row)
            composition.doubt(0.6)


def _say_meant(composition: Composition, chosen: Candidate, row: EntityRowEvidence) -> None:
    """Which of several is meant: told by year and format, else by the work that its credits name."""
    known = [each for each in chosen.discriminators if each in row.text or each.upper() in row.text]
    name = composition.name(chosen.entity)
    if known:
        composition.say(f"This is about {name} ({', '.join(known)})", row.id)
        return
    for used in links(composition.view.evidence, chosen.entity, EdgeType.APPEARS_IN)[:1]:
        composition.say(f"This is about {name} of {composition.name(used.step.to)}", row.id, used.evidence_id)
        return
    composition.say(f"This is about the {chosen.entity.entity_type} {name}", row.id)


def _say_namesakes(composition: Composition) -> None:
    """What else bears the name, as far as its row was read."""
    others = [ref for ref in namesakes_of(composition.view.resolved) if composition.row(ref) is not None]
    if not composition.sentences or not others:
        return
    listed = composition.listed(
        [(f"{composition.name(ref)} ({_kind(composition, ref)})", composition.row_ids((ref,))) for ref in others]
    )
    verb = "are" if len(listed) > 1 else "is"
    composition.say(f"Also of this name {verb} {joined(listed)}")


def _kind(composition: Composition, ref: EntityRef) -> str:
    """What tells a namesake apart, as far as its row shows it."""
    row = composition.row(ref)
    year = next((field.value for field in row.fields if field.name == "year"), "") if row else ""
    return ", ".join(part for part in (ref.entity_type.value, year) if part)
