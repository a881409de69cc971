"""`enishi up` and `enishi demo`."""

import asyncio
import signal
from collections.abc import Sequence

from observability.logging import configure_logging
from rich.console import Console

from enishi.asking import Asker
from enishi.demo_loading import load_demo_if_wanted
from enishi.local_stack import Parts, open_stack, print_progress
from enishi.running_stack import RunningStack
from enishi.settings import Settings
from enishi.terminal import answer_panel, is_grounded, make_console

QUESTIONS = (
    "Who directed Cowboy Bebop?",
    "According to the magazine, how many layout sheets were hung for Cowboy Bebop?",
    "How is Edward Elric related to Winry Rockbell?",
)


async def run_up(settings: Settings) -> int:
    """Serve until told to stop; a catalogue that holds nothing else gets the demo."""
    console = make_console(stderr=True)
    configure_logging(level=settings.log_level)
    async with open_stack(settings, parts=Parts(), progress=print_progress(console)) as stack:
        await load_demo_if_wanted(stack, console)
        _tell_addresses(stack, console)
        await _until_told_to_stop()
        console.print("stopping")
    return 0


async def run_demo(settings: Settings, *, once: bool) -> int:
    """Three questions over the demo; 1 unless all answers are grounded. Without `once` it then stays up."""
    console = make_console(stderr=True)
    configure_logging(level=settings.log_level)
    async with open_stack(settings, parts=Parts(fixed_ports=not once), progress=print_progress(console)) as stack:
        await load_demo_if_wanted(stack, console)
        all_grounded = await _ask_all(stack, settings, QUESTIONS)
        _tell_addresses(stack, console)
        if not once:
            await _until_told_to_stop()
            console.print("stopping")
    return 0 if all_grounded else 1


async def _ask_all(stack: RunningStack, settings: Settings, questions: Sequence[str]) -> bool:
    """Print each answer with its evidence; whether all are grounded."""
    answers = make_console()
    asker = Asker(stack.state.agent_target, seconds=settings.ask_seconds)
    all_grounded = True
    try:
        for question in questions:
            response = await asker.ask(question)
            all_grounded = all_grounded and is_grounded(response)
            answers.print(answer_panel(question, response))
    finally:
        await asker.close()
    return all_grounded


def _tell_addresses(stack: RunningStack, console: Console) -> None:
    console.print(f"GraphQL   {stack.state.graphql_url}  (open it in a browser to try queries)")
    console.print(f"gRPC      {stack.state.agent_target}  (agent_api.v1.SearchService)")
    console.print('ask more  uv run enishi ask "Who voices Spike Spiegel?"')


async def _until_told_to_stop() -> None:
    told = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, told.set)
    await told.wait()
