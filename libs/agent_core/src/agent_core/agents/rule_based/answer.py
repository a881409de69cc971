"""The answer stage without a model: sentences made of nothing but evidence, each with its markers."""

from agent_core.agents.rule_based.comparison_answers import say_comparison
from agent_core.agents.rule_based.composing import Composition
from agent_core.agents.rule_based.field_answers import say_checked, say_fields, say_identity
from agent_core.agents.rule_based.list_answers import say_matches, say_recommendations
from agent_core.agents.rule_based.path_answers import say_paths
from agent_core.agents.rule_based.relation_answers import say_relations
from agent_core.budget import Budget
from agent_core.chain import chosen_of, roles_of
from agent_core.evidence import EntityRowEvidence
from agent_core.protocols import LoopView
from agent_core.schemas import AnswerKind, DraftAnswer, MatchKind
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
    _say_body(composition)
    return composition.draft()


def _say_body(composition: Composition) -> None:
    rewrite = composition.view.rewrite
    if rewrite.answer_kind is AnswerKind.PATH:
        say_paths(composition)
    elif rewrite.answer_kind is AnswerKind.COMPARISON:
        say_comparison(composition)
    elif rewrite.answer_kind is AnswerKind.RECOMMENDATION:
        say_recommendations(composition)
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
        elif mention.is_ambiguous:
            composition.say(_meant(composition.name(chosen.entity), row, chosen.discriminators), row.id)
            composition.doubt(0.6)


def _meant(name: str, row: EntityRowEvidence, discriminators: tuple[str, ...]) -> str:
    known = [each for each in discriminators if each in row.text or each.upper() in row.text]
    return f"This is about {name}{f' ({", ".join(known)})' if known else ''}"
