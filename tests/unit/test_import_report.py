"""What an import report adds up to, and the exit status that scripts read."""

import json
from collections.abc import Callable

import pytest
from ingestion.report import (
    MAX_NAMED,
    Conflict,
    ExitStatus,
    ImportReport,
    Outcome,
    Place,
    RepairKind,
    ReportBuilder,
)
from ingestion.report_table import report_table
from rich.console import Console


def _builder() -> ReportBuilder:
    return ReportBuilder(format_name="interchange", source="demo")


def _kept(builder: ReportBuilder) -> None:
    builder.record_kept("anime", Outcome.UNCHANGED)


def _refused(builder: ReportBuilder) -> None:
    _kept(builder)
    builder.record_refused("format: unknown", place=Place(file="a.jsonl", line=3))


def _lossy(builder: ReportBuilder) -> None:
    _kept(builder)
    builder.repaired(RepairKind.SURROGATE_REPLACED)


def _harmless(builder: ReportBuilder) -> None:
    _kept(builder)
    builder.repaired(RepairKind.NUL_REMOVED)


def _waiting(builder: ReportBuilder) -> None:
    builder.links_waiting("demo", 1, ("a:anime:1",))


def _nothing(builder: ReportBuilder) -> None:
    builder.record_refused("not JSON")


@pytest.mark.parametrize(
    ("happen", "status", "code"),
    [
        (_kept, ExitStatus.OK, 0),
        (_harmless, ExitStatus.OK, 0),
        (_waiting, ExitStatus.OK, 0),
        (_refused, ExitStatus.PARTIAL, 1),
        (_lossy, ExitStatus.PARTIAL, 1),
        (_nothing, ExitStatus.NOTHING, 2),
    ],
)
def test_exit_status(happen: Callable[[ReportBuilder], None], status: ExitStatus, code: int) -> None:
    builder = _builder()
    happen(builder)
    assert builder.build().exit_status is status
    assert builder.build().exit_status.code == code


def test_lists_are_bounded_and_counts_exact() -> None:
    builder, part = _builder(), _builder()
    for number in range(MAX_NAMED):
        builder.record_refused("bad", place=Place(file="a.jsonl", line=number + 1))
        part.record_refused("bad")
    builder.absorb(part)
    report = builder.build()
    assert report.refused_count == 2 * MAX_NAMED
    assert len(report.refused) == MAX_NAMED


def test_absorbing_adds_every_count() -> None:
    builder = _builder()
    builder.record_kept("anime", Outcome.CREATED)
    part = builder.fresh()
    part.record_read("anime")
    part.record_kept("anime", Outcome.CHANGED)
    part.repaired(RepairKind.JUNK_NAME, count=2, subject="a:anime:1")
    part.not_imported("recommendations", 3)
    part.links_completed(4)
    part.conflict(Conflict(subject="a:anime:1", field="start", kept="1995", other="1996", source="b"))
    builder.absorb(part)
    report = builder.build()
    assert (report.created, report.changed, report.unchanged) == (1, 1, 0)
    assert [(each.kind, each.count) for each in report.read] == [("anime", 1)]
    assert [(each.kind, each.count) for each in report.repaired] == [("junk_name_dropped", 2)]
    assert [(each.kind, each.count) for each in report.not_imported] == [("recommendations", 3)]
    assert (report.completed, report.conflict_count) == (4, 1)
    assert ImportReport.model_validate(json.loads(report.model_dump_json())) == report


def test_the_table_names_what_was_refused_and_what_waits() -> None:
    builder = _builder()
    builder.file_read()
    builder.record_read("anime")
    _refused(builder)
    builder.not_imported("airing_schedule_entries", 13)
    builder.links_waiting("demo", 2, ("anilist:anime:16498",))
    console = Console(width=120, color_system=None)
    with console.capture() as captured:
        console.print(report_table(builder.build()))
    text = captured.get()
    assert "demo: 1 file read, partial" in text
    assert "a.jsonl:3: format: unknown" in text
    assert "not imported: 13 airing schedule entries" in text
    assert "waiting for their other end: 2" in text
    assert "anilist:anime:16498" in text
