"""The write guard against a model: whatever order and grouping writes arrive in, the newest of each id stands."""

import asyncio
import tempfile
from dataclasses import dataclass
from pathlib import Path
from uuid import UUID

from datastore.vectors.edge import open_edge_store
from datastore.vectors.protocol import CollectionSpec, DenseVector, Point, Tombstone
from hypothesis import given, settings
from hypothesis import strategies as st

SPEC = CollectionSpec("works", (DenseVector("text", 2),), ())


@dataclass(frozen=True, slots=True)
class Write:
    """One change of one id, in the order of `sequence`."""

    key: int
    sequence: int
    version: int
    is_delete: bool


WRITES = st.lists(
    st.builds(Write, st.integers(1, 4), st.integers(1, 6), st.integers(1, 6), st.booleans()),
    min_size=1,
    max_size=14,
    unique_by=lambda write: (write.key, write.sequence, write.version),
)


async def apply(folder: Path, batches: list[list[Write]]) -> dict[int, int]:
    """Write the batches, each to a store that was opened anew, and read what stands: version by id."""
    for batch in batches:
        store = await open_edge_store(folder)
        await store.ensure_collection(SPEC, timeout=10)
        points = [
            Point(UUID(int=w.key), w.version, "h", {}, {"text": [1, 0]}, {}, w.sequence)
            for w in batch
            if not w.is_delete
        ]
        tombstones = [Tombstone(UUID(int=w.key), w.version, w.sequence) for w in batch if w.is_delete]
        await store.upsert("works", points, timeout=10)
        await store.delete("works", tombstones, timeout=10)
        await store.close()
    store = await open_edge_store(folder)
    page = await store.scroll("works", start=None, limit=10, timeout=10)
    await store.close()
    return {stamp.id.int: stamp.version for stamp in page.stamps}


@settings(max_examples=25, deadline=None)
@given(WRITES, st.integers(1, 4))
def test_the_newest_write_stands(writes: list[Write], size: int) -> None:
    batches = [writes[start : start + size] for start in range(0, len(writes), size)]
    newest: dict[int, Write] = {}
    for write in writes:
        known = newest.get(write.key)
        if known is None or (write.sequence, write.version) > (known.sequence, known.version):
            newest[write.key] = write
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as folder:
        standing = asyncio.run(apply(Path(folder) / "store", batches))
    assert standing == {key: write.version for key, write in newest.items() if not write.is_delete}
