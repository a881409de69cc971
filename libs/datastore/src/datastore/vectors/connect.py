"""Which vector store a process talks to: a server, or the owner of the embedded one."""

from pathlib import Path

from datastore.vectors.owned import OwnedVectorStore
from datastore.vectors.protocol import VectorStore


def connect_vector_store(*, url: str | None, api_key: str | None = None, socket: Path | None = None) -> VectorStore:
    """The store on the server at `url` when there is one, else the one behind `socket`. Nothing is sent yet.

    Raises:
        ValueError: neither is given.
    """
    if url:
        # The client of a server takes longer to import than the rest together, and the embedded stack needs none of it.
        from datastore.vectors.server import open_qdrant_store

        return open_qdrant_store(url, api_key=api_key)
    if socket is None:
        raise ValueError("a vector store needs the address of a server or the socket of an owner")
    return OwnedVectorStore(socket)
