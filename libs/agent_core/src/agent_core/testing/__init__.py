"""Stand-ins for tests of the loop and of what is built on it: scripted stages, a catalogue in memory, a clock."""

from agent_core.testing.memory import MemoryCatalogue, MemoryEdge, MemoryGraph, MemorySearch
from agent_core.testing.memory_documents import MemoryDocuments
from agent_core.testing.memory_references import MemoryReferences
from agent_core.testing.scripted import FakeClock, Play, Script, ScriptedStages, scripted

__all__ = [
    "FakeClock",
    "MemoryCatalogue",
    "MemoryDocuments",
    "MemoryEdge",
    "MemoryGraph",
    "MemoryReferences",
    "MemorySearch",
    "Play",
    "Script",
    "ScriptedStages",
    "scripted",
]
