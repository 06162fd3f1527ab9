"""The check of the transfers that tests of the ledger make (``books.py``): nobody else's, and nothing to be recomputed.

Without Django, for programs that a test runs by themselves.
"""

from __future__ import annotations

from kernel.export_check import NOTHING_WANTED, RoomCheck, Transfers, Wanted
from verify.rooms import room_checks


class Check(RoomCheck):
    name = "Test"
    transfers = frozenset({"test.sale", "test.payout", "test.share", "test.fee", "bench.sale"})
    reduced = frozenset({"test.sale", "bench.sale"})

    def __init__(self, wanted: Wanted = NOTHING_WANTED) -> None:
        super().__init__(wanted)
        self.sold_micros = 0

    @staticmethod
    def reduce(rows: Transfers) -> int:
        return sum(map(int, rows.amounts))

    def merge(self, part: int) -> None:
        self.sold_micros += part


def with_books(wanted: Wanted = NOTHING_WANTED) -> list[RoomCheck]:
    """The rooms of the house, and this one."""
    return [*room_checks(wanted), Check(wanted)]
