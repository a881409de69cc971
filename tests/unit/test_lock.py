"""What the lock promises: nothing that nobody imports, floors kept, every artefact with a hash from a registry."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
LEFT_OUT = ("litellm", "textual", "pre-commit", "gitpython", "pyfiglet", "ty")
FLOORS = {"strawberry-graphql": (0, 327, 2), "starlette": (1, 3, 1), "h11": (0, 16), "grpcio": (1, 77)}


@pytest.fixture(scope="module")
def packages() -> list[dict[str, Any]]:
    return tomllib.loads((ROOT / "uv.lock").read_text(encoding="utf-8"))["package"]


def test_what_the_model_stack_drags_in_is_left_out(packages: list[dict[str, Any]]) -> None:
    assert {package["name"] for package in packages}.isdisjoint(LEFT_OUT)


def test_the_agent_framework_is_pinned(packages: list[dict[str, Any]]) -> None:
    assert next(package["version"] for package in packages if package["name"] == "atomic-agents") == "2.6.0"


@pytest.mark.parametrize(("name", "floor"), FLOORS.items())
def test_version_floors(packages: list[dict[str, Any]], name: str, floor: tuple[int, ...]) -> None:
    version = next(package["version"] for package in packages if package["name"] == name)
    assert tuple(int(part) for part in version.split(".")[: len(floor)]) >= floor


def test_every_artefact_has_a_hash_and_comes_from_a_registry(packages: list[dict[str, Any]]) -> None:
    for package in packages:
        source: dict[str, str] = package["source"]
        assert source.keys() <= {"registry", "editable", "virtual"}, package["name"]
        for artefact in [*package.get("wheels", []), *([package["sdist"]] if "sdist" in package else [])]:
            assert artefact["hash"].startswith("sha256:"), artefact
