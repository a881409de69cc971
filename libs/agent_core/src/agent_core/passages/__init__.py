"""Passages of documents read for what they say about a question. Pure."""

from agent_core.passages.conflicts import Disagreement, disagreements
from agent_core.passages.grading import Passages, Quote, State, Weighed, band_of, read_passages, weigh_passages
from agent_core.passages.hops import asks_about, can_follow, elsewhere, leads_on
from agent_core.passages.pages import PageQuote
from agent_core.passages.progress import Progress, document_slot, keywords_of, progress_of
from agent_core.passages.sentences import sentence_at, sentences_of
from agent_core.passages.succession import successors

__all__ = [
    "Disagreement",
    "PageQuote",
    "Passages",
    "Progress",
    "Quote",
    "State",
    "Weighed",
    "asks_about",
    "band_of",
    "can_follow",
    "disagreements",
    "document_slot",
    "elsewhere",
    "keywords_of",
    "leads_on",
    "progress_of",
    "read_passages",
    "sentence_at",
    "sentences_of",
    "successors",
    "weigh_passages",
]
