"""Ladybug, the successor of Kuzu: an embedded graph database that is asked in Cypher."""

from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agent_evals.bench.graph_oracle import UNREACHED, Reached
from agent_evals.bench.kept import Keep, source
from agent_evals.bench.peers.packages import peer_package

NAME = "Ladybug"

_PATH = "MATCH (a:Entity {id: $one})-[e:Link* SHORTEST 1..4]-(b:Entity {id: $other}) RETURN length(e) LIMIT 1"
_NEIGHBOURS = (
    "MATCH (a:Entity {id: $start})-[:Link]-(b:Entity) "
    "RETURN DISTINCT b.id, b.popularity ORDER BY b.popularity DESC, b.id LIMIT $most"
)
_REACH = (
    "MATCH (a:Entity {{id: $start}})-[e:Link* SHORTEST 1..{hops}]-(b:Entity) WHERE b.id <> $start "
    "RETURN b.id, length(e) AS hops, b.popularity AS popularity ORDER BY hops, popularity DESC, b.id LIMIT $most"
)


class LadybugPeer:
    """One node table and one relationship table, loaded from files and asked with parameters."""

    def __init__(self, keep: Keep, pairs: NDArray[np.int64], popularity: NDArray[np.int64]) -> None:
        """Raises PeerMissing."""
        package = peer_package("ladybug")

        def fill(folder: Path) -> None:
            self._open(package, folder)
            self._connection.execute("CREATE NODE TABLE Entity (id INT64 PRIMARY KEY, popularity INT64)")
            self._connection.execute("CREATE REL TABLE Link (FROM Entity TO Entity)")
            self._copy(folder, "Entity", np.stack([np.arange(len(popularity)), popularity], axis=1))
            self._copy(folder, "Link", pairs)
            self.close()

        made_with = (version("ladybug"), source(__file__), pairs.tobytes(), popularity.tobytes())
        self._open(package, keep.folder("ladybug", made_with, fill))

    def neighbours(self, node: int, most: int) -> list[int]:
        """The most popular ones."""
        return [int(row[0]) for row in self._rows(_NEIGHBOURS, {"start": node, "most": most})]

    def length(self, ends: tuple[int, int]) -> int:
        """The length of a shortest path of at most four hops; UNREACHED when there is none."""
        rows = self._rows(_PATH, {"one": ends[0], "other": ends[1]})
        return int(rows[0][0]) if rows else UNREACHED

    def k_hop(self, node: int, hops: int, most: int) -> Reached:
        """What lies within some hops, nearest and most popular first."""
        rows = self._rows(_REACH.format(hops=hops), {"start": node, "most": most})
        return Reached(tuple(int(row[0]) for row in rows), tuple(int(row[1]) for row in rows))

    def close(self) -> None:
        """Give the files back."""
        self._connection.close()
        self._database.close()

    def _open(self, package: Any, folder: Path) -> None:
        self._database: Any = package.Database(str(folder / "graph"))
        # One thread, as everybody has one core.
        self._connection: Any = package.Connection(self._database, num_threads=1)

    def _copy(self, folder: Path, table: str, rows: NDArray[np.int64]) -> None:
        path = folder / f"{table}.csv"
        with path.open("w", encoding="ascii") as file:
            file.writelines(f"{a},{b}\n" for a, b in rows.tolist())
        self._connection.execute(f"COPY {table} FROM '{path}' (HEADER=false)")
        path.unlink()

    def _rows(self, query: str, parameters: dict[str, int]) -> list[list[Any]]:
        return self._connection.execute(query, parameters).get_all()
