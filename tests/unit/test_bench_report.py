"""What a benchmark leaves behind: the report's schema, pictures, tables, and areas kept for a run that goes on."""

import json
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from agent_evals.bench.checkpoint import Checkpoint
from agent_evals.bench.code import measured_code
from agent_evals.bench.context import Ratios
from agent_evals.bench.goals import judge
from agent_evals.bench.peers.packages import PeerMissing, peer_package
from agent_evals.bench.pictures import draw_area
from agent_evals.bench.report import AreaReport, BenchReport, Conditions, Machine, Refusal, Series, Timing
from enishi.commands.bench_table import bench_tables
from pydantic import ValidationError
from rich.console import Console

OURS = Timing(contender="enishi", blocks=5, calls=500, p50_us=50.0, p99_us=100.0, floor_p50_us=20.0, p50_over_floor=2.5)
PEER = OURS.model_copy(update={"contender": "peer <1>", "p50_us": 500.0, "p99_us": 4000.0, "p50_over_floor": 25.0})
SERIES = Series(
    name="short",
    queries=100,
    timings=(OURS, PEER),
    refusals=(Refusal(contender="other", reason="answers otherwise"),),
    floor_p50_us=20.0,
    floor_spread=0.3,
    contended=True,
    quality={"hit@10 enishi": 0.5},
)
QUIET = SERIES.model_copy(update={"name": "long", "contended": False})
AREA = AreaReport(area="typeahead", status="measured", series=(SERIES, QUIET))
MACHINE = Machine(
    processor="a processor",
    cores=2,
    usable_cores=2,
    cpu_flags=("avx2",),
    memory_gb=8.0,
    system="a system",
    interpreter="an interpreter",
    load_average=(0.1, 0.2, 0.3),
)
REPORT = BenchReport(
    conditions=Conditions(
        mode="quick",
        started_at="2026-12-01T00:00:00+00:00",
        seconds=12.0,
        seed=1,
        generator_version=1,
        catalogue_digest="abc",
        catalogue={"anime": 1},
        machine=MACHINE,
        versions={"asyncpg": "0.30"},
        missing=("ladybug",),
        settings={"server_version": "18"},
        pinned_core=1,
        rounds=5,
    ),
    contended=True,
    publishable=False,
    why_not_publishable=("contended",),
    areas=(AREA,),
    goals=judge([AREA]),
)


def test_a_report_is_read_back_as_it_was_written() -> None:
    assert BenchReport.model_validate_json(REPORT.to_json()) == REPORT
    content = json.loads(REPORT.to_json())
    assert content["version"] == 1
    assert {"goal", "value", "met", "why_not", "name"} <= content["goals"][0].keys()
    assert content["conditions"]["machine"]["cpu_flags"] == ["avx2"]


def test_a_report_has_no_unknown_parts() -> None:
    content = json.loads(REPORT.to_json()) | {"more": 1}
    with pytest.raises(ValidationError, match="more"):
        BenchReport.model_validate(content)


def test_a_picture_is_svg_with_a_bar_for_every_timing() -> None:
    root = ET.fromstring(draw_area(AREA, ours="enishi"))
    space = "{http://www.w3.org/2000/svg}"
    assert len(root.findall(f"{space}rect")) == 1 + 4
    texts = [element.text for element in root.findall(f"{space}text")]
    assert "peer <1>" in texts
    assert "short (100 queries, contended)" in texts
    ours, peer = (float(root.findall(f"{space}rect")[place].get("width") or 0) for place in (1, 2))
    assert 0 < ours < peer


def test_a_picture_of_nothing_says_why() -> None:
    picture = draw_area(AreaReport(area="graph", status="not_measured", why_not="no engine"), ours="enishi")
    assert "graph: no engine" in picture


def test_tables_name_contenders_refusals_and_goals() -> None:
    console = Console(width=200)
    with console.capture() as captured:
        for table in bench_tables(REPORT):
            console.print(table)
    shown = captured.get()
    for text in ("peer <1>", "answers otherwise", "typeahead p99", "not to be published: contended", "0 of 33 met"):
        assert text in shown, text


def test_ratios_carry_contention_and_reasons() -> None:
    ratios = Ratios((SERIES, QUIET))
    assert ratios.p50(("long", "peer <1>"), ("long", "enishi")).value == 10.0
    assert not ratios.p50(("long", "peer <1>"), ("long", "enishi")).contended
    assert ratios.p99(("short", "peer <1>"), ("long", "enishi")).value == 40.0
    assert ratios.p99(("short", "peer <1>"), ("long", "enishi")).contended
    assert ratios.over_floor("long", "enishi").value == 2.5
    assert ratios.p99_spread("enishi", ("short", "long")).value == 1.0
    assert ratios.p50(("long", "other"), ("long", "enishi")).why_not == "other: answers otherwise"
    assert ratios.p50(("long", "nobody"), ("long", "enishi")).why_not == "nobody: not measured"
    assert ratios.over_floor("middle", "enishi").why_not == "middle was not measured"


def test_a_finished_area_is_kept_for_the_same_run_only(tmp_path: Path) -> None:
    kept = Checkpoint(tmp_path, ["a 1"])
    assert kept.read("typeahead") is None
    kept.write(AREA)
    assert Checkpoint(tmp_path, ["a 1"]).read("typeahead") == AREA
    assert Checkpoint(tmp_path, ["a 2"]).read("typeahead") is None
    kept.clear()
    assert kept.read("typeahead") is None
    assert list(tmp_path.iterdir()) == []


def test_a_kept_area_that_cannot_be_read_is_measured_again(tmp_path: Path) -> None:
    kept = Checkpoint(tmp_path, [])
    kept.write(AREA)
    next(tmp_path.glob("*/typeahead.json")).write_text('{"area": "ty', encoding="utf-8")
    assert kept.read("typeahead") is None


def test_a_missing_peer_is_named() -> None:
    with pytest.raises(PeerMissing, match="no_such_peer is not installed"):
        peer_package("no_such_peer")


def test_the_digest_of_measured_code_follows_a_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module = tmp_path / "measured_for_a_test" / "part" / "module.py"
    module.parent.mkdir(parents=True)
    (tmp_path / "measured_for_a_test" / "__init__.py").touch()
    module.write_text("A = 1\n", encoding="utf-8")
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    packages = ("measured_for_a_test", "missing_for_a_test")
    before = measured_code(packages)
    assert measured_code(packages) == before
    module.write_text("A = 2\n", encoding="utf-8")
    assert measured_code(packages) != before
    assert measured_code() != measured_code(packages)
