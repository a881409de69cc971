"""Errors of importing and indexing that a caller can do something about."""


class IngestionError(Exception):
    """The base of all of them; the message is a sentence for a person."""


class NothingToImport(IngestionError):
    """There is no file or folder at the path."""


class UnreadableInput(IngestionError):
    """A file or a line that holds no usable JSON; the message says why. Reports carry it, imports go on."""
