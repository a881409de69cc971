"""Optimises one shard folder in a process of its own.

The engine holds the interpreter while it builds an index, so inside the owner it would stop every search.
Run as `python -m datastore.vectors.edge_optimizer FOLDER` on a folder that nobody else has open, with a pipe as its
standard input: where the system signals that its other end is gone, as Linux does, the process ends with its owner.
"""

import fcntl
import os
import select
import sys

import qdrant_edge as engine


def main(folder: str) -> None:
    """Build the indexes of the shard in `folder`, giving way to the processes that answer questions."""
    os.nice(10)
    end_with_owner()
    shard = engine.EdgeShard.load(folder)
    shard.optimize()
    shard.flush()
    shard.close()


def end_with_owner() -> None:
    """End this process when the other end of its standard input is gone.

    Else, after a kill, it would go on writing where the next owner puts a copy of its own. Left to the system, for the
    engine lets no code of this process run meanwhile.
    """
    fcntl.fcntl(sys.stdin, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(sys.stdin, fcntl.F_SETFL, fcntl.fcntl(sys.stdin, fcntl.F_GETFL) | os.O_ASYNC)
    if select.select([sys.stdin], [], [], 0)[0]:
        sys.exit("nobody is left to take over")


if __name__ == "__main__":
    main(sys.argv[1])
