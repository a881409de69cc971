"""The demo into a stack as it starts."""

from ingestion.demo.loading import load_demo
from rich.console import Console

from enishi.local_stack import print_progress
from enishi.running_stack import RunningStack


async def load_demo_if_wanted(stack: RunningStack, console: Console) -> None:
    """Load what a stack without a catalogue of its owner's lacks of the demo; then wait until all is indexed."""
    progress = print_progress(console)
    await load_demo(stack.writer, on_part=lambda name: progress(f"loading the demo {name}"))
    with console.status("indexing"):
        await stack.relay.drain()
