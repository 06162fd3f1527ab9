"""Prizes that became unclaimed after twelve months (11.2), move by move. Pure."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from typing import Final

from keno.chart import PRIZES_OWING, UNCLAIMED
from keno.on_record.tickets import REFUND, Owed
from keno.rules.unclaimed import last_day_to_move
from kernel.export_check import Doubt, TransferOnRecord
from kernel.money import Money

KIND: Final = "keno.unclaimed"


@dataclass(slots=True)
class Sweep:
    index: int
    row: int
    day: str
    before: str  # what was won on days before this one
    micros: int
    found: int = 0


@dataclass(slots=True)
class Sweeps:
    sweeps: list[Sweep] = field(default_factory=list)
    moved: int = 0  # of what is not paid to this day

    def transfer(self, row: TransferOnRecord) -> None:
        if (row.debit, row.credit) != (PRIZES_OWING, UNCLAIMED):
            raise Doubt(f"what became unclaimed goes from {row.debit} to {row.credit}.")
        before = last_day_to_move(date.fromisoformat(row.day)).isoformat()
        self.sweeps.append(Sweep(row.index, row.id, row.day, before, row.micros))

    def move(self, owed: Owed, *, day: str, paid_at: int | None) -> int:
        """What of this prize had moved when it was paid, or has by now; it is part of the move that took it."""
        if owed.kind == REFUND:
            return 0
        for sweep in self.sweeps:
            if day < sweep.before and (paid_at is None or sweep.index < paid_at):
                sweep.found += owed.micros
                self.moved += owed.micros if paid_at is None else 0
                return owed.micros
        return 0

    def end(self) -> None:
        for sweep in self.sweeps:
            if sweep.found != sweep.micros:
                raise Doubt(
                    f"{Money(sweep.micros).said} became unclaimed on {sweep.day}; what was won before {sweep.before} "
                    f"and not paid was {Money(sweep.found).said}.",
                    row=sweep.row,
                )
