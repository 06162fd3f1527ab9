"""What was sold, as the log tells it, held against the tickets: game by game, each serial once. Pure.

Sales are what there is most of. Of each only its serial and its amount are kept, packed, under the game that was on
sale: a ticket's first game. A game is closed behind a barrier, so that what was sold for it stands before its close in
the log. A sale that had begun before the close and then found the next game open may stand there, too: what is left
over of one game is looked for in the next, and no further.
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
        self.on_sale = 0  # the game that is open, or the next to be
        self.by_game: dict[int, bytearray] = {}
        self.left_over: list[tuple[str, int]] = []  # of the game before

    def add(self, packed: bytes) -> None:
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
        self.game, self.sealed, self.sales = game, sealed, sales
        self._earlier = dict(sales.left_over)
        sales.left_over = []
        self._sales = sales.of(game)
        self._next = next(self._sales, None)

    def sold(self, serial: str, price: int) -> bool:
        """Whether the ticket was sold at this price. A game whose tickets are not sealed yet may have younger ones."""
        while self._next is not None and self._next[0] < serial:
            self._pass()
        if self._next is not None and self._next[0] == serial:
            paid: int | None = self._next[1]
            self._next = next(self._sales, None)
        else:
            paid = self._earlier.pop(serial, None)
        if paid is None:
            if self.sealed:
                raise Doubt(f"game {self.game}: ticket {serial} is in its set, and was never sold.")
            return False
        if paid != price:
            raise Doubt(f"ticket {serial} costs ${Money(price)}; ${Money(paid)} was taken for it.")
        return True

    def _pass(self) -> None:
        """A sale without a ticket of this game: the next may have it."""
        assert self._next is not None
        self.sales.left_over.append(self._next)
        self._next = next(self._sales, None)

    def end(self) -> None:
        while self._next is not None:
            self._pass()
        for serial in self._earlier:
            raise Doubt(f"ticket {serial} was sold from game {self.game - 1} on, and is not among the tickets.")
