"""What a check answers: line by line what each wager is owed, and why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from kernel.money import ZERO, Money
from tablegames.rules.odds import Cell, Odds


class Result(StrEnum):
    WINS = "wins"
    LOSES = "loses"
    STANDS_OFF = "stands-off"
    VOID = "void"
    FEE = "fee"
    """Paid for an option; it is the house's, whatever comes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Payment:
    what: str
    odds: Odds
    amount: Money
    clause: str
    capped_by: str | None = None
    """The clause of the maximum payout, where it bit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Owed:
    wager: str
    stake: Money
    result: Result
    pays: Money = ZERO
    """From the house, the stake not counted."""
    returns: Money = ZERO
    """Of the stake."""
    clause: str
    why: str
    payments: tuple[Payment, ...] = ()

    @property
    def total(self) -> Money:
        return self.pays + self.returns

    def as_data(self) -> dict[str, object]:
        return {
            "wager": self.wager,
            "stake": str(self.stake),
            "result": str(self.result),
            "pays": str(self.pays),
            "returns": str(self.returns),
            "clause": self.clause,
            "why": self.why,
            "payments": [
                {
                    "what": each.what,
                    "odds": str(each.odds),
                    "amount": str(each.amount),
                    "clause": each.clause,
                    "capped_by": each.capped_by,
                }
                for each in self.payments
            ],
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Settlement:
    game: str
    owed: tuple[Owed, ...]
    notes: tuple[str, ...] = ()
    """What was seen on the way: the hands, whether the dealer qualified."""

    def line(self, wager: str) -> Owed:
        return next(each for each in self.owed if each.wager == wager)

    @property
    def pays(self) -> Money:
        return Money.total(each.pays for each in self.owed)


def payment(cell: Cell, stake: Money, *, what: str = "", maximum: Money | None = None, cap: str = "") -> Payment:
    amount = cell.odds.on(stake)
    capped = maximum is not None and amount > maximum
    return Payment(
        what=what or cell.what,
        odds=cell.odds,
        amount=maximum if capped and maximum is not None else amount,
        clause=cell.clause,
        capped_by=cap if capped else None,
    )


def wins(wager: str, stake: Money, payments: Sequence[Payment], *, clause: str, why: str) -> Owed:
    return Owed(
        wager=wager,
        stake=stake,
        result=Result.WINS,
        pays=Money.total(each.amount for each in payments),
        returns=stake,
        clause=clause,
        why=why,
        payments=tuple(payments),
    )


def loses(wager: str, stake: Money, *, clause: str, why: str) -> Owed:
    return Owed(wager=wager, stake=stake, result=Result.LOSES, clause=clause, why=why)


def stands_off(wager: str, stake: Money, *, clause: str, why: str) -> Owed:
    return Owed(wager=wager, stake=stake, result=Result.STANDS_OFF, returns=stake, clause=clause, why=why)


def void(wager: str, stake: Money, *, clause: str, why: str) -> Owed:
    return Owed(wager=wager, stake=stake, result=Result.VOID, returns=stake, clause=clause, why=why)


def with_excess(owed: Owed, excess: Money, *, clause: str) -> Owed:
    """The part of a wager above what may be wagered was not in play: it goes back, win or lose."""
    if not excess:
        return owed
    return replace(
        owed,
        stake=owed.stake + excess,
        returns=owed.returns + excess,
        why=f"{owed.why} {excess} above what may be wagered goes back ({clause}).",
    )
