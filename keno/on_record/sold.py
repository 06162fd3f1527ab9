"""Sales and payments that follow each other in the log, made small in another process. Pure."""

from __future__ import annotations

from operator import add
from typing import Final, NamedTuple

from keno.chart import STAKES_HELD
from keno.on_record import tenders
from keno.on_record.paid_plainly import Sorted, sort_out
from keno.on_record.sales import SERIAL_BYTES, pack
from kernel.export_check import Transfers

_PAPERS: Final = frozenset(account.encode() for account in tenders.PAPERS)
_STAKES_HELD: Final = STAKES_HELD.encode()
_SALE: Final = tenders.SALE.encode()


class Sold(NamedTuple):
    packed: bytes  # of each sale its serial and its amount
    papers: list[tuple[bytes, bytes, int]]  # parts of sales with paper among them
    elsewhere: bytes  # one that went elsewhere
    drawers: set[tuple[bytes, bytes]]  # into or out of which cash went, and by whom
    paid: Sorted


def sold(rows: Transfers) -> Sold:
    kinds = {flow.kind for flow in set(rows.flows)}
    if kinds == {_SALE}:
        return _sales(rows, Sorted())
    paid = sort_out(rows)
    sales = rows.where([flow.kind == _SALE for flow in rows.flows]) if _SALE in kinds else None
    return Sold(b"", [], b"", set(paid.drawers), paid) if sales is None else _sales(sales, paid)


def _sales(sales: Transfers, paid: Sorted) -> Sold:
    drawers = {(flow.debit, actor) for flow, actor in set(zip(sales.flows, sales.actors, strict=True))}
    drawers = {each for each in drawers if each[0] not in _PAPERS}
    flows = set(sales.flows)
    elsewhere = b""
    if any(flow.credit != _STAKES_HELD for flow in flows):
        both = zip(sales.flows, sales.references, strict=True)
        elsewhere = next(serial for flow, serial in both if flow.credit != _STAKES_HELD)
    papers: list[tuple[bytes, bytes, int]] = []
    if all(flow.debit not in _PAPERS for flow in flows) and set(map(len, sales.references)) == {SERIAL_BYTES}:
        prices = {amount: int(amount).to_bytes(8, "big") for amount in set(sales.amounts)}  # one part each, in cash
        packed = b"".join(map(add, sales.references, map(prices.__getitem__, sales.amounts)))
    else:
        columns = zip(sales.references, sales.flows, sales.amounts, strict=True)
        named = [(serial.partition(b"/")[0], flow.debit, int(amount)) for serial, flow, amount in columns]
        packed = b"".join([pack(serial, micros) for serial, _, micros in named])
        with_paper = {serial for serial, debit, _ in named if debit in _PAPERS}
        papers = [each for each in named if each[0] in with_paper]
    return Sold(packed, papers, elsewhere, drawers | paid.drawers, paid)
