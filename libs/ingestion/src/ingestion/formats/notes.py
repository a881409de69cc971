"""What a reader has to tell about one entity: repairs and omissions, with its place and its name."""

from ingestion.report import Place, RepairKind, ReportBuilder


class Notes:
    """Reports repairs and omissions of one entity."""

    def __init__(self, builder: ReportBuilder, *, place: Place, subject: str) -> None:
        self._builder = builder
        self._place = place
        self._subject = subject

    def repaired(self, kind: RepairKind, count: int = 1) -> None:
        """`count` repairs of the entity; none when `count` is 0."""
        if count:
            self._builder.repaired(kind, count=count, place=self._place, subject=self._subject)

    def not_imported(self, kind: str, count: int) -> None:
        """`count` things of the entity that are left out on purpose."""
        if count:
            self._builder.not_imported(kind, count)
