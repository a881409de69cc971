"""Cues for what documents say of each other."""

from datastore.edges import EDGES, EdgeType
from datastore.vocabulary import EntityType

from agent_core.agents.rule_based.cues import CueRow, Form, asked, relation_row

_E = EdgeType


def _rows(edge: EdgeType, verbs: str, participles: str) -> tuple[CueRow, CueRow]:
    """`A requires B` and `B is required by A`; whichever of the two is asked for is a document."""
    forth = asked(edge, entity_type=EntityType.DOCUMENT)
    back = asked(EDGES[edge].inverse, entity_type=EntityType.DOCUMENT)
    return (
        relation_row(verbs, edge.value, Form.VERB, of=back, inverse=forth),
        relation_row(rf"(?:{participles}) by", f"{edge.value}_by", Form.PASSIVE, of=forth, inverse=back),
    )


DOCUMENT_CUES: tuple[CueRow, ...] = (
    *_rows(
        _E.SUPERSEDES,
        r"supersedes?|superseded(?! by)|obsoletes?(?!d)|replaces?|replaced(?! by)",
        "superseded|replaced|obsoleted",
    ),
    *_rows(_E.REQUIRES, r"requires?|required(?! by)|depends? (?:up)?on", "required"),
    *_rows(_E.REFERENCES, r"references|refers? to|cites?|cited(?! by)", "referenced|cited|referred to"),
)
