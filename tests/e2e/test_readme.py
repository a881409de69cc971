"""The README's first queries, taken out of it and run as they stand but for the addresses of the test's own stack."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from agent_core.schemas import AgentResponse
from fixtures.stack import ENISHI, Home

pytestmark = [pytest.mark.timeout(900)]

ROOT = Path(__file__).parents[2]
_BLOCK = re.compile(r"^```(bash|python)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def first_queries() -> list[tuple[str, str]]:
    """Language and text of each example below the heading."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    section = readme.split("## First queries", 1)[1].split("\n## ", 1)[0]
    return [(match[1], match[2]) for match in _BLOCK.finditer(section)]


def shell_commands() -> list[str]:
    """Every command of the bash examples; one that goes over several lines is whole."""
    commands: list[str] = []
    for language, text in first_queries():
        if language == "bash":
            is_one = text.startswith("curl")
            commands += [text.strip()] if is_one else text.strip().splitlines()
    return commands


def on(home: Home, text: str) -> str:
    """The example with the addresses of this stack."""
    state = home.state
    text = text.replace("http://127.0.0.1:8000/graphql", state["graphql_url"])
    return text.replace("127.0.0.1:50051", state["agent_target"]).replace("uv run enishi", str(ENISHI))


def run(home: Home, command: list[str]) -> str:
    done = subprocess.run(command, env=home.environment, capture_output=True, text=True, timeout=400, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_section_has_examples_of_each_kind() -> None:
    commands = shell_commands()
    assert sum("enishi ask" in command for command in commands) == 4
    assert sum(command.startswith("curl") for command in commands) == 2
    assert [language for language, _ in first_queries()].count("python") == 1


@pytest.mark.parametrize("command", [c for c in shell_commands() if "enishi" in c])
def test_command_line_examples(running_home: Home, command: str) -> None:
    output = run(running_home, ["/bin/sh", "-c", on(running_home, command)])

    if "--json" in command:
        for line in output.splitlines():
            response = AgentResponse.model_validate_json(line)
            assert response.sources, response.answer
    elif "enishi query" in command:
        assert "Shinichiro Watanabe" in output
        assert "1998" in output
    elif "doctor" in command:
        assert "failed" not in output
    else:
        assert "Evidence" in output


@pytest.mark.parametrize("command", [c for c in shell_commands() if c.startswith("curl")])
def test_graphql_examples(running_home: Home, command: str) -> None:
    if shutil.which("curl") is None:
        pytest.skip("curl is not installed")

    answer = json.loads(run(running_home, ["/bin/sh", "-c", on(running_home, command)]))

    assert "errors" not in answer, answer
    assert all(answer["data"].values())


def test_grpc_example(running_home: Home) -> None:
    text = next(text for language, text in first_queries() if language == "python")

    output = run(running_home, [sys.executable, "-c", on(running_home, text)])

    assert "Luffy" in output
    assert "Nami" in output
    assert "answered" in output
