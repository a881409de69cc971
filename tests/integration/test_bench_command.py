"""`enishi bench quick` end to end: everything is measured or says why it is not. No time is asserted."""

import json
from pathlib import Path

import pytest
from agent_evals.bench.context import BenchContext
from agent_evals.bench.goals import GOALS, GRAPH, TYPEAHEAD
from agent_evals.bench.harness import Plan
from agent_evals.bench.report import AreaReport, BenchReport, Series
from agent_evals.bench.run import Area, RunOptions, not_measured
from agent_evals.bench.scale import FULL
from enishi.commands import bench
from enishi.commands.bench import run_bench_full, run_bench_quick
from enishi.commands.errors import UsageError
from enishi.settings import Settings


def names_in(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


@pytest.mark.slow
@pytest.mark.timeout(600)
async def test_quick_reports_every_goal_and_draws_every_area(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = Settings(home=tmp_path / "home", cache=tmp_path / "cache")
    assert await run_bench_quick(settings, as_json=True, pictures=tmp_path / "pictures") == 0
    report = BenchReport.model_validate(json.loads(capsys.readouterr().out))
    assert [goal.name for goal in report.goals] == [spec.name for spec in GOALS]
    assert all(goal.met or goal.why_not for goal in report.goals)
    assert not report.publishable
    assert report.conditions.catalogue["anime"] == 500
    assert {area.area: [series.name for series in area.series] for area in report.areas} == {
        "typeahead": ["1-2 chars", "3-8 chars", "native", "typo"],
        "graph": ["neighbours", "k_hop(2)", "k_hop(3)", "path up to 4 hops"],
        "vectors": ["unfiltered", "filtered"],
        "embeddings": ["one query"],
        "http": ["search"],
        "nested": ["20 entities x 5 nested"],
        "orchestration": ["one run"],
        "AI lane": ["whole runs"],
        "cold start": ["starts"],
    }
    for area in report.areas[:3]:
        for series in area.series:
            assert "enishi" in {timing.contender for timing in series.timings}, series.refusals
    assert names_in(tmp_path / "pictures") == {f"quick.{area.area.replace(' ', '-')}.svg" for area in report.areas}
    assert not (tmp_path / "cache").exists()


async def test_a_report_that_cannot_be_written_is_said_before_anything_runs(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="can't be written"):
        await run_bench_full(Settings(home=tmp_path, cache=tmp_path), tmp_path / "missing" / "report.json")
    with pytest.raises(UsageError, match="can't be written"):
        # A folder that takes no files, whoever asks.
        await run_bench_full(Settings(home=tmp_path, cache=tmp_path), Path("/proc/report.json"))
    (tmp_path / "taken").touch()
    with pytest.raises(UsageError, match=r"--pictures: .*in can't be a folder"):
        await run_bench_quick(Settings(home=tmp_path, cache=tmp_path), as_json=True, pictures=tmp_path / "taken" / "in")
    with pytest.raises(UsageError, match="telepathy is none of typeahead, graph"):
        await run_bench_full(Settings(home=tmp_path, cache=tmp_path), tmp_path / "x", areas=["Telepathy", "graph"])


async def test_a_full_run_that_was_cut_short_goes_on_with_the_next_area(
    tmp_path: Path, reachable_folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked: list[str] = []

    def area(name: str, *, fails: bool = False) -> Area:
        async def measure(context: BenchContext) -> AreaReport:
            asked.append(name)
            # Fails where a run that was cut short has left its own.
            (context.folder / name).mkdir()
            if fails:
                raise RuntimeError("cut short")
            return not_measured(name, f"{context.catalogue.scale.anime} anime are too few")

        return measure

    options = RunOptions("full", FULL.divided_by(5_000), Plan(rounds=1), queries=5)
    monkeypatch.setattr(bench, "FULL_RUN", options)
    settings = Settings(home=tmp_path, cache=reachable_folder)
    file = tmp_path / "report.json"
    monkeypatch.setattr(bench, "AREAS", {TYPEAHEAD: area(TYPEAHEAD), GRAPH: area(GRAPH, fails=True)})
    with pytest.raises(RuntimeError, match="cut short"):
        await run_bench_full(settings, file)
    assert not file.exists()
    monkeypatch.setattr(bench, "AREAS", {TYPEAHEAD: area(TYPEAHEAD), GRAPH: area(GRAPH)})
    assert await run_bench_full(settings, file) == 0
    assert asked == [TYPEAHEAD, GRAPH, GRAPH]
    report = BenchReport.model_validate_json(file.read_bytes())
    assert report.conditions.mode == "full"
    assert report.conditions.load_stages == {}
    assert [each.area for each in report.areas] == [TYPEAHEAD, GRAPH]
    assert report.goals[0].why_not == "not measured: 10 anime are too few"
    assert names_in(tmp_path) == {"report.json", "report.typeahead.svg", "report.graph.svg"}
    assert "graph: not measured" in capsys.readouterr().out
    asked.clear()
    assert await run_bench_full(settings, file, areas=["Graph"]) == 0
    assert asked == [GRAPH]
    part = BenchReport.model_validate_json(file.read_bytes())
    assert [each.area for each in part.areas] == [GRAPH]
    assert "areas were left out: typeahead, http" in part.why_not_publishable[-1]
    # What a part has measured counts for the whole; the whole has forgotten the run before.
    assert await run_bench_full(settings, file) == 0
    assert asked == [GRAPH, TYPEAHEAD]


async def test_after_a_full_run_contended_areas_are_measured_again_and_no_others(
    tmp_path: Path, reachable_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    busy = {TYPEAHEAD: False, GRAPH: True}

    def area(name: str) -> Area:
        async def measure(_: BenchContext) -> AreaReport:
            asked.append(name)
            return AreaReport(
                area=name, status="measured", seconds=1, series=(Series(name="x", queries=1, contended=busy[name]),)
            )

        return measure

    monkeypatch.setattr(bench, "FULL_RUN", RunOptions("full", FULL.divided_by(5_000), Plan(rounds=1), queries=5))
    monkeypatch.setattr(bench, "AREAS", {TYPEAHEAD: area(TYPEAHEAD), GRAPH: area(GRAPH)})
    settings = Settings(home=tmp_path, cache=reachable_folder)
    file = tmp_path / "report.json"
    await run_bench_full(settings, file)
    busy[GRAPH] = False
    await run_bench_full(settings, file)
    assert asked == [TYPEAHEAD, GRAPH, GRAPH]
    assert not BenchReport.model_validate_json(file.read_bytes()).contended
    # A quiet run leaves nothing to the next one.
    await run_bench_full(settings, file)
    assert asked == [TYPEAHEAD, GRAPH, GRAPH, TYPEAHEAD, GRAPH]
