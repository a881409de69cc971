"""`enishi index images`: pictures of entities into the catalogue and its index."""

import json
import sys
from dataclasses import asdict
from pathlib import Path

from datastore.vectors.owned import OwnedVectorStore
from embeddings.images.options import SETTING
from embeddings.images.protocol import ImageEmbedder
from ingestion.picture_sources import picture_sources
from ingestion.pictures import PictureImport, PicturesReport, make_room_for_pictures
from observability.logging import configure_logging
from rich.console import Console

from enishi.commands.errors import UsageError
from enishi.commands.reaching import writable_stack
from enishi.embedding import open_stack_embedder, opened_images, picture_limits
from enishi.progress_bars import progress_bar
from enishi.running_stack import RunningStack
from enishi.settings import Settings
from enishi.terminal import clean, make_console


async def run_index_images(settings: Settings, path: Path, *, as_json: bool) -> int:
    """0 when every picture was taken, 1 when some were not, 2 when none was.

    Raises:
        UsageError: pictures are not looked at.
        NothingToImport: there is nothing at the path.
    """
    configure_logging(level=settings.log_level)
    embedder = opened_images(settings)
    if embedder is None:
        raise UsageError(f"{SETTING} is 'none'; 'hash' needs no model")
    sources = picture_sources(path)
    console = make_console(stderr=True)
    try:
        async with writable_stack(settings, console) as stack:
            with progress_bar(console, "looking") as advance:
                report = await PictureImport(stack.writer, embedder, limits=picture_limits()).store(
                    sources, progress=lambda done: advance(done, None)
                )
            await _index(settings, stack, embedder, console)
    finally:
        await embedder.close()
    _show(report, as_json=as_json)
    if not report.refused:
        return 0
    return 1 if report.stored + report.unchanged else 2


async def _index(settings: Settings, stack: RunningStack, images: ImageEmbedder, console: Console) -> None:
    """Room for the pictures where there is none yet, then what else changed."""
    store = OwnedVectorStore(stack.state.vector_socket)
    try:
        embedder = (await open_stack_embedder(settings, store)).embedder
        try:
            await stack.relay.prepare()
            for each in await make_room_for_pictures(stack.writer, store, embedder, images.identity):
                console.print(f"… {each.entity_type}: rebuilt with room for pictures", style="dim")
        finally:
            await embedder.close()
        with progress_bar(console, "indexing") as advance:
            await stack.relay.drain(progress=advance)
    finally:
        await store.close()


def _show(report: PicturesReport, *, as_json: bool) -> None:
    if as_json:
        sys.stdout.write(json.dumps(asdict(report), ensure_ascii=False) + "\n")
        return
    console = make_console()
    console.print(f"{report.stored} stored, {report.unchanged} unchanged, {report.refused} left out")
    for each in report.left_out:
        console.print(clean(f"  {each.where}: {each.reason}"))
