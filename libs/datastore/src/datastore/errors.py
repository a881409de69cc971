"""What can go wrong in storage: one base, facts as attributes; no driver's text leaves this package."""


class DatastoreError(Exception):
    """Base of every error that datastore raises."""


class DatabaseUnavailable(DatastoreError):
    """PostgreSQL could not be reached or didn't answer in time (`timed_out`). The driver's error is the cause."""

    def __init__(self, *, timed_out: bool) -> None:
        super().__init__(f"the database {'did not answer in time' if timed_out else 'is unavailable'}")
        self.timed_out = timed_out


class VectorStoreUnavailable(DatastoreError):
    """The vector store could not be reached, is too busy, or didn't answer in time. Trying again may help."""

    def __init__(self, *, timed_out: bool = False) -> None:
        super().__init__("vector store did not answer in time" if timed_out else "vector store is unavailable")
        self.timed_out = timed_out


class VectorStoreRefused(DatastoreError):
    """The vector store will not do what was asked, however often it is asked. `reason` says why, in our words."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class CollectionMissing(VectorStoreRefused):
    """No collection and no alias has this name."""

    def __init__(self, name: str) -> None:
        super().__init__(f"no collection or alias is named '{name}'")
        self.name = name
