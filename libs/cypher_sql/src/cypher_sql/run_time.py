"""What only shows when a query runs: values that an operation can't take, and the cost that the planner expects."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, cast

import sqlalchemy as sa
from sqlalchemy import exc
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler

from cypher_sql.errors import Fault, QueryRefused
from cypher_sql.failing import failure_in

# SQLSTATE classes: data exception, program limit exceeded.
_CAUSED_BY_THE_QUERY = frozenset({"22", "54"})


def refusal_of(error: exc.DBAPIError) -> QueryRefused | None:
    """The refusal that a failed statement amounts to, if the query's own values made it fail.

    A division by zero, a number beyond 64 bits, a text that is no date. Time-outs and lost connections are None.
    """
    state = getattr(error.orig, "sqlstate", None)
    if not isinstance(state, str) or state[:2] not in _CAUSED_BY_THE_QUERY:
        return None
    said = str(error.orig).split(">: ", maxsplit=1)[-1].splitlines()[0]
    fault, said = failure_in(said) or (Fault.ARITHMETIC, said)
    return QueryRefused(
        line=1,
        column=1,
        message=f"The query can't be computed: {said}.",
        hint="Guard it with WHERE or CASE.",
        fault=fault,
        at_run_time=True,
    )


class Explain(sa.Executable, sa.ClauseElement):
    """Asks for a statement's plan instead of running it; yields the one value that `checked_cost` reads."""

    inherit_cache = False

    def __init__(self, statement: sa.Select[Any]) -> None:
        # One column alone would be taken for the plan's, and the plan read as a value of its type.
        self.statement = statement.add_columns(sa.null().label("explained"))


@compiles(Explain)
def _explain_sql(element: Explain, compiler: SQLCompiler, **options: object) -> str:
    return f"EXPLAIN (FORMAT JSON) {compiler.process(element.statement, **options)}"


def checked_cost(plan: object, ceiling: float) -> float:
    """What the planner expects a query to cost, in its own units. Raises QueryRefused above `ceiling`.

    `plan` is what `Explain` yields, as text or read already.
    """
    parsed: object = json.loads(plan) if isinstance(plan, str) else plan
    first = cast("Sequence[Mapping[str, Mapping[str, object]]]", parsed)[0]
    cost = float(str(first["Plan"]["Total Cost"]))
    if cost > ceiling:
        raise QueryRefused(
            line=1,
            column=1,
            message=f"The query would cost {cost:.0f}, more than the {ceiling:.0f} that are allowed.",
            hint="Give nodes labels and values, shorten variable lengths, or ask for less at once.",
        )
    return cost
