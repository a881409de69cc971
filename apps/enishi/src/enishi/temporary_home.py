"""A folder for a run that leaves nothing behind."""

import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def temporary_home() -> Generator[Path]:
    """A folder that the database server's account can enter, too."""
    with tempfile.TemporaryDirectory(prefix="enishi-eval-") as folder:
        home = Path(folder)
        home.chmod(0o711)
        yield home
