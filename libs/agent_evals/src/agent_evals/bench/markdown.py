"""A report as the table that a README shows, and its place there. Losses stand in it like wins."""

from agent_evals.bench.report import BenchReport, Goal

BEGIN = "<!-- performance: `enishi bench table` writes what is between these two lines -->"
END = "<!-- end of performance -->"
NO_REPORT = "No report of a full run is published here yet, so no figures are claimed."


class NoPlaceForTable(Exception):
    """The document lacks the two lines that a table goes between, or has them twice."""


def performance_table(report: BenchReport) -> str:
    """Every goal of the report in order, with what it was measured on; ends without a line break."""
    rows = ["| goal | wanted | measured | |", "|---|---|---|---|", *map(_row, report.goals)]
    return "\n".join([*rows, "", _conditions(report)])


def with_table(document: str, table: str) -> str:
    """The document with this table between its two lines. Raises NoPlaceForTable."""
    if document.count(BEGIN) != 1 or document.count(END) != 1 or document.index(BEGIN) > document.index(END):
        raise NoPlaceForTable(f"'{BEGIN}' and then '{END}' have to be there once each")
    before, _, rest = document.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n{table}\n{END}{after}"


def _row(goal: Goal) -> str:
    value = "-" if goal.value is None else f"{goal.value:.3g}"
    verdict = "met" if goal.met else f"**missed**: {_cell(goal.why_not or 'no reason given')}"
    return f"| {_cell(goal.name)} | {goal.comparison} {goal.goal:g} | {value} | {verdict} |"


def _conditions(report: BenchReport) -> str:
    conditions, machine = report.conditions, report.conditions.machine
    quiet = "contended: something else used the machine meanwhile" if report.contended else "quiet"
    met = sum(goal.met for goal in report.goals)
    server = conditions.settings.get("server_version", "unknown")
    return (
        f"{met} of {len(report.goals)} goals met by `enishi bench {conditions.mode}` on {conditions.started_at[:10]}: "
        f"{machine.processor}, {machine.cores} cores, {machine.interpreter}, PostgreSQL {server}, "
        f"seed {conditions.seed}, {conditions.seconds / 60:.0f} min, {quiet}."
    )


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")
