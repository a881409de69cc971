"""The command `enishi`. Heavy parts are imported by the commands that need them, so that `--help` is immediate."""

import asyncio
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Annotated, Any, NoReturn
from uuid import UUID

import typer
from pydantic import ValidationError

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)

bench = typer.Typer(no_args_is_help=True, help="Measure the product beside its peers, over an invented catalogue.")
app.add_typer(bench, name="bench")

index = typer.Typer(no_args_is_help=True, help="The vector index of the embedded stack.")
app.add_typer(index, name="index")

documents = typer.Typer(no_args_is_help=True, help="Documents: files and folders that answers quote from.")
app.add_typer(documents, name="documents")

JsonFlag = Annotated[bool, typer.Option("--json", help="Print JSON for scripts.")]

SourceOption = Annotated[str | None, typer.Option("--source", help="Whose word the records are.")]

AreaOption = Annotated[list[str] | None, typer.Option("--area", help="Only this area; may be given again.")]

EXIT_FAILED = 1
EXIT_USAGE = 2
EXIT_INTERRUPTED = 130


@app.callback()
def prepare() -> None:
    """Answers questions about a catalogue and shows the evidence for every sentence."""
    from enishi.settings import prepare_environment

    prepare_environment()


@app.command()
def demo(once: Annotated[bool, typer.Option("--once", help="Exit after the questions.")] = False) -> None:
    """Start everything, load the demo catalogue, ask three questions and stay up."""
    from enishi.commands.stack import run_demo

    _run(run_demo(_settings(), once=once))


@app.command()
def up() -> None:
    """Start the embedded stack and stay up until Ctrl-C."""
    from enishi.commands.stack import run_up

    _run(run_up(_settings()))


@app.command()
def ask(
    question: Annotated[str | None, typer.Argument(help="The question.")] = None,
    as_json: JsonFlag = False,
    batch: Annotated[
        Path | None, typer.Option(help="A file with one question a line; '-' reads standard input.")
    ] = None,
    session: Annotated[
        UUID | None, typer.Option(help="A UUID of your choice: questions of one session follow on each other.")
    ] = None,
    image: Annotated[str | None, typer.Option(help="A picture that is asked about: a file, or an http(s) URL.")] = None,
    stream: Annotated[
        bool, typer.Option("--stream", help="Show each step as it is taken; JSON: an event a line.")
    ] = False,
) -> None:
    """Ask a question, or one a line from a file; answers come in the same order."""
    from enishi.commands.ask import run_ask

    if (question is None) == (batch is None):
        _fail("give either a QUESTION or --batch FILE", EXIT_USAGE)
    if image is not None and question is None:
        _fail("--image goes with one QUESTION", EXIT_USAGE)
    _run(
        run_ask(
            _settings(),
            question=question,
            batch=batch,
            session=session,
            image=image,
            as_json=as_json,
            as_it_comes=stream,
        )
    )


@app.command("import")
def import_(
    format_name: Annotated[
        str, typer.Argument(metavar="FORMAT", help="A dump's format, or demo; a wrong one lists all.")
    ],
    path: Annotated[Path | None, typer.Argument(help="A file or a folder; not needed for demo.")] = None,
    source: SourceOption = None,
    accept_loss: Annotated[
        bool, typer.Option("--accept-loss", help="Import even a dump that lacks much of what its source said before.")
    ] = False,
    as_json: JsonFlag = False,
) -> None:
    """Import a dump. Exits 0 when all was kept, 1 when a part was not, 2 when nothing was imported or it is held."""
    from enishi.commands.importing import ImportRequest, run_import

    request = ImportRequest(format_name, path, source, accept_loss)
    _run(run_import(_settings(), request, as_json=as_json))


@app.command()
def query(
    text: Annotated[str, typer.Argument(metavar="QUERY", help="For instance: MATCH (a:Anime) RETURN a.name LIMIT 5")],
    parameters: Annotated[
        list[str] | None, typer.Option("--param", metavar="NAME=VALUE", help="What $NAME stands for; JSON or text.")
    ] = None,
    output: Annotated[str, typer.Option("--format", help="table, json or csv.")] = "table",
    rows: Annotated[int, typer.Option(min=1, max=20_000, help="How many rows to show; all are counted.")] = 100,
    check: Annotated[bool, typer.Option("--check", help="Only say whether the query would run.")] = False,
    as_json: JsonFlag = False,
) -> None:
    """Ask the graph in a read-only subset of openCypher. Exits 2 when the query is refused."""
    from enishi.commands.querying import OutputFormat, QueryRequest, run_query

    if output not in tuple(OutputFormat):
        _fail(f"--format: must be one of {', '.join(OutputFormat)}", EXIT_USAGE)
    chosen = OutputFormat.JSON if as_json else OutputFormat(output)
    _run(run_query(_settings(), QueryRequest(text, tuple(parameters or ()), chosen, rows, check)))


