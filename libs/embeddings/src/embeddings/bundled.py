"""The offline model: all-MiniLM-L6-v2 with 8-bit weights from installed packages."""

from pathlib import Path

from embeddings.faster_model import FASTER
from embeddings.local import LocalEmbedder
from embeddings.minilm import SHIPPED, load_model, shipped_path


class BundledEmbedder(LocalEmbedder):
    """Needs no network. `faster` is a checked file of its faster form, see `faster_model`; else it runs as shipped.

    `threads` share one batch of the shipped form. Of the faster form each thread has a batch of its own: sharing one
    saves 5 to 8 % of a single query's time.
    """

    def __init__(self, *, threads: int = 2, faster: Path | None = None) -> None:
        if faster is None:
            super().__init__(SHIPPED, lambda: load_model(shipped_path(), threads=threads).run)
        else:
            super().__init__(FASTER, lambda: load_model(faster, threads=1).run, workers=threads)
