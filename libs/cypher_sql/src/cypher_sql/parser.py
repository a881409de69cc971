"""Text to tree. What the grammar has no rule for is refused here: writes, procedures, anything unknown."""

from functools import cache

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken

from cypher_sql.clause_builder import build_query
from cypher_sql.errors import Fault, QueryRefused
from cypher_sql.grammar import GRAMMAR
from cypher_sql.refusals import refuse_character, refuse_token
from cypher_sql.syntax import Query

# Longer texts than a person or a model writes; the bound keeps parsing in milliseconds.
LONGEST_TEXT = 10_000
# Deeper trees than these would need more stack than Python gives to those who walk them.
DEEPEST_TREE = 40


def parse(text: str) -> Query:
    """The query's tree. Raises QueryRefused for what is not in the language, and for texts beyond all reason."""
    if len(text) > LONGEST_TEXT:
        raise QueryRefused(
            line=1, column=1, message=f"The query is longer than {LONGEST_TEXT} characters.", fault=Fault.BEYOND
        )
    try:
        tree = _lark().parse(text)  # pyright: ignore[reportUnknownMemberType] -- Lark types its input loosely
    except UnexpectedToken as error:
        raise refuse_token(error, text) from error
    except UnexpectedCharacters as error:
        raise refuse_character(error, text) from error
    except UnexpectedInput as error:
        raise QueryRefused(line=1, column=1, message="The query can't be read.") from error
    _check_depth(tree)
    return build_query(tree, text)


@cache
def _lark() -> Lark:
    return Lark(GRAMMAR, start="query", parser="lalr", propagate_positions=True, maybe_placeholders=False)


def _check_depth(tree: Tree[Token]) -> None:
    level = [tree]
    for _ in range(DEEPEST_TREE):
        level = [child for parent in level for child in parent.children if isinstance(child, Tree)]
        if not level:
            return
    meta = level[0].meta
    line, column = (1, 1) if meta.empty else (meta.line, meta.column)
    raise QueryRefused(
        line=line,
        column=column,
        message="The query is nested too deeply.",
        hint="Split it with WITH, or simplify it.",
        fault=Fault.BEYOND,
    )
