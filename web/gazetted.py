"""The rules of a game as gazetted, word for word, for whoever asks (act-keno:14.10, nsw-csp:16.20 and their like).

``docs/rules/act-keno.txt`` and its like: a line a paragraph; ``#`` before a heading, ``|`` between the cells of a row,
an empty line between two tables. Left out are the order's first page, the index and the drawings of the layout.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Final

from django.conf import settings

_NUMBERED: Final = re.compile(r"(\d+(?:\.\d+)+)\.?\s")


@dataclass(frozen=True, slots=True)
class Part:
    """*kind*: ``head``, ``text`` or ``rows``. *number*: of the clause that begins here."""

    kind: str
    text: str = ""
    number: str = ""
    rows: tuple[tuple[str, ...], ...] = ()


def is_kept(document: str) -> bool:
    """Whether its text is here: of every document that asks for a copy."""
    return re.fullmatch(r"[a-z]+-[a-z]+", document) is not None and _file(document).is_file()


def _file(document: str) -> Path:
    return Path(settings.ROOT) / "docs" / "rules" / f"{document}.txt"


@cache
def parts(document: str) -> tuple[Part, ...]:
    lines = _file(document).read_text(encoding="utf-8").splitlines()
    made: list[Part] = []
    for is_table, found in groupby(lines, key=lambda line: line.startswith("|")):
        some = list(found)
        made += [_table(some)] if is_table else [_paragraph(line) for line in some if line]
    return tuple(made)


def _table(lines: list[str]) -> Part:
    cells = [[cell.strip() for cell in line.removeprefix("|").split("|")] for line in lines]
    wide = max(map(len, cells))
    return Part("rows", rows=tuple(tuple(row + [""] * (wide - len(row))) for row in cells))


def _paragraph(line: str) -> Part:
    if line.startswith("# "):
        text = line.removeprefix("# ")
        return Part("head", text, _number(text))
    return Part("text", line, _number(line))


def _number(text: str) -> str:
    found = _NUMBERED.match(text)
    return found[1] if found else ""
