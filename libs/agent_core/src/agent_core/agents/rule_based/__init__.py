"""The four stages without a model: deterministic, and what a fresh machine answers with."""
