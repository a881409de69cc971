"""Importing contracts and the loop costs no model framework."""

import subprocess
import sys

import pytest

HEAVY = ("atomic_agents", "instructor", "openai", "litellm", "sqlalchemy", "qdrant_client", "grpc")


@pytest.mark.parametrize(
    "module",
    [
        "agent_core.schemas",
        "agent_core.protocols",
        "agent_core.orchestrator",
        "agent_core.grounding",
        "agent_core.testing",
        "agent_core.llm.providers",
    ],
)
def test_importing_it_leaves_the_frameworks_alone(module: str) -> None:
    code = f"import {module}, sys; print(*[name for name in {HEAVY!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.split() == []


def test_the_model_framework_leaves_litellm_alone() -> None:
    code = "import agent_core.llm.stage_runner, agent_core.agents.answer, sys; print('litellm' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.strip() == "False"
