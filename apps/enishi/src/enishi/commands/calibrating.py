"""`enishi eval calibrate`: weights of likely answers and bands of scores, written where the product reads them."""

import json
import sys
from importlib.resources import as_file, files
from itertools import chain

from agent_core.bootstrap import open_documents
from agent_core.passages.weights import FILE as WEIGHTS_FILE
from agent_core.passages.weights import FittedWeights
from agent_core.protocols import DocumentExecutor
from agent_core.retrieval.bands import FILE as BANDS_FILE
from agent_core.retrieval.bands import BandFits, FittedBands, name_of, read_fits
from agent_evals.calibration import digest_of, fitted, samples
from agent_evals.dataset import NameBook
from agent_evals.shipped import (
    Dataset,
    DocumentDataset,
    demo_records,
    load_shipped,
    load_shipped_documents,
    load_shipped_wordings,
)
from agent_evals.weighing import SETS, editions_of, fitted_weights, questions_of, weighed_samples
from datastore.postgres.engine import PostgresOptions, open_read_only
from datastore.vectors.owned import OwnedVectorStore
from ingestion.demo import demo_documents_files
from ingestion.demo.loading import load_demo_documents
from observability.logging import configure_logging
from pydantic import BaseModel
from rich.console import Console

from enishi.embedding import open_stack_embedder
from enishi.local_stack import Parts, open_stack, print_progress
from enishi.running_stack import RunningStack
from enishi.settings import Settings
from enishi.temporary_home import temporary_home
from enishi.terminal import make_console


async def run_calibrate(settings: Settings, *, as_json: bool) -> int:
    """0 once weights and bands are fitted and written. The folder of `settings` is not touched.

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
            model, weights, bands = await _fitted(own, stack, console)
    _write("agent_core.passages", WEIGHTS_FILE, weights)
    _write("agent_core.retrieval", BANDS_FILE, BandFits({**read_fits().root, model: bands}))
    if as_json:
        both = {"weights": weights.model_dump(mode="json"), "bands": bands.model_dump(mode="json")}
        sys.stdout.write(json.dumps(both) + "\n")
    else:
        sys.stdout.write(f"likely sentences: {weights.in_words()}\n{model}: {bands.in_words()}\n")
    return 0


async def _fitted(settings: Settings, stack: RunningStack, console: Console) -> tuple[str, FittedWeights, FittedBands]:
    """The name of the model in use, the weights with its scores, and its bands for what is quoted with them."""
    store = OwnedVectorStore(stack.state.vector_socket)
    embedder = (await open_stack_embedder(settings, store)).embedder
    engine = open_read_only(PostgresOptions(dsn=stack.state.postgres_dsn))
    model, documents = name_of(embedder.identity), open_documents(engine, store, embedder)
    try:
        with console.status("asking for sentences to weigh"):
            weights = await _fitted_weights(documents, model)
        with console.status("asking for scores"):
            bands = await _fitted_bands(documents, weights)
    finally:
        await engine.close()
        await embedder.close()
        await store.close()
    return model, weights, bands


async def _fitted_weights(documents: DocumentExecutor, model: str) -> FittedWeights:
    sets, wordings, texts = [load_shipped_documents(name) for name in SETS], load_shipped_wordings(), _texts()
    found = await weighed_samples(questions_of(sets, wordings), editions_of(texts), documents)
    return fitted_weights(found, digest_of([*chain(*sets), *wordings], texts), model=model)


async def _fitted_bands(documents: DocumentExecutor, weights: FittedWeights) -> FittedBands:
    cases = load_shipped_documents(DocumentDataset.DOCUMENTS)
    names = NameBook(demo_records())
    stray = [names.fill(case.wordings[0]) for case in load_shipped(Dataset.DEMO)]
    return fitted(await samples(cases, stray, documents, weights), cases, _texts())


def _texts() -> list[str]:
    return [path.read_text(encoding="utf-8") for path in demo_documents_files()]


def _write(package: str, name: str, fit: BaseModel) -> None:
    with as_file(files(package).joinpath(name)) as path:
        path.write_text(fit.model_dump_json(indent=1) + "\n", encoding="utf-8")
