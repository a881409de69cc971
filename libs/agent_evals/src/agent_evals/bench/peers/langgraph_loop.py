"""LangGraph: a graph of five stages in a row that hand on a state and do nothing else."""

from typing import Any, TypedDict

from agent_evals.bench.peers.packages import peer_package

NAME = "LangGraph, five empty stages"

_STAGES = ("rewrite", "select", "retrieve", "draft", "judge")


class _State(TypedDict):
    done: int


class LanggraphPeer:
    """A compiled graph."""

    def __init__(self) -> None:
        """Raises PeerMissing."""
        package = peer_package("langgraph.graph")
        graph: Any = package.StateGraph(_State)
        before = package.START
        for stage in _STAGES:
            graph.add_node(stage, _pass_on)
            graph.add_edge(before, stage)
            before = stage
        graph.add_edge(before, package.END)
        self._compiled: Any = graph.compile()

    async def run(self) -> int:
        """How many stages were passed."""
        state = await self._compiled.ainvoke({"done": 0})
        return int(state["done"])


async def _pass_on(state: _State) -> _State:
    return {"done": state["done"] + 1}
