"""Follow-up questions about a document that was quoted: `What does it say about oil?`, `Who built it?`. Pure."""

import re
from collections.abc import Sequence

from datastore.vocabulary import EntityType

from agent_core.evidence import EntityRef
from agent_core.turns import CompleteQuestion, PastTurn

_KINDS = r"(?:article|document|text|report|page|paper|letter|essay|handbook|manual|file|passage)"
_MEANT = rf"(?:(?:the|this|that)(?: same)? {_KINDS})"
_TEXT = re.compile(
    rf"(?:\b(?:according to|does|did) |\bin )(?P<it>it|this|that|{_MEANT})"
    r"(?=\s*(?:[?.!,]|$)| (?:say|tell|mention|state|write|explain|describe|report)\b)"
    rf"|\b(?P<kind>{_MEANT})\b",
    re.IGNORECASE,
)
_LEANS = re.compile(r"\b(?:it|its|they|them|their|he|she|him|her|his|there|that|those)\b", re.IGNORECASE)
_OPENER = re.compile(r"^(?:and|but|so|then)\b,? *", re.IGNORECASE)
_INNER = str.maketrans("“”", "‘’")


def of_document(question: str, names: Sequence[str], history: Sequence[PastTurn]) -> CompleteQuestion | None:
    """The question, put to the one document that the last answer quoted; None where it leans on none.

    The document is named by its title, so that an answer says so when it is gone by now.
    """
    document = _quoted(history)
    if document is None:
        return None
    title = (document.name or "").translate(_INNER)
    if said := _TEXT.search(question):
        group = "it" if said["it"] else "kind"
        text = f"{question[: said.start(group)]}“{title}”{question[said.end(group) :]}"
    elif not names and _LEANS.search(question):
        asked = _OPENER.sub("", question)
        text = f"According to “{title}”, {asked[:1].lower()}{asked[1:]}"
    else:
        return None
    return CompleteQuestion(text=text)


def _quoted(history: Sequence[PastTurn]) -> EntityRef | None:
    """The one document behind the last answer that named anything."""
    last = next((turn for turn in reversed(history) if turn.results or _is_about_entity(turn)), None)
    if last is None or _is_about_entity(last) or len(last.results) != 1:
        return None
    (found,) = last.results
    return found if found.entity_type is EntityType.DOCUMENT and found.name else None


def _is_about_entity(turn: PastTurn) -> bool:
    return any(each.entity is not None for each in turn.mentions)
