"""`enishi eval fit`: the ambiguity threshold from the questions, written where the product reads it."""

import sys
from importlib.resources import as_file, files

from agent_core.retrieval.ambiguity import FILE
from agent_evals.ambiguity import FITTED_ON, fit_threshold
from agent_evals.shipped import demo_records, load_shipped
from datastore.postgres.engine import PostgresOptions, open_read_only
from observability.logging import configure_logging

from enishi.commands.evaluating import load_catalogue
from enishi.local_stack import Parts, open_stack, print_progress
from enishi.settings import Settings
from enishi.temporary_home import temporary_home
from enishi.terminal import make_console


async def run_fit(settings: Settings, *, as_json: bool) -> int:
    """0 once the threshold is fitted and written. The folder of `settings` is not touched.

    Raises:
        StackError: the stack of its own doesn't start.
        DatasetError: the question files are not there: only a checkout of the source has them.
    """
    configure_logging(level=settings.log_level)
    console = make_console(stderr=True)
    cases = [case for dataset in FITTED_ON for case in load_shipped(dataset)]
    records = demo_records()
    with temporary_home() as home:
        own = settings.model_copy(update={"home": home / "stack"})
        parts = Parts(answers=False, graphql=False, fixed_ports=False)
        async with open_stack(own, parts=parts, progress=print_progress(console)) as stack:
            await load_catalogue(stack, records, home, console)
            engine = open_read_only(PostgresOptions(dsn=stack.state.postgres_dsn))
            try:
                threshold = await fit_threshold(engine, cases, records)
            finally:
                await engine.close()
    with as_file(files("agent_core.retrieval").joinpath(FILE)) as path:
        path.write_text(threshold.model_dump_json(indent=1) + "\n", encoding="utf-8")
    sys.stdout.write((threshold.model_dump_json() if as_json else threshold.in_words()) + "\n")
    return 0
