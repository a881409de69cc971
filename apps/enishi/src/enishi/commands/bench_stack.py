"""A whole stack as a process of its own: says `up` when it can be asked, and ends when its standard input does."""

import asyncio
import sys
from pathlib import Path

from observability.logging import configure_logging

from enishi.local_stack import Parts, open_stack
from enishi.settings import Settings, prepare_environment


async def serve(home: Path) -> None:
    """Open the stack on this folder, on ports that the system chooses."""
    settings = Settings(home=home)
    configure_logging(level="error")
    async with open_stack(settings, parts=Parts(fixed_ports=False), progress=lambda _: None):
        sys.stdout.write("up\n")
        sys.stdout.flush()
        await asyncio.to_thread(sys.stdin.read)


if __name__ == "__main__":
    prepare_environment()
    asyncio.run(serve(Path(sys.argv[1])))
