"""Passages of documents read for what they say about a question. Pure."""

from agent_core.passages.conflicts import Disagreement, disagreements
from agent_core.passages.grading import Passages, Quote, State, band_of, read_passages
from agent_core.passages.progress import Progress, document_slot, progress_of
from agent_core.passages.sentences import sentences_of
from agent_core.passages.succession import successors

__all__ = [
    "Disagreement",
    "Passages",
    "Progress",
    "Quote",
    "State",
    "band_of",
    "disagreements",
    "document_slot",
    "progress_of",
    "read_passages",
    "sentences_of",
    "successors",
]
