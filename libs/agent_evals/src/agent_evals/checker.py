"""An independent reader of answers: what a response says is held against the database and its own evidence."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Self

from agent_core.evidence import ChunkEvidence, Contract, EntityRef, EntityRowEvidence, Evidence, PathEvidence
from agent_core.languages.catalogue import NOUNS, SHAPES, TEXTS
from agent_core.schemas import AgentResponse

from agent_evals import claims
from agent_evals.catalogue_truth import CatalogueTruth, Connection
from agent_evals.quotes import quote_faults


class ViolationKind(StrEnum):
    """Which promise of an answer is broken."""

    MISSING_ENTITY = "missing_entity"
    INVENTED_NAME = "invented_name"
    WRONG_NAME = "wrong_name"
    MISSING_EDGE = "missing_edge"
    WRONG_FIELD = "wrong_field"
    STALE_VERSION = "stale_version"
    UNKNOWN_EVIDENCE = "unknown_evidence"
    MISQUOTED = "misquoted"
    UNSUPPORTED_NUMBER = "unsupported_number"
    UNSUPPORTED_NAME = "unsupported_name"


# Sentences as the product writes them in German and Spanish, their places for names left out.
_ORDINARY = claims.ordinary_words(
    re.sub(r"\{\w\}", " ", text) for row in (*SHAPES, *TEXTS, *NOUNS) for text in row[1:3]
)
INVENTIONS = frozenset({ViolationKind.MISSING_ENTITY, ViolationKind.INVENTED_NAME})


@dataclass(frozen=True, slots=True)
class Violation:
    """One broken promise, and what breaks it."""

    kind: ViolationKind
    subject: str

    def __str__(self) -> str:
        return f"{self.kind.value}: {self.subject}"


@dataclass(frozen=True, slots=True)
class CheckReport:
    """All that is wrong with one response."""

    violations: tuple[Violation, ...]

    @property
    def invented(self) -> int:
        """Entities that the response speaks of and the catalogue does not have."""
        return sum(violation.kind in INVENTIONS for violation in self.violations)


class Checker:
    """Checks responses against one database. Names are read once, when it is opened."""

    def __init__(self, truth: CatalogueTruth, names: frozenset[str]) -> None:
        self._truth = truth
        self._names = names

    @classmethod
    async def open(cls, connection: Connection) -> Self:
        """A checker of the catalogue that `connection` reads."""
        truth = CatalogueTruth(connection)
        return cls(truth, await truth.all_names())

    async def check(self, question: str, response: AgentResponse) -> CheckReport:
        """Every promise that `response` breaks; names and numbers of the question may be repeated."""
        violations = [
            *await self._entity_faults(response),
            *[fault for evidence in response.evidence for fault in await self._evidence_faults(evidence)],
            *_citation_faults(response),
            *await self._quote_faults(response),
            *self._text_faults(question, response),
        ]
        return CheckReport(tuple(dict.fromkeys(violations)))

    async def _entity_faults(self, response: AgentResponse) -> list[Violation]:
        refs = {(ref.entity_type.value, ref.id, ref.name) for ref in entity_refs(response)}
        stored = await self._truth.entities({id_ for _, id_, _ in refs})
        faults: list[Violation] = []
        for entity_type, id_, name in sorted(refs, key=str):
            facts = stored.get(id_)
            if facts is None or facts.entity_type != entity_type:
                faults.append(Violation(ViolationKind.MISSING_ENTITY, f"{entity_type} {id_} {name or ''}".strip()))
            elif name is not None and name != facts.name:
                faults.append(Violation(ViolationKind.WRONG_NAME, f"'{name}' is called '{facts.name}'"))
        unnamed = [ref.id for ref in (*response.source_entities, *response.result_entities) if ref.name is None]
        return faults + [Violation(ViolationKind.WRONG_NAME, f"{id_} carries no name") for id_ in unnamed]

    async def _evidence_faults(self, evidence: Evidence) -> list[Violation]:
        match evidence:
            case EntityRowEvidence():
                return await self._row_faults(evidence)
            case PathEvidence():
                return await self._path_faults(evidence)
            case _:
                return []

    async def _row_faults(self, evidence: EntityRowEvidence) -> list[Violation]:
        stored = await self._truth.entities({evidence.entity.id})
        facts = stored.get(evidence.entity.id)
        faults: list[Violation] = []
        if facts is not None and evidence.row_version != facts.version:
            faults.append(_stale(evidence, facts.version))
        fields = await self._truth.fields(evidence.entity.id)
        for field in evidence.fields:
            known = fields.get(field.name)
            if known is not None and known not in field.value:
                faults.append(Violation(ViolationKind.WRONG_FIELD, f"{field.name} of {evidence.title} is {known}"))
        return faults

    async def _path_faults(self, evidence: PathEvidence) -> list[Violation]:
        faults: list[Violation] = []
        for step in evidence.path.steps:
            hub = step.hub.id if step.hub is not None else None
            if not await self._truth.has_edge(step.from_.id, step.rel, step.to.id, hub):
                subject = f"({step.from_.name or step.from_.id})-[{step.rel}]->({step.to.name or step.to.id})"
                faults.append(Violation(ViolationKind.MISSING_EDGE, subject))
        table, _, row = evidence.locator.partition("/")
        if row.isdecimal():
            version = await self._truth.row_version(table, int(row))
            if version is None or evidence.row_version != version:
                faults.append(_stale(evidence, version))
        return faults

    async def _quote_faults(self, response: AgentResponse) -> list[Violation]:
        documents = {item.document.id for item in response.evidence if isinstance(item, ChunkEvidence)}
        texts = await self._truth.document_texts(documents) if documents else {}
        return [Violation(ViolationKind.MISQUOTED, fault) for fault in quote_faults(response, texts)]

    def _text_faults(self, question: str, response: AgentResponse) -> list[Violation]:
        answer = claims.without_markers(response.answer)
        support = "\n".join((*_cited_text(response), *_offered_text(response), question))
        numbers = claims.unsupported_numbers(claims.spaced(answer), support)
        quoted, unquoted = claims.quoted_in(answer)
        said, rest = claims.catalogue_names_in(unquoted, self._names)
        said_apart, rest = claims.catalogue_names_in(claims.spaced(rest), self._names)
        spoken = (*(text for text in quoted if text in self._names), *said, *said_apart)
        names = [name for name in dict.fromkeys(spoken) if not claims.is_name_said(name, support)]
        invented = [text for text in quoted if text not in self._names and not claims.is_said(text, support)]
        phrases = (phrase for phrase in claims.phrases_in(rest) if not phrase.is_made_of(_ORDINARY))
        invented += [phrase.text for phrase in phrases if not phrase.is_said_by(support)]
        return [
            *(Violation(ViolationKind.UNSUPPORTED_NUMBER, number) for number in numbers),
            *(Violation(ViolationKind.UNSUPPORTED_NAME, name) for name in names),
            *(Violation(ViolationKind.INVENTED_NAME, phrase) for phrase in invented),
        ]


def entity_refs(value: object) -> Iterator[EntityRef]:
    """Every entity reference anywhere inside a contract."""
    if isinstance(value, EntityRef):
        yield value
    elif isinstance(value, Contract):
        for name in type(value).model_fields:
            yield from entity_refs(getattr(value, name))
    elif isinstance(value, tuple):
        for item in value:  # pyright: ignore[reportUnknownVariableType] -- a tuple of anything is walked
            yield from entity_refs(item)  # pyright: ignore[reportUnknownArgumentType]


def _citation_faults(response: AgentResponse) -> list[Violation]:
    evidence = {item.id: item for item in response.evidence}
    faults: list[Violation] = []
    for source in response.sources:
        cited = evidence.get(source.evidence_id)
        if cited is None:
            faults.append(Violation(ViolationKind.UNKNOWN_EVIDENCE, source.evidence_id))
            continue
        if _squeezed(source.quote) not in _squeezed(cited.text):
            faults.append(Violation(ViolationKind.MISQUOTED, source.evidence_id))
        if source.row_version != cited.row_version:
            faults.append(_stale(cited, source.row_version))
    missing = claims.markers(response.answer) - {source.marker for source in response.sources}
    return faults + [Violation(ViolationKind.UNKNOWN_EVIDENCE, f"[{marker}]") for marker in sorted(missing)]


def _cited_text(response: AgentResponse) -> Iterator[str]:
    cited = {source.evidence_id for source in response.sources}
    for evidence in response.evidence:
        if evidence.id in cited:
            yield evidence.title
            yield evidence.text
            if isinstance(evidence, ChunkEvidence):
                yield " ".join((evidence.date or "", evidence.section or ""))


def _offered_text(response: AgentResponse) -> Iterator[str]:
    """Candidates and near misses are no claims about the question; their entities are checked as references."""
    for candidate in response.alternatives:
        yield " ".join((candidate.matched_name, candidate.entity.name or "", *candidate.discriminators))
    for near_miss in response.near_misses:
        yield near_miss.entity.name or ""
        if near_miss.score is not None:
            yield f"{near_miss.score:.2f}"


def _stale(evidence: Evidence, version: int | None) -> Violation:
    return Violation(ViolationKind.STALE_VERSION, f"{evidence.id}: {evidence.row_version}, but {version}")


def _squeezed(text: str) -> str:
    return " ".join(text.split())
