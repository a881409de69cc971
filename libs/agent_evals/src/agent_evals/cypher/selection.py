"""Which questions of text2cypher are asked, and the rule by which the others are left out."""

import random
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

_DATABASE = "movies"
_STRING = re.compile(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"")
_WRITES = re.compile(r"\b(?:create|merge|set|delete|remove|drop|foreach|load|call)\b", re.IGNORECASE)
# The graph that comes with the examples has no such property.
_LACKING = re.compile(r"\bvotes\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class CypherQuestion:
    """A query that a model wrote. `number` is its row in the file, from 0; `has_rows` says that it found something."""

    number: int
    cypher: str
    has_rows: bool


@dataclass(frozen=True, slots=True)
class Selection:
    """The questions asked, in the file's order, and how many each step of the rule left.

    `clean` ones ran without an error of syntax, a time-out or a property that the schema doesn't have; `read_only` ones
    hold no word of a write or a procedure outside their texts; those asked don't use what the graph lacks.
    """

    on_movies: int
    clean: int
    read_only: int
    questions: tuple[CypherQuestion, ...]

    @property
    def with_rows(self) -> tuple[CypherQuestion, ...]:
        """Those that found something when they were collected."""
        return tuple(each for each in self.questions if each.has_rows)

    def drawn(self, seed: int, count: int) -> tuple[CypherQuestion, ...]:
        """Some of those with rows, the same ones for a seed; all of them when there are not that many."""
        found = self.with_rows
        return tuple(random.Random(seed).sample(found, min(count, len(found))))


def select(rows: Iterable[Mapping[str, str]]) -> Selection:
    """The selection from the rows of the file."""
    on_movies = [(number, row) for number, row in enumerate(rows) if row["database"] == _DATABASE]
    clean = [(number, row) for number, row in on_movies if _is_clean(row)]
    read_only = [(number, row) for number, row in clean if not _WRITES.search(_STRING.sub("''", row["cypher"]))]
    questions = [
        CypherQuestion(number, row["cypher"], row["returns_results"] == "True")
        for number, row in read_only
        if not _LACKING.search(row["cypher"])
    ]
    return Selection(len(on_movies), len(clean), len(read_only), tuple(questions))


def _is_clean(row: Mapping[str, str]) -> bool:
    return row["syntax_error"] == row["timeout"] == "False" and not row["false_schema"]
