"""Documents of numbered series in questions: `PEP 8` is a name whether or not it is known, `PEPs` are documents."""

import re
from collections.abc import Sequence

from datastore.vocabulary import EntityType
from references.numbered import SERIES, NumberedDocuments

from agent_core.schemas import Mention

_LONGEST_NAME = 300
_NUMBERED = NumberedDocuments()
_KIND = re.compile(rf"\b(?:{'|'.join(name for name in SERIES if len(name) > 2)})(?P<s>s?)\b(?!(?:\s+|-|\s*/)?\d)")
_ARTICLE = re.compile(r"\b(?:which|what|the|a|any|all|those|other)\s+$", re.IGNORECASE)


def numbered_mentions(question: str, known: Sequence[Mention]) -> tuple[Mention, ...]:
    """Numbers of series that stand in the question and in none of the names that are known there."""
    found = dict.fromkeys(each.text for each in _NUMBERED.find(question) if not each.section)
    return tuple(
        Mention(text=text, entity_types=(EntityType.DOCUMENT,))
        for text in found
        if len(text) <= _LONGEST_NAME and not any(text in mention.text for mention in known)
    )


def without_series(question: str) -> str:
    """The question with `document` for a series that is only the kind of what is asked: `which PEPs require …`."""
    pieces: list[str] = []
    end = 0
    for match in _KIND.finditer(question):
        if _ARTICLE.search(question, 0, match.start()) is None:
            continue
        pieces += [question[end : match.start()], f"document{match['s']}"]
        end = match.end()
    return "".join((*pieces, question[end:]))
