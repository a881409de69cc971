"""The catalogue's collections: their names, vectors, payload fields, and the point that an entity becomes."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from datastore.errors import VectorStoreRefused
from datastore.folding import fold
from datastore.postgres.entity_cards import (
    AnimeDetails,
    CharacterDetails,
    EntityCard,
    EpisodeDetails,
    PersonDetails,
    WorkDetails,
)
from datastore.postgres.index_reads import IndexCard
from datastore.vectors import stamps
from datastore.vectors.protocol import (
    CollectionInfo,
    CollectionSpec,
    DenseVector,
    FieldKind,
    PayloadIndex,
    PayloadValue,
    Point,
    SparseValues,
    VectorStore,
)
from datastore.vocabulary import WORK_TYPES, EntityType

TEXT, LEXICAL, IMAGE = "text", "lexical", "image"
"""The named vectors: the dense one of the meaning, the sparse one of the words, the dense one of the picture."""

INDEXED_TYPES = tuple(each for each in EntityType if each is not EntityType.DOCUMENT)
"""Types whose entities are points. A document is found by its chunks, not by a point of its own."""

COLLECTION_TYPES = (*INDEXED_TYPES, EntityType.DOCUMENT)
"""Types with a collection: that of documents holds the points of their chunks."""

_NAME = re.compile(
    r"^enishi_(?P<type>[a-z]+)_(?P<model>[0-9a-f]{8})(?:_i(?P<image>[0-9a-f]{8}))?_v(?P<number>[1-9][0-9]*)$"
)


_ANIME = frozenset({EntityType.ANIME})
_DOCUMENT = frozenset({EntityType.DOCUMENT})


@dataclass(frozen=True, slots=True)
class PayloadField:
    """A payload field: which types have it and, where filters use it, the kind of its index."""

    name: str
    types: frozenset[EntityType] = frozenset(INDEXED_TYPES)
    index: FieldKind | None = None


PAYLOAD_FIELDS = (
    PayloadField("anime_id", frozenset({EntityType.CHARACTER, EntityType.EPISODE}), FieldKind.UUID),
    PayloadField("year", WORK_TYPES | {EntityType.EPISODE}, FieldKind.INTEGER),
    PayloadField("season", _ANIME, FieldKind.KEYWORD),
    PayloadField("format", WORK_TYPES, FieldKind.KEYWORD),
    PayloadField("status", WORK_TYPES, FieldKind.KEYWORD),
    PayloadField("genres", WORK_TYPES, FieldKind.KEYWORD),
    PayloadField("studios", WORK_TYPES, FieldKind.KEYWORD),
    PayloadField("score", WORK_TYPES, FieldKind.FLOAT),
    PayloadField("source", _ANIME, FieldKind.KEYWORD),
    PayloadField("entity_type"),
    PayloadField("popularity"),
    PayloadField("has_prose"),
    PayloadField("name"),
    PayloadField("names"),
    PayloadField("document_id", _DOCUMENT, FieldKind.UUID),
    PayloadField("collection", _DOCUMENT, FieldKind.KEYWORD),
    PayloadField("first_day", _DOCUMENT, FieldKind.INTEGER),
    PayloadField("last_day", _DOCUMENT, FieldKind.INTEGER),
    PayloadField("language", _DOCUMENT),
    PayloadField("position", _DOCUMENT),
)
"""All that a payload holds beside the store's own fields. `genres` and `studios` are folded, as filters on them are.

`has_prose` is 1 where there is a synopsis or description. `popularity` is the source's count, not the percentile: that
moves whenever others move, without a change of its row. Days are counted from 0001-01-01 on.
"""


@dataclass(frozen=True, slots=True)
class CollectionName:
    """The parts of a collection's name. `number` grows with every rebuild.

    `image` is the short hash of the model that its pictures were seen with, empty where it has no room for pictures.
    """

    entity_type: EntityType
    model: str
    number: int
    image: str = ""

    def __str__(self) -> str:
        image = f"_i{self.image}" if self.image else ""
        return f"enishi_{self.entity_type}_{self.model}{image}_v{self.number}"

    @classmethod
    def parse(cls, name: str) -> "CollectionName | None":
        """The parts of one of our names; None for any other."""
        match = _NAME.match(name)
        if match is None or match["type"] not in EntityType:
            return None
        return cls(EntityType(match["type"]), match["model"], int(match["number"]), match["image"] or "")


def alias_of(entity_type: EntityType) -> str:
    """The name that searches and writes use, whatever collection is behind it."""
    return f"enishi_{entity_type}"


def is_of_model(collection: str, model: str) -> bool:
    """Whether this collection holds vectors of the model with this short hash."""
    name = CollectionName.parse(collection)
    return name is not None and name.model == model


def image_model_of(collection: str) -> str:
    """The short hash of the model that the collection's pictures were seen with; empty where it has none."""
    name = CollectionName.parse(collection)
    return name.image if name is not None else ""


def required_indexes(entity_type: EntityType) -> tuple[PayloadIndex, ...]:
    """The payload indexes that filters on this type rely on."""
    return tuple(
        PayloadIndex(each.name, each.index)
        for each in PAYLOAD_FIELDS
        if each.index is not None and entity_type in each.types
    )


def has_fields(entity_type: EntityType, fields: Iterable[str]) -> bool:
    """Whether entities of this type can have all these fields; a filter on another field matches none of them."""
    wanted = frozenset(fields)
    return all(entity_type in each.types for each in PAYLOAD_FIELDS if each.name in wanted)


def missing_indexes(entity_type: EntityType, info: CollectionInfo) -> tuple[str, ...]:
    """Fields that filters rely on and this collection has no index for; none where the engine keeps no indexes."""
    if info.indexed_fields is None:
        return ()
    wanted = (*required_indexes(entity_type), *stamps.STAMP_INDEXES)
    return tuple(each.field for each in wanted if each.field not in info.indexed_fields)


