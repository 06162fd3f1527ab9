"""The rules of Keno as gazetted (Special Gazette S49, 27 August 1999), word for word, for whoever asks (14.10).

``docs/rules/act-keno.txt``: a line a paragraph; ``#`` before a heading, ``|`` between the cells of a row of prizes,
an empty line between two tables.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from typing import Final

from django.conf import settings

_NUMBERED: Final = re.compile(r"(\d+\.\d+) ")


@dataclass(frozen=True, slots=True)
class Part:
    """*kind*: ``head``, ``text`` or ``rows``. *number*: of the clause that begins here."""

    kind: str
    text: str = ""
    number: str = ""
    rows: tuple[tuple[str, ...], ...] = ()


@cache
def parts() -> tuple[Part, ...]:
    lines = (settings.ROOT / "docs" / "rules" / "act-keno.txt").read_text(encoding="utf-8").splitlines()
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
