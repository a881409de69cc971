"""What a query is refused with: where, why, and what to write instead."""

from enum import StrEnum


class Fault(StrEnum):
    """What openCypher calls the mistake in a query. BEYOND is none: it may be right, and this language won't do it."""

    SYNTAX = "SyntaxError"
    TYPE = "TypeError"
    ARGUMENT = "ArgumentError"
    ARITHMETIC = "ArithmeticError"
    PARAMETER = "ParameterMissing"
    BEYOND = ""


class QueryRefused(Exception):
    """The query was not run, or gave up running.

    `line` and `column` count from 1 and point at the place; `hint` may be empty. `at_run_time` says that only the
    values at hand showed it.
    """

    def __init__(
        self,
        *,
        line: int,
        column: int,
        message: str,
        hint: str = "",
        fault: Fault = Fault.SYNTAX,
        at_run_time: bool = False,
    ) -> None:
        text = f"line {line}, column {column}: {message}"
        super().__init__(f"{text} {hint}" if hint else text)
        self.line = line
        self.column = column
        self.message = message
        self.hint = hint
        self.fault = fault
        self.at_run_time = at_run_time
