"""`enishi eval`: what each name stands for, and which options it takes. What a name needs is imported for it alone."""

from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from enishi.commands.errors import UsageError
from enishi.settings import Settings


@dataclass(frozen=True, slots=True)
class EvalOptions:
    """The options as given; one that was left out is None or false."""

    dataset: str | None = None
    renamed: bool = False
    data: Path | None = None
    llm: str | None = None
    failures: bool = False
    json: bool = False


type _Run = Callable[[Settings, str, EvalOptions], Coroutine[Any, Any, int]]


async def run_evaluation(settings: Settings, name: str, options: EvalOptions) -> int:
    """0 when all goals are met, 1 when one is missed.

    Raises:
        UsageError: an option doesn't go with the name.
    """
    run, taken = _EVALUATIONS.get(name, (_demo, _OF_DEMO))
    given = {each.name for each in fields(options) if getattr(options, each.name)}
    for option in sorted(given - taken):
        raise UsageError(f"--{option}: eval {name} has no such option")
    return await run(settings, name, options)


async def _language(settings: Settings, name: str, options: EvalOptions) -> int:
    from enishi.commands.evaluating_language import LanguageData, LanguageEvaluation, run_language_eval

    asked = LanguageEvaluation(LanguageData(name), options.data, show_failures=options.failures, as_json=options.json)
    return await run_language_eval(settings, asked)


async def _retrieval(settings: Settings, name: str, options: EvalOptions) -> int:
    from enishi.commands.evaluating_retrieval import RetrievalEvaluation, run_retrieval_eval

    return await run_retrieval_eval(settings, RetrievalEvaluation(name, options.data, as_json=options.json))


async def _peps(settings: Settings, _: str, options: EvalOptions) -> int:
    from enishi.commands.evaluating_peps import run_peps_eval

    return await run_peps_eval(settings, options.data, show_failures=options.failures, as_json=options.json)


async def _fit(settings: Settings, _: str, options: EvalOptions) -> int:
    from enishi.commands.fitting import run_fit

    return await run_fit(settings, as_json=options.json)


async def _calibrate(settings: Settings, _: str, options: EvalOptions) -> int:
    from enishi.commands.calibrating import run_calibrate

    return await run_calibrate(settings, as_json=options.json)


async def _demo(settings: Settings, name: str, options: EvalOptions) -> int:
    from enishi.commands.evaluating import Evaluation, run_eval

    evaluation = Evaluation(
        name, options.dataset or "kinds", renamed=options.renamed, show_failures=options.failures, as_json=options.json
    )
    if options.llm is None:
        return await run_eval(settings, evaluation)
    from enishi.commands.evaluating_model import run_model_eval

    return await run_model_eval(settings, evaluation, options.llm)


_OF_DEMO = frozenset({"dataset", "renamed", "llm", "failures", "json"})
_OF_FITS = frozenset({"json"})
_OF_DATA = frozenset({"data", "json"})
_OF_SHOWN_DATA = _OF_DATA | {"failures"}

_EVALUATIONS: Mapping[str, tuple[_Run, frozenset[str]]] = {
    **dict.fromkeys(("tck", "metaqa", "text2cypher"), (_language, _OF_SHOWN_DATA)),
    **dict.fromkeys(("scifact", "hotpot", "musique"), (_retrieval, _OF_DATA)),
    "peps": (_peps, _OF_SHOWN_DATA),
    "fit": (_fit, _OF_FITS),
    "calibrate": (_calibrate, _OF_FITS),
}
"""Any other name is that of a catalogue."""
