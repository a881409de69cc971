"""The demo catalogue that ships with Enishi, and the articles about its works."""

from importlib.resources import files
from pathlib import Path


def demo_catalogue_files() -> list[Path]:
    """The interchange files of the demo catalogue, in name order."""
    folder = Path(str(files(__name__) / "catalogue"))
    return sorted(folder.glob("*.jsonl"))


def demo_catalogue_folder() -> Path:
    """The folder of the demo catalogue's interchange files."""
    return Path(str(files(__name__) / "catalogue"))


def demo_documents_folder() -> Path:
    """The folder of the demo documents: articles of an invented magazine and rules of an invented archive."""
    return Path(str(files(__name__) / "documents"))
