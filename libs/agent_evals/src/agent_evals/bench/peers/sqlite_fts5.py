"""SQLite's FTS5 with rows frozen in the order of popularity: as fast as it goes, until a count changes."""

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import numpy as np
from datastore.folding import spell, squeeze

from agent_evals.bench.kept import Keep, source
from agent_evals.bench.peers.packages import PeerMissing
from agent_evals.bench.starts import SearchWorld

NAME = "SQLite FTS5"

_FILE = "fts5.db"


class Fts5Peer:
    """One row an entity, its beginnings as words, its rank as row number."""

    def __init__(self, keep: Keep, world: SearchWorld) -> None:
        """Raises PeerMissing where this Python's SQLite has no FTS5."""
        self._by_rank: list[int] = np.argsort(-world.popularity, kind="stable").tolist()
        made_with = (sqlite3.sqlite_version, source(__file__), world.digest)
        folder = keep.folder("fts5", made_with, lambda path: self._fill(path, world))
        self._database = sqlite3.connect(folder / _FILE)
        self._database.execute("PRAGMA mmap_size=4000000000")

    def search(self, query: str, limit: int) -> Sequence[int]:
        """The most popular entities with a beginning of this text."""
        text = squeeze(spell(query)).replace('"', '""')
        found: list[tuple[int]] = self._database.execute(
            "SELECT rowid FROM starts WHERE starts MATCH ? ORDER BY rowid LIMIT ?", (f'"{text}"*', limit)
        ).fetchall()
        return [self._by_rank[rank - 1] for (rank,) in found]

    def _fill(self, folder: Path, world: SearchWorld) -> None:
        ranks = {owner: rank for rank, owner in enumerate(self._by_rank)}
        rows = sorted((ranks[owner], " ".join(words)) for owner, words in world.starts.by_owner())
        with closing(sqlite3.connect(folder / _FILE)) as database:
            database.executescript("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF;")
            try:
                database.execute(
                    "CREATE VIRTUAL TABLE starts USING fts5(words, content='', detail='none', prefix='1 2 3 4', "
                    "tokenize='unicode61 remove_diacritics 0')"
                )
            except sqlite3.OperationalError as exc:
                raise PeerMissing(f"this Python's SQLite has no FTS5: {exc}") from exc
            database.executemany("INSERT INTO starts(rowid, words) VALUES (? + 1, ?)", rows)
            database.execute("INSERT INTO starts(starts) VALUES ('optimize')")
            database.commit()

    def close(self) -> None:
        """Give the file back."""
        self._database.close()
