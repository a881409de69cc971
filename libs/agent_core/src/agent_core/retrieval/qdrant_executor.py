"""Semantic search: the vector index finds, the catalogue says what is shown."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sumprod
from uuid import UUID

from datastore.errors import VectorStoreRefused
from datastore.folding import fold, words
from datastore.vectors.collections import INDEXED_TYPES, LEXICAL, TEXT, alias_of, has_fields, is_of_model, other_model
from datastore.vectors.filters import PayloadFilter, fields_in, matches
from datastore.vectors.protocol import (
    DensePrefetch,
    Prefetch,
    Query,
    SparsePrefetch,
    SparseValues,
    StoredPoint,
    VectorStore,
)
from datastore.vocabulary import EntityType
from embeddings.protocol import Embedder, EmbedderUnavailable
from embeddings.sparse import SparseEncoder, SparseTerms

from agent_core.errors import IntentRefused, SourceUnavailable
from agent_core.evidence import EntityRef, EntityRowEvidence
from agent_core.fusion import fused
from agent_core.protocols import Catalogue
from agent_core.retrieval.payload_filters import payload_filter
from agent_core.retrieval.picture_search import (
    FIELD,
    NOT_CONFIGURED,
    PictureMatch,
    PictureSearch,
    pictures_evidence,
)
from agent_core.retrieval.store_calls import SOURCE, Deadline, ask_each, asking
from agent_core.schemas import Hit, RetrievalResult, SearchIntent, StepStatus, Warning, WarningCode

SIMILARITY_FLOOR = 0.30
"""Cosine from which a match is relevant when it shares a word with the query; measured with the bundled model."""

WORDLESS_FLOOR = 0.45
"""The same for a match that shares no word with the query: made-up words are this near to something."""

WORDED_FLOOR = 0.10
"""The same for a match that has most of the query's words."""

MOST_WORDS = 0.6

_SHOWN_NAMES = 10
_PROSE, _POPULARITY = "has_prose", "popularity"
_WEIGHED = (_PROSE, _POPULARITY)
"""The payload fields that matches are chosen and ordered by; what is shown comes from the catalogue."""


@dataclass(frozen=True, slots=True)
class _Match:
    """A point that was found. `place` is its place among those of its type, `similarity` its cosine to the query."""

    entity_type: EntityType
    point: StoredPoint
    place: int
    similarity: float

    @property
    def ref(self) -> EntityRef:
        return EntityRef(entity_type=self.entity_type, id=self.point.id)


