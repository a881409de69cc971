"""How the Makefile finds Python and uv on machines of different kinds; the machines are folders of small scripts."""

import subprocess
import sys
from pathlib import Path

import pytest

CI = Path(__file__).parents[2] / ".ci"
NEW, OLD, SHIM = f'exec {sys.executable} "$@"', "exit 1", "echo 'pyenv: python: command not found' >&2; exit 127"
NO_UV = "exit 2"


def put(folder: Path, name: str, body: str) -> Path:
    """An executable script."""
    folder.mkdir(parents=True, exist_ok=True)
    script = folder / name
    script.write_text(f"#!/bin/sh\n{body}\n", encoding="utf-8")
    script.chmod(0o755)
    return script


def run(script: str, path: Path, *arguments: str, **environment: str) -> "subprocess.CompletedProcess[str]":
    """Run one of the scripts with nothing but `path` to find programs in."""
    return subprocess.run(
        ["/bin/sh", CI / script, *arguments],
        env={"PATH": str(path), "HOME": str(path / "home"), **environment},
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )


def test_a_new_enough_system_python_is_taken(tmp_path: Path) -> None:
    put(tmp_path, "python3", NEW)
    found = run("find-python", tmp_path, str(put(tmp_path, "uv", NO_UV)))
    assert found.stdout.strip() == sys.executable


def test_a_pyenv_version_is_found_behind_shims_that_do_not_answer(tmp_path: Path) -> None:
    for shim in ("python3", "python3.12", "python3.13"):
        put(tmp_path, shim, SHIM)
    pyenv_python = put(tmp_path / "home" / ".pyenv" / "versions" / "3.12.1" / "bin", "python", NEW)
    found = run("find-python", tmp_path, str(put(tmp_path, "uv", NO_UV)))
    assert found.stdout.strip() == str(pyenv_python)


def test_pyenv_is_found_by_its_shims_when_home_is_another(tmp_path: Path) -> None:
    shims = tmp_path / "pyenv" / "shims"
    put(shims, "python3", SHIM)
    pyenv_python = put(tmp_path / "pyenv" / "versions" / "3.13.0" / "bin", "python", NEW)
    found = run("find-python", shims, str(put(tmp_path, "uv", NO_UV)))
    assert found.stdout.strip() == str(pyenv_python)


def test_a_python_that_uv_manages_is_the_last_resort(tmp_path: Path) -> None:
    put(tmp_path, "python3", OLD)
    uv = put(tmp_path, "uv", 'case "$*" in "python find"*) echo /managed/python3.12;; *) exit 2;; esac')
    assert run("find-python", tmp_path, str(uv)).stdout.strip() == "/managed/python3.12"


def test_the_callers_choice_wins(tmp_path: Path) -> None:
    put(tmp_path, "python3", NEW)
    assert run("find-python", tmp_path, UV_PYTHON="/mine/python").stdout.strip() == "/mine/python"


def test_without_any_python_one_sentence_says_what_to_do(tmp_path: Path) -> None:
    put(tmp_path, "python3", OLD)
    found = run("find-python", tmp_path, str(put(tmp_path, "uv", NO_UV)))
    assert found.returncode == 1
    assert found.stdout == ""
    assert len(found.stderr.strip().splitlines()) == 1
    assert "needs Python 3.12 or newer" in found.stderr
    assert "UV_PYTHON" in found.stderr


def test_uv_on_the_path_is_taken(tmp_path: Path) -> None:
    uv = put(tmp_path, "uv", NO_UV)
    put(tmp_path, "dirname", 'exec /usr/bin/dirname "$@"')
    assert run("find-uv", tmp_path).stdout.strip() == str(uv)


@pytest.mark.parametrize("name", ["run", "find-python", "find-uv"])
def test_the_scripts_are_executable(name: str) -> None:
    assert (CI / name).stat().st_mode & 0o111
