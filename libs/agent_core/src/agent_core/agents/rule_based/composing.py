"""A draft in the making: its sentences, the evidence they cite, the entities they are about."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from uuid import UUID

from datastore.vocabulary import EntityType

from agent_core.agents.rule_based.shapes import asks_of_more
from agent_core.agents.rule_based.text import clean
from agent_core.agents.rule_based.understanding import Proper, may_be_yes_no, proper
from agent_core.chain import unique
from agent_core.context.labels import best_names
from agent_core.evidence import EntityRef, EntityRowEvidence, entities_of
from agent_core.grounding.links import shown_name
from agent_core.protocols import LoopView
from agent_core.schemas import DraftAnswer

Names = dict[tuple[EntityType, UUID], str]


@dataclass(slots=True)
class Composition:
    """Collects sentences with their citations. Markers count in the order in which evidence is first cited."""

    view: LoopView
    names: Names
    sentences: list[str] = field(default_factory=list[str])
    evidence_ids: list[str] = field(default_factory=list[str])
    sources: list[EntityRef] = field(default_factory=list[EntityRef])
    results: list[EntityRef] = field(default_factory=list[EntityRef])
    confidence: float = 0.9
    opening: str = ""

    @classmethod
    def of(cls, view: LoopView) -> "Composition":
        """An empty composition for a view."""
        names = {key: shown_name(name) for key, name in best_names(view.resolved, view.evidence).items()}
        return cls(view, _told_apart(names, view))

    @property
    def question(self) -> str:
        """The question proper, its names as words."""
        return self._proper.text

    @property
    def is_yes_no(self) -> bool:
        """Whether the question asks for yes or no, and of nothing that what was found can't be held against."""
        is_asked = may_be_yes_no(clean(self.view.request.query)) and self._proper.is_yes_no
        return is_asked and not self._asks_of_more()

    @property
    def _proper(self) -> Proper:
        return proper(clean(self.view.request.query), ())

    def _asks_of_more(self) -> bool:
        """Whether the question is of one name and of something that is none: `did X direct your house?`."""
        mentions = self.view.rewrite.mentions
        if len(mentions) > 1:
            return False
        text = self.question.casefold()
        for mention in mentions:
            text = text.replace(mention.text.casefold(), " ")
        return asks_of_more(text)

    def name(self, entity: EntityRef) -> str:
        """The best name known of an entity."""
        return self.names.get(entity.key) or entity.name or "an entity without a name"

    def cite(self, *evidence_ids: str) -> str:
        """The markers of these evidences, each once."""
        for evidence_id in evidence_ids:
            if evidence_id not in self.evidence_ids:
                self.evidence_ids.append(evidence_id)
        return "".join(f"[{self.evidence_ids.index(each) + 1}]" for each in dict.fromkeys(evidence_ids))

    def say(self, sentence: str, *evidence_ids: str) -> None:
        """Add a sentence; its markers go before the full stop. Without evidence the sentence must carry its own."""
        text = sentence.rstrip().rstrip(".")
        marked = f"{text} {self.cite(*evidence_ids)}." if evidence_ids else f"{text}."
        if self.opening:
            marked, self.opening = f"{self.opening}, {_lower_first(marked, self.names)}", ""
        self.sentences.append(marked)

    def open_with(self, word: str) -> None:
        """Let the next sentence begin with `Yes` or `No`."""
        self.opening = word

    def about(self, *entities: EntityRef) -> None:
        """Note entities that the answer rests on."""
        self.sources.extend(entities)

    def found(self, *entities: EntityRef) -> None:
        """Note entities that the answer consists of."""
        self.sources.extend(entities)
        self.results.extend(entities)

    def doubt(self, confidence: float) -> None:
        """Lower the confidence to at most this."""
        self.confidence = min(self.confidence, confidence)

    def row(self, entity: EntityRef) -> EntityRowEvidence | None:
        """The row of an entity, when it was read."""
        rows = (item for item in self.view.evidence if isinstance(item, EntityRowEvidence))
        return next((item for item in rows if item.entity.key == entity.key), None)

    def row_ids(self, entities: Iterable[EntityRef]) -> tuple[str, ...]:
        """Ids of the rows of these entities, as far as they were read."""
        rows = (self.row(entity) for entity in entities)
        return tuple(row.id for row in rows if row is not None)

    def listed(self, entries: Sequence[tuple[str, Sequence[str]]]) -> list[str]:
        """Names with their own markers, ready to be joined."""
        return [f"{name} {self.cite(*ids)}" for name, ids in entries]

    def draft(self) -> DraftAnswer:
        """The draft as it stands."""
        return DraftAnswer.trusted(
            answer=" ".join(self.sentences),
            evidence_ids=tuple(self.evidence_ids),
            source_entities=unique(self.sources),
            result_entities=unique(self.results),
            confidence=self.confidence if self.evidence_ids else 0.0,
        )


def _told_apart(names: Names, view: LoopView) -> Names:
    """The names, with the kind of entity where two kinds of one name are among the evidence: `X (anime)`."""
    types: dict[str, set[EntityType]] = {}
    for item in view.evidence:
        for ref in entities_of(item):
            types.setdefault(names.get(ref.key, ""), set()).add(ref.entity_type)
    return {key: f"{name} ({key[0]})" if len(types.get(name, ())) > 1 else name for key, name in names.items()}


def _lower_first(sentence: str, names: Names) -> str:
    """The sentence with a small first letter, unless a name stands there."""
    is_name = any(sentence.startswith(name) for name in names.values() if name)
    return sentence if is_name or not sentence else sentence[0].lower() + sentence[1:]
