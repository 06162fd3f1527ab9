"""Charts drawn on the server as SVG: no script, no inline style, words for those who cannot see them.

``sparkline`` is a line without axes beside a figure; ``columns`` a chart with a scale, one group of columns a label.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

_WIDTH, _HEIGHT = 120, 28
_WIDE, _TALL, _LEFT, _BELOW, _ABOVE = 720, 240, 64, 26, 10
_STEPS: Final = (1, 2, 5)


def sparkline(values: Sequence[float], *, label: str) -> SafeString:
    """The course of a figure, the latest point marked. Fewer than two values have no course."""
    if len(values) < 2:
        return SafeString("")
    low, high = min(values), max(values)
    span = (high - low) or 1
    points = [
        (2 + i * (_WIDTH - 6) / (len(values) - 1), _HEIGHT - 3 - (value - low) * (_HEIGHT - 6) / span)
        for i, value in enumerate(values)
    ]
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    x, y = points[-1]
    return format_html(
        '<svg class="sparkline" viewBox="0 0 {} {}" role="img" aria-label="{}">'
        '<polyline points="{}"/><circle cx="{}" cy="{}" r="2.2"/></svg>',
        _WIDTH,
        _HEIGHT,
        label,
        path,
        f"{x:.1f}",
        f"{y:.1f}",
    )


@dataclass(frozen=True, slots=True)
class Series:
    name: str
    values: Sequence[float]


def columns(
    labels: Sequence[str], series: Sequence[Series], *, label: str, written: Callable[[float], str] = str
) -> SafeString:
    """Columns side by side. *written* says a value: on the scale, and under the pointer."""
    everything = [value for each in series for value in each.values]
    if not labels or not everything:
        return SafeString("")
    ticks = _ticks(min(0, *everything), max(0, *everything))
    low, high = ticks[0], ticks[-1]
    inner = _TALL - _BELOW - _ABOVE

    def y(value: float) -> float:
        return _ABOVE + inner * (high - value) / ((high - low) or 1)

    room = (_WIDE - _LEFT) / len(labels)
    width = min(28.0, room * 0.72 / len(series))
    bars = []
    for place, name in enumerate(labels):
        start = _LEFT + room * place + (room - width * len(series)) / 2
        for nth, each in enumerate(series):
            value = each.values[place]
            top, bottom = sorted((y(value), y(0)))
            x = start + width * nth
            said = f"{name}: {each.name} {written(value)}"
            bars.append((nth, f"{x:.1f}", f"{top:.1f}", f"{width - 1.5:.1f}", f"{max(bottom - top, 0.5):.1f}", said))
    every = max(1, -(-len(labels) // 10))
    return format_html(
        '<figure class="chart"><svg viewBox="0 0 {} {}" role="img" aria-label="{}">{}{}{}</svg>'
        "<figcaption>{}</figcaption></figure>",
        _WIDE,
        _TALL,
        label,
        format_html_join(
            "",
            '<line class="grid" x1="{}" x2="{}" y1="{}" y2="{}"/><text class="scale" x="{}" y="{}">{}</text>',
            (
                (_LEFT, _WIDE, f"{y(tick):.1f}", f"{y(tick):.1f}", _LEFT - 8, f"{y(tick) + 4:.1f}", written(tick))
                for tick in ticks
            ),
        ),
        format_html_join(
            "",
            '<rect class="s{}" x="{}" y="{}" width="{}" height="{}" rx="1.5"><title>{}</title></rect>',
            bars,
        ),
        format_html_join(
            "",
            '<text class="label" x="{}" y="{}">{}</text>',
            (
                (f"{_LEFT + room * (place + 0.5):.1f}", _TALL - 8, name)
                for place, name in enumerate(labels)
                if place % every == 0
            ),
        ),
        format_html_join("", '<span class="key s{}">{}</span>', ((nth, each.name) for nth, each in enumerate(series))),
    )


def _ticks(low: float, high: float) -> list[float]:
    """Four or five round values from below *low* to above *high*."""
    if high == low:
        return [0.0, 1.0]
    raw = (high - low) / 4
    power = 10.0 ** _exponent(raw)
    step = next(step * power for step in (*_STEPS, 10) if step * power >= raw)
    first = int(low // step)
    last = -int(-high // step)
    return [place * step for place in range(first, last + 1)]


def _exponent(value: float) -> int:
    return int(f"{value:e}".partition("e")[2])
