"""What a log line holds, and what it must not."""

import json
from collections.abc import Generator

import pytest
import structlog
from observability.logging import bind_request, configure_logging

CANARY = "postgresql://canary:secret@host"


@pytest.fixture(autouse=True)
def restore_logging() -> Generator[None]:
    yield
    structlog.contextvars.clear_contextvars()
    structlog.reset_defaults()


def test_a_failure_is_logged_without_local_variables(capsys: pytest.CaptureFixture[str]) -> None:
    configure_logging(level="info")
    bind_request("request-1")
    dsn = CANARY
    try:
        raise RuntimeError("no database" if dsn else "")
    except RuntimeError:
        structlog.get_logger().exception("read_failed")

    line = capsys.readouterr().err
    entry = json.loads(line)
    assert entry["event"] == "read_failed"
    assert entry["request_id"] == "request-1"
    assert entry["exception"][0]["exc_value"] == "no database"
    assert CANARY not in line
