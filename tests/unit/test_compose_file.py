"""What the compose file and the Dockerfile promise, read without an engine."""

import re
from pathlib import Path
from typing import Any, cast

import pytest
import yaml

ROOT = Path(__file__).parents[2]
OWN_SERVICES = ("agent_service", "graphql_bff", "indexer", "migrate")


@pytest.fixture(scope="module")
def services() -> dict[str, dict[str, Any]]:
    document = cast("dict[str, Any]", yaml.safe_load((ROOT / "docker-compose.yaml").read_text(encoding="utf-8")))
    return document["services"]


def test_the_five_services_are_there(services: dict[str, dict[str, Any]]) -> None:
    assert {"postgres", "qdrant", "agent_service", "graphql_bff", "indexer"} <= services.keys()


def test_every_port_is_on_the_loopback_interface(services: dict[str, dict[str, Any]]) -> None:
    ports = [port for service in services.values() for port in service.get("ports", [])]
    assert len(ports) == 5
    assert all(port.startswith("127.0.0.1:") for port in ports)


def test_no_password_is_written_down(services: dict[str, dict[str, Any]]) -> None:
    for service in services.values():
        for name, value in service.get("environment", {}).items():
            if re.search("PASSWORD|TOKEN|KEY|DSN", name):
                assert re.search(r"\$\{ENISHI_[A-Z_]+:[?-]", value), name


def test_services_wait_for_what_they_need_to_be_healthy(services: dict[str, dict[str, Any]]) -> None:
    assert services["migrate"]["depends_on"] == {"postgres": {"condition": "service_healthy"}}
    for name in ("agent_service", "graphql_bff", "indexer"):
        needs = services[name]["depends_on"]
        assert needs["migrate"] == {"condition": "service_completed_successfully"}
        others = {need: condition for need, condition in needs.items() if need != "migrate"}
        assert others
        assert all(condition == {"condition": "service_healthy"} for condition in others.values())
    for name in ("postgres", "qdrant", "agent_service", "graphql_bff"):
        assert services[name]["healthcheck"]["test"], name


def test_own_containers_have_no_privileges(services: dict[str, dict[str, Any]]) -> None:
    for name in OWN_SERVICES:
        assert services[name]["read_only"] is True
        assert services[name]["cap_drop"] == ["ALL"]
        assert "privileged" not in services[name]


def test_the_image_runs_as_an_unprivileged_user() -> None:
    lines = (ROOT / "Dockerfile").read_text(encoding="utf-8").splitlines()
    users = [line.split()[1] for line in lines if line.startswith("USER ")]
    assert users == ["enishi"]
    assert lines.index("USER enishi") < next(n for n, line in enumerate(lines) if line.startswith("CMD"))


def test_commands_exist_as_entry_points(services: dict[str, dict[str, Any]]) -> None:
    scripts: set[str] = set()
    for pyproject in (ROOT / "apps").glob("*/pyproject.toml"):
        scripts |= set(re.findall(r"^(enishi[a-z-]*) = ", pyproject.read_text(encoding="utf-8"), re.MULTILINE))
    assert {services[name]["command"][0] for name in OWN_SERVICES} <= scripts
