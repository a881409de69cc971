"""Every hot statement is reviewed three times: as SQL, by its plan, and by the rows that it gives on a fixture."""

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path

from datastore.postgres.hot import HotStatement

TESTS = Path(__file__).resolve().parents[1]
SOURCES = [folder for parent in ("libs", "apps") for folder in (TESTS.parent / parent).glob("*/src")]


@dataclass(frozen=True)
class Reviews:
    """The test modules that review a module's statements; `by_way_of` is the name by which they reach one."""

    sql: tuple[str, ...]
    plans: tuple[str, ...]
    rows: tuple[str, ...]
    by_way_of: Mapping[str, str] = field(default_factory=dict[str, str])


OF_ENTITIES, OF_GRAPH = "integration/test_entity_statements.py", "integration/test_graph_rows.py"
ENTITIES = (("snapshots/test_entity_sql.py",), (OF_ENTITIES,), (OF_ENTITIES,))
GRAPH = (("snapshots/test_graph_sql.py",), ("integration/test_graph_plans.py", OF_ENTITIES), (OF_GRAPH, OF_ENTITIES))
NAMES = (
    ("snapshots/test_name_statements.py",),
    ("integration/test_name_search_oracle.py",),
    ("integration/test_hot_pool.py",),
)
TRUSTED = (("snapshots/test_trusted_sql.py",), ("integration/test_trusted_plans.py",), (OF_ENTITIES,))
# The first beginning of a module's name that fits.
REVIEWS = {
    "entity_json": Reviews(*TRUSTED, {"entities_statement": "shipped_trees"}),
    "entity_rows": Reviews(*ENTITIES),
    "graph_facts": Reviews(*ENTITIES),
    "graph_reads": Reviews(
        *GRAPH,
        {
            "_NODES_BY_ID": "NODES_BY_ID",
            "_NODES_BY_KEY": "NODES_BY_KEY",
            "_STEPS": "STEPS",
            "_EDGES_BETWEEN": "edges_between",
        },
    ),
    "graph_": Reviews(*GRAPH),
    "name_": Reviews(*NAMES),
    "shared_links": Reviews(*GRAPH),
}
"""By the module that makes them; a statement that is added to a module has to be added to its tests."""


def holds_statements(value: object) -> bool:
    """Whether it is one, or a table of them."""
    if isinstance(value, (tuple, list)):
        return any(map(holds_statements, value))  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
    if isinstance(value, Mapping):
        return any(map(holds_statements, value.values()))  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
    return isinstance(value, HotStatement)


def made_in(path: Path, source: Path) -> Iterator[str]:
    """The constants of a module that hold hot statements, and its functions that promise one."""
    module = import_module(".".join(path.relative_to(source).with_suffix("").parts))
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef):
            returned = ast.unparse(node.returns) if node.returns else ""
            # What a private one makes is held by a constant.
            if returned == "HotStatement" and not node.name.startswith("_"):
                yield node.name
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            named = [each.id for target in targets for each in ast.walk(target) if isinstance(each, ast.Name)]
            yield from (name for name in named if holds_statements(getattr(module, name, None)))


MADE = {
    path.stem: tuple(made_in(path, source))
    for source in SOURCES
    for path in sorted(source.rglob("*.py"))
    if "HotStatement(" in path.read_text(encoding="utf-8").replace("class HotStatement(", "")
}


def imported_by(test_module: str) -> set[str]:
    """The names that a test module takes from elsewhere; one that it did not use would be a fault of style."""
    tree = ast.parse((TESTS / test_module).read_text(encoding="utf-8"))
    return {name.name for node in tree.body if isinstance(node, ast.ImportFrom) for name in node.names}


def reviews_of(module: str) -> Reviews | None:
    """Who reviews a module's statements; None when nobody does."""
    return next((reviews for beginning, reviews in REVIEWS.items() if module.startswith(beginning)), None)


def unreviewed(tests_of: Callable[[Reviews], Iterable[str]]) -> list[str]:
    """The statements that none of their tests names."""
    missing: list[str] = []
    for module, names in MADE.items():
        reviews = reviews_of(module)
        assert reviews is not None, module
        imported = set[str]().union(*map(imported_by, tests_of(reviews)))
        missing += [f"{module}.{name}" for name in names if reviews.by_way_of.get(name, name) not in imported]
    return missing


def test_every_module_with_hot_statements_is_reviewed_somewhere() -> None:
    assert [module for module, names in MADE.items() if not names] == []
    assert [module for module in MADE if reviews_of(module) is None] == []


def test_every_hot_statement_has_its_sql_its_plan_and_its_rows_reviewed() -> None:
    assert unreviewed(lambda reviews: reviews.sql) == []
    assert unreviewed(lambda reviews: reviews.plans) == []
    assert unreviewed(lambda reviews: reviews.rows) == []