@app.command()
def schema(as_json: JsonFlag = False) -> None:
    """Say what the graph holds: labels, properties and relationship types, with counts and samples."""
    from enishi.commands.querying import run_schema

    _run(run_schema(_settings(), as_json=as_json))


@app.command()
def trace(
    trace_id: Annotated[UUID | None, typer.Argument(metavar="ID", help="The trace_id of an answer.")] = None,
    limit: Annotated[int, typer.Option(min=1, max=100, help="How many runs to list.")] = 20,
    as_json: JsonFlag = False,
) -> None:
    """Show what a run did and how long it took; without an ID list the last runs."""
    from enishi.commands.tracing import run_trace

    _run(run_trace(_settings(), trace_id, limit=limit, as_json=as_json))


@app.command()
def replay(
    trace_id: Annotated[UUID, typer.Argument(metavar="ID", help="The trace_id of an answer.")],
    as_json: JsonFlag = False,
) -> None:
    """Run a recorded question again on today's catalogue, without a model. Exits 1 at a difference, 2 when it can't."""
    from enishi.commands.tracing import run_replay

    _run(run_replay(_settings(), trace_id, as_json=as_json))


@app.command()
def export(
    path: Annotated[Path, typer.Argument(help="A file for the records, packed when it ends in .gz; '-' prints them.")],
    source: SourceOption = None,
    as_json: JsonFlag = False,
) -> None:
    """Write the catalogue, or one source's part of it, as interchange JSONL. Exits 2 when the source said nothing."""
    from enishi.commands.exporting import run_export

    _run(run_export(_settings(), path, source=source, as_json=as_json))


@app.command("eval")
def eval_(
    catalogue: Annotated[
        str,
        typer.Argument(
            metavar="CATALOGUE",
            help="demo; tck, metaqa or text2cypher: the graph language; peps: references between documents; "
            "scifact, hotpot or musique: the search in documents; fit: the lead that tells namesakes apart; "
            "calibrate: the weights of likely answers, and the bands of passages for the embedding model.",
        ),
    ],
    dataset: Annotated[
        str | None,
        typer.Option(
            help="Of demo: kinds (the default), kinds-more, kinds-wide, kinds-held-out, sets, several, demo, held-out, "
            "documents, documents-more, documents-wide or documents-held-out."
        ),
    ] = None,
    renamed: Annotated[bool, typer.Option("--renamed", help="Replace every name in the demo by nonsense.")] = False,
    data: Annotated[
        Path | None, typer.Option(help="The folder of the public data; without it that of ENISHI_DATA.")
    ] = None,
    llm: Annotated[
        str | None, typer.Option("--llm", help="Of demo: ask through a model, `scripted`; calls and tokens by kind.")
    ] = None,
    show_failures: Annotated[bool, typer.Option("--failures", help="Show every answer that is not right.")] = False,
    as_json: JsonFlag = False,
) -> None:
    """Ask a file of questions whose answers are known. Exits 0 when the goals are met, 1 when one is missed."""
    from enishi.commands.evaluations import EvalOptions, run_evaluation

    options = EvalOptions(dataset, renamed, data, llm, show_failures, as_json)
    _run(run_evaluation(_settings(), catalogue, options))


@bench.command("quick")
def bench_quick(
    as_json: JsonFlag = False,
    pictures: Annotated[Path | None, typer.Option(help="A folder for one picture an area.")] = None,
    area: AreaOption = None,
) -> None:
    """A small catalogue, in under 90 seconds; its times say that everything runs, and little about full size."""
    from enishi.commands.bench import run_bench_quick

    _run_fast(run_bench_quick(_settings(), as_json=as_json, pictures=pictures, areas=area or ()))


@bench.command("full")
def bench_full(
    file: Annotated[Path, typer.Option("--json", help="A file for the report; pictures are put beside it.")],
    area: AreaOption = None,
) -> None:
    """The whole catalogue, in up to 45 minutes; a run that was cut short goes on where it stopped."""
    from enishi.commands.bench import run_bench_full

    _run_fast(run_bench_full(_settings(), file, areas=area or ()))


@bench.command("table")
def bench_table(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A report of `bench full` or `bench quick --json`.")],
    into: Annotated[Path | None, typer.Option(help="A document with a place for the table, such as README.md.")] = None,
) -> None:
    """A report as a table of goals in Markdown: on standard output, or in its place in a document."""
    from enishi.commands.bench_readme import run_bench_table

    _run(run_bench_table(file, into))


