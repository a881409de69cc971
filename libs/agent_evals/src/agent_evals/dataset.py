"""Question files: cases with several wordings, whose names are places bound to the catalogue.

A place reads `{name:source:kind:id:name_kind[.n][:transform…]}`, for instance
`{name:enishi:anime:cowboy-bebop:alias.2:lower}`; the same file so asks about any renaming of the catalogue.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Self

from agent_core.schemas import AnswerStatus
from datastore.vocabulary import NameKind
from ingestion.records import AnyEntity, AnyLink, EntityRecord
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from agent_evals.gold_queries import QUERIES
from agent_evals.typos import TRANSFORMS

WORDINGS_PER_CASE = 3
ABSTAINING = frozenset({AnswerStatus.NOT_FOUND, AnswerStatus.UNANSWERABLE})

_PLACE = re.compile(r"\{name:([a-z0-9_]+:[a-z0-9_]+:[^:{}\s]+):([a-z]+)(?:\.([1-9]))?((?::[a-z]+)*)\}")

type Parameter = str | int | list[str] | None


class DatasetError(ValueError):
    """A question file can't be used; the text says where and why."""


class Kind(StrEnum):
    """What a question is like."""

    LOOKUP = "lookup"
    ALIAS_TYPO = "alias_typo"
    AMBIGUOUS = "ambiguous"
    RELATION = "relation"
    PATH = "path"
    COMPARISON = "comparison"
    VOICE_ACTOR = "voice_actor"
    NEGATIVE = "negative"
    VAGUE = "vague"
    MULTI_HOP = "multi_hop"
    AGGREGATION = "aggregation"
    RECOMMENDATION = "recommendation"
    WATCH_ORDER = "watch_order"
    ADAPTATION = "adaptation"
    FOLLOW_UP = "follow_up"
    MULTILINGUAL = "multilingual"
    FILTER = "filter"
    SUPERLATIVE = "superlative"
    COUNT = "count"
    INTERSECTION = "intersection"
    EXCLUSION = "exclusion"
    SAME_STAFF = "same_staff"
    DOCUMENT = "document"
    SEVERAL = "several"


class Match(StrEnum):
    """How an answer is held against the gold rows; see `agent_evals.evaluators`."""

    ENTITIES_EXACT = "entities_exact"
    ENTITIES_ANY = "entities_any"
    ENTITIES_SUBSET = "entities_subset"
    CANDIDATES = "candidates"
    VALUE = "value"
    PATH = "path"
    COMPARISON = "comparison"
    QUANTITY = "quantity"
    ORDER = "order"
    RECOMMENDATION = "recommendation"
    CORRECTION = "correction"
    ABSTAIN = "abstain"


