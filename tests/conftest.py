"""Fixtures and rules that all tests share; each subject lives in a plugin of its own under `fixtures/`."""

pytest_plugins = ["fixtures.requirements", "fixtures.postgres", "fixtures.vectors", "fixtures.statements"]
