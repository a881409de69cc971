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


def demo_documents_files() -> list[Path]:
    """The files of the demo documents, in the order of their collections and names."""
    return [path for folder in demo_documents_folders().values() for path in sorted(folder.glob("*.md"))]


def demo_documents_folders() -> dict[str, Path]:
    """The folders of the demo documents by collection: an invented magazine, and the rules of an invented archive."""
    folder = Path(str(files(__name__) / "documents"))
    return {each.name: each for each in sorted(folder.iterdir()) if each.is_dir() and each.name.isidentifier()}
