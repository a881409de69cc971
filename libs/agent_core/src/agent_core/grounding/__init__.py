"""Claims and citations against evidence: what no cited evidence says never reaches a caller."""

from agent_core.grounding.check import CitationVerdict, Grounded, RemovalReason, RemovedSentence, ground

__all__ = ["CitationVerdict", "Grounded", "RemovalReason", "RemovedSentence", "ground"]
