"""The loop: rewrite, gate, select, retrieve, observe, draft, judge, finalize. It knows protocols only."""

from references.following import FollowLimits

from agent_core.orchestrator.conversation import Conversation
from agent_core.orchestrator.loop import Orchestrator
from agent_core.orchestrator.options import LoopOptions, Sources

__all__ = ["Conversation", "FollowLimits", "LoopOptions", "Orchestrator", "Sources"]
