"""Switches guards off, one at a time, in a copy of the tree; the test that each names must then turn red.

Run by `make mutants`; arguments are names of mutants, all of them by default. Exits non-zero when a mutant survives,
when a test is red without one, or when a mutant no longer fits the code. The work tree is never written to.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Generator, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Self

ROOT = Path(__file__).parents[2]
CATALOGUE = Path(__file__).with_name("mutants.toml")
_NOT_COPIED = shutil.ignore_patterns(
    ".git", ".venv", ".tools", ".*_cache", ".hypothesis", "__pycache__", "node_modules", "*.egg-info"
)
_PYTEST = ("-q", "-x", "-p", "no:cacheprovider", "-p", "no:xdist", "--no-header", "--timeout=60")
_TIMEOUT_SECONDS = 180.0
_TESTS_FAILED = 1
_TREES = 2


class MutantError(ValueError):
    """A mutant can't be applied; the text says which and why."""


class Fate(StrEnum):
    """What became of a mutant. Only `killed` is good; `broken` means that no test came to run."""

    KILLED = "killed"
    SURVIVED = "survived"
    BROKEN = "broken"


@dataclass(frozen=True, slots=True)
class Edit:
    """One place of a guard, and what is there without it."""

    file: str
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Mutant:
    """One guard, in one or several places, and the test that must notice when it is gone."""

    name: str
    test: str
    edits: tuple[Edit, ...]

    @classmethod
    def of(cls, name: str, test: str, edit: Iterable[Mapping[str, str]]) -> Self:
        """A mutant as its file writes it."""
        return cls(name, test, tuple(Edit(**each) for each in edit))

    def apply(self, root: Path) -> dict[Path, str]:
        """The new text of every file under `root` that the mutant touches; nothing is written.

        Raises:
            MutantError: a part of the guard is not there exactly once.
        """
        texts: dict[Path, str] = {}
        for edit in self.edits:
            file = root / edit.file
            text = texts[file] if file in texts else file.read_text(encoding="utf-8")
            count = text.count(edit.old)
            if count != 1:
                raise MutantError(f"{self.name}: its text is in {edit.file} {count} times, not once")
            texts[file] = text.replace(edit.old, edit.new)
        return texts


def load(path: Path) -> tuple[Mutant, ...]:
    """The mutants of a TOML file.

    Raises:
        MutantError: a name occurs twice.
    """
    mutants = tuple(Mutant.of(**entry) for entry in tomllib.loads(path.read_text(encoding="utf-8"))["mutant"])
    if len({mutant.name for mutant in mutants}) != len(mutants):
        raise MutantError("two mutants have the same name")
    return mutants


class Tree:
    """A copy of the repository whose packages shadow the installed ones."""

    def __init__(self, root: Path) -> None:
        self.root = root

    @classmethod
    def copied(cls, target: Path) -> Self:
        """The repository as it is now, copied to `target`."""
        shutil.copytree(ROOT, target, ignore=_NOT_COPIED)
        return cls(target)

    @contextmanager
    def mutated(self, mutant: Mutant) -> Generator[None]:
        """The tree without one guard, for as long as the block runs."""
        mutated = mutant.apply(self.root)
        texts = {file: file.read_text(encoding="utf-8") for file in mutated}
        try:
            for file, text in mutated.items():
                file.write_text(text, encoding="utf-8")
            yield
        finally:
            for file, text in texts.items():
                file.write_text(text, encoding="utf-8")

    def run(self, tests: Sequence[str]) -> tuple[int, str]:
        """pytest's exit code and output; 124 when it did not end in time."""
        sources = sorted(str(path) for pattern in ("libs/*/src", "apps/*/src") for path in self.root.glob(pattern))
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sources)}
        command = [sys.executable, "-m", "pytest", *_PYTEST, *tests]
        try:
            done = subprocess.run(
                command,
                cwd=self.root,
                env=environment,
                capture_output=True,
                text=True,
                timeout=_TIMEOUT_SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return 124, "did not end in time"
        return done.returncode, done.stdout + done.stderr


def fate_of(exit_code: int) -> Fate:
    """What pytest's exit code says about a mutant: a failed test kills it, an error before any test does not."""
    if exit_code == 0:
        return Fate.SURVIVED
    return Fate.KILLED if exit_code == _TESTS_FAILED else Fate.BROKEN


def main(names: Sequence[str]) -> int:
    """The exit code of a whole run."""
    try:
        mutants = [mutant for mutant in load(CATALOGUE) if not names or mutant.name in names]
        for mutant in mutants:
            mutant.apply(ROOT)
    except MutantError as error:
        _say(str(error))
        return 2
    with tempfile.TemporaryDirectory(prefix="enishi-mutants-") as folder:
        # The test database runs under another account, which must be able to enter.
        Path(folder).chmod(0o755)
        trees = [Tree.copied(Path(folder) / str(number)) for number in range(_TREES)]
        code, output = trees[0].run(sorted({mutant.test for mutant in mutants}))
        if code != 0:
            _say(f"{output}\nthe tests are red without any mutant")
            return 2
        with ThreadPoolExecutor(max_workers=_TREES) as pool:
            shares = [pool.submit(_try_all, tree, mutants[place::_TREES]) for place, tree in enumerate(trees)]
            fates = [fate for share in shares for fate in share.result()]
    survivors = sum(fate is not Fate.KILLED for fate in fates)
    _say(f"{len(fates) - survivors} of {len(fates)} killed")
    return 1 if survivors else 0


def _try_all(tree: Tree, mutants: Sequence[Mutant]) -> list[Fate]:
    return [_try(tree, mutant) for mutant in mutants]


def _try(tree: Tree, mutant: Mutant) -> Fate:
    started = time.monotonic()
    with tree.mutated(mutant):
        code, output = tree.run([mutant.test])
    fate = fate_of(code)
    line = f"{fate.value:<10}{mutant.name:<34}{time.monotonic() - started:>6.1f} s  {mutant.test}"
    _say(f"{line}\n{output}" if fate is Fate.BROKEN else line)
    return fate


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
