"""The money of a jackpot: what stakes add to its purses, and what moves when it is won (5.2, 5.3, 9.5).

Pure bookkeeping over purses: each function answers the moves to book, in order, and the purses after them. Amounts are
exact to the micro-dollar; only what a player gets is whole cents, rounded down, and the rest stays in the prize purse.
Nothing is ever created: a move takes from one purse what it puts into another.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from keno.rules.entry import TicketEntry
from kernel.money import ZERO, Money
from kernel.refusal import Refusal

CONTRIBUTION: Final = 2_500  # basis points of the stake (5.3)


class Purse(StrEnum):
    STAKES = "stakes"
    PRIZE = "prize"
    SECONDARY = "secondary"
    REIMBURSEMENT = "reimbursement"
    HOUSE = "house"
    WINNERS = "winners"


@dataclass(frozen=True, slots=True)
class Move:
    source: Purse
    target: Purse
    amount: Money


@dataclass(frozen=True, slots=True)
class Ratio:
    """The approved split of the contribution, in basis points of the stake: together the whole 25% (5.3)."""

    prize: int
    secondary: int
    reimbursement: int

    def __post_init__(self) -> None:
        if min(self.prize, self.secondary, self.reimbursement) < 0 or (
            self.prize + self.secondary + self.reimbursement != CONTRIBUTION
        ):
            raise Refusal(
                "ratio-not-whole",
                "The shares of prize, secondary and reimbursement pool add up to 25% of the stake, none negative.",
                clause="act-keno:5.3",
                field="ratio",
            )


FIRST_RATIO: Final = Ratio(prize=1_500, secondary=600, reimbursement=400)  # until another one is approved


@dataclass(frozen=True, slots=True)
class Purses:
    """Where a jackpot stands. *owed* is what the house put in and has not been paid back."""

    prize: Money = ZERO
    secondary: Money = ZERO
    reimbursement: Money = ZERO
    owed: Money = ZERO

    def displayed(self, guarantee: Money) -> Money:
        """What the boards show and a win pays: whole cents, never below the guarantee (5.2)."""
        return max(guarantee, self.prize.down_to_cents())


@dataclass(frozen=True, slots=True)
class Booked:
    purses: Purses
    moves: tuple[Move, ...]


def jackpot_stakes(entry: TicketEntry) -> dict[int, Money]:
    """What one charged game of this ticket stakes in each jackpot, by spots. Free games stake nothing."""
    plays = zip(entry.selection.plays, entry.selection.ways, strict=True)
    return {play.spots: play.stake * ways for play, ways in plays if entry.in_jackpot(play)}


def contribute(purses: Purses, staked: Money, ratio: Ratio) -> Booked:
    """A game closes: 25% of what was paid for its jackpot ways goes to the purses (5.3).

    What the house put in earlier is paid back from the reimbursement purse as it fills.
    """
    book = _Book(purses)
    for purse, share in shares_of(staked, ratio).items():
        book.move(Purse.STAKES, purse, share)
    book.pay_back()
    return book.done()


def shares_of(staked: Money, ratio: Ratio) -> dict[Purse, Money]:
    """What goes into each purse of what was staked (5.3)."""
    return {
        Purse.PRIZE: staked.basis_points(ratio.prize),
        Purse.SECONDARY: staked.basis_points(ratio.secondary),
        Purse.REIMBURSEMENT: staked.basis_points(ratio.reimbursement),
    }


def reverse(purses: Purses, shares: Mapping[Purse, Money], *, guarantee: Money) -> Booked:
    """A game is invalidated (14): its shares, as they were booked, go back to the stakes, to be refunded.

    A purse that no longer holds it (paid back to the house, or become the next prize) is made good by the house, which
    is owed that much again.
    """
    book = _Book(purses)
    for purse, share in shares.items():
        held = min(share, book.held[purse])
        book.move(purse, Purse.STAKES, held)
        book.move(Purse.HOUSE, Purse.STAKES, share - held)
    book.top_up(guarantee)
    return book.done()


def top_up(purses: Purses, guarantee: Money) -> Booked:
    """Bring the prize up to its guarantee: from the reimbursement purse, then from the house (5.2).

    How a new jackpot begins, too, with nothing but the house behind it.
    """
    book = _Book(purses)
    book.top_up(guarantee)
    return book.done()


def win(purses: Purses, guarantee: Money) -> Booked:
    """The jackpot is won: the displayed amount goes to the winners, and the secondary purse becomes the new prize.

    What is missing to the guarantee comes from the reimbursement purse, then from the house.
    """
    book = _Book(purses)
    book.top_up(guarantee)
    book.move(Purse.PRIZE, Purse.WINNERS, book.held[Purse.PRIZE].down_to_cents())
    book.move(Purse.SECONDARY, Purse.PRIZE, book.held[Purse.SECONDARY])
    book.top_up(guarantee)
    return book.done()


def give_back(purses: Purses, amount: Money) -> Booked:
    """What a void wager had won comes back to the prize it was taken from (14.3): never to other winners."""
    book = _Book(purses)
    book.move(Purse.WINNERS, Purse.PRIZE, amount)
    return book.done()


def unwin(purses: Purses, moves: Sequence[Move], *, guarantee: Money) -> Booked:
    """It was not won after all: the game had been settled on wrong numbers (12.1). What its winners got comes back, and
    what moved with the win goes back to where it was, as far as it is still there.

    *moves*: those of the win. What the house has been paid back since is the reimbursement purse's, which paid it.
    """
    book = _Book(purses)
    for move in (move for move in moves if move.target is Purse.WINNERS):
        book.move(Purse.WINNERS, move.source, move.amount)
    for move in reversed([move for move in moves if move.target is not Purse.WINNERS]):
        left = min(move.amount, book.held[move.target])
        if move.source is Purse.HOUSE:
            owed = min(left, -book.held[Purse.HOUSE])
            book.move(move.target, Purse.REIMBURSEMENT, left - owed)
            left = owed
        book.move(move.target, move.source, left)
    book.top_up(guarantee)
    return book.done()


def win_then(purses: Purses, displayed: Money, *, guarantee: Money) -> Booked:
    """It was won in a game that had been settled on wrong numbers (12.1): what was *displayed* when that was settled is
    paid, as far as the prize still holds it; the rest is the house's own error, and its own cost. Then the next one
    begins as after every win."""
    book = _Book(purses)
    book.top_up(guarantee)
    book.move(Purse.PRIZE, Purse.WINNERS, min(displayed, book.held[Purse.PRIZE].down_to_cents()))
    book.move(Purse.SECONDARY, Purse.PRIZE, book.held[Purse.SECONDARY])
    book.top_up(guarantee)
    return book.done()


class _Book:
    """The purses while moves are being written. The house's side of it is what it is owed."""

    def __init__(self, purses: Purses) -> None:
        self.held = {
            Purse.PRIZE: purses.prize,
            Purse.SECONDARY: purses.secondary,
            Purse.REIMBURSEMENT: purses.reimbursement,
            Purse.HOUSE: -purses.owed,
            Purse.STAKES: ZERO,
            Purse.WINNERS: ZERO,
        }
        self.moves: list[Move] = []

    def move(self, source: Purse, target: Purse, amount: Money) -> None:
        if amount:
            self.held[source] -= amount
            self.held[target] += amount
            self.moves.append(Move(source, target, amount))

    def top_up(self, guarantee: Money) -> None:
        missing = max(ZERO, guarantee - self.held[Purse.PRIZE])
        spared = min(missing, self.held[Purse.REIMBURSEMENT])
        self.move(Purse.REIMBURSEMENT, Purse.PRIZE, spared)
        self.move(Purse.HOUSE, Purse.PRIZE, missing - spared)

    def pay_back(self) -> None:
        self.move(Purse.REIMBURSEMENT, Purse.HOUSE, min(self.held[Purse.REIMBURSEMENT], -self.held[Purse.HOUSE]))

    def done(self) -> Booked:
        purses = Purses(
            prize=self.held[Purse.PRIZE],
            secondary=self.held[Purse.SECONDARY],
            reimbursement=self.held[Purse.REIMBURSEMENT],
            owed=-self.held[Purse.HOUSE],
        )
        return Booked(purses, tuple(self.moves))
