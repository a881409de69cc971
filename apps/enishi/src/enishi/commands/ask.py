"""`enishi ask`: one question, or one a line from a file, answered in order from one start."""

import base64
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from uuid import UUID

from agent_api.errors import AgentError, InvalidQuestion
from agent_core.schemas import AgentResponse
from observability.logging import configure_logging
from rich.console import Console

from enishi.asking import Asker
from enishi.commands.errors import UsageError
from enishi.commands.following import follow_as_json, follow_for_people
from enishi.commands.reaching import answering_stack
from enishi.settings import Settings
from enishi.stack_state import StackError
from enishi.terminal import answer_panel, clean, make_console

MAX_IMAGE_BYTES = 2 * 1024 * 1024
"""Of a file: as base64 it has to fit into one message. An address may lead to more."""

_STANDARD_INPUT = Path("-")


async def run_ask(
    settings: Settings,
    *,
    question: str | None,
    batch: Path | None,
    session: UUID | None,
    image: str | None = None,
    as_json: bool,
    as_it_comes: bool = False,
) -> int:
    """0 when every question got an answer of any status; 1 when the service refused or failed one."""
    image = _picture(image) if image is not None else None
    configure_logging(level=settings.log_level)
    questions = [question] if question is not None else list(_questions(batch or _STANDARD_INPUT))
    async with answering_stack(settings, make_console(stderr=True)) as state:
        asker = Asker(state.agent_target, seconds=settings.ask_seconds)
        try:
            answering = _follow_one if as_it_comes else _ask_one
            answered = [await answering(asker, each, session, image, as_json=as_json) for each in questions]
        finally:
            await asker.close()
    return 0 if all(answered) else 1


async def _ask_one(asker: Asker, question: str, session: UUID | None, image: str | None, *, as_json: bool) -> bool:
    """Print the answer, or why there is none; in JSON either is one line, so that line n answers question n."""
    try:
        response = await asker.ask(question, session_id=session, image=image)
    except AgentError as exc:
        _show_error(question, exc, as_json=as_json)
        return False
    _show(question, response, as_json=as_json)
    return True


async def _follow_one(asker: Asker, question: str, session: UUID | None, image: str | None, *, as_json: bool) -> bool:
    """Print what the run tells as it comes, the answer last."""
    stream = asker.stream(question, session_id=session, image=image)
    try:
        if as_json:
            await follow_as_json(stream)
        elif (response := await follow_for_people(stream)) is not None:
            _show(question, response, as_json=False)
    except AgentError as exc:
        _show_error(question, exc, as_json=as_json)
        return False
    return True


def _picture(image: str) -> str:
    """A URL as it is, a file as base64. Raises UsageError."""
    if "://" in image:
        return image
    try:
        with Path(image).open("rb") as file:
            data = file.read(MAX_IMAGE_BYTES + 1)
    except OSError as exc:
        raise UsageError(f"--image {image}: can't be read ({exc.strerror})") from exc
    if len(data) > MAX_IMAGE_BYTES:
        raise UsageError(f"--image {image}: is larger than {MAX_IMAGE_BYTES // 1024 // 1024} MB")
    return base64.b64encode(data).decode("ascii")


def _questions(batch: Path) -> Iterator[str]:
    """The lines of a file or of standard input, without their ends; an empty line is a question too."""
    try:
        text = sys.stdin.read() if batch == _STANDARD_INPUT else batch.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as exc:
        raise StackError(f"--batch {batch}: can't be read ({exc})") from exc
    return iter(text.removesuffix("\n").split("\n"))


def _show(question: str, response: AgentResponse, *, as_json: bool) -> None:
    if as_json:
        sys.stdout.write(response.model_dump_json() + "\n")
        sys.stdout.flush()
    else:
        make_console().print(answer_panel(question, response))


def _show_error(question: str, error: AgentError, *, as_json: bool) -> None:
    if as_json:
        field = error.field if isinstance(error, InvalidQuestion) else None
        document = {"error": {"reason": error.reason, "message": str(error), "field": field}}
        sys.stdout.write(json.dumps(document, ensure_ascii=False) + "\n")
        sys.stdout.flush()
    else:
        console: Console = make_console(stderr=True)
        console.print(clean(f"{question!r}: {error}"), style="red")
