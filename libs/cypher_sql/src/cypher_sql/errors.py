"""What a query is refused with: where, why, and what to write instead."""


class QueryRefused(Exception):
    """The query was not run. `line` and `column` count from 1 and point at the place; `hint` may be empty."""

    def __init__(self, *, line: int, column: int, message: str, hint: str = "") -> None:
        text = f"line {line}, column {column}: {message}"
        super().__init__(f"{text} {hint}" if hint else text)
        self.line = line
        self.column = column
        self.message = message
        self.hint = hint
