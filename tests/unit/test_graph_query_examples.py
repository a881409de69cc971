"""The examples of the documentation: each is a query of the language over the catalogue's graph."""

import re
from pathlib import Path

import pytest
from agent_core.retrieval.graph_schema import catalogue_graph
from cypher_sql import compile_query, parse

_PAGE = Path(__file__).parents[2] / "docs" / "graph-queries.md"
EXAMPLES = re.findall(r"^```cypher\n(.*?)^```$", _PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


def test_the_page_has_examples() -> None:
    assert len(EXAMPLES) >= 7


@pytest.mark.parametrize("text", EXAMPLES)
def test_it_compiles(text: str) -> None:
    names = sorted(set(re.findall(r"\$(\w+)", text)))
    compiled = compile_query(parse(text), catalogue_graph(), dict.fromkeys(names, "Zorblax"))
    assert compiled.columns
