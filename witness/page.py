"""The witness's own page: who it is, what it has signed and when, what it is alarmed about, and a look at a ticket."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from html import escape
from typing import Final

from kernel.notes import to_base64
from witness.memory import Memory
from witness.paper import Finding

_STYLE: Final = """
:root{color-scheme:light dark;--ink:#1b1f24;--paper:#fff;--soft:#59636e;--line:#d1d9e0;--good:#116329;--bad:#a40e26}
@media (prefers-color-scheme:dark){:root{--ink:#e6edf3;--paper:#0d1117;--soft:#9198a1;--line:#3d444d;--good:#56d364;
--bad:#ff7b72}}
body{font:16px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--paper);max-width:64rem;margin:0 auto;
padding:1rem}h1{font-size:1.4rem}h2{font-size:1.1rem;margin-top:2rem}code{font-family:monospace;overflow-wrap:anywhere}
table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:.3rem .6rem;border-bottom:1px solid var(--line)}
div.wide{overflow-x:auto}.soft{color:var(--soft)}
.good{color:var(--good)}.bad{color:var(--bad);font-weight:600}textarea{width:100%;box-sizing:border-box;font:inherit}
label{display:block;margin-top:.6rem}button{font:inherit;margin-top:.6rem;padding:.5rem 1rem;min-height:44px}
"""
_ROWS: Final = 20


def when(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")


def page(memory: Memory, findings: list[Finding] | None = None, *, text: str = "", proof: str = "") -> str:
    with memory.lock:
        state, keys = memory.state, memory.keys
        parts = [
            f"<h1>{escape(keys.name)}</h1>",
            "<p>A witness: it cosigns the heads of a house’s log, and answers once for each attempt at a draw.</p>",
            _condition(memory),
            "<h2>A ticket</h2>",
            _form(findings, text, proof),
            "<h2>Alarms</h2>",
            _table(("when", "what"), [(when(at), what) for _, at, what in memory.alarms(limit=_ROWS)], none="None."),
            "<h2>Logs it watches</h2>",
            _table(
                ("venue", "log", "rows", "cosigned"),
                [
                    (log.venue, log.origin, f"{log.size:,}", when(log.at) if log.at else "never")
                    for log in state.logs.values()
                ],
                none="None yet: its keeper names them.",
            ),
            f"<h2>Answers ({state.number:,})</h2>",
            _answers(memory),
            "<h2>Heads it has cosigned</h2>",
            _table(
                ("when", "log", "rows", "root"),
                [
                    (when(at), origin, f"{size:,}", to_base64(root))
                    for origin, size, root, at in memory.heads(limit=_ROWS)
                ],
                none="None yet.",
            ),
            "<h2>Its keys</h2>",
            f"<p>Cosigns and chains with <code>{escape(str(keys.cosigner))}</code>.</p>",
            '<p>Answers with the key in <a href="/witness.pem">witness.pem</a>; '
            '<a href="/about">about</a> has what was shown at the key ceremony.</p>',
        ]
    return _page(keys.name, "\n".join(parts))


def _condition(memory: Memory) -> str:
    state = memory.state
    said = []
    if memory.keys.same_machine:
        said.append(
            '<p class="bad">same-machine: it stands on the house’s own machine, shows how it works, and guards against '
            "everybody but root.</p>"
        )
    if state.stopped:
        said.append(f'<p class="bad">It has stopped for ever: {escape(state.stopped)}</p>')
    elif not state.alarms:
        said.append('<p class="good">It is working, and has no alarm.</p>')
    else:
        said.append(f'<p class="bad">It is working. Alarms: {state.alarms:,}.</p>')
    return "".join(said)


def _answers(memory: Memory) -> str:
    since = max(1, memory.state.number - _ROWS + 1)
    rows = [
        (
            str(link.number),
            when(link.at),
            link.question.venue,
            f"{link.question.purpose} {link.question.occasion}, attempt {link.question.attempt}",
            link.answer.hex()[:32] + "…",
        )
        for link in reversed(memory.links(since=since, limit=_ROWS))
    ]
    said = _table(("no.", "when", "venue", "draw", "signature"), rows, none="None yet.")
    return said + '<p class="soft">All of them, with what proves them: <a href="/answers?from=1">answers</a>.</p>'


def _form(findings: list[Finding] | None, text: str, proof: str) -> str:
    said = "".join(f'<p class="{"good" if each.right else "bad"}">{escape(each.said)}</p>' for each in findings or [])
    return (
        f'{said}<form method="post" action="/check"><label>The text of its QR code'
        f'<textarea name="text" rows="4" required>{escape(text)}</textarea></label>'
        f"<label>The house’s proof that it is in a game (of /verify/), if you have one"
        f'<textarea name="proof" rows="2">{escape(proof)}</textarea></label><button>Check</button></form>'
    )


def _table(names: tuple[str, ...], rows: Sequence[tuple[str, ...]], *, none: str) -> str:
    if not rows:
        return f'<p class="soft">{escape(none)}</p>'
    head = "".join(f"<th>{escape(name)}</th>" for name in names)
    body = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows)
    return f'<div class="wide"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'


def _page(title: str, body: str) -> str:
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<style>{_STYLE}</style></head><body><main>{body}</main></body></html>"
    )
