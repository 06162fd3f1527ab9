"""What was sold, as the log tells it, held against the tickets: game by game, each serial once. Pure.

Sales are what there is most of. Of each only its serial and its amount are kept, packed, under the game that was on
sale: a ticket's first game. A game is closed behind a barrier, so that what was sold for it stands before its close in
the log. A sale that had begun before the close and then found the next game open may stand there, too: what is left
over of one game is looked for in the next, and no further.
"""

from __future__ import annotations

import os
import tempfile
from itertools import groupby
from typing import Final

from kernel.export_check import Doubt
from kernel.money import Money

SERIAL_BYTES: Final = 12
RECORD_BYTES: Final = SERIAL_BYTES + 8
_GAMES_AT_HAND: Final = 64
_BYTES_AT_HAND: Final = 1 << 20


def pack(serial: bytes, micros: int) -> bytes:
    if len(serial) != SERIAL_BYTES:
        raise Doubt(f"a sale is of a ticket with the serial {serial.decode(errors='replace')}, which is none.")
    return serial + micros.to_bytes(8, "big")


class Sales:
    """What was sold, by the game that was on sale; in a file of its own, but for the game at hand."""

    def __init__(self) -> None:
        self.on_sale = 0  # the game that is open, or the next to be
        self.left_over: list[bytes] = []  # of the game before, packed
        self._at_hand: dict[int, bytearray] = {}
        self._pieces: dict[int, list[tuple[int, int]]] = {}  # by game: where in the file they lie
        self._file = tempfile.TemporaryFile()  # noqa: SIM115  it lives as long as this does

    def add(self, packed: bytes) -> None:
        mine = self._at_hand.get(self.on_sale)
        if mine is None:
            if len(self._at_hand) >= _GAMES_AT_HAND:
                self._write_down()
            mine = self._at_hand[self.on_sale] = bytearray()
        mine += packed
        if len(mine) >= _BYTES_AT_HAND:
            self._write_down()

    def _write_down(self) -> None:
        for game, packed in self._at_hand.items():
            self._pieces.setdefault(game, []).append((self._file.seek(0, os.SEEK_END), len(packed)))
            self._file.write(packed)
        self._at_hand.clear()

    def of(self, game: int) -> list[bytes]:
        """Packed serial and price of what was sold from this game on, by serial; the parts of one sale together."""
        packed = bytes(self._at_hand.pop(game, b""))
        for begin, length in self._pieces.pop(game, ()):
            self._file.seek(begin)
            packed += self._file.read(length)
        records = sorted(packed[at : at + RECORD_BYTES] for at in range(0, len(packed), RECORD_BYTES))
        if len({record[:SERIAL_BYTES] for record in records}) == len(records):
            return records
        return [
            pack(serial, sum(int.from_bytes(each[SERIAL_BYTES:], "big") for each in parts))
            for serial, parts in groupby(records, key=lambda record: record[:SERIAL_BYTES])
        ]

    def left(self) -> list[int]:
        return sorted(self._at_hand.keys() | self._pieces.keys())


class SoldFor:
    """The sales of one first game, walked along with its tickets."""

    def __init__(self, game: int, sales: Sales, *, sealed: bool) -> None:
        self.game, self.sealed, self.sales = game, sealed, sales
        self._earlier = {each[:SERIAL_BYTES]: each for each in sales.left_over}
        sales.left_over = []
        self._sales = sales.of(game)
        self._at = 0

    def take(self, tickets: bytes) -> list[bool]:
        """Whether each of these tickets, by serial and price, packed, was sold so. A game whose tickets are not sealed
        yet may have younger ones."""
        count = len(tickets) // RECORD_BYTES
        if b"".join(self._sales[self._at : self._at + count]) == tickets:  # as it nearly always is
            self._at += count
            return [True] * count
        return [self._sold(tickets[at : at + RECORD_BYTES]) for at in range(0, len(tickets), RECORD_BYTES)]

    def _sold(self, ticket: bytes) -> bool:
        serial = ticket[:SERIAL_BYTES]
        while self._at < len(self._sales) and self._sales[self._at][:SERIAL_BYTES] < serial:
            self._pass()
        if self._at < len(self._sales) and self._sales[self._at][:SERIAL_BYTES] == serial:
            paid: bytes | None = self._sales[self._at]
            self._at += 1
        else:
            paid = self._earlier.pop(serial, None)
        if paid is None:
            if self.sealed:
                raise Doubt(f"game {self.game}: ticket {serial.decode()} is in its set, and was never sold.")
            return False
        if paid != ticket:
            raise Doubt(f"ticket {serial.decode()} costs {_price(ticket).said}; {_price(paid).said} was taken for it.")
        return True

    def _pass(self) -> None:
        """A sale without a ticket of this game: the next may have it."""
        self.sales.left_over.append(self._sales[self._at])
        self._at += 1

    def end(self) -> None:
        while self._at < len(self._sales):
            self._pass()
        for serial in self._earlier:
            raise Doubt(
                f"ticket {serial.decode()} was sold from game {self.game - 1} on, and is not among the tickets."
            )


def _price(packed: bytes) -> Money:
    return Money(int.from_bytes(packed[SERIAL_BYTES:], "big"))
