"""The ambiguity threshold, fitted on the questions of the evaluation: what their names and parts of them mean."""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from uuid import UUID

from agent_core.retrieval.ambiguity import AmbiguityThreshold
from agent_core.retrieval.candidates import deciding_lead
from agent_core.retrieval.question_words import EVERYDAY_WORDS, FUNCTION_WORDS
from agent_core.retrieval.resolver import NameResolver
from agent_core.schemas import Mention
from datastore.folding import fold, words
from datastore.identity import entity_id, parse_ref
from datastore.postgres.engine import ReadOnlyEngine
from datastore.vocabulary import EntityType

from agent_evals.dataset import Case, Match, NameBook, places
from agent_evals.renamed import AnyCatalogueRecord, to_jsonl
from agent_evals.shipped import Dataset

FITTED_ON = (Dataset.DEMO, Dataset.KINDS)
"""The held-out questions are for judging the outcome, never for fitting it."""

WRONG_COSTS = 2
"""How many questions back that were not needed one wrong choice is worth."""

_MIN_LETTERS = 3
_PER_CALL = 200
_SECONDS = 60.0
_DIGITS = 3


@dataclass(frozen=True, slots=True)
class NamedPlace:
    """A text that stands for an entity; `is_shared` where the question is about all that bear the name."""

    text: str
    entity_type: EntityType
    entity: UUID
    is_shared: bool = False


@dataclass(frozen=True, slots=True)
class Sample:
    """A mention whose meaning a lead in popularity decides. `is_clear`: the best candidate is the one meant."""

    lead: float
    is_clear: bool


def named_places(cases: Iterable[Case], names: NameBook) -> tuple[NamedPlace, ...]:
    """Every name in the questions, as written there, and what people say for short: words at its start or its end."""
    found: dict[NamedPlace, None] = {}
    for case in cases:
        for place in (place for wording in case.wordings for place in places(wording)):
            ref = parse_ref(place.ref)
            entity_type, entity = EntityType(ref.kind), entity_id(ref.source, ref.kind, ref.external_id)
            is_shared = case.match is Match.CANDIDATES
            found[NamedPlace(names.fill(place.text), entity_type, entity, is_shared)] = None
            if not is_shared:
                whole = names.name(place.ref, place.kind, place.number)
                found |= {NamedPlace(part, entity_type, entity): None for part in _parts(whole)}
    return tuple(found)


def _parts(name: str) -> Iterator[str]:
    """Runs of whole words at the start and the end of a name that say something."""
    said = words(fold(name))
    for length in range(1, len(said)):
        for part in (said[:length], said[-length:]):
            if any(word not in EVERYDAY_WORDS | FUNCTION_WORDS and len(word) >= _MIN_LETTERS for word in part):
                yield " ".join(part)


async def samples(places: Sequence[NamedPlace], resolver: NameResolver) -> tuple[Sample, ...]:
    """The places whose meaning a lead decides, their type known from what is asked. Raises SourceUnavailable."""
    found: list[Sample] = []
    for first in range(0, len(places), _PER_CALL):
        some = places[first : first + _PER_CALL]
        mentions = [Mention(text=place.text, entity_types=(place.entity_type,)) for place in some]
        named = await resolver.named(mentions, timeout=_SECONDS)
        for place, mention, candidates in zip(some, mentions, named, strict=True):
            decided = deciding_lead(mention, candidates)
            if decided is not None:
                best, lead = decided
                found.append(Sample(lead, is_clear=best == place.entity and not place.is_shared))
    return tuple(found)


def fit(samples: Sequence[Sample]) -> float:
    """The threshold that costs least: a wrong choice costs WRONG_COSTS questions back.

    Of equally good ones the lowest: it asks back least. Rounded to three digits.
    """
    tried = [0.0, *(round((low + high) / 2, _DIGITS) for low, high in pairwise(sorted({s.lead for s in samples})))]
    return min(tried, key=lambda threshold: (_cost(samples, threshold), threshold))


def _cost(samples: Sequence[Sample], threshold: float) -> int:
    asked_back = sum(sample.is_clear and sample.lead < threshold for sample in samples)
    wrong = sum(not sample.is_clear and sample.lead >= threshold for sample in samples)
    return asked_back + WRONG_COSTS * wrong


def _shares(samples: Sequence[Sample], threshold: float) -> tuple[float, float]:
    chosen = [sample.lead >= threshold for sample in samples if sample.is_clear]
    open_ = [sample.lead < threshold for sample in samples if not sample.is_clear]
    return _share(chosen), _share(open_)


def _share(right: Sequence[bool]) -> float:
    return sum(right) / len(right) if right else 1.0


def fitted(
    samples: Sequence[Sample], cases: Sequence[Case], records: Sequence[AnyCatalogueRecord]
) -> AmbiguityThreshold:
    """The fit with its data, as the product keeps it."""
    threshold = fit(samples)
    clear_right, unclear_right = _shares(samples, threshold)
    clear = sum(sample.is_clear for sample in samples)
    return AmbiguityThreshold(
        clear_lead=threshold,
        fitted_on=f"the {' and '.join(FITTED_ON)} questions",
        digest=digest_of(cases, records),
        clear=clear,
        clear_right=round(clear_right, _DIGITS),
        unclear=len(samples) - clear,
        unclear_right=round(unclear_right, _DIGITS),
    )


async def fit_threshold(
    engine: ReadOnlyEngine, cases: Sequence[Case], records: Sequence[AnyCatalogueRecord]
) -> AmbiguityThreshold:
    """The threshold that these questions give on a catalogue of these records. Raises SourceUnavailable."""
    found = await samples(named_places(cases, NameBook(records)), NameResolver(engine))
    return fitted(found, cases, records)


def digest_of(cases: Sequence[Case], records: Sequence[AnyCatalogueRecord]) -> str:
    """The SHA-256 of what is fitted on."""
    lines = [*(case.model_dump_json() for case in cases), to_jsonl(records)]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()
