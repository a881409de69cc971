"""`enishi eval calibrate`: the bands of passages' scores for a model, written where the product reads them."""

import sys
from importlib.resources import as_file, files

from agent_core.bootstrap import open_documents
from agent_core.retrieval.bands import FILE, BandFits, name_of, read_fits
from agent_evals.calibration import fitted, samples
from agent_evals.dataset import NameBook
from agent_evals.shipped import Dataset, DocumentDataset, demo_records, load_shipped, load_shipped_documents
from datastore.postgres.engine import PostgresOptions, open_read_only
from datastore.vectors.owned import OwnedVectorStore
from ingestion.demo import demo_documents_files
from ingestion.demo.loading import load_demo_documents
from observability.logging import configure_logging

from enishi.embedding import open_stack_embedder
from enishi.local_stack import Parts, open_stack, print_progress
from enishi.running_stack import RunningStack
from enishi.settings import Settings
from enishi.temporary_home import temporary_home
from enishi.terminal import make_console


async def run_calibrate(settings: Settings, *, as_json: bool) -> int:
    """0 once the bands are fitted and written. The folder of `settings` is not touched.

    Raises:
        StackError: the stack of its own doesn't start.
        DatasetError: the question files are not there: only a checkout of the source has them.
    """
    configure_logging(level=settings.log_level)
    console = make_console(stderr=True)
    with temporary_home() as home:
        own = settings.model_copy(update={"home": home / "stack"})
        parts = Parts(answers=False, graphql=False, fixed_ports=False)
        async with open_stack(own, parts=parts, progress=print_progress(console)) as stack:
            with console.status("loading the documents"):
                await load_demo_documents(stack.writer)
                await stack.relay.drain()
            with console.status("asking"):
                model, fits = await _fitted(own, stack)
    with as_file(files("agent_core.retrieval").joinpath(FILE)) as path:
        path.write_text(fits.model_dump_json(indent=1) + "\n", encoding="utf-8")
    found = fits.root[model]
    sys.stdout.write((found.model_dump_json() if as_json else f"{model}: {found.in_words()}") + "\n")
    return 0


async def _fitted(settings: Settings, stack: RunningStack) -> tuple[str, BandFits]:
    """The name of the model in use, and all fits with its new one."""
    cases = load_shipped_documents(DocumentDataset.DOCUMENTS)
    names = NameBook(demo_records())
    stray = [names.fill(case.wordings[0]) for case in load_shipped(Dataset.DEMO)]
    store = OwnedVectorStore(stack.state.vector_socket)
    embedder = (await open_stack_embedder(settings, store)).embedder
    engine = open_read_only(PostgresOptions(dsn=stack.state.postgres_dsn))
    try:
        found = await samples(cases, stray, open_documents(engine, store, embedder))
    finally:
        await engine.close()
        await embedder.close()
        await store.close()
    texts = [path.read_text(encoding="utf-8") for path in demo_documents_files()]
    model = name_of(embedder.identity)
    return model, BandFits({**read_fits().root, model: fitted(found, cases, texts)})
