"""What may be staked on a way (3.1, 5.1).

The tier is set by the number of ways on the whole ticket. Above its minimum a stake goes up by $0.10 to $1.00, then
by $1.00. Ways in a jackpot are staked in whole dollars (5.1); we read 5.1 way by way, as 9.7 reads a way ticket, so
the other plays of a jackpot ticket keep their own tier.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from house.refusal import Refusal
from keno.rules.entry import Entry
from ledger.money import Money

DOLLAR: Final = Money.dollars(1)
STEP: Final = Money.cents(10)


@dataclass(frozen=True, slots=True)
class Tier:
    from_ways: int
    least: Money
    clause: str


# Highest first: the first one that a ticket has ways enough for is its tier.
TIERS: Final = (
    Tier(50, Money.cents(10), "act-keno:3.1c-iii"),
    Tier(20, Money.cents(20), "act-keno:3.1c-ii"),
    Tier(4, Money.cents(50), "act-keno:3.1c-i"),
    Tier(1, DOLLAR, "act-keno:3.1"),
)


def tier_for(ways: int) -> Tier:
    """The tier of a ticket with this many ways on it (3.1c)."""
    return next(tier for tier in TIERS if ways >= tier.from_ways)


def check_stakes(entry: Entry) -> None:
    """Refuse the first play whose stake is not allowed, with the clause that says so."""
    tier = tier_for(entry.selection.total_ways)
    for i, play in enumerate(entry.selection.plays):
        if entry.in_jackpot(play):
            _check(play.stake, DOLLAR, least="act-keno:5.1", steps="act-keno:5.1", field=_field(entry, i))
        else:
            steps = "act-keno:3.1" if tier.least == DOLLAR else "act-keno:3.1c-steps"
            _check(play.stake, tier.least, least=tier.clause, steps=steps, field=_field(entry, i))


def _field(entry: Entry, play: int) -> str:
    return entry.selection.form.stake_field(play)


def _check(stake: Money, minimum: Money, *, least: str, steps: str, field: str) -> None:
    if stake < minimum:
        raise Refusal(
            "stake-not-allowed", f"${stake} a way is too little: from ${minimum} here.", clause=least, field=field
        )
    step = STEP if stake < DOLLAR else DOLLAR
    if stake.micros % step.micros:
        raise Refusal(
            "stake-not-allowed",
            f"${stake} a way is not a stake: "
            + ("whole dollars only." if minimum == DOLLAR else "steps of $0.10 up to $1.00, then whole dollars."),
            clause=steps,
            field=field,
        )
