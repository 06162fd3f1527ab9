"""Winning wagers that two people voided after the draw (14.3), as the log tells it. Pure.

What such a wager had won goes back to where it came from, its stake to whoever holds the ticket: nothing to other
winners. A loser's wager stands: his refund after the draw would be a free option.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from keno.chart import BONUSES, MADE_GOOD, PRIZES, PRIZES_OWING, REFUNDS_OWING, STAKES, UNCLAIMED
from keno.on_record.marks import Marks
from keno.on_record.sweeps import Sweeps
from keno.on_record.tickets import BONUS, PRIZE, REFUND, Owed, TicketOnRecord
from keno.on_record.values import Values
from keno.prize_acts import WinVoided
from keno.void_win_kinds import BONUS_VOID, PRIZE_VOID, UNCLAIMED_BACK, VOID_REFUND
from kernel.export_check import ActOnRecord, Doubt, TransferOnRecord
from kernel.money import Money

KINDS: Final = frozenset({PRIZE_VOID, BONUS_VOID, VOID_REFUND, UNCLAIMED_BACK})
# What is debited, what is credited.
_ACCOUNTS: Final = {
    PRIZE_VOID: ({PRIZES_OWING}, {PRIZES}),
    BONUS_VOID: ({PRIZES_OWING}, {BONUSES, UNCLAIMED}),
    VOID_REFUND: ({STAKES}, {REFUNDS_OWING}),
    UNCLAIMED_BACK: ({UNCLAIMED, MADE_GOOD}, {PRIZES_OWING}),
}


@dataclass(slots=True)
class VoidWins:
    values: Values
    sweeps: Sweeps
    marked: Marks  # tickets that something is said of here
    acts: dict[str, list[tuple[WinVoided, tuple[int, str]]]] = field(default_factory=dict)  # by ticket, where and when
    booked: dict[tuple[str, int], dict[str, int]] = field(default_factory=dict)  # by ticket and game
    total: int = 0

    def act(self, act: WinVoided, row: ActOnRecord) -> None:
        self.marked.add(act.ticket.encode())
        self.acts.setdefault(act.ticket, []).append((act, (row.index, row.at)))
        self.total += 1

    def transfer(self, row: TransferOnRecord) -> None:
        debits, credits = _ACCOUNTS[row.kind]
        parts = row.reference.split("/")
        serial, game = parts[1:3] if row.kind == BONUS_VOID else parts[:2]
        if row.debit not in debits or row.credit not in credits or not game.isdigit():
            raise Doubt(f"{row.kind} {row.reference} goes where nothing of a void wager goes.")
        self.add(serial, int(game), row.kind, row.micros)

    def add(self, serial: str, game: int, what: str, micros: int) -> None:
        self.marked.add(serial.encode())
        booked = self.booked.setdefault((serial, game), {})
        booked[what] = booked.get(what, 0) + micros

    def check(self, ticket: TicketOnRecord, days: dict[int, str]) -> None:
        """What it had won there is not owed any more, and its stake is."""
        for act, since in self.acts.pop(ticket.serial, ()):
            if self.values.effective.get(act.proposal) != act.subject:
                raise Doubt(f"ticket {ticket.serial}: its wager was voided, and no second person decided so.")
            won = [owed for owed in ticket.owed if owed.game == act.game and owed.kind != REFUND]
            if not won:
                raise Doubt(f"ticket {ticket.serial}: its wager in game {act.game} was voided, and had not won there.")
            self._same(ticket, act, won, moved=self._moved(won, days, since[0]))
            ticket.owed = [owed for owed in ticket.owed if owed not in won]
            if refund := ticket.paid_for(act.game):
                ticket.owed.append(Owed(act.game, REFUND, refund, "its winning wager was voided", since=since))

    def _moved(self, won: list[Owed], days: dict[int, str], index: int) -> int:
        """What of it had become unclaimed."""
        return sum(self.sweeps.move(owed, day=days.get(owed.game, ""), paid_at=index) for owed in won)

    def _same(self, ticket: TicketOnRecord, act: WinVoided, won: list[Owed], *, moved: int) -> None:
        jackpots = {spots: Money(micros) for owed in won for spots, micros in owed.jackpots}
        total, bonus = (
            sum(owed.micros for owed in won),
            sum(owed.micros for owed in won if owed.kind == BONUS),
        )
        refund = ticket.paid_for(act.game)
        said = (act.won.micros, dict(act.jackpots), act.bonus.micros, act.refund.micros)
        if said != (total, jackpots, bonus, refund):
            raise Doubt(
                f"ticket {ticket.serial}: its wager in game {act.game} was voided for {act.won.said} and "
                f"{act.refund.said} given back; it had won {Money(total).said} and paid {Money(refund).said}."
            )
        prize = sum(owed.micros for owed in won if owed.kind == PRIZE) - sum(each.micros for each in jackpots.values())
        expected = {PRIZE_VOID: prize, BONUS_VOID: bonus, VOID_REFUND: refund, UNCLAIMED_BACK: moved}
        expected |= {f"jackpot {spots}": amount.micros for spots, amount in jackpots.items()}
        booked = self.booked.pop((ticket.serial, act.game), {})
        for what in sorted(expected.keys() | booked.keys()):
            if expected.get(what, 0) != booked.get(what, 0):
                raise Doubt(
                    f"ticket {ticket.serial}: {Money(booked.get(what, 0)).said} was booked as {what} when its wager in "
                    f"game {act.game} was voided; it is {Money(expected.get(what, 0)).said}."
                )

    def end(self) -> None:
        for serial in (*self.acts, *(serial for serial, _ in self.booked)):
            raise Doubt(f"ticket {serial}: a wager of it was voided, and there is none that won.")
