"""`enishi bench quick` end to end: everything is measured or says why it is not. No time is asserted."""

import json
from pathlib import Path

import pytest
from agent_evals.bench.goals import GOALS
from agent_evals.bench.report import BenchReport
from enishi.commands.bench import run_bench_full, run_bench_quick
from enishi.commands.errors import UsageError
from enishi.settings import Settings


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
        "cold start": ["starts"],
    }
    for area in report.areas[:3]:
        for series in area.series:
            assert "enishi" in {timing.contender for timing in series.timings}, series.refusals
    names = {path.name for path in (tmp_path / "pictures").iterdir()}
    assert names == {f"quick.{area.area.replace(' ', '-')}.svg" for area in report.areas}
    assert not (tmp_path / "cache").exists()


async def test_a_report_that_cannot_be_written_is_said_before_anything_runs(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="can't be written"):
        await run_bench_full(Settings(home=tmp_path, cache=tmp_path), tmp_path / "missing" / "report.json")
