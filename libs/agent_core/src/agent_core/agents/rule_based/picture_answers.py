"""What a picture was found to show, in words."""

from agent_core.agents.rule_based.composing import Composition
from agent_core.agents.rule_based.field_answers import say_identity
from agent_core.agents.rule_based.wording import joined
from agent_core.evidence import PICTURES_SOURCE, SAME, RankedEntry, RankedListEvidence

_MAX_OTHERS = 4


def pictures_seen(composition: Composition) -> RankedListEvidence | None:
    """What the picture of the question was found to look like."""
    lists = (item for item in composition.view.evidence if isinstance(item, RankedListEvidence))
    return next((item for item in lists if item.source == PICTURES_SOURCE and item.entries), None)


def say_picture(composition: Composition, seen: RankedListEvidence) -> None:
    """One sentence on whose picture it is, or is like, with the likeness."""
    best = seen.entries[0]
    name = composition.name(best.entity)
    if best.reason == SAME:
        text = f"The picture is that of {name}, or an altered copy of it (likeness {best.score:.2f})"
    else:
        text = f"The picture is similar to that of {name}, and may be another one (likeness {best.score:.2f})"
        composition.doubt(0.6)
    composition.say(text, seen.id)
    composition.about(best.entity)


def say_what_is_shown(composition: Composition, seen: RankedListEvidence) -> None:
    """Whose picture it is, who or what that is, and what else looks like it."""
    say_picture(composition, seen)
    best, *others = seen.entries
    composition.found(best.entity)
    say_identity(composition, (best.entity,))
    _say_others(composition, seen, others[:_MAX_OTHERS])


def _say_others(composition: Composition, seen: RankedListEvidence, others: list[RankedEntry]) -> None:
    if not others:
        return
    listed = composition.listed(
        [(f"{composition.name(each.entity)} ({each.score:.2f})", (seen.id,)) for each in others]
    )
    lead = "Other pictures that look similar are those of" if len(others) > 1 else "Another similar picture is that of"
    composition.say(f"{lead} {joined(listed)}")
    composition.found(*(each.entity for each in others))
