"""Small charts of a report: bars, a line, or a band with what was seen in it. As SVG for pages, as a drawing for PDF.

Plain values in, one layout for both. Colours are classes with a fallback, so that a page may give its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal
from xml.sax.saxutils import escape, quoteattr

from reportlab.graphics.shapes import Drawing, Line, PolyLine, Rect, String
from reportlab.lib import colors

WIDTH, HEIGHT = 720.0, 220.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 64.0, 8.0, 12.0, 34.0
_MOST_LABELS: Final = 12
_FILLS: Final = {"bar": "#3b6ea5", "band": "#c9d8e8", "mark": "#1d3557", "odd": "#b3261e", "axis": "#8a8a8a"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """*values* by label; of a band also where it begins and ends at each label."""

    kind: Literal["bars", "line", "band"]
    title: str
    labels: tuple[str, ...]
    values: tuple[float, ...]
    low: tuple[float, ...] = ()
    high: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        assert len(self.labels) == len(self.values)
        if self.kind == "band":
            assert len(self.low) == len(self.high) == len(self.values)

    def svg(self) -> str:
        shapes = "".join(_svg(shape) for shape in _shapes(self, WIDTH, HEIGHT))
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH:.0f} {HEIGHT:.0f}" role="img" '
            f'aria-label={quoteattr(self.title)} font-family="sans-serif" font-size="10">{shapes}</svg>'
        )

    def drawing(self, *, width: float) -> Drawing:
        drawing = Drawing(width, HEIGHT)
        for shape in _shapes(self, width, HEIGHT):
            drawing.add(_drawn(shape))
        return drawing


@dataclass(frozen=True, slots=True)
class _Shape:
    """Measured from the left and the top."""

    what: Literal["rect", "line", "path", "text"]
    css: str
    at: tuple[tuple[float, float], ...]
    text: str = ""
    anchor: Literal["start", "middle", "end"] = "middle"


def _shapes(chart: Chart, width: float, height: float) -> Iterator[_Shape]:
    top = max([*chart.values, *chart.high, 0.0]) or 1.0
    count = max(1, len(chart.labels))
    step = (width - _LEFT - _RIGHT) / count

    def y(value: float) -> float:
        return height - _BOTTOM - (height - _TOP - _BOTTOM) * value / top

    def x(place: int) -> float:
        return _LEFT + step * (place + 0.5)

    for part in (0.0, 0.5, 1.0):
        yield _Shape("line", "axis", ((_LEFT, y(top * part)), (width - _RIGHT, y(top * part))))
        yield _Shape("text", "label", ((_LEFT - 4, y(top * part) + 3),), _short(top * part), "end")
    if chart.kind == "line" and chart.values:
        yield _Shape("path", "bar", tuple((x(n), y(value)) for n, value in enumerate(chart.values)))
    for n, value in enumerate(chart.values):
        if chart.kind == "bars":
            yield _Shape("rect", "bar", ((x(n) - step * 0.4, y(value)), (x(n) + step * 0.4, y(0))))
        elif chart.kind == "band":
            low, high = chart.low[n], chart.high[n]
            yield _Shape("rect", "band", ((x(n) - step * 0.3, y(high)), (x(n) + step * 0.3, y(low) + 1)))
            css = "mark" if low <= value <= high else "odd"
            yield _Shape("rect", css, ((x(n) - step * 0.3, y(value) - 1.5), (x(n) + step * 0.3, y(value) + 1.5)))
    every = -(-count // _MOST_LABELS)
    for n in range(0, len(chart.labels), every):
        yield _Shape("text", "label", ((x(n), height - _BOTTOM + 14),), chart.labels[n])
    yield _Shape("text", "label", (((_LEFT + width - _RIGHT) / 2, height - 4),), chart.title)


def _short(value: float) -> str:
    return f"{value:,.0f}" if value >= 10 or value == int(value) else f"{value:.2f}"


def _svg(shape: _Shape) -> str:
    fill = _FILLS.get(shape.css, "#333333")
    (x1, y1), (x2, y2) = shape.at[0], shape.at[-1]
    match shape.what:
        case "rect":
            size = f'width="{x2 - x1:.1f}" height="{max(0.0, y2 - y1):.1f}"'
            return f'<rect class="{shape.css}" x="{x1:.1f}" y="{y1:.1f}" {size} fill="{fill}"/>'
        case "line":
            ends = f'x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"'
            return f'<line class="{shape.css}" {ends} stroke="{fill}" stroke-width="0.5"/>'
        case "path":
            points = " ".join(f"{x:.1f},{y:.1f}" for x, y in shape.at)
            return f'<polyline class="{shape.css}" points="{points}" fill="none" stroke="{fill}" stroke-width="2"/>'
        case "text":
            place = f'x="{x1:.1f}" y="{y1:.1f}" text-anchor="{shape.anchor}"'
            return f'<text class="{shape.css}" {place} fill="currentColor">{escape(shape.text)}</text>'


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
            return String(x1, y1, shape.text, fontSize=8, textAnchor=shape.anchor)
