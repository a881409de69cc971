"""Fixtures and rules that all tests share; each subject lives in a plugin of its own under `fixtures/`."""

import os

# Read when gRPC is imported: with its fork support it starts threads in the children that tests fork.
os.environ.setdefault("GRPC_ENABLE_FORK_SUPPORT", "0")

pytest_plugins = [
    "fixtures.requirements",
    "fixtures.scheduling",
    "fixtures.postgres",
    "fixtures.sql",
    "fixtures.vectors",
    "fixtures.statements",
    "fixtures.scripted_llm",
    "fixtures.loop_world",
    "fixtures.stack",
    "fixtures.logs",
]