@index.command("rebuild")
def index_rebuild() -> None:
    """Embed the whole catalogue anew with the model of ENISHI_EMBEDDINGS; the stack must not be running."""
    from enishi.commands.indexing import run_index_rebuild

    _run(run_index_rebuild(_settings()))


@index.command("images")
def index_images(
    path: Annotated[Path, typer.Argument(help="A folder of SOURCE/KIND/ID.png, or lines of references and places.")],
    as_json: JsonFlag = False,
) -> None:
    """Store pictures of entities, for questions with --image; once more changes nothing."""
    from enishi.commands.picturing import run_index_images

    _run(run_index_images(_settings(), path, as_json=as_json))


@documents.command("add")
def documents_add(
    path: Annotated[Path, typer.Argument(help="A file or a folder: Markdown, HTML, text, RST, PDF, DOCX or JSONL.")],
    collection: Annotated[
        str, typer.Option(help="What the documents belong to: small letters, digits and _.")
    ] = "documents",
    sync: Annotated[
        bool, typer.Option("--sync", help="Remove what the collection holds and the folder no longer does.")
    ] = False,
    accept_loss: Annotated[bool, typer.Option("--accept-loss", help="Let --sync remove a large part.")] = False,
    as_json: JsonFlag = False,
) -> None:
    """Read documents, or read again those that changed. Exits as `import` does."""
    from enishi.commands.documents import AddRequest, run_add

    request = AddRequest(path, collection, sync=sync, accept_loss=accept_loss)
    _run(run_add(_settings(), request, as_json=as_json))


@documents.command("remove")
def documents_remove(
    refs: Annotated[list[str] | None, typer.Argument(metavar="[REF]...", help="As `list` shows them.")] = None,
    collection: Annotated[str | None, typer.Option(help="Remove all of this collection.")] = None,
    as_json: JsonFlag = False,
) -> None:
    """Remove documents with all that was derived from them. Exits 2 when there are none of these names."""
    from enishi.commands.documents import run_remove

    if not refs and collection is None:
        _fail("give REFs or --collection", EXIT_USAGE)
    _run(run_remove(_settings(), tuple(refs or ()), collection=collection, as_json=as_json))


@documents.command("list")
def documents_list(
    collection: Annotated[str | None, typer.Option(help="Only this collection.")] = None,
    as_json: JsonFlag = False,
) -> None:
    """Show the documents there are; with --json one a line."""
    from enishi.commands.documents import run_list

    _run(run_list(_settings(), collection=collection, as_json=as_json))


@app.command()
def migrate() -> None:
    """Bring the database of ENISHI_POSTGRES_DSN to the newest schema."""
    from enishi.commands.migrate import run_migrate

    _run(run_migrate())


@app.command()
def doctor(
    llm: Annotated[bool, typer.Option("--llm", help="Ask the configured model what it can do.")] = False,
    as_json: JsonFlag = False,
) -> None:
    """Print the settings, with secrets hidden, and check every dependency."""
    if llm:
        from enishi.commands.doctor_model import run_doctor_model

        _run(run_doctor_model(_settings(), as_json=as_json))
    from enishi.commands.doctor import run_doctor

    _run(run_doctor(_settings(), as_json=as_json))


def _settings() -> Any:
    from enishi.settings import Settings

    try:
        return Settings()
    except ValidationError as exc:
        first = exc.errors(include_url=False)[0]
        name = "ENISHI_" + "_".join(str(part) for part in first["loc"]).upper()
        _fail(f"{name}: {first['msg']}", EXIT_USAGE)


def _run_fast(command: Coroutine[Any, Any, int]) -> None:
    """Run a command on the event loop of the services."""
    import uvloop

    _run(command, loop_factory=uvloop.new_event_loop)


def _run(
    command: Coroutine[Any, Any, int], *, loop_factory: Callable[[], asyncio.AbstractEventLoop] | None = None
) -> None:
    """Run a command; its number is the exit code. Known trouble is one sentence on standard error."""
    from enishi.commands.errors import UsageError, explain, is_known

    try:
        sys.exit(asyncio.run(command, loop_factory=loop_factory))
    except KeyboardInterrupt:
        sys.exit(EXIT_INTERRUPTED)
    except Exception as exc:
        if is_known(exc):
            _fail(explain(exc), EXIT_USAGE if isinstance(exc, UsageError) else EXIT_FAILED)
        raise


def _fail(message: str, code: int) -> NoReturn:
    print(f"enishi: {message}", file=sys.stderr)
    sys.exit(code)
