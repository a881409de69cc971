"""Errors of importing and indexing that a caller can do something about."""

from collections.abc import Sequence


class IngestionError(Exception):
    """The base of all of them; the message is a sentence for a person."""


class NothingToImport(IngestionError):
    """There is no file or folder at the path."""


class UnreadableInput(IngestionError):
    """A file or a line that holds no usable JSON; the message says why. Reports carry it, imports go on."""


class UnreadableDocument(IngestionError):
    """A document that can't be taken: broken, or beyond a limit that the message names. Imports report it and go on."""


class NothingToExport(IngestionError):
    """The catalogue holds nothing from the source that was asked for."""

    def __init__(self, source: str, known: Sequence[str]) -> None:
        sources = f"its sources are {', '.join(known)}" if known else "it is empty"
        super().__init__(f"the catalogue holds nothing from '{source}'; {sources}")
        self.source = source


class PackageUnavailable(IngestionError):
    """A package that can't be had from its registry, or is not what the registry promised; the message says why."""


class ExportNotWritten(IngestionError):
    """The lines of an export can't be written where they should go; the message says why."""
