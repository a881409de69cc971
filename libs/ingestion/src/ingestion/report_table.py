"""An import report for a terminal."""

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from ingestion.report import Conflict, ImportReport, Refusal

_NAMED = 20


def report_table(report: ImportReport) -> Group:
    """Counts by record type, then what was refused, repaired, left out, contradicted and is waiting."""
    return Group(*_parts(report))


def _parts(report: ImportReport) -> Iterator[RenderableType]:
    files = "1 file" if report.files == 1 else f"{report.files} files"
    yield Text(f"{report.source}: {files} read, {report.exit_status}")
    if report.input_totals:
        totals = ", ".join(f"{each.count} {each.kind.replace('_', ' ')}" for each in report.input_totals)
        yield Text(f"in the dump: {totals}")
    if report.read:
        yield _kept_table(report)
    if report.refused_count:
        yield Text(f"refused: {report.refused_count}")
        yield from _listed([_refusal(refusal) for refusal in report.refused], report.refused_count)
    for title, counted in (("repaired", report.repaired), ("not imported", report.not_imported)):
        if counted:
            counts = ", ".join(f"{each.count} {each.kind.replace('_', ' ')}" for each in counted)
            yield Text(f"{title}: {counts}")
    if report.conflict_count:
        yield Text(f"conflicts: {report.conflict_count}")
        yield from _listed([_conflict(conflict) for conflict in report.conflicts], report.conflict_count)
    if report.merged:
        yield Text(f"merged into another entity that they turned out to be: {report.merged}")
    yield from _losses(report)
    if report.completed:
        yield Text(f"completed after waiting: {report.completed}")
    yield from _of_documents(report)
    if report.waiting:
        yield Text(f"waiting for their other end: {report.waiting}")
        yield from _listed([Text(f"  {ref}") for ref in report.waiting_for], len(report.waiting_for))


def _of_documents(report: ImportReport) -> Iterator[RenderableType]:
    if report.duplicate_count:
        yield Text(f"the same text under several names or dates: {report.duplicate_count}")
        named = [Text("  " + " = ".join(each.documents)) for each in report.duplicates]
        yield from _listed(named, report.duplicate_count)
    if report.dangling_count:
        yield Text(f"references to what the collections don't hold: {report.dangling_count}")
        yield from _listed([Text(f"  {target}") for target in report.dangling], len(report.dangling))


def _losses(report: ImportReport) -> Iterator[RenderableType]:
    if report.losses:
        yield Text("the source said before, and this dump no longer says:")
        for loss in report.losses:
            more = ", …" if loss.lost > len(loss.first) else ""
            yield Text(f"  {loss.source} {loss.kind}: {loss.lost} of {loss.had} ({', '.join(loss.first)}{more})")
    if report.removed:
        yield Text(f"removed, for no source speaks of them any more: {report.removed}")
    if report.is_held_back:
        yield Text("held back, nothing was written; --accept-loss imports it all the same")


def _kept_table(report: ImportReport) -> Table:
    table = Table("records", "read", "created", "changed", "unchanged")
    read = {each.kind: each.count for each in report.read}
    kept = {each.record: each for each in report.kept}
    for record in sorted(read.keys() | kept.keys()):
        row = kept.get(record)
        counts = (row.created, row.changed, row.unchanged) if row else (0, 0, 0)
        table.add_row(record, str(read.get(record, 0)), *map(str, counts))
    return table


def _listed(lines: list[Text], total: int) -> Iterator[Text]:
    yield from lines[:_NAMED]
    if total > _NAMED:
        yield Text(f"  and {total - _NAMED} more")


def _refusal(refusal: Refusal) -> Text:
    where = [str(part) for part in (refusal.place, refusal.subject) if part is not None]
    return Text(f"  {' '.join(where)}: {refusal.reason}" if where else f"  {refusal.reason}")


def _conflict(conflict: Conflict) -> Text:
    kept = f"{conflict.kept} ({conflict.kept_source})" if conflict.kept_source else conflict.kept
    return Text(f"  {conflict.subject} {conflict.field}: kept {kept}, {conflict.source} says {conflict.other}")
