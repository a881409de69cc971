"""What a long run has finished, kept on disk, so that a run that was cut short goes on with the next area."""

import hashlib
from collections.abc import Iterable
from pathlib import Path

from pydantic import ValidationError

from agent_evals.bench.report import REPORT_VERSION, AreaReport


class Checkpoint:
    """Finished areas in a folder. `key` tells runs apart whose results may not be mixed."""

    def __init__(self, folder: Path, key: Iterable[str]) -> None:
        digest = hashlib.sha256("\n".join([str(REPORT_VERSION), *key]).encode()).hexdigest()[:16]
        self._folder = folder / f"run-{digest}"

    def read(self, area: str) -> AreaReport | None:
        """The area as it was measured; None when it was not, or when the file can't be read."""
        try:
            return AreaReport.model_validate_json(self._path(area).read_bytes())
        except (FileNotFoundError, ValidationError):
            return None

    def write(self, report: AreaReport) -> None:
        """Keep an area's result; a crash leaves the whole file or none."""
        self._folder.mkdir(parents=True, exist_ok=True)
        unfinished = self._path(report.area).with_suffix(".new")
        unfinished.write_text(report.model_dump_json(), encoding="utf-8")
        unfinished.replace(self._path(report.area))

    def forget(self, areas: Iterable[str]) -> None:
        """They are measured again."""
        for area in areas:
            self._path(area).unlink(missing_ok=True)

    def clear(self) -> None:
        """Forget everything: the run is over."""
        for path in self._folder.glob("*"):
            path.unlink()
        if self._folder.exists():
            self._folder.rmdir()

    def _path(self, area: str) -> Path:
        return self._folder / f"{area.replace(' ', '-')}.json"
