"""Searching and reading documents on the real engine, model and database: filters, dates, staleness, sections."""

from collections.abc import AsyncGenerator, Sequence
from datetime import date
from pathlib import Path
from uuid import UUID, uuid4

import pytest
import sqlalchemy as sa
from agent_core.document_contracts import DateSpan, DocumentIntent, DocumentResult, LookupIntent, SearchMode
from agent_core.errors import IntentRefused, SourceUnavailable
from agent_core.evidence import EntityRef
from agent_core.retrieval.chunk_search import ChunkSearch
from agent_core.retrieval.document_executor import PostgresDocumentExecutor
from agent_core.retrieval.resolver import NameResolver
from datastore.postgres.documents import chunks, documents
from datastore.postgres.engine import PostgresOptions, ReadOnlyEngine, ReadWriteEngine, open_read_only, open_read_write
from datastore.vectors.collections import CollectionName, alias_of, collection_spec
from datastore.vectors.edge import EdgeVectorStore, open_edge_store
from datastore.vocabulary import EntityType
from embeddings.bundled import BundledEmbedder
from embeddings.protocol import EmbedderUnavailable, ModelIdentity
from fixtures.documents import Article, write_document
from fixtures.postgres import READER_ROLE, TEMPLATE, TestServer
from ingestion.chunk_sync import ChunkCarrier

SECONDS = 30.0

TIDES = Article(
    "Tides of Kobe",
    [
        (None, "The film follows a lighthouse keeper who records the tides for forty years."),
        ("1 Production", "Filming took place in Kobe harbour during a cold winter."),
        ("1.1 Music", "The score was played on a single cello."),
        ("2 Reception", "Critics praised its patience; audiences stayed away."),
    ],
    collection="reviews",
    day=date(2021, 3, 14),
)
FESTIVAL = Article(
    "Harbour festival report",
    [(None, "Drummers opened the harbour festival."), (None, "A film about tides won the prize of the jury.")],
    collection="press",
    day=date(2023, 6, 2),
)
UNDATED = Article("Notes on lighthouses", [(None, "A lighthouse keeper lights the lamp at dusk.")], collection="press")
ALMANAC = Article(
    "Almanac of winds",
    [(None, "The almanac of winds was printed by Osvald Brenn in a cellar.")],
    collection="books",
    day=date(2019, 5, 1),
    precision="month",
)
PRINTER = Article("Osvald Brenn", [(None, "He learned his trade in Lund and died in 1871.")], collection="people")
YOUTH = Article(
    "Jugendschutz in Kobe",
    [(None, "Jugendlichen unter sechzehn Jahren ist die Anwesenheit in Spielhäusern zu verbieten.")],
    collection="law",
    language="de",
)
ARTICLES = (TIDES, FESTIVAL, UNDATED, ALMANAC, PRINTER, YOUTH)


@pytest.fixture(scope="module")
def catalogue_url(postgres_server: TestServer) -> str:
    """One catalogue for the whole module; a test that changes it puts it back."""
    return postgres_server.dsn(postgres_server.create(TEMPLATE))


