"""Fixtures and rules that all tests share; each subject lives in a plugin of its own under `fixtures/`."""

pytest_plugins = [
    "fixtures.requirements",
    "fixtures.postgres",
    "fixtures.sql",
    "fixtures.vectors",
    "fixtures.statements",
    "fixtures.scripted_llm",
    "fixtures.loop_world",
    "fixtures.stack",
]
