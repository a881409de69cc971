"""What is dear to make for a benchmark is made once, and anew as soon as anything that it was made with differs."""

from pathlib import Path

import pytest
from agent_evals.bench.kept import Keep, digest_of
from agent_evals.bench.phases import Phases


def test_a_folder_is_made_once_for_what_it_is_made_with(tmp_path: Path) -> None:
    made: list[str] = []

    def make(folder: Path) -> None:
        made.append(folder.name)
        (folder / "index").write_text(f"number {len(made)}", encoding="utf-8")

    for version in ("1", "1", "2", "2", "1"):
        (Keep(tmp_path).folder("peer", [version, b"data"], make) / "index").read_text(encoding="utf-8")
    other = Keep(tmp_path).folder("other", [], make)
    assert made == ["peer-unfinished"] * 3 + ["other-unfinished"]
    kept = {path.name: (path / "index").read_text(encoding="utf-8") for path in tmp_path.iterdir()}
    assert kept == {f"peer-{digest_of(['1', b'data'])}": "number 3", other.name: "number 4"}


def test_what_was_left_unfinished_is_made_anew(tmp_path: Path) -> None:
    def fail(folder: Path) -> None:
        (folder / "half").touch()
        raise RuntimeError("cut short")

    with pytest.raises(RuntimeError, match="cut short"):
        Keep(tmp_path).folder("peer", ["1"], fail)
    kept = Keep(tmp_path).folder("peer", ["1"], lambda folder: (folder / "whole").touch())
    assert [path.name for path in kept.iterdir()] == ["whole"]


def test_parts_of_a_digest_do_not_run_together() -> None:
    assert digest_of(["ab", "c"]) == digest_of([b"ab", "c"]) != digest_of(["a", "bc"])


def test_a_phase_lasts_until_the_next_one_and_adds_up() -> None:
    times = iter([0.0, 1.0, 3.0, 7.0, 7.5])
    said: list[str] = []
    phases = Phases(said.append, lambda: next(times))
    for phase in ("building", "timing", "building"):
        phases.begin(phase)
    assert phases.end() == {"building": 2.5, "timing": 4.0}
    assert said == ["building", "timing", "building"]
