"""CSV for spreadsheets: a cell that somebody typed is shown and never run."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from typing import Final

CSV: Final = "text/csv"
# A spreadsheet would run a cell that begins with one of these.
_BEGINS_A_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")


def guarded(text: str) -> str:
    """The text as a spreadsheet shows it, not as it would run it."""
    return f"'{text}" if text.startswith(_BEGINS_A_FORMULA) else text


def lines(rows: Iterable[Iterable[str]]) -> Iterator[str]:
    """Each row as a line of RFC 4180, made as it is asked for: a long list takes no memory."""
    writer = csv.writer(_Echo(), lineterminator="\r\n")
    for row in rows:
        yield writer.writerow(list(row))


class _Echo:
    def write(self, line: str) -> str:
        return line
