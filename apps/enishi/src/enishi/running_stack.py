"""What a command may use of a stack, its own or one that runs already."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from enishi.stack_state import StackState

if TYPE_CHECKING:
    from datastore.postgres.engine import ReadWriteEngine
    from ingestion.index_sync import IndexRelay


@dataclass(frozen=True, slots=True)
class RunningStack:
    """Where it can be reached, its catalogue for writing, and what brings its index up to date."""

    state: StackState
    writer: "ReadWriteEngine"
    relay: "IndexRelay"
