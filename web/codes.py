"""Every refusal there is, collected from the source: where a rule says no, it says so with a literal code.

Nobody keeps a list by hand, so none is forgotten: the docs page shows what the code can answer.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from kernel.environment import ROOT
from kernel.refusal import Refusal

_NOT_ROOMS = {"tests", "benchmarks", "docs"}


@dataclass(frozen=True, slots=True, order=True)
class Code:
    code: str
    status: int
    title: str
    says: tuple[str, ...]
    clauses: tuple[str, ...]
    rooms: tuple[str, ...]


def _kinds() -> dict[str, type[Refusal]]:
    import_module("web.problems")  # the API's own kinds
    waiting, found = [Refusal], {}
    while waiting:
        kind = waiting.pop()
        found[kind.__name__] = kind
        waiting.extend(kind.__subclasses__())
    return found


def _text(node: ast.expr | None) -> str | None:
    """A literal, with “…” where a value is filled in."""
    match node:
        case ast.Constant(value=str() as text):
            return text
        case ast.JoinedStr(values=parts):
            return "".join(_text(part) or "…" for part in parts)
    return None


def _raised_in(path: Path, kinds: dict[str, type[Refusal]]) -> Iterator[tuple[type[Refusal], str, str, str | None]]:
    source = path.read_text(encoding="utf-8")
    if not any(f"{name}(" in source for name in kinds):
        return  # to take a source apart takes a hundred times as long
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call) or len(node.args) < 2:
            continue
        name = getattr(node.func, "id", None) or getattr(node.func, "attr", "")
        code, says = _text(node.args[0]), _text(node.args[1])
        if name in kinds and code and says:
            clause = next((_text(word.value) for word in node.keywords if word.arg == "clause"), None)
            yield kinds[name], code, says, clause


@functools.cache
def all_codes() -> tuple[Code, ...]:
    kinds = _kinds()
    found: dict[tuple[str, int], dict[str, dict[str, None]]] = {}
    titles: dict[tuple[str, int], str] = {}
    for path in sorted(ROOT.glob("*/**/*.py")):
        room = path.relative_to(ROOT).parts[0]
        if room.startswith(".") or room in _NOT_ROOMS or not (ROOT / room / "__init__.py").exists():
            continue
        for kind, code, says, clause in _raised_in(path, kinds):
            entry = found.setdefault((code, kind.status), {"says": {}, "clauses": {}, "rooms": {}})
            titles[code, kind.status] = kind.title
            entry["says"][says] = None
            entry["rooms"][room] = None
            if clause:
                entry["clauses"][clause] = None
    # Codes that DRF's errors are given in problems.py without going through a literal call.
    found.setdefault(
        ("unknown-field", 400), {"says": {"There is no field … here.": None}, "clauses": {}, "rooms": {"house": None}}
    )
    titles.setdefault(("unknown-field", 400), "Malformed request")
    return tuple(
        sorted(
            Code(
                code, status, titles[code, status], tuple(entry["says"]), tuple(entry["clauses"]), tuple(entry["rooms"])
            )
            for (code, status), entry in found.items()
        )
    )
