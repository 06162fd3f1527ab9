"""What a reader asks about a ticket or a game, in plain sentences with the arithmetic. Pure."""

from __future__ import annotations

from typing import Final

from keno.on_record.game import GameMoney, Tally
from keno.on_record.payments import PaidOnRecord
from keno.on_record.tickets import REFUND, TicketOnRecord
from kernel.export_check import Wanted
from kernel.merkle import HASH_SIZE, inclusion_proof, nodes_of
from kernel.money import Money

_READ_AS: Final = str.maketrans("OIL", "011", "- ")  # a serial as people type it (particulars.py)


class Answers:
    def __init__(self, wanted: Wanted, shown: list[str]) -> None:
        self.serial = wanted.ticket.upper().translate(_READ_AS) if wanted.ticket else None
        self.number, self.shown = wanted.game, shown
        self.leaves: list[bytes] = []  # of the game at hand
        self.leaf: bytes | None = None  # of the ticket asked for, if it stands in the game at hand
        self.late = False

    def ticket(self, ticket: TicketOnRecord, payments: list[PaidOnRecord], left: int) -> None:
        """Everything of it is known. *left*: what it is owed to this day."""
        if ticket.serial != self.serial:
            return
        self.shown.append(f"Ticket {ticket.serial} {_cost(ticket)}")
        for owed in sorted(ticket.owed, key=lambda each: each[:2]):  # as first settled
            verb = "got back" if owed.kind == REFUND else "won"
            self.shown.append(
                f"Ticket {ticket.serial} {verb} {Money(owed.micros).said} in game {owed.game}"
                + (f": {owed.why}." if owed.why else ".")
            )
        for owed in ticket.again or ():
            self.shown.append(
                f"Ticket {ticket.serial} won {Money(owed.micros).said} in game {owed.game} when that was settled "
                f"again: {owed.why}."
            )
        for payment in payments:
            how = f"payment {payment.number}" if payment.number else "handed in for another ticket"
            parts = " + ".join(f"{Money(owed.micros).said}" for owed in payment.pays)
            self.shown.append(
                f"Ticket {ticket.serial} was paid {Money(payment.micros).said} = {parts} on {payment.at[:10]} ({how})."
            )
        self.shown.append(
            f"Ticket {ticket.serial} "
            + (f"is owed {Money(left).said} to this day." if left else "is owed nothing more.")
        )

    def game(self, tally: Tally, again: Tally | None = None) -> None:
        """All its tickets were counted; where it was settled again, twice (12.1)."""
        game = tally.game
        if self.leaf is not None and game.root is not None:
            self._stands(tally, self.leaves.index(self.leaf))
        if game.number != self.number:
            return
        if game.totals is None:
            self.shown.append(
                f"Game {game.number} was invalidated: its {tally.tickets} tickets get {Money(tally.refunds).said} back."
                if game.refunded is not None
                else f"Game {game.number} has {tally.count} tickets, and is not over."
            )
            return
        self._settled(game, tally.tickets)
        if again is not None:
            self.shown.append(f"Game {game.number} was settled again: its balls had been recorded wrongly.")
            self._settled(again.game, again.tickets)

    def _settled(self, game: GameMoney, tickets: int) -> None:
        totals = game.totals or {}
        numbers = ", ".join(map(str, game.drawn))
        self.shown += [
            f"Game {game.number}: {tickets} tickets paid {_said(totals['stakes'])} for it. Drawn were {numbers}.",
            f"Game {game.number}: {totals['winners']} tickets won {_said(totals['prizes'])}. "
            + _majors(totals["majors"]["before"], totals["majors"]["after"], totals["majors"]["count"]),
        ]
        self.shown += [
            f"Game {game.number}: the {spots}-number jackpot of {_said(won['amount'])} was shared by "
            f"{won['ways']} ways."
            for spots, won in sorted(totals["jackpots"].items())
        ]
        if "bonuses" in totals:
            self.shown.append(f"Game {game.number}: bonuses of {_said(totals['bonuses'])} were won.")

    def _stands(self, tally: Tally, place: int) -> None:
        game, leaves, late = tally.game, self.leaves, self.late
        path = inclusion_proof(place, len(leaves), nodes_of(leaves))
        root = (game.root or b"").hex()
        self.shown.append(
            f"Ticket {self.serial} took part in game {game.number} as entry {place + 1} of {len(leaves)}: its "
            f"hash {leaves[place].hex()} and {len(path)} neighbours lead to the sealed root {root}."
            + (" It was cancelled before the draw, and could not win." if late else "")
        )

    def begin(self) -> None:
        self.leaves, self.leaf = [], None

    def take(self, ticket: TicketOnRecord, game: int) -> None:
        """A ticket of the game at hand."""
        if ticket.serial == self.serial:
            self.leaf, self.late = ticket.leaf, game > ticket.plays_to

    def grow(self, leaves: bytes) -> None:
        """Of the game at hand, in their order, packed."""
        if self.serial is not None:
            self.leaves += [leaves[at : at + HASH_SIZE] for at in range(0, len(leaves), HASH_SIZE)]


def _cost(ticket: TicketOnRecord) -> str:
    games = ticket.charged_to - ticket.first + 1
    free = ticket.last - ticket.charged_to
    free_said = f", {free} free" if free else ""
    return (
        f"cost {Money(ticket.price).said} = {games} × {Money(ticket.price_a_game).said}, for games {ticket.first} to "
        f"{ticket.last}{free_said}."
    )


def _said(amount: str) -> str:
    return Money.parse(amount).said


def _majors(before: str, after: str, count: int) -> str:
    if not count:
        return "There was no major prize."
    if before == after:
        return f"Majors were {count}, together {_said(before)}."
    return f"Majors were {count}, together {_said(before)}, pro-rated to {_said(after)}."
