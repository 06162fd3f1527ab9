"""What was found, as one page that needs nothing else: for whoever prints it, files it, or shows it to somebody."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Final

from kernel.money import Money
from ledger.statements import in_fours
from verify.result import Result, Wrong

_STYLE: Final = """
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.2rem; margin-top: 2rem; }
.verdict { border-left: .5rem solid; padding: .5rem 1rem; font-size: 1.2rem; }
.right { border-color: #1a7f37; } .look { border-color: #9a6700; } .wrong { border-color: #cf222e; }
table { border-collapse: collapse; width: 100%; } caption { text-align: left; font-weight: 600; padding: .5rem 0; }
th, td { text-align: left; padding: .25rem .5rem; border-bottom: 1px solid #8884; vertical-align: top; }
.number { text-align: right; font-variant-numeric: tabular-nums; } td:first-child { white-space: nowrap; }
code { overflow-wrap: anywhere; }
td { overflow-wrap: anywhere; } svg { display: block; max-width: 36rem; }
svg text { font: 12px system-ui, sans-serif; fill: currentColor; } svg rect { fill: #3b6ea8; }
"""
_BAR: Final = 22  # pixels a day
_BARS_PERCENT: Final = 45  # of the width, the longest bar


def page(file: str, found: Result | Wrong, *, key_known: bool = False) -> str:
    """The page of a check: right, right with something to look at, or wrong."""
    if isinstance(found, Wrong):
        body = (
            f'<p class="verdict wrong"><strong>Wrong.</strong> Line {found.line:,}: {escape(found.what)}</p>'
            "<p>Nothing after this line was believed. Lines are counted from 1.</p>"
        )
    else:
        body = _right(found, key_known=key_known)
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Audit export checked</title>'
        f'<meta name="viewport" content="width=device-width"><style>{_STYLE}</style></head><body>'
        f"<h1>{escape(file)}</h1>{body}</body></html>\n"
    )


def _right(found: Result, *, key_known: bool) -> str:
    look = found.attention
    verdict = ("look", "Right, and a person should look at it.") if look else ("right", "Right.")
    facts = [
        ("Venue", found.venue),
        ("Sealed until", f"{found.until[:19].replace('T', ' ')} UTC"),
        ("Rows", f"{found.rows:,} under {found.seals:,} seals"),
        ("Accounts", f"{found.accounts:,}, each to the micro-dollar"),
        ("First key", in_fours(found.first_key) + (" (known to you)" if key_known else "")),
        ("Key in force", in_fours(found.last_key)),
        ("Witness", f"{found.witness or 'none'}; has cosigned {found.cosigned:,} rows"),
    ]
    parts = [
        f'<p class="verdict {verdict[0]}"><strong>{verdict[1]}</strong></p>',
        _list("Look at this", look),
        f"<h2>What it is</h2><table><tbody>{''.join(_row(name, value) for name, value in facts)}</tbody></table>",
        _list("What was computed again", found.rooms),
        _list("What you asked for", found.shown),
        _figures(found),
        _sums(found),
    ]
    return "".join(parts)


def _list(title: str, said: Sequence[str]) -> str:
    return f"<h2>{title}</h2><ul>{''.join(f'<li>{escape(each)}</li>' for each in said)}</ul>" if said else ""


def _row(name: str, *values: str) -> str:
    cells = "".join(f"<td>{escape(value)}</td>" for value in values)
    return f'<tr><th scope="row">{escape(name)}</th>{cells}</tr>'


def _figures(found: Result) -> str:
    """A chart for each figure of each room: the sum of each gaming day."""
    series: dict[tuple[str, str], dict[tuple[str, bool], int]] = {}
    for room, figure in sorted(found.figures, key=lambda each: each[1].day):
        days = series.setdefault((room, figure.what), {})
        day = (figure.day, figure.money)
        days[day] = days.get(day, 0) + figure.value
    shown = []
    for (room, what), days in sorted(series.items()):
        chart = _chart([(day, value, _said(value, money)) for (day, money), value in days.items()])
        shown.append(f"<h3>{escape(room)}: {escape(what)}</h3>{chart}")
    return f"<h2>By gaming day</h2>{''.join(shown)}" if shown else ""


def _sums(found: Result) -> str:
    """Every kind of transfer, by gaming day: what moved."""
    if not found.sums:
        return ""
    rows = "".join(
        f"<tr><td>{escape(day)}</td><td><code>{escape(kind)}</code></td>"
        f'<td class="number">{Money(micros).said}</td></tr>'
        for day, kind, micros in found.sums
    )
    days: dict[str, int] = {}
    for day, _, micros in found.sums:
        days[day] = days.get(day, 0) + micros
    chart = _chart([(day, micros, Money(micros).said) for day, micros in days.items()])
    return (
        f"<h2>What moved</h2>{chart}<table><caption>By gaming day and kind of transfer</caption><thead><tr>"
        '<th scope="col">Gaming day</th><th scope="col">Kind</th><th scope="col" class="number">Amount</th></tr>'
        f"</thead><tbody>{rows}</tbody></table>"
    )


def _chart(bars: Sequence[tuple[str, int, str]]) -> str:
    """Horizontal bars, each with its words: read without colours, too."""
    most = max((abs(value) for _, value, _ in bars), default=0) or 1
    lines = "".join(_bars(bars, most))
    height = _BAR * len(bars) + 4
    words = escape("; ".join(f"{day}: {said}" for day, _, said in bars))
    return f'<svg role="img" width="100%" height="{height}" aria-label="{words}">{lines}</svg>'


def _bars(bars: Sequence[tuple[str, int, str]], most: int) -> Iterable[str]:
    """In parts of the page's width, the words in their own size: a telephone shows them as well."""
    for at, (day, value, said) in enumerate(bars):
        top = at * _BAR
        width = max(0.5, round(_BARS_PERCENT * abs(value) / most, 1))
        yield f'<text x="0" y="{top + 15}">{escape(day)}</text>'
        yield f'<rect x="90" y="{top + 4}" width="{width}%" height="{_BAR - 8}"></rect>'
        yield f'<text x="100%" y="{top + 15}" text-anchor="end">{escape(said)}</text>'


def _said(value: int, money: bool) -> str:
    return Money(value).said if money else f"{value:,}"
