"""The runner of mutants: it applies what fits exactly once and leaves the tree as it was."""

from pathlib import Path

import pytest
from mutants.run import CATALOGUE, ROOT, Edit, Fate, Mutant, MutantError, Tree, fate_of, load


@pytest.fixture
def file(tmp_path: Path) -> Path:
    file = tmp_path / "guard.py"
    file.write_text("a\nstop\nhalt\nhalt\n", encoding="utf-8")
    return file


def mutant(*edits: tuple[str, str]) -> Mutant:
    return Mutant("guard", "tests/x.py::test_x", tuple(Edit("guard.py", old, new) for old, new in edits))


def test_every_place_of_a_guard_is_replaced(file: Path) -> None:
    edited = mutant(("stop", "go"), ("a\ngo", "b")).apply(file.parent)
    assert edited == {file: "b\nhalt\nhalt\n"}
    assert file.read_text(encoding="utf-8") == "a\nstop\nhalt\nhalt\n"


@pytest.mark.parametrize(("old", "count"), [("wait", 0), ("halt", 2)])
def test_a_guard_that_is_not_there_once_is_refused(file: Path, old: str, count: int) -> None:
    with pytest.raises(MutantError, match=rf"^guard: its text is in guard\.py {count} times, not once$"):
        mutant(("stop", "go"), (old, "go")).apply(file.parent)


def test_the_tree_is_restored_even_after_an_error(file: Path) -> None:
    seen: list[str] = []

    def read_and_fail() -> None:
        with Tree(file.parent).mutated(mutant(("stop", "go"))):
            seen.append(file.read_text(encoding="utf-8"))
            raise RuntimeError

    with pytest.raises(RuntimeError):
        read_and_fail()
    assert seen == ["a\ngo\nhalt\nhalt\n"]
    assert file.read_text(encoding="utf-8") == "a\nstop\nhalt\nhalt\n"


def test_only_a_failed_test_kills() -> None:
    assert [fate_of(code) for code in (0, 1, 2, 4, 5, 124)] == [
        Fate.SURVIVED,
        Fate.KILLED,
        Fate.BROKEN,
        Fate.BROKEN,
        Fate.BROKEN,
        Fate.BROKEN,
    ]


def test_two_mutants_of_one_name_are_refused(tmp_path: Path) -> None:
    entry = '[[mutant]]\nname = "a"\ntest = "t"\nedit = []\n'
    (tmp_path / "m.toml").write_text(entry + entry, encoding="utf-8")
    with pytest.raises(MutantError, match="the same name"):
        load(tmp_path / "m.toml")


def test_every_listed_mutant_fits_the_code_and_names_an_existing_test() -> None:
    for listed in load(CATALOGUE):
        listed.apply(ROOT)
        path, _, name = listed.test.partition("::")
        assert f"def {name.partition('[')[0]}(" in (ROOT / path).read_text(encoding="utf-8"), listed.name


def test_ten_guards_at_least_are_listed() -> None:
    assert len(load(CATALOGUE)) >= 10
