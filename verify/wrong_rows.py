"""Why a line is not the row that should be there."""

from __future__ import annotations

from hashlib import sha256

from kernel.row_text import NotCanonical, read_json, row_text
from verify.books import Books
from verify.rows import is_row


def why_wrong(line: bytes, n: int, books: Books) -> str:
    """*n*: of the row that should be there. Raises Doubt where its act is none."""
    place = b'{"n":%d,"leaf":"' % n
    row = line[len(place) + 72 : -2]
    if not line.startswith(place):
        return f"row {n} should be here: a row is missing, added or out of place."
    if line != b'%b%b","row":%b}\n' % (place, sha256(b"\x00" + row).hexdigest().encode(), row):
        return f"row {n} is not what its hash says: it was changed."
    try:
        fields = read_json(row)
        if isinstance(fields, dict) and row_text(fields) == row and is_row(fields) and fields["type"] == "act":
            books.doubt_act(fields)
    except NotCanonical as why:
        return f"row {n} is not written as a row is: {why}."
    except (AttributeError, KeyError, TypeError, ValueError):
        return f"row {n} cannot be read."
    return f"row {n} is not written as a row is."
