"""SQLite's FTS5 with rows frozen in the order of search: as fast as it goes, until a count changes."""

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from agent_evals.bench.kept import Keep, source
from agent_evals.bench.peers import search_terms
from agent_evals.bench.peers.packages import PeerMissing
from agent_evals.bench.peers.search_terms import owners_terms, typed_terms
from agent_evals.bench.starts import SearchWorld, Shown

NAME = "SQLite FTS5"

_FILE = "fts5.db"
_TABLES = """
PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF;
CREATE TABLE shown (place INTEGER PRIMARY KEY, owner INTEGER NOT NULL, type TEXT NOT NULL, name TEXT NOT NULL);
CREATE VIRTUAL TABLE starts USING fts5(wholes, parts, content='', detail='column', prefix='2 3 4 5',
                                       tokenize='unicode61 remove_diacritics 0');
"""
_SEARCH = """
SELECT owner, type, name FROM (SELECT rowid FROM starts WHERE starts MATCH ? ORDER BY rowid LIMIT ?) AS met
JOIN shown ON shown.place = met.rowid ORDER BY shown.place
"""


class Fts5Peer:
    """One row an entity, its place in order as row number: whole names in one column, later parts in another."""

    def __init__(self, keep: Keep, world: SearchWorld) -> None:
        """Raises PeerMissing where this Python's SQLite has no FTS5."""
        made_with = (sqlite3.sqlite_version, source(__file__, search_terms.__file__), world.digest)
        folder = keep.folder("fts5", made_with, lambda path: self._fill(path, world))
        self._database = sqlite3.connect(folder / _FILE)
        self._database.execute("PRAGMA mmap_size=4000000000")

    def search(self, query: str, limit: int) -> Sequence[Shown]:
        """The first entities with a name that is this text, begins so, or has a later part that does."""
        typed = typed_terms(query)
        begun = " OR ".join(f'"{prefix}"*' for prefix in typed.prefixes)
        found: dict[int, Shown] = {}
        for asked in (f'wholes : "{typed.exact}"', f"wholes : ({begun})", f"parts : ({begun})"):
            for owner, kind, name in self._database.execute(_SEARCH, (asked, limit)):
                found.setdefault(owner, Shown(owner, kind, name))
            if len(found) >= limit:
                break
        return list(found.values())[:limit]

    def _fill(self, folder: Path, world: SearchWorld) -> None:
        terms = {each.owner: each for each in owners_terms(world)}
        with closing(sqlite3.connect(folder / _FILE)) as database:
            try:
                database.executescript(_TABLES)
            except sqlite3.OperationalError as exc:
                raise PeerMissing(f"this Python's SQLite has no FTS5: {exc}") from exc
            for place, owner in enumerate(world.in_order):
                if owner in terms:
                    words = (place, " ".join(terms[owner].wholes), " ".join(terms[owner].parts))
                    database.execute("INSERT INTO starts(rowid, wholes, parts) VALUES (?, ?, ?)", words)
                    shown = world.shown(owner)
                    database.execute("INSERT INTO shown VALUES (?, ?, ?, ?)", (place, *shown))
            database.execute("INSERT INTO starts(starts) VALUES ('optimize')")
            database.commit()

    def close(self) -> None:
        """Give the file back."""
        self._database.close()
