"""A file of entries, read: CSV with a heading. What is wrong with a row is kept on it, without the person.

reference,card,name,address,telephone,email,wagered

The file is read once, when it is brought in. What is kept of it until it is entered are parts of many rows each, in the
form in which PostgreSQL takes rows in (COPY), so that nothing is done row by row afterwards.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import Any, Final, NamedTuple

from house.rules.cards import CHARACTERS_LIMIT
from kernel.money import Money
from kernel.refusal import Refusal
from promotions.enter import REFERENCE_CHARACTERS_LIMIT
from promotions.people import NOBODY, Contact, identity_of, small_wager
from promotions.rules.terms import Terms

COLUMNS: Final = ("reference", "card", "name", "address", "telephone", "email", "wagered")
FILE_ROWS_LIMIT: Final = 2_000_000
FILE_BYTES_LIMIT: Final = 128 * 1_048_576
_LINES_HASHED: Final = 1_000  # at a time
_NOTHING: Final = dict.fromkeys(COLUMNS, "")

# Most files are coupons with a card each. A part of nothing else is read as a whole, by one expression.
_PLAIN: Final = re.compile(
    rf"(?:[!-\[\]-~](?:[ -\[\]-~]{{0,{REFERENCE_CHARACTERS_LIMIT - 2}}}[!-\[\]-~])?"
    rf"\t[A-Za-z0-9][A-Za-z0-9-]{{0,{CHARACTERS_LIMIT - 1}}}\n)*"
)
_ESCAPES: Final = str.maketrans({"\\": r"\\", "\t": r"\t", "\n": r"\n", "\r": r"\r"})
_NULL: Final = r"\N"
_NO_ERROR_AND_NOBODY: Final = f"\t{_NULL}" * 6 + "\n"

Row = tuple[int, list[str]]  # its line in the file, its cells


class Part(NamedTuple):
    """So many rows as COPY reads them: line, whose, reference, error, wagered, name, address, telephone, email."""

    rows: bytes
    size: int


def hashed(lines: Iterable[str], digest: Any) -> Iterator[str]:
    lines = iter(lines)
    while some := list(islice(lines, _LINES_HASHED)):
        digest.update("".join(some).encode())
        yield from some


def parts_of(lines: Iterator[str], terms: Terms, *, rows_a_part: int) -> Iterator[Part]:
    reader = csv.reader(lines, strict=True)
    try:
        heading = _heading(next(reader, []))
        read = ((reader.line_num, cells) for cells in reader)
        count = 0
        while rows := list(islice(read, rows_a_part)):
            count += len(rows)
            if count > FILE_ROWS_LIMIT:
                raise Refusal("file-too-long", f"A file has at most {FILE_ROWS_LIMIT} rows.", field="csv")
            if rows := [row for row in rows if row[1]]:
                written = _plainly(rows, heading, terms) or "".join(_one_by_one(rows, heading, terms))
                yield Part(written.encode(), len(rows))
    except csv.Error as fault:
        raise Refusal("file-unreadable", f"Line {reader.line_num}: {fault}.", field="csv") from None


def _heading(cells: list[str]) -> list[str]:
    heading = [name.strip().lower() for name in cells]
    if heading and heading[0].startswith("\ufeff"):
        heading[0] = heading[0].removeprefix("\ufeff")
    strange = [name for name in heading if name not in COLUMNS]
    if strange or "reference" not in heading or len(set(heading)) != len(heading):
        raise Refusal("heading-unreadable", f"The first line names the columns, of {', '.join(COLUMNS)}.", field="csv")
    return heading


def _plainly(rows: Sequence[Row], heading: list[str], terms: Terms) -> str | None:
    """Of rows that hold a reference and a card in plain letters and nothing else. None: it takes a look at each."""
    lines, cells = zip(*rows, strict=True)
    if terms.minimum_wager is not None or set(map(len, cells)) != {len(heading)}:
        return None
    columns = dict(zip(heading, zip(*cells, strict=True), strict=True))
    references, cards = columns.pop("reference"), columns.pop("card", ())
    if any(chain.from_iterable(columns.values())):
        return None
    written = "\n".join(map("\t".join, zip(references, cards, strict=False))) + "\n"
    if written.count("\n") != len(rows) or not _PLAIN.fullmatch(written):  # a cell may hold a line's end, or several
        return None
    return "".join(
        f"{line}\tcard:{card}\t{reference}{_NO_ERROR_AND_NOBODY}"
        for line, reference, card in zip(lines, references, map(str.upper, cards), strict=True)
    )


def _one_by_one(rows: Sequence[Row], heading: list[str], terms: Terms) -> Iterator[str]:
    for line, cells in rows:
        given = dict(zip(heading, cells, strict=False))
        values = _row(given, len(cells) - len(heading), terms)
        written = (_NULL if value is None else value.translate(_ESCAPES) for value in values)
        yield "\t".join([str(line), *written]) + "\n"


def _row(cells: dict[str, str], odd: int, terms: Terms) -> list[str | None]:
    """Whose, reference, error, wagered, name, address, telephone, email. Of a row that is refused nothing of the person
    is kept."""
    given = _NOTHING | {name: cell.strip() for name, cell in cells.items()}
    contact = NOBODY
    if given["name"] or given["address"] or given["telephone"] or given["email"]:
        contact = Contact(given["name"], given["address"], given["telephone"], given["email"])
    reference = given["reference"][:REFERENCE_CHARACTERS_LIMIT].replace("\0", "")
    try:
        if odd:
            raise ValueError("The line has more cells than the heading." if odd > 0 else "The line has too few cells.")
        if "\0" in "".join(given.values()):
            raise ValueError("The line holds a NUL character.")
        if not 0 < len(given["reference"]) <= REFERENCE_CHARACTERS_LIMIT:
            raise ValueError(f"The reference is missing, or longer than {REFERENCE_CHARACTERS_LIMIT} characters.")
        identity = identity_of(card=given["card"], contact=contact, card_required=terms.card_required)
        wagered = Money.parse(given["wagered"]) if given["wagered"] else None
        if small := small_wager(terms, wagered):
            raise ValueError(small)
    except ValueError as fault:
        return [None, reference, str(fault), None, None, None, None, None]
    person = (contact.name, contact.address, contact.telephone, contact.email) if contact else (None,) * 4
    return [identity, reference, None, None if wagered is None else str(wagered.micros), *person]