@pytest.fixture(scope="module")
def index_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One index for the whole module."""
    return tmp_path_factory.mktemp("index") / "store"


@pytest.fixture
async def writer(catalogue_url: str) -> AsyncGenerator[ReadWriteEngine]:
    engine = open_read_write(PostgresOptions(dsn=catalogue_url))
    yield engine
    await engine.close()


@pytest.fixture
async def reader(catalogue_url: str) -> AsyncGenerator[ReadOnlyEngine]:
    engine = open_read_only(PostgresOptions(dsn=catalogue_url, role=READER_ROLE))
    yield engine
    await engine.close()


@pytest.fixture
async def store(
    writer: ReadWriteEngine, index_folder: Path, embedder: BundledEmbedder
) -> AsyncGenerator[EdgeVectorStore]:
    """The index, which the first test fills along with the catalogue."""
    opened = await open_edge_store(index_folder)
    if not await opened.collections(timeout=SECONDS):
        await _fill(writer, opened, embedder)
    yield opened
    await opened.close()


async def _fill(writer: ReadWriteEngine, store: EdgeVectorStore, embedder: BundledEmbedder) -> None:
    name = CollectionName(EntityType.DOCUMENT, embedder.identity.short_hash, 1)
    await store.ensure_collection(collection_spec(name, embedder.identity.dimensions), timeout=SECONDS)
    await store.switch_alias(alias_of(EntityType.DOCUMENT), str(name), timeout=SECONDS)
    async with writer.begin() as conn:
        for article in ARTICLES:
            await write_document(conn, article)
    carrier = ChunkCarrier(writer, store, embedder, call_seconds=SECONDS)
    for sequence, article in enumerate(ARTICLES, start=1):
        await carrier.carry(article.id, sequence, on_page=_go_on)


async def _go_on() -> None: ...


@pytest.fixture
def executor(reader: ReadOnlyEngine, store: EdgeVectorStore, embedder: BundledEmbedder) -> PostgresDocumentExecutor:
    return executor_over(reader, store, embedder)


def executor_over(
    read_only: ReadOnlyEngine, store: EdgeVectorStore, embedder: "BundledEmbedder | AbsentEmbedder"
) -> PostgresDocumentExecutor:
    return PostgresDocumentExecutor(read_only, ChunkSearch(store, embedder), NameResolver(read_only, None))


class AbsentEmbedder:
    """A model that can't be loaded."""

    def __init__(self, identity: ModelIdentity) -> None:
        self.identity = identity

    async def embed(self, texts: Sequence[str], *, timeout: float) -> list[list[float]]:
        raise EmbedderUnavailable("away")

    async def close(self) -> None: ...


def chunk_ids(result: DocumentResult) -> list[UUID]:
    return [hit.evidence.chunk_id for hit in result.hits]


async def search(executor: PostgresDocumentExecutor, query: str, **fields: object) -> DocumentResult:
    intent = DocumentIntent.model_validate({"rationale": "test", "query": query} | fields)
    return await executor.search(intent, timeout=SECONDS)


async def look_up(executor: PostgresDocumentExecutor, **fields: object) -> DocumentResult:
    return await executor.look_up(LookupIntent.model_validate({"rationale": "test"} | fields), timeout=SECONDS)


async def test_a_hit_is_the_stored_text_with_its_place(executor: PostgresDocumentExecutor) -> None:
    result = await search(executor, "a cello")
    first = result.hits[0]
    assert first.evidence.model_dump() == {
        "id": f"chunk:{TIDES.chunk_id(2)}",
        "source": "postgresql:chunks",
        "title": "Tides of Kobe",
        "text": "The score was played on a single cello.",
        "row_version": 1,
        "content_hash": first.evidence.content_hash,
        "locator": "1.1 Music",
        "kind": "chunk",
        "document": {"entity_type": EntityType.DOCUMENT, "id": TIDES.id, "name": "Tides of Kobe"},
        "chunk_id": TIDES.chunk_id(2),
        "start_offset": 135,
        "end_offset": 174,
        "position": 2,
        "section": "1.1 Music",
        "date": "2021-03-14",
        "collection": "reviews",
        "reached_by": "",
    }
    assert 0.3 < first.score < 1
    assert not first.is_relaxed
    assert result.searched == ("documents (all): 'a cello'",)
    assert len(result.hits) == 10


async def test_each_way_of_searching_finds_the_words(executor: PostgresDocumentExecutor) -> None:
    for mode in SearchMode:
        result = await search(executor, "played on a cello", mode=mode, top_k=1)
        assert chunk_ids(result) == [TIDES.chunk_id(2)]


async def test_words_are_found_in_their_other_forms_and_others_are_not(executor: PostgresDocumentExecutor) -> None:
    found = await search(executor, "audience praising critic", mode=SearchMode.KEYWORD)
    assert chunk_ids(found) == [TIDES.chunk_id(3)]
    assert (await search(executor, "zeppelin", mode=SearchMode.KEYWORD)).hits == ()


@pytest.mark.parametrize(
    "query",
    ["In welchem Spielhaus ist ein Jugendlicher anwesend?", "Verbot für die Jugendliche", "sechzehntes Jahr von wem?"],
)
async def test_words_of_a_german_document_are_found_in_their_german_forms(
    executor: PostgresDocumentExecutor, query: str
) -> None:
    found = await search(executor, query, mode=SearchMode.KEYWORD)
    assert chunk_ids(found) == [YOUTH.chunk_id(0)]


