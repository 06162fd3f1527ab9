"""Reading an export a second time, for the few rows that what came later has made interesting."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence, Set
from typing import IO, Final, NamedTuple

from kernel.notes import Checkpoint, Note, NoteError
from kernel.row_text import read_json
from verify.processes import LINE_BYTES_LIMIT, lines_between
from verify.runs import reference_hash

_ROW = re.compile(rb'\{"n":(\d+),"leaf":"[0-9a-f]{64}","row":(.*)\}\n').fullmatch
_ID = re.compile(rb'.{90,120}?"id":(\d{1,18}),').match
_TRANSFER: Final = b'"row":{"type":"transfer",'


class Span(NamedTuple):
    """A stretch of the file, and between which numbers its rows lie."""

    begin: int
    end: int
    lowest: int
    highest: int


def rows_by_id(file: IO[bytes], spans: Sequence[Span], ids: Set[int]) -> dict[int, tuple[int, Mapping[str, object]]]:
    """(index, fields) of the rows with these numbers."""
    found: dict[int, tuple[int, Mapping[str, object]]] = {}
    for span in spans:
        if not any(span.lowest <= each <= span.highest for each in ids):
            continue
        for line in lines_between(file, span.begin, span.end):
            numbered = _ID(line)
            row = _ROW(line) if numbered and int(numbered[1]) in ids else None
            if row is not None:
                fields = read_json(row[2])
                found[fields["id"]] = (int(row[1]), fields)
    return found


def line_of_id(file: IO[bytes], number: int) -> int | None:
    """The line that has the row of this number."""
    wanted = b'"id":%d,' % number
    return next((at for at, line in _lines(file) if wanted in line[:140]), None)


def booked_twice(file: IO[bytes], hashes: Set[int]) -> tuple[int, str, str] | None:
    """The first line whose kind and reference have stood there before, of those with these hashes."""
    seen: set[tuple[str, str]] = set()
    for at, line in _lines(file):
        row = _ROW(line) if _TRANSFER in line[:120] else None
        if row is None:
            continue
        fields = read_json(row[2])
        named = (fields["kind"], fields["reference"])
        if reference_hash(named[0].encode(), named[1].encode()) in hashes:
            if named in seen:
                return at, *named
            seen.add(named)
    return None


def _lines(file: IO[bytes]) -> Iterator[tuple[int, bytes]]:
    file.seek(0)
    at = 0
    while line := file.readline(LINE_BYTES_LIMIT):
        at += 1
        yield at, line


def last_head(file: IO[bytes]) -> Checkpoint:
    """The last head of an export that one has already. Raises NoteError."""
    last = b""
    for line in file:
        if line.startswith(b'{"seal":'):
            last = line
    try:
        return Checkpoint.parse(Note.parse(json.loads(last)["seal"].encode()).text)
    except (KeyError, TypeError, ValueError) as unreadable:
        raise NoteError("This is no export with a seal.") from unreadable
