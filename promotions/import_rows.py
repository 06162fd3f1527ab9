"""A file of entries, read row by row: CSV with a heading. What is wrong with a row is kept on it, without the person.

reference,card,name,address,telephone,email,wagered
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from typing import Any, Final

from kernel.money import Money
from kernel.refusal import Refusal
from promotions import players
from promotions.enter import REFERENCE_CHARACTERS_LIMIT
from promotions.people import NOBODY, UNKNOWN_CARD, Contact, identity_of, small_wager
from promotions.rules.terms import Terms

COLUMNS: Final = ("reference", "card", "name", "address", "telephone", "email", "wagered")
FILE_ROWS_LIMIT: Final = 2_000_000
FILE_BYTES_LIMIT: Final = 128 * 1_048_576
_NOTHING: Final = dict.fromkeys(COLUMNS, "")


def hashed(lines: Iterable[str], digest: Any) -> Iterator[str]:
    for line in lines:
        digest.update(line.encode())
        yield line


def rows_of(lines: Iterator[str], terms: Terms) -> Iterator[list[object]]:
    """(line, identity, reference, name, address, telephone, email, wagered, error) for each row of the file."""
    reader = csv.reader(lines, strict=True)
    try:
        heading = [name.strip().lower() for name in next(reader, [])]
        if heading and heading[0].startswith("\ufeff"):
            heading[0] = heading[0].removeprefix("\ufeff")
        strange = [name for name in heading if name not in COLUMNS]
        if strange or "reference" not in heading or len(set(heading)) != len(heading):
            raise Refusal(
                "heading-unreadable", f"The first line names the columns, of {', '.join(COLUMNS)}.", field="csv"
            )
        for count, cells in enumerate(reader, start=1):
            if count > FILE_ROWS_LIMIT:
                raise Refusal("file-too-long", f"A file has at most {FILE_ROWS_LIMIT} rows.", field="csv")
            if cells:
                yield _row(reader.line_num, dict(zip(heading, cells, strict=False)), len(cells) - len(heading), terms)
    except csv.Error as fault:
        raise Refusal("file-unreadable", f"Line {reader.line_num}: {fault}.", field="csv") from None


def _row(line: int, cells: dict[str, str], odd: int, terms: Terms) -> list[object]:
    given = _NOTHING | {name: cell.strip() for name, cell in cells.items()}
    contact = NOBODY
    if given["name"] or given["address"] or given["telephone"] or given["email"]:
        contact = Contact(given["name"], given["address"], given["telephone"], given["email"])
    identity, wagered, error = "", None, ""
    try:
        if odd:
            raise ValueError("The line has more cells than the heading." if odd > 0 else "The line has too few cells.")
        if "\0" in "".join(given.values()):
            raise ValueError("The line holds a NUL character.")
        if not 0 < len(given["reference"]) <= REFERENCE_CHARACTERS_LIMIT:
            raise ValueError(f"The reference is missing, or longer than {REFERENCE_CHARACTERS_LIMIT} characters.")
        identity = identity_of(card=given["card"], contact=contact, card_required=terms.card_required)
        wagered = Money.parse(given["wagered"]) if given["wagered"] else None
        error = small_wager(terms, wagered) or ""
    except ValueError as fault:
        error = str(fault)
    if error:
        return [line, *_refused(given["reference"][:REFERENCE_CHARACTERS_LIMIT].replace("\0", ""), error)]
    micros = None if wagered is None else wagered.micros
    return [
        line,
        identity,
        given["reference"],
        contact.name,
        contact.address,
        contact.telephone,
        contact.email,
        micros,
        "",
    ]


def _refused(reference: str, error: str) -> list[object]:
    """Of a row that is refused nothing of the person is kept."""
    return ["", reference, "", "", "", "", None, error]


def with_players(batch: list[list[Any]]) -> list[list[object]]:
    """The players behind the cards of a batch, asked for at once. A card that is nobody's refuses its row."""
    cards = {row[1].removeprefix("card:") for row in batch if row[1].startswith("card:")}
    known = players.identities(cards) if cards else {}
    for row in batch:
        if row[1].startswith("card:"):
            row[1] = known.get(row[1].removeprefix("card:"), "")
            if not row[1]:
                row[1:] = _refused(row[2], UNKNOWN_CARD)
    return batch