class QdrantExecutor:
    """See SearchExecutor for the promises.

    A hit's text and version are the catalogue's of this moment; a point whose row is gone is no hit, and neither is
    one that the index holds in an older state when the intent has filters, for nobody checked those on the new state.
    """

    def __init__(
        self, store: VectorStore, embedder: Embedder, catalogue: Catalogue, *, pictures: PictureSearch | None = None
    ) -> None:
        self._store = store
        self._embedder = embedder
        self.catalogue = catalogue
        self._pictures = pictures
        self._encoder = SparseEncoder(lambda text: words(fold(text)))

    async def execute(self, intent: SearchIntent, *, timeout: float) -> RetrievalResult:
        """Search each asked type, fuse what was found, and read it from the catalogue."""
        deadline = Deadline(timeout)
        condition = payload_filter(intent.filters)
        types = _searched_types(intent, condition)
        seen: list[PictureMatch] = []
        if intent.filters.ids:
            found = await self._fetch(intent, types, condition, deadline)
        elif intent.image_query is not None:
            seen = await self._look(intent, types, condition, deadline)
            told = await self._search(intent, types, condition, deadline) if (intent.query or "").strip() else []
            found = _fused(seen, told)[: intent.top_k]
        else:
            found = await self._search(intent, types, condition, deadline)
        rows = await self.catalogue.rows([match.ref for match in found], timeout=deadline.left()) if found else {}
        result = _result(intent, found, rows, has_filters=condition is not None)
        standing = {hit.entity.id for hit in result.hits}
        compared = [(match, rows[match.point.id]) for match in seen if match.point.id in standing]
        if not compared:
            return result
        return result.model_copy(update={"evidence": (pictures_evidence(intent, compared), *result.evidence)})

    async def _look(
        self, intent: SearchIntent, types: Sequence[EntityType], condition: PayloadFilter | None, deadline: Deadline
    ) -> list[PictureMatch]:
        if self._pictures is None:
            raise IntentRefused(FIELD, NOT_CONFIGURED)
        return await self._pictures.find(intent, types, condition, deadline.left)

    async def _fetch(
        self, intent: SearchIntent, types: Sequence[EntityType], condition: PayloadFilter | None, deadline: Deadline
    ) -> list[_Match]:
        """Exactly the asked ids, in the order asked, as far as the other filters allow."""
        ids = list(dict.fromkeys(intent.filters.ids))
        left = deadline.left()
        read = await ask_each(types, lambda each: self._store.retrieve(alias_of(each), ids, timeout=left))
        by_id = {
            point.id: _Match(entity_type, point, 1, 1.0)
            for entity_type, points in zip(types, read, strict=True)
            for point in points
            if condition is None or matches(condition, point.payload)
        }
        return [by_id[each] for each in ids if each in by_id][: intent.top_k]

    async def _search(
        self, intent: SearchIntent, types: Sequence[EntityType], condition: PayloadFilter | None, deadline: Deadline
    ) -> list[_Match]:
        text = (intent.query or "").strip()
        if not text:
            raise IntentRefused("query", "a text to search for, or filters.ids, is needed")
        if not types:
            return []
        await self._check_model(types, deadline.left())
        terms = self._encoder.encode_query(text)
        vector = await self._embed(text, deadline)
        prefetch = _prefetch(vector, terms, intent.top_k)
        query = Query(prefetch, intent.top_k, condition, with_payload=_WEIGHED, with_vectors=(TEXT, LEXICAL))
        left = deadline.left()
        found = await ask_each(types, lambda each: self._store.query(alias_of(each), query, timeout=left))
        candidates = [
            _Match(entity_type, scored.point, place, _cosine(vector, scored.point.dense.get(TEXT, ())))
            for entity_type, of_type in zip(types, found, strict=True)
            for place, scored in enumerate(of_type, start=1)
        ]
        asked = frozenset(terms.indices)
        return _ranked([match for match in candidates if _is_relevant(match, asked)])[: intent.top_k]

    async def _check_model(self, types: Sequence[EntityType], left: float) -> None:
        """Raises SourceUnavailable where the index holds another model's vectors, which mean nothing to this one."""
        async with asking():
            aliases = await self._store.aliases(timeout=left)
        used = self._embedder.identity
        for alias in map(alias_of, types):
            collection = aliases.get(alias)
            if collection is not None and not is_of_model(collection, used.short_hash):
                raise SourceUnavailable(SOURCE) from VectorStoreRefused(other_model(alias, collection, str(used)))

    async def _embed(self, text: str, deadline: Deadline) -> list[float]:
        try:
            (vector,) = await self._embedder.embed([text], timeout=deadline.left())
        except EmbedderUnavailable as error:
            raise SourceUnavailable(SOURCE, timed_out=error.timed_out) from error
        return vector


def _prefetch(vector: Sequence[float], terms: SparseTerms, top_k: int) -> tuple[Prefetch, ...]:
    dense = DensePrefetch(TEXT, vector, 2 * top_k, WORDED_FLOOR)
    if not terms.indices:
        return (dense,)
    return dense, SparsePrefetch(LEXICAL, SparseValues(terms.indices, terms.values), 2 * top_k)


def _is_relevant(match: _Match, asked: frozenset[int]) -> bool:
    """Whether a match may be shown. `asked` are the terms of the query.

    An entity without prose is little more than a name, and a name means nothing to the model: there the words decide.
    """
    sparse = match.point.sparse.get(LEXICAL)
    held = asked.intersection(sparse.indices) if sparse is not None else frozenset[int]()
    share = len(held) / len(asked) if asked else 0.0
    if share >= MOST_WORDS:
        return match.similarity >= WORDED_FLOOR
    if _PROSE not in match.point.payload:
        return False
    return match.similarity >= (SIMILARITY_FLOOR if held else WORDLESS_FLOOR)


