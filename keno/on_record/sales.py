"""What was sold, as the log tells it, held against the tickets: game by game, each serial once. Pure.

Sales are what there is most of. Of each only its serial and its amount are kept, packed, under the game that was on
sale: a ticket's first game. A game is closed behind a barrier, so that what was sold for it stands before its close in
the log, and nothing else does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from kernel.export_check import Doubt
from kernel.money import Money

SERIAL_BYTES: Final = 12
_RECORD_BYTES: Final = SERIAL_BYTES + 8


def pack(serial: bytes, micros: int) -> bytes:
    if len(serial) != SERIAL_BYTES:
        raise Doubt(f"a sale is of a ticket with the serial {serial.decode(errors='replace')}, which is none.")
    return serial + micros.to_bytes(8, "big")


class Sales:
    def __init__(self) -> None:
        self.on_sale: int | None = None  # the game that is open
        self.by_game: dict[int, bytearray] = {}

    def add(self, packed: bytes) -> None:
        if self.on_sale is None:
            serial = packed[:SERIAL_BYTES].decode()
            raise Doubt(f"ticket {serial} was sold while no game was open.")
        self.by_game.setdefault(self.on_sale, bytearray()).extend(packed)

    def of(self, game: int) -> Iterator[tuple[str, int]]:
        """Serial and price of what was sold from this game on, by serial; the parts of one sale together."""
        packed = self.by_game.pop(game, bytearray())
        records = sorted(bytes(packed[at : at + _RECORD_BYTES]) for at in range(0, len(packed), _RECORD_BYTES))
        serial, micros = b"", 0
        for record in records:
            if record[:SERIAL_BYTES] != serial:
                if serial:
                    yield serial.decode(), micros
                serial, micros = record[:SERIAL_BYTES], 0
            micros += int.from_bytes(record[SERIAL_BYTES:], "big")
        if serial:
            yield serial.decode(), micros

    def left(self) -> Iterable[int]:
        return sorted(self.by_game)


class SoldFor:
    """The sales of one first game, walked along with its tickets."""

    def __init__(self, game: int, sales: Sales, *, sealed: bool) -> None:
        self.game, self.sealed = game, sealed
        self._sales = sales.of(game)
        self._next = next(self._sales, None)

    def sold(self, serial: str, price: int) -> bool:
        """Whether the ticket was sold at this price. A game whose tickets are not sealed yet may have younger ones."""
        if self._next is not None and self._next[0] < serial:
            raise self._missing(self._next[0])
        if self._next is None or self._next[0] != serial:
            if self.sealed:
                raise Doubt(f"game {self.game}: ticket {serial} is in its set, and was never sold.")
            return False
        paid = self._next[1]
        if paid != price:
            raise Doubt(f"ticket {serial} costs ${Money(price)}; ${Money(paid)} was taken for it.")
        self._next = next(self._sales, None)
        return True

    def end(self) -> None:
        if self._next is not None:
            raise self._missing(self._next[0])

    def _missing(self, serial: str) -> Doubt:
        return Doubt(f"ticket {serial} was sold from game {self.game} on, and is not among the tickets.")
