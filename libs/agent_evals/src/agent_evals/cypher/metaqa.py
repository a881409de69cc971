"""MetaQA's questions of one, two and three hops, each as a query with the question's entity as its parameter."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from cypher_sql import QueryRefused, parse

from agent_evals.cypher.database import Graph, fill, open_graph
from agent_evals.cypher.files import bench_file, json_lines, lines
from agent_evals.cypher.metaqa_graph import METADATA, metaqa_rows, metaqa_schema
from agent_evals.cypher.metaqa_report import HopQuestion, MetaQaReport, Mismatch, TypeResult
from agent_evals.cypher.metaqa_texts import ONE_HOP, THREE_HOP, TWO_HOP

_TEXTS = (ONE_HOP, TWO_HOP, THREE_HOP)
TEXTS: Mapping[str, str] = {name: text for texts in _TEXTS for name, text in texts.items()}
_HOPS = {name: hops for hops, texts in enumerate(_TEXTS, 1) for name in texts}

type OnType = Callable[[TypeResult], None]


@dataclass(frozen=True, slots=True)
class MetaQaFiles:
    """The facts, and the questions by number of hops."""

    facts: Path
    questions: tuple[Path, ...]


def metaqa_files(data: Path) -> MetaQaFiles:
    """Where everything is. Raises DataMissing."""
    questions = tuple(bench_file(data, "metaqa", f"{hops}hop.test.closed.jsonl.gz") for hops in (1, 2, 3))
    return MetaQaFiles(bench_file(data, "metaqa", "kb.partial.txt.gz"), questions)


async def evaluate_metaqa(files: MetaQaFiles, dsn: str, *, on_type: OnType | None = None) -> MetaQaReport:
    """Fill an empty database and ask every question; `on_type` is told of each type as it is done."""
    await fill(dsn, METADATA, metaqa_rows(lines(files.facts)))
    questions = [_question(row) for path in files.questions for row in json_lines(path)]
    return await ask_questions(dsn, questions, on_type=on_type)


async def ask_questions(dsn: str, questions: Iterable[HopQuestion], *, on_type: OnType | None = None) -> MetaQaReport:
    """The report of a filled database, type by type. A question of an unknown type counts as wrong."""
    by_type: dict[str, list[HopQuestion]] = {}
    for question in questions:
        by_type.setdefault(question.type, []).append(question)
    results: list[TypeResult] = []
    async with open_graph(dsn, metaqa_schema()) as graph:
        for name in sorted(by_type, key=lambda each: (_HOPS.get(each, 0), each)):
            results.append(await _result(graph, name, by_type[name]))
            if on_type is not None:
                on_type(results[-1])
    return MetaQaReport(tuple(results))


async def _result(graph: Graph, name: str, questions: list[HopQuestion]) -> TypeResult:
    if name not in TEXTS:
        unknown = (Mismatch(each, "there is no text for its type") for each in questions)
        return TypeResult(name, 0, len(questions), tuple(unknown))
    query = parse(TEXTS[name])
    wrong: list[Mismatch] = []
    for question in questions:
        try:
            rows = await graph.rows(query, {"topic": question.topic})
        except QueryRefused as refusal:
            wrong.append(Mismatch(question, f"refused: {refusal}"))
            continue
        found = frozenset(str(row[0]) for row in rows)
        if found != question.answers:
            wrong.append(Mismatch(question, _difference(found, question.answers)))
    return TypeResult(name, _HOPS[name], len(questions), tuple(wrong))


def _difference(found: frozenset[str], wanted: frozenset[str]) -> str:
    return f"missing {sorted(wanted - found)[:5]}, too many {sorted(found - wanted)[:5]}"


def _question(row: Mapping[str, object]) -> HopQuestion:
    answers = cast("list[str]", row["answers"])
    return HopQuestion(str(row["id"]), str(row["qtype"]), str(row["entity"]), frozenset(answers))
