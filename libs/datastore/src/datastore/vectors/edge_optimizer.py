"""Optimises one shard folder in a process of its own.

The engine holds the interpreter while it builds an index, so inside the owner it would stop every search.
Run as `python -m datastore.vectors.edge_optimizer FOLDER` on a folder that nobody else has open.
"""

import os
import sys

import qdrant_edge as engine


def main(folder: str) -> None:
    """Build the indexes of the shard in `folder`, giving way to the processes that answer questions."""
    os.nice(10)
    shard = engine.EdgeShard.load(folder)
    shard.optimize()
    shard.flush()
    shard.close()


if __name__ == "__main__":
    main(sys.argv[1])
