"""Sales and payments that follow each other in the log, made small in another process. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from keno.chart import STAKES_HELD
from keno.on_record import tenders
from keno.on_record.paid_plainly import Sorted, sort_out
from keno.on_record.sales import SERIAL_BYTES, pack
from kernel.export_check import PlainTransfer, TransferOnRecord
from kernel.row_text import read_json

_PAPERS: Final = frozenset(account.encode() for account in tenders.PAPERS)
_STAKES_HELD: Final = STAKES_HELD.encode()
_SALE: Final = tenders.SALE.encode()


class Sold(NamedTuple):
    packed: bytes  # of each sale its serial and its amount
    papers: list[tuple[bytes, bytes, int]]  # parts of sales with paper among them
    elsewhere: bytes  # one that went elsewhere
    drawers: set[tuple[bytes, bytes]]  # into or out of which cash went, and by whom
    paid: Sorted


def sold(rows: Sequence[PlainTransfer], places: Sequence[int]) -> Sold:
    sales = [row for row in rows if row[4] == _SALE]
    with_paper = {row[5].partition(b"/")[0] for row in sales if row[6] in _PAPERS}
    drawers = {(row[6], row[9]) for row in sales if row[6] not in _PAPERS}
    papers: list[tuple[bytes, bytes, int]] = []
    elsewhere = next((row[5] for row in sales if row[7] != _STAKES_HELD), b"")
    if not with_paper and {len(row[5]) for row in sales} <= {SERIAL_BYTES}:  # one part each, in cash: as most are
        packed = b"".join([row[5] + int(row[8]).to_bytes(8, "big") for row in sales])
    else:
        named = [(row[5].partition(b"/")[0], row[6], int(row[8])) for row in sales]
        packed = b"".join([pack(serial, micros) for serial, _, micros in named])
        papers = [each for each in named if each[0] in with_paper]
    paid = sort_out(rows, places) if len(sales) < len(rows) else Sorted([], [])
    plain = {each.row for each in paid.plain}
    drawers |= {(row[7], row[9]) for row in rows if plain and int(row[0]) in plain}
    return Sold(packed, papers, elsewhere, drawers, paid)


def on_record(place: int, row: PlainTransfer) -> TransferOnRecord:
    """As it would have come by itself."""
    texts = [text.decode() for text in row[:10] if text is not None]
    number, tx, at, day, kind, reference, debit, credit, micros, actor = texts
    memo = read_json(row[10]) if row[10] is not None else None
    return TransferOnRecord(
        place, 0, int(number), int(tx), at, day, kind, actor, reference, debit, credit, int(micros), None, memo
    )
