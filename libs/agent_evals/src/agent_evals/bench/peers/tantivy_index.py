"""tantivy: beginnings cut into their first characters as terms, in the order of search; and its fuzzy term query."""

from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

from datastore.folding import spell

from agent_evals.bench.kept import Keep, source
from agent_evals.bench.peers import search_terms
from agent_evals.bench.peers.packages import peer_package
from agent_evals.bench.peers.search_terms import OwnersTerms, beginnings, owners_terms, typed_terms
from agent_evals.bench.starts import SearchWorld, Shown

NAME = "tantivy"
FUZZY_NAME = "tantivy fuzzy"

# The shelf's sign and eight letters.
_LONGEST_GRAM = 9
_HEAP_BYTES = 512_000_000


class TantivyPeer:
    """One document an entity. A text longer than its longest gram is asked for by that gram."""

    def __init__(self, keep: Keep, world: SearchWorld) -> None:
        """Raises PeerMissing."""
        self._package = peer_package("tantivy")
        self._schema = self._built_schema()
        made_with = (version("tantivy"), source(__file__, search_terms.__file__), world.digest)
        folder = keep.folder("tantivy", made_with, lambda path: self._fill(self._opened(path), world))
        self._searcher = self._opened(folder).searcher()

    def search(self, query: str, limit: int) -> Sequence[Shown]:
        """The first entities with a name that is this text, begins so, or has a later part that does.

        A class of matches after the other: this engine orders by a field or by matches, not by both.
        """
        typed = typed_terms(query)
        found: dict[int, Shown] = {}
        for asked in (
            self._term("exact", typed.exact),
            self._begun("wholes", typed.prefixes),
            self._begun("parts", typed.prefixes),
        ):
            for shown in self._shown(asked, limit):
                found.setdefault(shown.owner, shown)
            if len(found) >= limit:
                break
        return list(found.values())[:limit]

    def search_fuzzy(self, query: str, limit: int) -> Sequence[Shown]:
        """The most popular entities with a word that begins a letter away from the longest typed word."""
        word = max(spell(query).split(), key=len, default="")
        fuzzy = self._package.Query.fuzzy_term_query(
            self._schema, "words", word, distance=1, transposition_cost_one=True, prefix=True
        )
        return self._shown(fuzzy, limit)

    def _term(self, field: str, term: str) -> Any:
        return self._package.Query.term_query(self._schema, field, term)

    def _begun(self, field: str, prefixes: tuple[str, ...]) -> Any:
        terms = [self._term(field, prefix[:_LONGEST_GRAM]) for prefix in prefixes]
        if len(terms) == 1:
            return terms[0]
        return self._package.Query.boolean_query([(self._package.Occur.Should, term) for term in terms])

    def _built_schema(self) -> Any:
        builder = self._package.SchemaBuilder()
        for field in ("exact", "wholes", "parts", "words"):
            builder.add_text_field(field, tokenizer_name="split", index_option="basic")
        builder.add_unsigned_field("from_last", fast=True)
        builder.add_unsigned_field("owner", stored=True)
        builder.add_text_field("type", stored=True, tokenizer_name="raw")
        builder.add_text_field("name", stored=True, tokenizer_name="raw")
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
        from_last = dict(zip(world.in_order, range(len(world.in_order), 0, -1), strict=True))
        writer = index.writer(_HEAP_BYTES, 1)
        for terms in owners_terms(world):
            writer.add_document(self._document(world, terms, words[terms.owner], from_last[terms.owner]))
        writer.commit()
        writer.wait_merging_threads()

    def _document(self, world: SearchWorld, terms: OwnersTerms, words: set[str], from_last: int) -> Any:
        shown = world.shown(terms.owner)
        document = self._package.Document()
        document.add_text("exact", " ".join(terms.wholes))
        document.add_text("wholes", " ".join(beginnings(terms.wholes, _LONGEST_GRAM)))
        document.add_text("parts", " ".join(beginnings(terms.parts, _LONGEST_GRAM)))
        document.add_text("words", " ".join(words))
        document.add_unsigned("from_last", from_last)
        document.add_unsigned("owner", shown.owner)
        document.add_text("type", shown.type)
        document.add_text("name", shown.name)
        return document

    def _shown(self, query: Any, limit: int) -> list[Shown]:
        hits = self._searcher.search(query, limit, count=False, order_by_field="from_last").hits
        stored = [self._searcher.doc(address) for _, address in hits]
        return [Shown(int(each["owner"][0]), str(each["type"][0]), str(each["name"][0])) for each in stored]
