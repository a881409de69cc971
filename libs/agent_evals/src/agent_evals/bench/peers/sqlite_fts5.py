"""SQLite's FTS5 with rows frozen in the order of popularity: as fast as it goes, until a count changes."""

import sqlite3
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from datastore.folding import spell, squeeze

from agent_evals.bench.peers.packages import PeerMissing
from agent_evals.bench.starts import SearchWorld

NAME = "SQLite FTS5"


class Fts5Peer:
    """One row an entity, its beginnings as words, its rank as row number."""

    def __init__(self, folder: Path, world: SearchWorld) -> None:
        """Raises PeerMissing where this Python's SQLite has no FTS5."""
        self._by_rank: list[int] = np.argsort(-world.popularity, kind="stable").tolist()
        ranks = {owner: rank for rank, owner in enumerate(self._by_rank)}
        path = folder / "fts5.db"
        path.unlink(missing_ok=True)
        self._database = sqlite3.connect(path)
        self._database.executescript("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA mmap_size=4000000000;")
        try:
            self._database.execute(
                "CREATE VIRTUAL TABLE starts USING fts5(words, content='', detail='none', prefix='1 2 3 4', "
                "tokenize='unicode61 remove_diacritics 0')"
            )
        except sqlite3.OperationalError as exc:
            raise PeerMissing(f"this Python's SQLite has no FTS5: {exc}") from exc
        rows = sorted((ranks[owner], " ".join(words)) for owner, words in world.starts.by_owner())
        self._database.executemany("INSERT INTO starts(rowid, words) VALUES (? + 1, ?)", rows)
        self._database.execute("INSERT INTO starts(starts) VALUES ('optimize')")
        self._database.commit()

    def search(self, query: str, limit: int) -> Sequence[int]:
        """The most popular entities with a beginning of this text."""
        text = squeeze(spell(query)).replace('"', '""')
        found: list[tuple[int]] = self._database.execute(
            "SELECT rowid FROM starts WHERE starts MATCH ? ORDER BY rowid LIMIT ?", (f'"{text}"*', limit)
        ).fetchall()
        return [self._by_rank[rank - 1] for (rank,) in found]

    def close(self) -> None:
        """Give the file back."""
        self._database.close()
