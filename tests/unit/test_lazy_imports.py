"""Importing contracts and the loop costs no model framework."""

import importlib
import subprocess
import sys

HEAVY = ("atomic_agents", "instructor", "openai", "litellm", "sqlalchemy", "qdrant_client", "grpc")
OF_PICTURES = ("PIL", "httpcore")


LIGHT = (
    "agent_core.schemas",
    "agent_core.protocols",
    "agent_core.orchestrator",
    "agent_core.grounding",
    "agent_core.testing",
    "agent_core.llm.providers",
)


def test_importing_them_leaves_the_frameworks_alone() -> None:
    code = (
        "import importlib, sys\n"
        f"for module in {LIGHT!r}:\n"
        "    importlib.import_module(module)\n"
        f"    print(*[(module, name) for name in {HEAVY!r} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.split() == []


def test_the_model_framework_leaves_litellm_alone() -> None:
    for module in ("agent_core.llm.stage_runner", "agent_core.agents.answer"):
        importlib.import_module(module)
    # Nothing that was imported before them in this process may have done so either.
    assert "litellm" not in sys.modules


def test_a_start_that_can_look_at_pictures_imports_nothing_for_them() -> None:
    code = (
        "import sys; import agent_core.bootstrap; from embeddings.images.opening import open_image_embedder; "
        "from embeddings.images.options import ImageOptions; from pathlib import Path; "
        "assert open_image_embedder(ImageOptions(cache=Path('.'))).identity.dimensions; "
        f"print(*[name for name in {OF_PICTURES!r} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.split() == []
