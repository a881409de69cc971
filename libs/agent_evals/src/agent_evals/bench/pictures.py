"""One picture an area, as plain SVG: a bar a contender on a logarithmic scale, a tick where its 99th percentile is."""

import math
from collections.abc import Sequence
from html import escape

from agent_evals.bench.report import AreaReport, Series, Timing

_LABEL_WIDTH, _PLOT_WIDTH, _VALUE_WIDTH = 190, 520, 150
_ROW, _BAR, _HEAD = 24, 14, 34
_OURS, _OTHERS, _FLOOR = "#2b6cb0", "#a0aec0", "#718096"
_STYLE = "text{font:13px system-ui,sans-serif;fill:#1a202c}.small{font-size:11px;fill:#4a5568}.title{font-weight:600}"


def draw_area(area: AreaReport, *, ours: str) -> str:
    """The area's series, one below the other. An area without timings becomes a picture that says so."""
    timed = [series for series in area.series if series.timings]
    values = [value for series in timed for each in series.timings for value in (each.p50_us, each.p99_us) if value > 0]
    if not values:
        return _svg(60, [_text(10, 35, f"{area.area}: {area.why_not or 'nothing was timed'}")])
    lowest, highest = _bounds(values)
    parts = [_text(10, 22, f"{area.area}: p50 (bar) and p99 (tick), microseconds, logarithmic", "title")]
    top = _HEAD
    for series in timed:
        parts += _series(series, top, lowest, highest, ours)
        top += _HEAD + _ROW * len(series.timings)
    return _svg(top + 10, parts)


def _bounds(values: Sequence[float]) -> tuple[float, float]:
    return 10 ** math.floor(math.log10(min(values))), 10 ** math.ceil(math.log10(max(values) * 1.01))


def _series(series: Series, top: int, lowest: float, highest: float, ours: str) -> list[str]:
    contended = ", contended" if series.contended else ""
    caption = f"{series.name} ({series.queries} queries{contended})"
    parts = [_text(10, top + 20, caption, "small")]
    for row, timing in enumerate(series.timings):
        parts += _bar(timing, top + _HEAD - 6 + row * _ROW, lowest, highest, ours)
    if lowest < series.floor_p50_us < highest:
        at = _LABEL_WIDTH + _along(series.floor_p50_us, lowest, highest)
        bottom = top + _HEAD - 6 + _ROW * len(series.timings)
        parts.append(
            f'<line x1="{at:.1f}" x2="{at:.1f}" y1="{top + 26}" y2="{bottom}" stroke="{_FLOOR}" '
            'stroke-dasharray="3 3"><title>SELECT 1</title></line>'
        )
    return parts


def _bar(timing: Timing, top: int, lowest: float, highest: float, ours: str) -> list[str]:
    width = _along(timing.p50_us, lowest, highest)
    tick = _LABEL_WIDTH + _along(timing.p99_us, lowest, highest)
    color = _OURS if timing.contender == ours else _OTHERS
    return [
        _text(20, top + _BAR - 2, timing.contender),
        f'<rect x="{_LABEL_WIDTH}" y="{top}" width="{width:.1f}" height="{_BAR}" fill="{color}"/>',
        f'<line x1="{tick:.1f}" x2="{tick:.1f}" y1="{top - 2}" y2="{top + _BAR + 2}" stroke="{color}" '
        'stroke-width="3"/>',
        _text(_LABEL_WIDTH + _PLOT_WIDTH + 12, top + _BAR - 2, f"{timing.p50_us:,.0f} / {timing.p99_us:,.0f}", "small"),
    ]


def _along(value: float, lowest: float, highest: float) -> float:
    share = math.log(max(value, lowest) / lowest) / math.log(highest / lowest)
    return max(1.0, share * _PLOT_WIDTH)


def _text(x: int, y: int, text: str, kind: str = "") -> str:
    named = f' class="{kind}"' if kind else ""
    return f'<text x="{x}" y="{y}"{named}>{escape(text)}</text>'


def _svg(height: int, parts: Sequence[str]) -> str:
    width = _LABEL_WIDTH + _PLOT_WIDTH + _VALUE_WIDTH
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}">'
    ground = f'<rect width="{width}" height="{height}" fill="#ffffff"/>'
    return "\n".join([head, f"<style>{_STYLE}</style>", ground, *parts, "</svg>", ""])
