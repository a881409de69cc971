"""The structlog chain: one JSON object a line on standard error, the request id bound through every hop."""

import logging
import sys
from typing import Literal

import structlog

LogFormat = Literal["json", "console"]


def configure_logging(*, level: str = "info", log_format: LogFormat = "json") -> None:
    """Set up structlog for a process. Call it once, at its start; libraries only call `structlog.get_logger`."""
    renderer: structlog.typing.Processor = (
        structlog.processors.JSONRenderer() if log_format == "json" else structlog.dev.ConsoleRenderer(colors=False)
    )
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            # Without local variables: they hold questions, keys and connection strings.
            structlog.processors.ExceptionRenderer(structlog.tracebacks.ExceptionDictTransformer(show_locals=False)),
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelNamesMapping()[level.upper()]),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        # Loggers follow the last configuration; kept ones would go on writing where the first one said.
        cache_logger_on_first_use=False,
    )


def bind_request(request_id: str, **fields: str) -> None:
    """Start a request's log context: what was bound before is dropped, `request_id` is on every line from here."""
    structlog.contextvars.clear_contextvars()
    structlog.contextvars.bind_contextvars(request_id=request_id, **fields)