async def test_equal_words_meet_between_languages(executor: PostgresDocumentExecutor) -> None:
    english = await search(executor, "What is forbidden to jugendlichen in Kobe?", mode=SearchMode.KEYWORD)
    assert chunk_ids(english)[0] == YOUTH.chunk_id(0)
    german = await search(executor, "Wer war auf dem cello zu hören?", mode=SearchMode.KEYWORD)
    assert chunk_ids(german) == [TIDES.chunk_id(2)]


async def test_filters_hold_and_fail_closed(executor: PostgresDocumentExecutor) -> None:
    press = await search(executor, "lighthouse keeper", collections=["press"])
    assert set(chunk_ids(press)) == {UNDATED.chunk_id(0), FESTIVAL.chunk_id(0), FESTIVAL.chunk_id(1)}
    one = await search(executor, "lighthouse keeper", documents=[FESTIVAL.id])
    assert {hit.evidence.document.id for hit in one.hits} == {FESTIVAL.id}
    assert (await search(executor, "lighthouse keeper", collections=["unknown"])).hits == ()
    assert (await search(executor, "lighthouse keeper", documents=[uuid4()])).hits == ()


async def test_dated_chunks_come_first_and_others_are_flagged(executor: PostgresDocumentExecutor) -> None:
    span = DateSpan(first=date(2023, 1, 1), last=date(2023, 12, 31))
    result = await search(executor, "lighthouse keeper", dates=span, top_k=4)
    assert [hit.is_relaxed for hit in result.hits] == [False, False, True, True]
    assert {hit.evidence.document.id for hit in result.hits[:2]} == {FESTIVAL.id}
    assert len(set(chunk_ids(result))) == 4
    assert result.searched == (
        "documents (dated 2023-01-01 to 2023-12-31): 'lighthouse keeper'",
        "documents (all): 'lighthouse keeper'",
    )
    enough = await search(executor, "lighthouse keeper", dates=span, top_k=2)
    assert [hit.is_relaxed for hit in enough.hits] == [False, False]


async def test_an_open_end_of_a_span_is_open(executor: PostgresDocumentExecutor) -> None:
    before = await search(executor, "film", dates=DateSpan(last=date(2021, 3, 14)), top_k=4)
    assert {hit.evidence.document.id for hit in before.hits} == {TIDES.id}
    assert not any(hit.is_relaxed for hit in before.hits)


async def test_a_date_without_its_day_is_in_a_span_that_a_day_of_it_is_in(executor: PostgresDocumentExecutor) -> None:
    inside = await search(executor, "almanac", dates=DateSpan(first=date(2019, 5, 31)), documents=[ALMANAC.id], top_k=1)
    assert [(hit.is_relaxed, hit.evidence.date) for hit in inside.hits] == [(False, "2019-05")]
    outside = await search(executor, "almanac", dates=DateSpan(first=date(2019, 6, 1)), documents=[ALMANAC.id], top_k=1)
    assert [hit.is_relaxed for hit in outside.hits] == [True]


async def test_what_the_first_finds_name_comes_along(executor: PostgresDocumentExecutor) -> None:
    query = "who set the type of the almanac of winds"
    alone = await search(executor, query, top_k=2)
    assert PRINTER.chunk_id(0) not in chunk_ids(alone)
    found = await search(executor, query, top_k=2, expand=True)
    assert chunk_ids(found) == [ALMANAC.chunk_id(0), PRINTER.chunk_id(0)]


async def test_an_expanded_search_prefers_what_the_finds_before_do_not_say(executor: PostgresDocumentExecutor) -> None:
    query = "lighthouse keeper and a prize"
    alone = await search(executor, query, mode=SearchMode.KEYWORD, top_k=2)
    assert chunk_ids(alone) == [UNDATED.chunk_id(0), TIDES.chunk_id(0)]
    spread = await search(executor, query, mode=SearchMode.KEYWORD, top_k=2, expand=True)
    assert chunk_ids(spread) == [UNDATED.chunk_id(0), FESTIVAL.chunk_id(1)]


