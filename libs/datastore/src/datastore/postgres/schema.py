"""The whole schema: importing this module registers every table, whatever else was imported."""

from datastore.postgres import (
    catalogue,
    conversations,
    demo_parts,
    documents,
    kept_runs,
    outbox,
    pictures,
    research,
    traces,
)
from datastore.postgres.metadata import METADATA

SUBJECTS = (catalogue, conversations, demo_parts, documents, kept_runs, outbox, pictures, research, traces)

__all__ = ["METADATA", "SUBJECTS"]
