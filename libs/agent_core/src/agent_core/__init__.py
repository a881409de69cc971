"""The staged answer loop: contracts, stages, executors, grounding."""
