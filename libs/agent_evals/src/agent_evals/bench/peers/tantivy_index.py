"""tantivy: beginnings cut into their first characters as terms, ordered by popularity; and its fuzzy term query."""

from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

from datastore.folding import spell, squeeze

from agent_evals.bench.kept import Keep, source
from agent_evals.bench.peers.packages import peer_package
from agent_evals.bench.starts import SearchWorld

NAME = "tantivy"
FUZZY_NAME = "tantivy fuzzy"

_LONGEST_GRAM = 8
_HEAP_BYTES = 512_000_000


class TantivyPeer:
    """One document an entity. A text longer than its longest gram is asked for by that gram."""

    def __init__(self, keep: Keep, world: SearchWorld) -> None:
        """Raises PeerMissing."""
        self._package = peer_package("tantivy")
        self._schema = self._built_schema()
        made_with = (version("tantivy"), source(__file__), world.digest)
        folder = keep.folder("tantivy", made_with, lambda path: self._fill(self._opened(path), world))
        self._searcher = self._opened(folder).searcher()

    def search(self, query: str, limit: int) -> Sequence[int]:
        """The most popular entities with a beginning of this text."""
        text = squeeze(spell(query))[:_LONGEST_GRAM]
        return self._owners(self._package.Query.term_query(self._schema, "grams", text), limit)

    def search_fuzzy(self, query: str, limit: int) -> Sequence[int]:
        """The most popular entities with a word that begins a letter away from the longest typed word."""
        word = max(spell(query).split(), key=len, default="")
        fuzzy = self._package.Query.fuzzy_term_query(
            self._schema, "words", word, distance=1, transposition_cost_one=True, prefix=True
        )
        return self._owners(fuzzy, limit)

    def _built_schema(self) -> Any:
        builder = self._package.SchemaBuilder()
        builder.add_text_field("grams", tokenizer_name="split", index_option="basic")
        builder.add_text_field("words", tokenizer_name="split", index_option="basic")
        builder.add_unsigned_field("popularity", fast=True)
        builder.add_unsigned_field("owner", stored=True)
        return builder.build()

    def _opened(self, folder: Path) -> Any:
        """The index in the folder, an empty one in an empty folder."""
        index = self._package.Index(self._schema, path=str(folder))
        splits = self._package.TextAnalyzerBuilder(self._package.Tokenizer.whitespace()).build()
        index.register_tokenizer("split", splits)
        return index

    def _fill(self, index: Any, world: SearchWorld) -> None:
        words: dict[int, set[str]] = {}
        for owner, text in zip(world.catalogue.names.owners.tolist(), world.catalogue.names.texts, strict=True):
            words.setdefault(owner, set()).update(spell(text).split())
        writer = index.writer(_HEAP_BYTES, 1)
        for owner, texts in world.starts.by_owner():
            grams = {text[:length] for text in texts for length in range(1, min(len(text), _LONGEST_GRAM) + 1)}
            document = self._package.Document()
            document.add_text("grams", " ".join(grams))
            document.add_text("words", " ".join(words[owner]))
            document.add_unsigned("popularity", int(world.popularity[owner]))
            document.add_unsigned("owner", owner)
            writer.add_document(document)
        writer.commit()
        writer.wait_merging_threads()

    def _owners(self, query: Any, limit: int) -> list[int]:
        hits = self._searcher.search(query, limit, order_by_field="popularity").hits
        return [int(self._searcher.doc(address)["owner"][0]) for _, address in hits]
