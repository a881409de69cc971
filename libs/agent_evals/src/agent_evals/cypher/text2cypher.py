"""Queries that a model wrote about films, run on the graph that they are about."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from cypher_sql import QueryRefused

from agent_evals.cypher.agreement import HandWritten, disagreement
from agent_evals.cypher.create_statements import created_graph
from agent_evals.cypher.database import Graph, fill, open_graph, raw_connection
from agent_evals.cypher.files import bench_file, csv_rows
from agent_evals.cypher.hand_written import HAND_WRITTEN
from agent_evals.cypher.movies_graph import METADATA, movies_rows, movies_schema
from agent_evals.cypher.refusal_classes import reason_class
from agent_evals.cypher.selection import CypherQuestion, Selection, select
from agent_evals.cypher.text2cypher_report import Answered, Compared, Text2CypherReport

SEED = 2026
DRAWN = 40


@dataclass(frozen=True, slots=True)
class Text2CypherFiles:
    """The statements that make the graph, and the questions."""

    movies: Path
    questions: Path


def text2cypher_files(data: Path) -> Text2CypherFiles:
    """Where everything is. Raises DataMissing."""
    return Text2CypherFiles(
        bench_file(data, "neo4j_movies", "movies.cypher"),
        bench_file(data, "text2cypher", "text2cypher_claudeopus.csv.gz"),
    )


async def evaluate_text2cypher(files: Text2CypherFiles, dsn: str) -> Text2CypherReport:
    """Fill an empty database and ask everything that is selected."""
    selection = select(csv_rows(files.questions))
    await fill(dsn, METADATA, movies_rows(created_graph(files.movies.read_text(encoding="utf-8"))))
    return await ask_selection(dsn, selection, HAND_WRITTEN)


async def ask_selection(
    dsn: str, selection: Selection, by_hand: Mapping[int, HandWritten], *, drawn: int = DRAWN
) -> Text2CypherReport:
    """The report of a filled database. `by_hand` has the SQL by the question's number."""
    async with open_graph(dsn, movies_schema()) as graph:
        answered = [await _answered(graph, question) for question in selection.questions]
        compared = [
            await _compared(dsn, graph, question, by_hand.get(question.number))
            for question in selection.drawn(SEED, drawn)
        ]
    return Text2CypherReport(selection, tuple(answered), tuple(compared))


async def _answered(graph: Graph, question: CypherQuestion) -> Answered:
    try:
        rows = (await graph.tried(question.cypher)).rows
    except QueryRefused as refusal:
        return Answered(question, None, str(refusal), reason_class(refusal))
    return Answered(question, len(rows))


async def _compared(dsn: str, graph: Graph, question: CypherQuestion, by_hand: HandWritten | None) -> Compared:
    if by_hand is None:
        return Compared(question, "no SQL was written for it")
    try:
        found = (await graph.tried(question.cypher)).rows
    except QueryRefused as refusal:
        return Compared(question, f"refused: {refusal}")
    async with raw_connection(dsn) as connection:
        expected = [tuple(row.values()) for row in await connection.fetch(by_hand.sql)]
    return Compared(question, disagreement(found, expected, by_hand))