def _searched_types(intent: SearchIntent, condition: PayloadFilter | None) -> tuple[EntityType, ...]:
    """The asked types (all when none), without those that lack a field the filters look at."""
    unknown = [each for each in intent.entity_types if each not in INDEXED_TYPES]
    if unknown:
        raise IntentRefused("entity_types", f"{unknown[0]} is not in this index")
    fields = frozenset[str]() if condition is None else fields_in(condition)
    asked = dict.fromkeys(intent.entity_types or INDEXED_TYPES)
    return tuple(each for each in asked if has_fields(each, fields))


def _fused(seen: Sequence[PictureMatch], told: Sequence[_Match]) -> list[_Match]:
    """What looks like the picture, in its order, or that fused by rank with what the text found."""
    looked = [_Match(each.entity_type, each.point, place, each.likeness) for place, each in enumerate(seen, start=1)]
    by_id = {match.point.id: match for match in (*told, *looked)}
    rankings = [[match.point.id for match in each] for each in (looked, told)]
    of_picture = frozenset(rankings[0])
    ordered = fused(rankings, tie_break=lambda point_id: (point_id not in of_picture, point_id))
    return [by_id[point_id] for point_id, _ in ordered]


def _cosine(left: Sequence[float], right: Sequence[float]) -> float:
    """Both are of length 1: the embedder and the index see to that."""
    return sumprod(left, right) if right else 0.0


def _ranked(found: Sequence[_Match]) -> list[_Match]:
    """One order over all types: the order inside each type fused with the order of similarity over all."""
    by_id = {match.point.id: match for match in found}
    of_types = [
        [match.point.id for match in sorted(found, key=lambda match: match.place) if match.entity_type is each]
        for each in dict.fromkeys(match.entity_type for match in found)
    ]
    over_all = [match.point.id for match in sorted(found, key=lambda match: (-match.similarity, match.point.id))]

    def tie_break(point_id: UUID) -> tuple[float, UUID]:
        popularity = by_id[point_id].point.payload.get(_POPULARITY, 0)
        return (-float(popularity) if isinstance(popularity, int | float) else 0.0, point_id)

    return [by_id[point_id] for point_id, _ in fused([*of_types, over_all], tie_break=tie_break)]


def _result(
    intent: SearchIntent, found: Sequence[_Match], rows: dict[UUID, EntityRowEvidence], *, has_filters: bool
) -> RetrievalResult:
    standing: list[tuple[_Match, EntityRowEvidence]] = []
    stale = 0
    for match in found:
        row = rows.get(match.point.id)
        if row is None or (has_filters and row.row_version != match.point.version):
            stale += 1
        else:
            standing.append((match, row))
    warnings = (
        Warning(code=WarningCode.STALE_INDEX, message="the index is behind the catalogue", subject=f"{stale} left out"),
    )
    return RetrievalResult(
        status=StepStatus.OK if standing else StepStatus.EMPTY,
        summary=_summary(intent, [row for _, row in standing]),
        hits=tuple(_hit(match, row) for match, row in standing),
        evidence=tuple({row.id: row for _, row in standing}.values()),
        warnings=warnings if stale else (),
    )


def _hit(match: _Match, row: EntityRowEvidence) -> Hit:
    score = max(0.0, min(1.0, match.similarity))
    return Hit(entity=row.entity, score=round(score, 4), evidence_id=row.id, row_version=row.row_version or 0)


def _summary(intent: SearchIntent, rows: Sequence[EntityRowEvidence]) -> str:
    asked = f"'{intent.query}'" if intent.query else "the picture"
    if intent.filters.ids:
        asked = f"{len(intent.filters.ids)} ids"
    if not rows:
        return f"Nothing in the index matches {asked}."
    shown = "; ".join(f"{row.title} ({row.entity.entity_type})" for row in rows[:_SHOWN_NAMES])
    more = f" and {len(rows) - _SHOWN_NAMES} more" if len(rows) > _SHOWN_NAMES else ""
    return f"{len(rows)} matches for {asked}, best first: {shown}{more}."