def collection_spec(
    name: CollectionName, dimensions: int, *, description: str = "", image_dimensions: int = 0
) -> CollectionSpec:
    """What a collection of the catalogue holds. `description` says in words which model makes its vectors."""
    dense = (DenseVector(TEXT, dimensions),)
    if name.image:
        dense = (*dense, DenseVector(IMAGE, image_dimensions))
    optional = (IMAGE,) if name.image else ()
    return CollectionSpec(str(name), dense, (LEXICAL,), required_indexes(name.entity_type), description, optional)


async def models_in_use(store: VectorStore, *, timeout: float) -> frozenset[str]:
    """Short hashes of the models whose vectors are behind our aliases; none before the first start."""
    aliases = await store.aliases(timeout=timeout)
    names = (CollectionName.parse(aliases.get(alias_of(each), "")) for each in COLLECTION_TYPES)
    return frozenset(name.model for name in names if name is not None)


def other_model(alias: str, built_with: str, used: str) -> str:
    """The sentence for an index that another model's vectors are in: both models, and what helps."""
    return (
        f"the index behind '{alias}' was built with {built_with}, and this process embeds with {used}: "
        "run 'enishi index rebuild', or set ENISHI_EMBEDDINGS to what the index was built with"
    )


async def ensure_collections(
    store: VectorStore, *, model: str, dimensions: int, timeout: float, description: str = ""
) -> None:
    """Make sure that every type has its collection behind its alias, with all indexes.

    `timeout` is for each call. `model` is the short hash of the embedding model, `description` the same in words.

    Raises:
        VectorStoreRefused: an alias leads to the vectors of another model; a rebuild is needed.
    """
    aliases = await store.aliases(timeout=timeout)
    for entity_type in COLLECTION_TYPES:
        alias = alias_of(entity_type)
        name = CollectionName.parse(aliases.get(alias, ""))
        if alias in aliases and not is_of_model(aliases[alias], model):
            built_with = (await store.describe(alias, timeout=timeout)).model or "another model"
            raise VectorStoreRefused(other_model(alias, built_with, description or model))
        room = 0
        if name is not None and name.image:
            # Room for pictures is made by a rebuild, when there are any; here it is left as it is.
            dense = (await store.describe(alias, timeout=timeout)).dense
            room = next((each.dimensions for each in dense if each.name == IMAGE), 0)
        spec = collection_spec(
            name or CollectionName(entity_type, model, 1), dimensions, description=description, image_dimensions=room
        )
        await store.ensure_collection(spec, timeout=timeout)
        if name is None:
            await store.switch_alias(alias, str(CollectionName(entity_type, model, 1)), timeout=timeout)


async def check_collections(store: VectorStore, *, model: str, timeout: float) -> tuple[str, ...]:
    """What is wrong with the collections behind the aliases, one sentence each; nothing when all is well."""
    problems: list[str] = []
    aliases = await store.aliases(timeout=timeout)
    for entity_type in COLLECTION_TYPES:
        alias = alias_of(entity_type)
        if alias not in aliases:
            problems.append(f"'{alias}' does not exist yet")
            continue
        if not is_of_model(aliases[alias], model):
            problems.append(f"'{alias}' was built with another model")
        missing = missing_indexes(entity_type, await store.describe(alias, timeout=timeout))
        if missing:
            problems.append(f"'{alias}' has no index for {', '.join(missing)}")
    return tuple(problems)


def entity_payload(source: IndexCard) -> dict[str, PayloadValue]:
    """The payload of an entity's point: what is not known is left out."""
    card, details = source.card, source.card.details
    fields: dict[str, PayloadValue | None] = {
        "entity_type": card.entity_type.value,
        "popularity": card.popularity_count,
        "name": card.name,
        "names": tuple(each.name for each in card.names),
        "studios": tuple(fold(each) for each in source.studios),
        "anime_id": tuple(str(each) for each in source.work_ids),
        "year": year_of(card),
        "has_prose": 1 if prose_of(card) else None,
    }
    if isinstance(details, WorkDetails):
        fields |= {
            "format": details.format,
            "status": details.status,
            "genres": tuple(fold(each) for each in details.genres),
            "score": details.score,
        }
    if isinstance(details, AnimeDetails):
        fields |= {"season": details.season, "source": details.source}
    return {
        # A plain text: engines don't know our enumerations.
        name: str(value) if isinstance(value, str) else value
        for name, value in fields.items()
        if value is not None and value not in ((), "")
    }


def prose_of(card: EntityCard) -> str | None:
    """The synopsis or description, where the type has one and it is known."""
    match card.details:
        case WorkDetails() | EpisodeDetails() as details:
            return details.synopsis
        case CharacterDetails() | PersonDetails() as details:
            return details.description
        case _:
            return None


def year_of(card: EntityCard) -> int | None:
    """The year of a work's season or start, or of an episode's broadcast."""
    if isinstance(card.details, WorkDetails):
        return card.details.year
    if isinstance(card.details, EpisodeDetails) and card.details.air.known is not None:
        return card.details.air.known.year
    return None


def entity_point(source: IndexCard, *, text: Sequence[float], lexical: SparseValues, sequence: int = 0) -> Point:
    """The point of an entity under its own id."""
    card = source.card
    return Point(
        id=card.id,
        version=card.version,
        content_hash=source.content_hash,
        payload=entity_payload(source),
        dense={TEXT: text} if source.image is None else {TEXT: text, IMAGE: source.image},
        sparse={LEXICAL: lexical},
        sequence=sequence,
    )
