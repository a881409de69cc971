"""Which scenarios are asked, and which of them count as read scenarios of the language."""

import re
from collections.abc import Iterable

from agent_evals.cypher.tck.features import Scenario

# Texts, quoted names and comments: a keyword in them is none.
_QUIET = re.compile(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|`[^`]*`|//[^\n]*|/\*.*?\*/", re.DOTALL)
_WRITES = re.compile(r"\b(?:create|merge|set|delete|remove|foreach)\b", re.IGNORECASE)
# Expressions that the read scenarios leave out: comprehensions of lists and of patterns, and some functions.
_LEFT_OUT = re.compile(
    r"\[\s*\w+\s+in\b|\[\s*(?:\w+\s*=\s*)?\([^\]]*\).*?\||\bpercentile(?:disc|cont)\b|\bstdevp?\b|\brand\s*\(",
    re.IGNORECASE | re.DOTALL,
)
_FOLDERS_THAT_WRITE = frozenset({"create", "delete", "merge", "remove", "set"})
_FOLDERS_LEFT_OUT = frozenset({"temporal", "quantifier"})


def without_writes(scenarios: Iterable[Scenario]) -> list[Scenario]:
    """Those whose query neither writes nor is about writing or calling procedures."""
    return [each for each in scenarios if each.folder not in _FOLDERS_THAT_WRITE | {"call"} and not _writes(each)]


def is_read_scenario(scenario: Scenario) -> bool:
    """Whether one without writes counts: not about times or quantifiers, and without what is left out."""
    return scenario.folder not in _FOLDERS_LEFT_OUT and not _LEFT_OUT.search(_spoken(scenario))


def _writes(scenario: Scenario) -> bool:
    return _WRITES.search(_spoken(scenario)) is not None


def _spoken(scenario: Scenario) -> str:
    return _QUIET.sub("''", scenario.query)