async def test_what_is_stored_otherwise_now_is_no_hit(
    executor: PostgresDocumentExecutor, writer: ReadWriteEngine
) -> None:
    async with writer.begin() as conn:
        await conn.execute(sa.delete(chunks).where(chunks.c.id == TIDES.chunk_id(2)))
        await conn.execute(sa.update(chunks).where(chunks.c.id == TIDES.chunk_id(3)).values(text="?", text_hash="?"))
        await conn.execute(sa.update(documents).where(documents.c.id == FESTIVAL.id).values(collection="moved"))
    result = await search(executor, "film")
    press = await search(executor, "film", collections=["press"])
    async with writer.begin() as conn:
        for article in (TIDES, FESTIVAL):
            await write_document(conn, article)
    assert not {TIDES.chunk_id(2), TIDES.chunk_id(3)} & set(chunk_ids(result))
    assert (result.left_out, press.left_out) == (2, 2)
    assert chunk_ids(press) == [UNDATED.chunk_id(0)]


async def test_without_the_model_words_are_compared(
    reader: ReadOnlyEngine, store: EdgeVectorStore, embedder: BundledEmbedder
) -> None:
    poorer = executor_over(reader, store, AbsentEmbedder(embedder.identity))
    result = await search(poorer, "single cello concert")
    assert [(hit.evidence.chunk_id, hit.score) for hit in result.hits] == [(TIDES.chunk_id(2), 0.6667)]
    assert result.lacks_meaning
    with pytest.raises(SourceUnavailable):
        await search(poorer, "single cello concert", mode=SearchMode.DENSE)


async def test_trouble_is_told_apart(executor: PostgresDocumentExecutor, store: EdgeVectorStore) -> None:
    with pytest.raises(IntentRefused, match="query"):
        await search(executor, "  ")
    await store.close()
    with pytest.raises(SourceUnavailable) as lost:
        await search(executor, "film")
    assert (lost.value.source, lost.value.timed_out) == ("qdrant", False)


# --- look-up ---------------------------------------------------------------------------------------------------


async def test_a_document_is_read_in_order_by_reference_and_by_name(executor: PostgresDocumentExecutor) -> None:
    ref = EntityRef(entity_type=EntityType.DOCUMENT, id=TIDES.id)
    whole = await look_up(executor, document=ref)
    assert chunk_ids(whole) == [TIDES.chunk_id(each) for each in range(4)]
    assert (whole.truncated, whole.searched) == (False, ("document 'Tides of Kobe'",))
    cut = await look_up(executor, name="tides of kobe", max_chunks=2)
    assert (chunk_ids(cut), cut.truncated) == ([TIDES.chunk_id(0), TIDES.chunk_id(1)], True)


async def test_a_section_is_read_with_those_below_it(executor: PostgresDocumentExecutor) -> None:
    found = await look_up(executor, name="Tides of Kobe", section="§ 1")
    assert chunk_ids(found) == [TIDES.chunk_id(1), TIDES.chunk_id(2)]
    assert found.searched == ("section '§ 1' of 'Tides of Kobe'",)
    assert (await look_up(executor, name="Tides of Kobe", section="9")).hits == ()


async def test_a_chunk_comes_with_its_neighbours(executor: PostgresDocumentExecutor) -> None:
    alone = await look_up(executor, chunk_id=TIDES.chunk_id(0))
    assert chunk_ids(alone) == [TIDES.chunk_id(0)]
    around = await look_up(executor, chunk_id=TIDES.chunk_id(2), neighbours=1)
    assert chunk_ids(around) == [TIDES.chunk_id(each) for each in (1, 2, 3)]
    assert (await look_up(executor, chunk_id=TIDES.chunk_id(0), neighbours=1)).hits[0].evidence.position == 0


async def test_what_is_not_there_is_said_to_be_searched(executor: PostgresDocumentExecutor) -> None:
    assert (await look_up(executor, chunk_id=uuid4())).hits == ()
    unknown = await look_up(executor, name="The unwritten book")
    assert (unknown.hits, unknown.searched) == ((), ("documents named 'The unwritten book'",))
