"""`enishi doctor --llm`: asks the configured model, over the real path, and says what it can do."""

import json
import sys

from agent_core.llm.options import ModelMode, ModelOptions
from agent_core.llm.providers import ProviderNotInstalled
from agent_core.model_probe import Finding, ModelReport, probe_model
from agent_service.model_settings import ModelNotUsable
from agent_service.settings import Settings as AgentSettings
from observability.logging import configure_logging

from enishi.settings import Settings
from enishi.terminal import check_table, make_console

type Check = tuple[str, bool | None, str]


async def run_doctor_model(command: Settings, *, as_json: bool) -> int:
    """0 when the model fills types and chooses steps in the mode in force."""
    configure_logging(level=command.log_level)
    settings = AgentSettings()
    checks, mode = await _checks(settings)
    if as_json:
        rows = [dict(zip(("name", "ok", "details"), row, strict=True)) for row in checks]
        sys.stdout.write(json.dumps({"checks": rows, "mode": mode, "settings": _shown(settings)}) + "\n")
    else:
        console = make_console()
        console.print(check_table(checks))
        console.print()
        console.print(check_table([(name, None, value) for name, value in sorted(_shown(settings).items())]))
    return 1 if any(is_well is False for _, is_well, _ in checks) else 0


def configured_model(settings: AgentSettings) -> Check:
    """Which model is configured; nothing is asked of it."""
    try:
        options = settings.model()
    except ModelNotUsable as exc:
        return "model", False, str(exc)
    if options is None:
        return "model", None, "none: the rules answer alone; ENISHI_LLM_MODEL names one"
    return "model", True, f"{_named(options)}; 'enishi doctor --llm' asks it"


async def _checks(settings: AgentSettings) -> tuple[list[Check], ModelMode | None]:
    try:
        options = settings.model()
        if options is None:
            return [("model", False, "none is configured: set ENISHI_LLM_MODEL")], None
        report = await probe_model(options)
    except (ModelNotUsable, ProviderNotInstalled) as exc:
        return [("model", False, str(exc))], None
    return [("model", report.mode is not None, _named(options)), *_found(options, report)], report.mode


def _named(options: ModelOptions) -> str:
    others = "".join(f", {model} for {stage}" for stage, model in sorted(options.stage_models.items()))
    where = f" at {options.base_url}" if options.base_url else ""
    return f"{options.model}{others} ({options.provider}{where}), mode {options.resolved_mode}"


def _found(options: ModelOptions, report: ModelReport) -> list[Check]:
    works = report.modes.get(options.resolved_mode, Finding(False, "not tried")).is_well
    rows: list[Check] = [
        (f"mode {mode}", finding.is_well if mode is options.resolved_mode else None, _told(finding))
        for mode, finding in report.modes.items()
    ]
    if report.mode is not None and not works:
        rows.append(("mode in force", False, f"set ENISHI_LLM_MODE={report.mode}: {options.resolved_mode} fails"))
    if report.step is not None:
        rows.append(("a step", report.step.is_well, report.step.details))
    if report.refusal is not None:
        # Code refuses what a model does not; so this is no reason to fail.
        rows.append(("a refusal", report.refusal.is_well or None, report.refusal.details))
    cost = "unknown: no price in ENISHI_LLM_PRICES" if report.cost is None else f"{report.cost:.6f}"
    tokens = f"{report.prompt_tokens} + {report.completion_tokens} tokens"
    rows.append(("spent", None, f"{report.calls} calls, {tokens}, cost {cost}, {report.seconds:.1f} s"))
    return rows


def _told(finding: Finding) -> str:
    return f"structured output: {finding.details}" if finding.is_well else f"no structured output: {finding.details}"


def _shown(settings: AgentSettings) -> dict[str, str]:
    """The model's variables with the values in force; secrets print as stars."""
    names = [name for name in type(settings).model_fields if name.startswith("llm_")]
    return {f"ENISHI_{name.upper()}": str(getattr(settings, name)) for name in names}
