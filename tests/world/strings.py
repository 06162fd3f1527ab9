"""Every sentence that the product says to people: in templates, in messages of the verbs and pages, in scripts."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]
ROOMS: Final = (
    "console", "draws", "house", "jackpot", "keno", "promotions", "signage", "tablegames", "tournaments", "web",
)  # fmt: skip
_ELSEWHERE: Final = {"migrations", "simulate", "management", "on_record", "api", "models", "reports"}
_FOR_MACHINES: Final = re.compile(
    r"(_on_record|verify|export_check|recompute|schema|docs|fields|checks|metrics|logs)\.py$"
)
_HIDDEN: Final = re.compile(
    r"<(script|style|svg)\b.*?</\1>|\{% comment %\}.*?\{% endcomment %\}|\{#.*?#\}|<!--.*?-->", re.S
)
_SPOKEN: Final = re.compile(r'\b(?:placeholder|aria-label|title|alt|data-says|value)="([^"{]*[a-z][^"{]*)"')
_ARGUMENT: Final = re.compile(r"\{% (?:banner|nothing|or_leave|confirm|action|choice|sheet)\b([^%]*)%\}")
_QUOTED: Final = re.compile(r'"([^"]*)"')
_SCRIPT: Final = re.compile(r'"([^"\n]*)"|`([^`]*)`')
_SENTENCE: Final = re.compile(r"^(?:[A-Z“…][^A-Z]|[a-z]+ed\b).*[.?!…]$")
_SQL: Final = re.compile(r"\b(SELECT|INSERT|UPDATE|CREATE|DELETE|WITH|FROM|ORDER BY|WHERE|ALTER|DROP|SET)\b")


def of(path: Path, *, words: int = 2) -> list[str]:
    """What is said in one file in so many words or more, in its order, each once."""
    read = {".html": _template, ".py": _python, ".js": _script}[path.suffix]
    found = (" ".join(text.split()) for text in read(path.read_text()))
    said = dict.fromkeys(text for text in found if _is_said(text) and len(text.split()) >= words)
    # Outside pages most texts of a program are names; what is said to somebody is a sentence.
    parts = set(path.with_suffix("").parts)
    all_of_it = path.suffix != ".py" or parts & {"pages", "acts", "permissions", "incident_kinds"}
    return [text for text in said if all_of_it or _SENTENCE.search(text)]


def files(*rooms: str) -> Iterator[Path]:
    for room in rooms or ROOMS:
        for path in sorted((ROOT / room).rglob("*")):
            elsewhere = set(path.relative_to(ROOT).parts) & _ELSEWHERE or _FOR_MACHINES.search(path.name)
            if path.suffix in {".html", ".py", ".js"} and not elsewhere:
                yield path


def _is_said(text: str) -> bool:
    """Words for people: not an address, a name of something, or a piece of another language."""
    strange = re.search(r"[<>{}=;\\]{2}|=>|^[/.#]|^\w+[=:]", text)
    return bool(re.search(r"[A-Za-z]{2}", text)) and not strange and not _SQL.search(text)


def _template(text: str) -> Iterator[str]:
    text = _HIDDEN.sub(" ", text)
    yield from _SPOKEN.findall(text)
    for arguments in _ARGUMENT.findall(text):
        yield from _QUOTED.findall(arguments)
    plain = re.sub(r"\{\{.*?\}\}", "…", re.sub(r"\{%.*?%\}", "\0", text, flags=re.S), flags=re.S)
    for node in re.split(r"<[^>]*>|\0", plain):
        yield node.strip(" \n·…,.;:") if len(node.strip()) < 4 else node.strip()


def _python(text: str) -> Iterator[str]:
    tree = ast.parse(text)
    silent = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}  # docstrings
    within: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            within |= {id(part) for part in ast.walk(node) if part is not node}
    for node in ast.walk(tree):
        if id(node) in silent or id(node) in within:
            continue
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            if node.value[:1].isupper() or " " in node.value:
                yield node.value
        elif isinstance(node, ast.JoinedStr):
            yield "".join(str(part.value) if isinstance(part, ast.Constant) else "…" for part in node.values)


def _script(text: str) -> Iterator[str]:
    code = re.sub(r"^\s*(//|/?\*).*$|^import .*$|\s//\s.*$", "", text, flags=re.M)
    for plain, template in _SCRIPT.findall(code):
        yield re.sub(r"\$\{[^}]*\}+`?", "…", template) if template else plain


def document() -> str:
    """All of them as docs/words.md has them."""
    lines = [
        "# What the product says",
        "",
        "Every sentence of templates, messages and scripts, by file, for whoever reads them aloud: would somebody who",
        "works in a casino say it so? … stands for what is put in. Written by `METERHOUSE_WRITE_WORDS=1 python -m",
        "pytest -n 0 tests/console/test_said.py`; the words of the trade are in [the glossary](glossary.md).",
    ]
    for path in files():
        if said := of(path):
            lines += ["", f"## {path.relative_to(ROOT)}", "", *(f"- {text}" for text in said)]
    return "\n".join(lines) + "\n"