class _Value(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class GoldSpec(_Value):
    """A gold query by name, and its parameters; places in them are filled as in wordings."""

    query: str
    parameters: dict[str, Parameter]

    @model_validator(mode="after")
    def _known(self) -> Self:
        known = QUERIES.get(self.query)
        if known is None:
            raise ValueError(f"query: '{self.query}' does not exist")
        given = set(self.parameters)
        if not set(known.parameters) <= given <= set(known.places):
            raise ValueError(f"parameters: '{self.query}' takes {known.places}, got {tuple(self.parameters)}")
        return self


class Case(_Value):
    """One question in several wordings, and what a right answer to it is.

    `subjects` are the entities that the question names: mentioning them among the results is no mistake.
    `denial` marks a yes-or-no question, where a plain "No" abstains as well as a status does. `before` are the turns of
    the same session that come first; they are not judged. One of `units` must stand with a quantity.
    """

    id: str = Field(pattern=r"^[a-z0-9-]+$")
    kind: Kind
    wordings: tuple[str, ...] = Field(min_length=WORDINGS_PER_CASE)
    gold: GoldSpec
    expect: tuple[AnswerStatus, ...] = Field(min_length=1)
    match: Match
    subjects: tuple[str, ...] = ()
    denial: bool = False
    near_miss_of: str | None = None
    before: tuple[str, ...] = ()
    units: tuple[str, ...] = ()

    @property
    def is_negative(self) -> bool:
        """Whether the right answer is that there is none."""
        return self.match is Match.ABSTAIN

    @model_validator(mode="after")
    def _abstains_consistently(self) -> Self:
        if self.is_negative != set(self.expect).issubset(ABSTAINING):
            raise ValueError("expect: only a case that matches 'abstain' expects just abstaining statuses")
        if len(set(self.wordings)) != len(self.wordings):
            raise ValueError("wordings: two are the same")
        if bool(self.units) != (self.match is Match.QUANTITY):
            raise ValueError("units: a quantity needs them, nothing else takes them")
        return self


class NameBook:
    """The names of catalogue records, by reference, kind and place in the record."""

    def __init__(self, records: Iterable[AnyEntity | AnyLink]) -> None:
        self._names: dict[str, dict[NameKind, list[str]]] = {}
        for record in records:
            if isinstance(record, EntityRecord):
                by_kind = self._names.setdefault(record.ref, {})
                for name in record.names:
                    by_kind.setdefault(name.kind, []).append(name.name)

    def name(self, ref: str, kind: NameKind, place: int = 1) -> str:
        """The `place`-th name of that kind, counted from 1.

        Raises:
            DatasetError: the entity or the name does not exist.
        """
        names = self._names.get(ref, {}).get(kind, [])
        if len(names) < place:
            raise DatasetError(f"{ref} has no name {kind}.{place}")
        return names[place - 1]

    def fill(self, text: str) -> str:
        """`text` with every place replaced by the name it stands for.

        Raises:
            DatasetError: a place names nothing, or is written wrongly.
        """
        filled = _PLACE.sub(self._filled, text)
        if "{" in filled or "}" in filled:
            raise DatasetError(f"not a place: {text}")
        return filled

    def _filled(self, match: re.Match[str]) -> str:
        ref, kind, place, transforms = match.groups()
        if kind not in NameKind:
            raise DatasetError(f"not a kind of name: {kind}")
        name = self.name(ref, NameKind(kind), int(place or 1))
        for transform in filter(None, transforms.split(":")):
            if transform not in TRANSFORMS:
                raise DatasetError(f"not a transform: {transform}")
            name = TRANSFORMS[transform](name)
        return name


@dataclass(frozen=True, slots=True)
class Place:
    """A place of a wording: the text of it, whose name it stands for and which one."""

    text: str
    ref: str
    kind: NameKind
    number: int


def places(wording: str) -> Iterator[Place]:
    """The places of a wording, in order."""
    for match in _PLACE.finditer(wording):
        ref, kind, number, _ = match.groups()
        yield Place(match.group(), ref, NameKind(kind), int(number or 1))


def load_cases(path: Path, *, kinds: Collection[Kind], at_least: int) -> tuple[Case, ...]:
    """The cases of a JSONL file, checked as a whole: `at_least` cases of each of `kinds`, and no others.

    Raises:
        DatasetError: a line is no case, an id occurs twice, a twin is missing, or a kind has too few cases.
    """
    cases: list[Case] = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        try:
            cases.append(Case.model_validate_json(line))
        except ValidationError as error:
            raise DatasetError(f"{path.name}:{number}: {error}") from error
    _check_whole(cases, kinds, at_least)
    return tuple(cases)


def _check_whole(cases: list[Case], wanted: Collection[Kind], at_least: int) -> None:
    ids = Counter(case.id for case in cases)
    twice = [name for name, count in ids.items() if count > 1]
    if twice:
        raise DatasetError(f"ids that occur twice: {twice}")
    by_id: Mapping[str, Case] = {case.id: case for case in cases}
    for case in cases:
        twin = by_id.get(case.near_miss_of) if case.near_miss_of is not None else None
        if case.is_negative and (twin is None or twin.is_negative):
            raise DatasetError(f"{case.id}: a negative case needs a twin that has an answer")
    kinds = Counter(case.kind for case in cases)
    few = [kind.value for kind in wanted if kinds[kind] < at_least]
    if few:
        raise DatasetError(f"kinds with fewer than {at_least} cases: {few}")
    other = [kind.value for kind in kinds if kind not in wanted]
    if other:
        raise DatasetError(f"kinds that don't belong here: {other}")
