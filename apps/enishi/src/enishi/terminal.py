"""Answers, reports and checks as people see them in a terminal. Nothing a catalogue or a model wrote reaches it raw."""

import unicodedata
from collections.abc import Mapping, Sequence

from agent_core.context.source_lines import passage_lines
from agent_core.schemas import AgentResponse, AnswerStatus, Candidate, ConfidenceBand, SourceCitation
from rich.console import Console, Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

_BAND_STYLES = {
    ConfidenceBand.HIGH: "green",
    ConfidenceBand.MEDIUM: "yellow",
    ConfidenceBand.LOW: "dark_orange",
    ConfidenceBand.INSUFFICIENT: "red",
}
_MAX_QUOTE_CHARACTERS = 300
_UNPRINTABLE = frozenset({"Cc", "Cf", "Cs"})
_GROUNDED = frozenset({AnswerStatus.ANSWERED, AnswerStatus.ANSWERED_WITH_CAVEATS})


def make_console(*, stderr: bool = False) -> Console:
    """A console that respects NO_COLOR and pipes, and never reads markup or emoji codes in what it prints."""
    return Console(stderr=stderr, highlight=False, markup=False, emoji=False)


def clean(text: str) -> str:
    """`text` without control and format characters, which a terminal would obey; line breaks and tabs stay."""
    return "".join(
        character
        for character in text
        if character in "\n\t" or unicodedata.category(character) not in ("Cc", "Cf", "Cs")
    )


def is_grounded(response: AgentResponse) -> bool:
    """Whether the answer answers, and names at least one source for what it says."""
    return response.status in _GROUNDED and bool(response.sources)


def answer_panel(question: str, response: AgentResponse) -> RenderableType:
    """A question with its answer, its evidence and what to know about it."""
    parts: list[RenderableType] = [Text(clean(response.answer))]
    passages = passage_lines(response)
    parts += _section("Evidence", [_source_line(source, passages) for source in response.sources])
    parts += _section("Other readings", [_candidate_line(candidate) for candidate in response.alternatives])
    parts += _section("Missing", [clean(item) for item in response.missing])
    parts += _section("Note", [clean(f"{warning.code}: {warning.message}") for warning in response.warnings])
    band = response.confidence_band
    status = (response.status.value, "bold")
    confidence = (f"{band.value} ({response.confidence:.2f})", _BAND_STYLES[band])
    footer = Text.assemble(status, " · confidence ", confidence)
    return Panel(Group(*parts), title=Text(clean(question), "bold"), title_align="left", subtitle=footer)


def _section(title: str, lines: Sequence[str]) -> list[RenderableType]:
    if not lines:
        return []
    return [Text(""), Text(title, "dim"), *(Text(f"  {line}") for line in lines)]


def _source_line(source: SourceCitation, passages: Mapping[int, str]) -> str:
    """A citation on one line; of a passage the line that is fixed for them, and its quote below."""
    quote = clean(source.quote.replace("\n", " "))
    if len(quote) > _MAX_QUOTE_CHARACTERS:
        quote = quote[: _MAX_QUOTE_CHARACTERS - 1] + "…"
    if source.marker in passages:
        return f"{clean(passages[source.marker])}\n      “{quote}”"
    return f"[{source.marker}] {clean(source.title)}: {quote} ({clean(source.locator)})"


def _candidate_line(candidate: Candidate) -> str:
    name = candidate.entity.name or candidate.matched_name
    details = ", ".join((candidate.entity.entity_type.value, *candidate.discriminators))
    return clean(f"{name} ({details})")


def check_table(rows: Sequence[tuple[str, bool | None, str]]) -> Table:
    """What `doctor` found: a name, whether it is well (None where it doesn't apply), and what to know or do."""
    table = Table(box=None, pad_edge=False)
    table.add_column("check")
    table.add_column("state")
    table.add_column("details", overflow="fold")
    states = {True: ("ok", "green"), False: ("failed", "red"), None: ("–", "dim")}
    for name, is_well, details in rows:
        label, style = states[is_well]
        table.add_row(name, Text(label, style), Text(clean(details)))
    return table
