"""`enishi query` and `enishi schema`: the catalogue's graph, asked in its own language and described."""

import csv
import io
import json
import sys
from dataclasses import dataclass
from enum import StrEnum
from uuid import uuid4

from agent_api.client import AgentClient, Caller
from agent_api.v1 import graph_pb2
from agent_api.values import from_list
from agent_core.graph_description import GraphDescription, PropertyDescription
from agent_service.graph_converters import description_from_proto
from google.protobuf import json_format
from observability.logging import configure_logging
from pydantic import JsonValue
from rich.table import Table
from rich.text import Text

from enishi.commands.errors import UsageError
from enishi.commands.reaching import answering_stack
from enishi.settings import Settings
from enishi.terminal import clean, make_console

EXIT_REFUSED = 2
_GRACE_SECONDS = 5.0


class OutputFormat(StrEnum):
    """How rows are printed."""

    TABLE = "table"
    JSON = "json"
    CSV = "csv"


@dataclass(frozen=True, slots=True)
class QueryRequest:
    """A query as the command line gives it; `parameters` are NAME=VALUE."""

    text: str
    parameters: tuple[str, ...]
    output: OutputFormat
    max_rows: int
    check_only: bool


async def run_query(settings: Settings, request: QueryRequest) -> int:
    """0 when the query ran, or would run; 2 when it is refused."""
    configure_logging(level=settings.log_level)
    query = graph_pb2.GraphQuery(text=request.text)
    query.parameters.update(parameters_of(request.parameters))
    async with answering_stack(settings, make_console(stderr=True)) as state:
        client = AgentClient(state.agent_target)
        timeout = settings.ask_seconds + _GRACE_SECONDS
        caller = Caller(request_id=uuid4())
        try:
            if request.check_only:
                return _show_check(await client.check_graph_query(query, caller=caller, timeout=timeout), request)
            asked = graph_pb2.RunGraphQueryRequest(query=query, max_rows=request.max_rows)
            return _show_rows(await client.run_graph_query(asked, caller=caller, timeout=timeout), request)
        finally:
            await client.close()


async def run_schema(settings: Settings, *, as_json: bool) -> int:
    """Print labels and relationship types."""
    configure_logging(level=settings.log_level)
    async with answering_stack(settings, make_console(stderr=True)) as state:
        client = AgentClient(state.agent_target)
        try:
            message = await client.describe_graph(
                caller=Caller(request_id=uuid4()), timeout=settings.ask_seconds + _GRACE_SECONDS
            )
        finally:
            await client.close()
    description = description_from_proto(message)
    if as_json:
        sys.stdout.write(description.model_dump_json() + "\n")
    else:
        _print_description(description)
    return 0


def parameters_of(given: tuple[str, ...]) -> dict[str, JsonValue]:
    """NAME=VALUE pairs; a value that reads as JSON is what it says, any other is text. Raises UsageError."""
    found: dict[str, JsonValue] = {}
    for pair in given:
        name, equals, value = pair.partition("=")
        if not equals or not name.isidentifier():
            raise UsageError(f"--param {pair!r}: write NAME=VALUE, for instance year=1998")
        try:
            found[name] = json.loads(value)
        except ValueError:
            found[name] = value
    return found


def _show_rows(response: graph_pb2.RunGraphQueryResponse, request: QueryRequest) -> int:
    if response.HasField("refusal"):
        return _show_refusal(response.refusal, request)
    rows = [from_list(row) for row in response.rows]
    columns = list(response.columns)
    match request.output:
        case OutputFormat.JSON:
            document = json_format.MessageToDict(
                response, preserving_proto_field_name=True, always_print_fields_with_no_presence=True
            )
            # In protobuf's own JSON 64-bit numbers are texts, and all numbers of rows are floats.
            numbers = {"rows": rows, "row_count": response.row_count}
            sys.stdout.write(json.dumps(document | numbers, ensure_ascii=False) + "\n")
        case OutputFormat.CSV:
            sys.stdout.write(csv_of(columns, rows))
        case OutputFormat.TABLE:
            _print_table(columns, rows)
    if response.truncated and request.output is not OutputFormat.JSON:
        shown = f"{len(rows)} of {response.row_count} rows; more with --rows, or write LIMIT and SKIP"
        make_console(stderr=True).print(shown, style="yellow")
    return 0


def _show_check(response: graph_pb2.CheckGraphQueryResponse, request: QueryRequest) -> int:
    if response.HasField("refusal"):
        return _show_refusal(response.refusal, request)
    if request.output is OutputFormat.JSON:
        document = json_format.MessageToDict(response, preserving_proto_field_name=True)
        sys.stdout.write(json.dumps(document, ensure_ascii=False) + "\n")
        return 0
    table = Table("column", "type", title=f"The query would run; estimated cost {response.cost:.0f}")
    for column in response.columns:
        table.add_row(Text(clean(column.name)), Text(column.type))
    make_console().print(table)
    return 0


def _show_refusal(refusal: graph_pb2.GraphQueryRefusal, request: QueryRequest) -> int:
    if request.output is OutputFormat.JSON:
        document = {
            "refusal": {
                "line": refusal.line,
                "column": refusal.column,
                "message": refusal.message,
                "hint": refusal.hint,
            }
        }
        sys.stdout.write(json.dumps(document, ensure_ascii=False) + "\n")
        return EXIT_REFUSED
    lines = request.text.splitlines() or [""]
    at = lines[min(refusal.line, len(lines)) - 1]
    pointer = " " * (refusal.column - 1) + "^"
    said = f"line {refusal.line}, column {refusal.column}: {refusal.message} {refusal.hint}".rstrip()
    make_console(stderr=True).print(clean(f"{at}\n{pointer}\n{said}"), style="red")
    return EXIT_REFUSED


def csv_of(columns: list[str], rows: list[list[JsonValue]]) -> str:
    """RFC 4180 with a header; lists and maps are JSON, null is empty."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(columns)
    writer.writerows([_cell(value) for value in row] for row in rows)
    return out.getvalue()


def _print_table(columns: list[str], rows: list[list[JsonValue]]) -> None:
    table = Table(*(clean(name) for name in columns))
    for row in rows:
        table.add_row(*(Text(clean(_cell(value))) for value in row))
    make_console().print(table)


def _cell(value: JsonValue) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _print_description(description: GraphDescription) -> None:
    console = make_console()
    labels = Table("label", "count", "what", "properties")
    for label in description.labels:
        labels.add_row(label.name, f"{label.count:,}", label.description, _properties(label.properties))
    console.print(labels)
    types = Table("relationship", "count", "from", "to", "what", "properties")
    for each in description.relationships:
        ends = (", ".join(each.starts), ", ".join(each.ends))
        types.add_row(each.name, f"{each.count:,}", *ends, each.description, _properties(each.properties))
    console.print(types)
    if description.data_date is not None:
        console.print(f"data of {description.data_date.date().isoformat()}")


def _properties(properties: tuple[PropertyDescription, ...]) -> str:
    return ", ".join(f"{each.name} ({each.type})" for each in properties)
