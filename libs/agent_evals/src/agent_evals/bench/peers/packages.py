"""Finds a peer's package when it is measured; nothing is imported before, and a missing one is a fact, no failure."""

from importlib import import_module
from typing import Any


class PeerMissing(Exception):
    """The peer can't be measured here. The message says what is missing."""


def peer_package(name: str) -> Any:
    """The package's module. The peers' own types differ from version to version, so that none is promised.

    Raises:
        PeerMissing: it is not installed, or does not load here.
    """
    try:
        return import_module(name)
    except ImportError as exc:
        raise PeerMissing(f"the package {name} is not installed; uv sync --group bench") from exc
