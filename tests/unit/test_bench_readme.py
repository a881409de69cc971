"""The table of goals in the README: what the published report gives, put there by a command."""

from pathlib import Path

import pytest
from agent_evals.bench.goals import judge
from agent_evals.bench.markdown import BEGIN, END, NO_REPORT, NoPlaceForTable, performance_table, with_table
from agent_evals.bench.report import AreaReport, BenchReport, Conditions, Machine, Measured
from enishi.commands.bench_readme import run_bench_table
from enishi.commands.errors import UsageError

ROOT = Path(__file__).resolve().parents[2]
MET, MISSED = "typos: hit@10", "typos: tantivy fuzzy / ours p50"
AREA = AreaReport(area="typeahead", status="measured", measured={MET: Measured(value=0.9), MISSED: Measured(value=2.5)})
REPORT = BenchReport(
    conditions=Conditions(
        mode="full",
        started_at="2026-12-01T00:00:00+00:00",
        seconds=1200.0,
        seed=7,
        generator_version=1,
        catalogue_digest="abc",
        catalogue={"anime": 1},
        machine=Machine(
            processor="a processor",
            cores=2,
            usable_cores=2,
            cpu_flags=("avx2",),
            memory_gb=8.0,
            system="a system",
            interpreter="Python 3.12.1, compiled with profiles",
            load_average=(0.1, 0.2, 0.3),
        ),
        versions={},
        missing=(),
        settings={"server_version": "18.1"},
        pinned_core=1,
        rounds=5,
    ),
    contended=True,
    publishable=False,
    why_not_publishable=("contended",),
    areas=(AREA,),
    goals=judge([AREA]),
)


def test_the_readme_says_what_the_published_report_says() -> None:
    file = ROOT / "docs" / "benchmarks.json"
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    table = performance_table(BenchReport.model_validate_json(file.read_bytes())) if file.exists() else NO_REPORT
    assert with_table(readme, table) == readme


def test_losses_stand_in_the_table_like_wins() -> None:
    table = performance_table(REPORT).splitlines()
    assert f"| {MET} | at least 0.6 | 0.9 | met |" in table
    assert f"| {MISSED} | at least 8 | 2.5 | **missed**: 2.5, at least 8 wanted |" in table
    assert sum(line.startswith("| ") for line in table) == 1 + len(REPORT.goals)
    assert table[-1] == (
        f"1 of {len(REPORT.goals)} goals met by `enishi bench full` on 2026-12-01: a processor, 2 cores, "
        "Python 3.12.1, compiled with profiles, PostgreSQL 18.1, seed 7, 20 min, contended: something else used the "
        "machine meanwhile."
    )


async def test_the_command_writes_the_table_to_its_place_or_to_standard_output(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, document = tmp_path / "report.json", tmp_path / "README.md"
    file.write_text(REPORT.to_json(), encoding="utf-8")
    document.write_text(f"before\n{BEGIN}\nold\n{END}\nafter\n", encoding="utf-8")
    assert await run_bench_table(file, document) == 0
    written = document.read_text(encoding="utf-8")
    assert written == f"before\n{BEGIN}\n{performance_table(REPORT)}\n{END}\nafter\n"
    assert await run_bench_table(file, document) == 0
    assert document.read_text(encoding="utf-8") == written
    assert await run_bench_table(file, None) == 0
    assert capsys.readouterr().out == performance_table(REPORT) + "\n"


@pytest.mark.parametrize("document", ["", f"{BEGIN}\n", f"{END}\n{BEGIN}\n", f"{BEGIN}\n{END}\n{BEGIN}\n{END}\n"])
def test_a_document_needs_one_place_for_the_table(document: str) -> None:
    with pytest.raises(NoPlaceForTable):
        with_table(document, "table")


async def test_what_is_no_report_and_what_has_no_place_is_said(tmp_path: Path) -> None:
    file, document = tmp_path / "report.json", tmp_path / "README.md"
    with pytest.raises(UsageError, match="can't be read"):
        await run_bench_table(file, None)
    file.write_text("{}", encoding="utf-8")
    with pytest.raises(UsageError, match="no report"):
        await run_bench_table(file, None)
    file.write_text(REPORT.to_json(), encoding="utf-8")
    document.write_text("nothing", encoding="utf-8")
    with pytest.raises(UsageError, match="once each"):
        await run_bench_table(file, document)
