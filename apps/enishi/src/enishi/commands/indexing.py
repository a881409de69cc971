"""`enishi index rebuild`: a new index with the model that the settings name."""

from datastore.vocabulary import EntityType
from ingestion.rebuild import rebuild_index

from enishi.embedding import open_stack_embedder, opened_images
from enishi.local_stack import open_catalogue, print_progress
from enishi.settings import Settings
from enishi.terminal import make_console

_CALL_SECONDS = 300.0
"""Nobody waits for an answer here: a page of long texts may take a busy machine minutes."""


async def run_index_rebuild(settings: Settings) -> int:
    """Rebuild every collection of the embedded stack's index, which must not be running."""
    console = make_console()
    progress = print_progress(console)
    opened, images = await open_stack_embedder(settings, None), opened_images(settings)
    try:
        async with open_catalogue(settings, progress=progress) as (writer, store):
            progress(f"embedding with {opened.embedder.identity}")

            def tell(entity_type: EntityType, points: int) -> None:
                if points % 1_024 == 0:
                    progress(f"{entity_type}: {points}")

            rebuilt = await rebuild_index(
                writer,
                store,
                opened.embedder,
                images=images.identity if images is not None else None,
                call_seconds=_CALL_SECONDS,
                grace_seconds=0,
                on_points=tell,
            )
    finally:
        if images is not None:
            await images.close()
        await opened.embedder.close()
    for each in rebuilt:
        console.print(f"{each.entity_type}: {each.points} points")
    return 0
