"""Every scenario that doesn't write, asked of a graph of its own in one database."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from cypher_sql import Fault, QueryRefused

from agent_evals.cypher.database import Graph, GraphAnswer, fill, open_graph
from agent_evals.cypher.files import bench_file
from agent_evals.cypher.tck.chosen import without_writes
from agent_evals.cypher.tck.features import Scenario, read_archive
from agent_evals.cypher.tck.judging import Verdict, judged
from agent_evals.cypher.tck.made_graph import CannotMake, MadeGraph, made_graph
from agent_evals.cypher.tck.notation import read_python
from agent_evals.cypher.tck.report import TckReport
from agent_evals.cypher.tck.tables import METADATA, graph_rows, graph_schema


def tck_archive(data: Path) -> Path:
    """Where the TCK is: its feature files and graphs in one packed archive. Raises DataMissing."""
    return bench_file(data, "opencypher_tck", "tck.tar.gz")


async def evaluate_tck(path: Path, dsn: str, *, on_done: Callable[[int], None] = lambda _: None) -> TckReport:
    """Fill an empty database with the graphs of all scenarios without writes, and ask each of its own."""
    with path.open("rb") as file:
        archive = read_archive(file)
    asked = without_writes(archive.scenarios)
    verdicts = await ask_scenarios(archive.graphs, asked, dsn, on_done=on_done)
    return TckReport(len(archive.scenarios), verdicts)


async def ask_scenarios(
    named: Mapping[str, str],
    scenarios: Sequence[Scenario],
    dsn: str,
    *,
    on_done: Callable[[int], None] = lambda _: None,
) -> tuple[Verdict, ...]:
    """The verdicts on some scenarios, in their order. `named` has the statements of the named graphs."""
    made = {_statements(named, each): None for each in scenarios}
    graphs = {statements: _made(statements) for statements in made}
    usable = [graph for graph in graphs.values() if isinstance(graph, MadeGraph)]
    await fill(dsn, METADATA, graph_rows(usable))
    verdicts: list[Verdict] = []
    async with open_graph(dsn, graph_schema(0)) as database:
        for scenario in scenarios:
            graph = graphs[_statements(named, scenario)]
            if isinstance(graph, MadeGraph):
                graph = await _asked(database.seen_as(graph_schema(usable.index(graph))), scenario)
            verdicts.append(judged(scenario, graph))
            on_done(len(verdicts))
    return tuple(verdicts)


def _statements(named: Mapping[str, str], scenario: Scenario) -> tuple[str, ...]:
    first = named.get(scenario.graph.removesuffix(" graph"))
    return scenario.setup if first is None else (first, *scenario.setup)


def _made(statements: Sequence[str]) -> MadeGraph | QueryRefused:
    try:
        return made_graph(statements)
    except CannotMake as reason:
        return QueryRefused(line=1, column=1, message=f"The set-up can't be made: {reason}", fault=Fault.BEYOND)


async def _asked(graph: Graph, scenario: Scenario) -> GraphAnswer | QueryRefused:
    parameters = {name: read_python(value) for name, value in scenario.parameters.items()}
    try:
        return await graph.tried(scenario.query, parameters)
    except QueryRefused as refusal:
        return refusal
