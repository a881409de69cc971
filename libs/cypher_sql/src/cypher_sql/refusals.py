"""Why a text is not in the language, said so that the next attempt is right."""

from typing import cast

from lark import Token
from lark.exceptions import UnexpectedCharacters, UnexpectedToken

from cypher_sql.errors import Fault, QueryRefused

_READS_ONLY = "This language only reads: start with MATCH and end with RETURN."

# Hints for words that a person may expect to work; that they don't is the grammar's doing, not this table's.
_HINTS = {
    "create": _READS_ONLY,
    "merge": f"{_READS_ONLY} MATCH finds what exists.",
    "set": _READS_ONLY,
    "delete": _READS_ONLY,
    "detach": _READS_ONLY,
    "remove": _READS_ONLY,
    "drop": _READS_ONLY,
    "alter": _READS_ONLY,
    "grant": _READS_ONLY,
    "insert": _READS_ONLY,
    "update": _READS_ONLY,
    "foreach": f"{_READS_ONLY} UNWIND turns a list into rows.",
    "call": "Procedures and CALL sub-queries don't exist here; write the pattern in MATCH, or use WITH.",
    "yield": "Procedures don't exist here; write the pattern in MATCH.",
    "load": "Files can't be read; MATCH finds what is in the graph.",
    "start": "Start with MATCH.",
    "use": "There is one graph; leave USE out.",
    "explain": "Leave EXPLAIN out; check the query without running it instead.",
    "profile": "Leave PROFILE out; check the query without running it instead.",
    "select": "This is openCypher, not SQL: MATCH (n:Label) WHERE … RETURN n.property.",
    "offset": "Write SKIP.",
    "group": "There is no GROUP BY: items of RETURN without an aggregate are the groups.",
    "having": "Filter groups with WITH …, count(*) AS n WHERE n > 1.",
    "using": "Leave the planner hint out.",
    "finish": "End with RETURN.",
}

_NAMES = {
    "$END": "the end of the query",
    "RPAR": "')'",
    "LPAR": "'('",
    "RSQB": "']'",
    "LSQB": "'['",
    "RBRACE": "'}'",
    "LBRACE": "'{'",
    "COMMA": "','",
    "COLON": "':'",
    "DOT": "'.'",
    "NAME": "a name",
    "INTEGER": "a number",
    "STRING": "a string",
    "OPEN": "'-['",
    "BARE_RIGHT": "'-->'",
    "EQUAL": "a comparison",
    "_RETURN": "RETURN",
    "_MATCH": "MATCH",
    "_WHERE": "WHERE",
    "_AS": "AS",
    "_BY": "BY",
    "_END": "END",
    "_WHEN": "WHEN",
    "_THEN": "THEN",
    "_WITH": "WITH",
}


def refuse_token(error: UnexpectedToken, text: str) -> QueryRefused:
    """For a word or sign that can't stand where it stands."""
    token = cast("Token", error.token)
    if token.type == "$END":
        line, column = max(error.line, 1), max(error.column, 1)
        return QueryRefused(line=line, column=column, message="The query ends too early.", hint=_expected(error))
    before = text[: token.start_pos or 0].rstrip()[-1:]
    missing = _HINTS.get(token.casefold()) or _structural_hint(token, before)
    hint = missing or _expected(error)
    if text.startswith("/*", token.start_pos or 0):
        hint = "The comment is not closed."
    return QueryRefused(
        line=error.line,
        column=error.column,
        message=f"{_shown(token)} can't stand here.",
        hint=hint,
        fault=Fault.BEYOND if missing else Fault.SYNTAX,
    )


def refuse_character(error: UnexpectedCharacters, text: str) -> QueryRefused:
    """For a sign that starts nothing in the language."""
    rest = text[error.pos_in_stream :]
    hint = ""
    fault = Fault.BEYOND if rest.startswith(("=~", "~", "&")) else Fault.SYNTAX
    if rest.startswith(("=~", "~")):
        hint = "Regular expressions don't exist here; use CONTAINS, STARTS WITH or ENDS WITH."
    elif rest.startswith(("!=", "!")):
        hint = "Not equal is <>, negation is NOT."
    elif rest.startswith("=="):
        hint = "Equality is one =."
    elif rest.startswith(("'", '"', "`")):
        hint = "The quote is not closed."
    elif rest.startswith("/*"):
        hint = "The comment is not closed."
    elif rest.startswith("&"):
        hint = "Several labels are written n:A:B."
    return QueryRefused(
        line=error.line, column=error.column, message=f"{_shown(rest[:1])} can't stand here.", hint=hint, fault=fault
    )


def _structural_hint(token: Token, before: str) -> str:
    is_after_name = before.isalnum() or before in ("_", "`")
    if token.type == "LPAR" and is_after_name:
        return "Procedures and namespaced functions don't exist here."
    if token.type == "EQUAL" and before == "=":
        return "Equality is one =."
    if token.type == "LBRACE" and is_after_name:
        return "Sub-queries are EXISTS { … } only, and map projections don't exist: return the properties one by one."
    return ""


def _expected(error: UnexpectedToken) -> str:
    names = sorted({name for kind, name in _NAMES.items() if kind in error.accepts})
    if not names:
        return ""
    return f"Expected {names[0]}." if len(names) == 1 else f"Expected one of: {', '.join(names)}."


def _shown(text: str) -> str:
    return f"{text[:30]}…" if len(text) > 30 else f"'{text}'"
