"""Charts: bars side by side, lines, or a band with what was seen in it; as SVG for pages, as a drawing for PDF.

Plain values in, one layout for both, drawn on the server: no script, no inline style, words for those who cannot see
them. Colours are classes with a fallback, so that a page may give its own. ``sparkline`` is a line without axes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal
from xml.sax.saxutils import escape, quoteattr

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from reportlab.graphics.shapes import Drawing, Line, PolyLine, Rect, String
from reportlab.lib import colors

from web import faces
from web.languages.shown import shown

WIDTH, HEIGHT = 720.0, 220.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 64.0, 8.0, 12.0, 34.0
_LABELS_LIMIT: Final = 12
_FILLS: Final = {
    "s0": "#3b6ea5",
    "l0": "#3b6ea5",
    "s1": "#b8860b",
    "l1": "#b8860b",
    "s2": "#2b8a7e",
    "band": "#c9d8e8",
    "mark": "#1d3557",
    "odd": "#b3261e",
    "grid": "#8a8a8a",
}
_Place = Callable[[int], float]
_Height = Callable[[float], float]


@dataclass(frozen=True, slots=True)
class Series:
    name: str
    values: Sequence[float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """*values* by label, others *beside* them; of a band also where it begins and ends at each label."""

    kind: Literal["bars", "line", "band"]
    title: str
    labels: tuple[str, ...]
    values: tuple[float, ...]
    name: str = ""
    beside: tuple[Series, ...] = ()
    low: tuple[float, ...] = ()
    high: tuple[float, ...] = ()
    dollars: bool = False
    whole: bool = False  # counted, not measured: no half of one on the scale

    def __post_init__(self) -> None:
        assert all(len(self.labels) == len(each.values) for each in self.series)
        if self.kind == "band":
            assert len(self.low) == len(self.high) == len(self.values)

    @property
    def series(self) -> tuple[Series, ...]:
        return (Series(self.name, self.values), *self.beside)

    def said(self, value: float) -> str:
        size = abs(value)
        digits = f"{size:,.0f}" if size >= 10 or size == int(size) else f"{size:.2f}"
        return f"{'-' if value < 0 else ''}{'$' if self.dollars else ''}{digits}"

    def svg(self) -> str:
        shapes = "".join(_svg(shape) for shape in _shapes(self, WIDTH, HEIGHT)) + "".join(self._places())
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH:.0f} {HEIGHT:.0f}" role="img" '
            f'aria-label={quoteattr(shown(self.title))} font-family="sans-serif" font-size="10">{shapes}</svg>'
        )

    def _places(self) -> Iterator[str]:
        """Over each label a column that says under the pointer what stands there (charts.js)."""
        step = (WIDTH - _LEFT - _RIGHT) / max(1, len(self.labels))
        for n, label in enumerate(self.labels):
            told = [(each.name, self.said(each.values[n])) for each in self.series]
            parts = [" ".join(shown(part) for part in both if part) for both in told]
            said = f"{shown(label)}: {', '.join(parts)}"
            at = f'x="{_LEFT + step * n:.1f}" y="{_TOP:.0f}" width="{step:.1f}" height="{HEIGHT - _TOP - _BOTTOM:.0f}"'
            yield f'<rect class="at" {at} fill="transparent" data-says={quoteattr(said)}/>'

    def compared(self, before: Chart, name: str) -> Chart:
        """With the same of other days beside it, where there are as many of them."""
        if self.kind == "band" or len(before.values) != len(self.values):
            return self
        return replace(self, name=self.name or "Now", beside=(*self.beside, Series(name, before.values)))

    def figure(self) -> SafeString:
        """For a page, with a key where there is more than one series. Nothing to show: nothing."""
        if not self.labels:
            return SafeString("")
        named = [(nth, shown(each.name)) for nth, each in enumerate(self.series) if each.name]
        keys = format_html_join("", '<span class="key s{}">{}</span>', named)
        caption = format_html("<figcaption>{}</figcaption>", keys) if named else ""
        return format_html('<figure class="chart">{}{}</figure>', mark_safe(self.svg()), caption)  # noqa: S308 escaped

    def drawing(self, *, width: float) -> Drawing:
        faces.on_paper()
        drawing = Drawing(width, HEIGHT)
        for shape in _shapes(self, width, HEIGHT):
            drawing.add(_drawn(shape))
        return drawing


def sparkline(values: Sequence[float], *, label: str) -> SafeString:
    """The course of a figure, the latest point marked. Fewer than two values have no course."""
    if len(values) < 2:
        return SafeString("")
    width, height = 120, 28
    low, high = min(values), max(values)
    span = (high - low) or 1
    points = [
        (2 + i * (width - 6) / (len(values) - 1), height - 3 - (value - low) * (height - 6) / span)
        for i, value in enumerate(values)
    ]
    x, y = points[-1]
    return format_html(
        '<svg class="sparkline" viewBox="0 0 {} {}" role="img" aria-label="{}">'
        '<polyline points="{}"/><circle cx="{}" cy="{}" r="2.2"/></svg>',
        width,
        height,
        shown(label),
        " ".join(f"{x:.1f},{y:.1f}" for x, y in points),
        f"{x:.1f}",
        f"{y:.1f}",
    )


@dataclass(frozen=True, slots=True)
class _Shape:
    """Measured from the left and the top."""

    what: Literal["rect", "line", "path", "text"]
    css: str
    at: tuple[tuple[float, float], ...]
    text: str = ""  # of a bar: what a page says under the pointer
    anchor: Literal["start", "middle", "end"] = "middle"


def _shapes(chart: Chart, width: float, height: float) -> Iterator[_Shape]:
    everything = [*(value for each in chart.series for value in each.values), *chart.low, *chart.high]
    ticks = _ticks(min(0.0, *everything, 0.0), max(0.0, *everything, 0.0), least=1.0 if chart.whole else 0.0)
    low, high = ticks[0], ticks[-1]
    count = max(1, len(chart.labels))
    step = (width - _LEFT - _RIGHT) / count

    def y(value: float) -> float:
        return _TOP + (height - _TOP - _BOTTOM) * (high - value) / (high - low)

    def x(place: int) -> float:
        return _LEFT + step * (place + 0.5)

    for tick in ticks:
        yield _Shape("line", "grid", ((_LEFT, y(tick)), (width - _RIGHT, y(tick))))
        yield _Shape("text", "scale", ((_LEFT - 4, y(tick) + 3),), chart.said(tick), "end")
    if chart.kind == "band":
        yield from _band(chart, x, y, step)
    for nth, each in enumerate(chart.series if chart.kind == "line" and chart.labels else ()):
        yield _Shape("path", f"l{nth}", tuple((x(n), y(value)) for n, value in enumerate(each.values)))
    if chart.kind == "bars":
        yield from _bars(chart, x, y, step)
    every = -(-count // _LABELS_LIMIT)
    for n in range(0, len(chart.labels), every):
        yield _Shape("text", "label", ((x(n), height - _BOTTOM + 14),), chart.labels[n])
    yield _Shape("text", "label", (((_LEFT + width - _RIGHT) / 2, height - 4),), chart.title)


def _bars(chart: Chart, x: _Place, y: _Height, step: float) -> Iterator[_Shape]:
    """Side by side, one group a label; from nothing up, or down."""
    wide = min(28.0, step * 0.8 / len(chart.series))
    for n, label in enumerate(chart.labels):
        start = x(n) - wide * len(chart.series) / 2
        for nth, each in enumerate(chart.series):
            top, bottom = sorted((y(each.values[n]), y(0)))
            said = " ".join(part for part in (f"{label}:", each.name, chart.said(each.values[n])) if part)
            left = start + wide * nth
            yield _Shape("rect", f"s{nth}", ((left, top), (left + wide * 0.94, max(bottom, top + 0.5))), said)


def _band(chart: Chart, x: _Place, y: _Height, step: float) -> Iterator[_Shape]:
    for n, (value, low, high) in enumerate(zip(chart.values, chart.low, chart.high, strict=True)):
        left, right = x(n) - step * 0.3, x(n) + step * 0.3
        yield _Shape("rect", "band", ((left, y(high)), (right, y(low) + 1)), f"{low:g} to {high:g}")
        css = "mark" if low <= value <= high else "odd"
        yield _Shape("rect", css, ((left, y(value) - 1.5), (right, y(value) + 1.5)), f"{chart.labels[n]}: {value:g}")


def _ticks(low: float, high: float, *, least: float = 0.0) -> list[float]:
    """Four or five round values from below *low* to above *high*, no nearer to each other than *least*."""
    if high == low:
        return [0.0, 1.0]
    raw = max((high - low) / 4, least)
    power = 10.0 ** int(f"{raw:e}".partition("e")[2])
    step = next(step * power for step in (1, 2, 5, 10) if step * power >= raw)
    return [place * step for place in range(int(low // step), 1 - int(-high // step))]


def _svg(shape: _Shape) -> str:
    fill = _FILLS.get(shape.css, "#333333")
    (x1, y1), (x2, y2) = shape.at[0], shape.at[-1]
    match shape.what:
        case "rect":
            size = f'width="{x2 - x1:.1f}" height="{max(0.0, y2 - y1):.1f}"'
            title = f"<title>{escape(shown(shape.text))}</title>" if shape.text else ""
            return f'<rect class="{shape.css}" x="{x1:.1f}" y="{y1:.1f}" {size} fill="{fill}">{title}</rect>'
        case "line":
            ends = f'x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"'
            return f'<line class="{shape.css}" {ends} stroke="{fill}" stroke-width="0.5"/>'
        case "path":
            points = " ".join(f"{x:.1f},{y:.1f}" for x, y in shape.at)
            return f'<polyline class="{shape.css}" points="{points}" fill="none" stroke="{fill}" stroke-width="2"/>'
        case "text":
            place = f'x="{x1:.1f}" y="{y1:.1f}" text-anchor="{shape.anchor}"'
            return f'<text class="{shape.css}" {place} fill="currentColor">{escape(shown(shape.text))}</text>'


def _drawn(shape: _Shape) -> Rect | Line | PolyLine | String:
    """The same, measured from the bottom."""
    colour = colors.HexColor(_FILLS.get(shape.css, "#333333"))
    at: Sequence[tuple[float, float]] = [(x, HEIGHT - y) for x, y in shape.at]
    (x1, y1), (x2, y2) = at[0], at[-1]
    match shape.what:
        case "rect":
            return Rect(x1, y2, x2 - x1, max(0.0, y1 - y2), fillColor=colour, strokeColor=None)
        case "line":
            return Line(x1, y1, x2, y2, strokeColor=colour, strokeWidth=0.5)
        case "path":
            return PolyLine([each for point in at for each in point], strokeColor=colour, strokeWidth=2)
        case "text":
            return String(x1, y1, shape.text, fontName=faces.SANS, fontSize=8, textAnchor=shape.anchor)
