"""Search by a picture: what in the index looks like it, and how much."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from math import sumprod

from datastore.vectors.collections import IMAGE, alias_of, image_model_of
from datastore.vectors.filters import PayloadFilter
from datastore.vectors.protocol import DensePrefetch, Query, StoredPoint, VectorStore
from datastore.vocabulary import EntityType
from embeddings.images.protocol import ImageEmbedder, PictureRefused
from embeddings.images.reading import PictureReader
from embeddings.protocol import EmbedderUnavailable

from agent_core.errors import IntentRefused, SourceUnavailable
from agent_core.evidence import ALIKE, PICTURES_SOURCE, SAME, EntityRowEvidence, RankedEntry, RankedListEvidence
from agent_core.retrieval.store_calls import SOURCE, ask_each, asking
from agent_core.schemas import SearchIntent

FIELD = "image_query"
NOT_CONFIGURED = "pictures are not looked at here: ENISHI_IMAGES is 'none'"
NO_PICTURES = "the catalogue has no pictures to compare with; 'enishi index images' adds some"
OTHER_MODEL = (
    "the pictures in the index were seen with another model than ENISHI_IMAGES names; run 'enishi index images'"
)


@dataclass(frozen=True, slots=True)
class PictureMatch:
    """A point whose picture is like the one asked about. `likeness` is their cosine."""

    entity_type: EntityType
    point: StoredPoint
    likeness: float
    band: str


@dataclass(frozen=True, slots=True)
class Pictures:
    """What reads the pictures of questions, and what compares them."""

    embedder: ImageEmbedder
    reader: PictureReader


class PictureSearch:
    """Looks for pictures with one image embedder."""

    def __init__(self, store: VectorStore, embedder: ImageEmbedder, reader: PictureReader) -> None:
        self._store = store
        self._embedder = embedder
        self._reader = reader

    async def find(
        self,
        intent: SearchIntent,
        types: Sequence[EntityType],
        condition: PayloadFilter | None,
        left: Callable[[], float],
    ) -> list[PictureMatch]:
        """The pictures that are alike, best first; none below the floor of the embedder. `left` says what time is left.

        Raises:
            IntentRefused: the picture can't be used, or there is none to compare it with; the reason is for the caller.
            SourceUnavailable: the index or the model is away.
        """
        vectors = await self._vectors(intent.image_query or "", left)
        with_pictures = await self._with_pictures(types, left())
        floors = self._embedder.floors
        prefetch = tuple(DensePrefetch(IMAGE, each, 2 * intent.top_k, floors.alike) for each in vectors)
        query = Query(prefetch, 2 * intent.top_k, condition, with_vectors=(IMAGE,))
        seconds = left()
        found = await ask_each(with_pictures, lambda each: self._store.query(alias_of(each), query, timeout=seconds))
        matches = [
            PictureMatch(entity_type, scored.point, likeness, SAME if likeness >= floors.same else ALIKE)
            for entity_type, of_type in zip(with_pictures, found, strict=True)
            for scored in of_type
            if (likeness := _likeness(vectors, scored.point.dense.get(IMAGE, ()))) >= floors.alike
        ]
        return sorted(matches, key=lambda match: (-match.likeness, match.point.id))[: intent.top_k]

    async def _vectors(self, image_query: str, left: Callable[[], float]) -> list[list[float]]:
        """Of the picture and of its mirror image and the like: pictures are often altered, and indexed as they came."""
        try:
            picture = await self._reader.read(image_query, timeout=left())
            vectors = await self._embedder.embed(self._embedder.views(picture), timeout=left())
        except PictureRefused as refused:
            raise IntentRefused(FIELD, refused.reason) from refused
        except EmbedderUnavailable as error:
            raise SourceUnavailable(SOURCE, timed_out=error.timed_out) from error
        if not any(map(any, vectors)):
            raise IntentRefused(FIELD, "the picture is of one colour, which is like nothing")
        return vectors

    async def _with_pictures(self, types: Sequence[EntityType], seconds: float) -> list[EntityType]:
        """Those of the types whose collection holds pictures of this model."""
        async with asking():
            aliases = await self._store.aliases(timeout=seconds)
        models = {each: image_model_of(aliases.get(alias_of(each), "")) for each in types}
        used = self._embedder.identity.short_hash
        found = [each for each, model in models.items() if model == used]
        if not found and types:
            raise IntentRefused(FIELD, OTHER_MODEL if any(models.values()) else NO_PICTURES)
        return found


def pictures_evidence(
    intent: SearchIntent, seen: Sequence[tuple[PictureMatch, EntityRowEvidence]]
) -> RankedListEvidence:
    """What was seen, as evidence: each picture's entity, band and likeness."""
    digest = sha256((intent.image_query or "").encode()).hexdigest()[:12]
    lines = [
        f"{number}. {row.title} ({row.entity.entity_type}): {match.band}, likeness {match.likeness:.2f}"
        for number, (match, row) in enumerate(seen, start=1)
    ]
    return RankedListEvidence(
        id=f"pictures:{digest}",
        source=PICTURES_SOURCE,
        title="Pictures compared",
        text="\n".join(["The picture that was sent, beside those in the catalogue:", *lines]),
        locator="by the cosine of their vectors",
        entries=tuple(
            RankedEntry(entity=row.entity, score=round(match.likeness, 2), reason=match.band) for match, row in seen
        ),
    )


def _likeness(vectors: Sequence[Sequence[float]], stored: Sequence[float]) -> float:
    if not stored:
        return 0.0
    return max(sumprod(each, stored) for each in vectors)
