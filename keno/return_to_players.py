"""What unclaimed prizes are used for (11.2), and how a later claim is still paid (11.4).

The fund is the account `UNCLAIMED`. It pays for approved bonus prizes (``bonuses.py``) and, by an approval of its own,
for an addition to a jackpot. Nothing is held back for claims that may come: the rule makes the whole of it available.
So a claim may find less than it is owed. Then the house makes good what is missing, on an account of its own: the fund
never falls below nothing, and what it cost the house is seen.
"""

from __future__ import annotations

from typing import Final

from django.utils import timezone

from house.approvals import Approvable
from house.gaming_days import gaming_day_at
from house.models import Proposal
from jackpot import pools
from keno import accounts, jackpots, shapes
from keno.rules.jackpots import Move, Purse
from keno.shapes import ToJackpot
from kernel.actors import Actor
from kernel.authority import Authority
from kernel.locks import Lock, hold
from kernel.money import ZERO, Money
from kernel.refusal import NotFound, Refusal
from ledger.balance import balance

TO_JACKPOT: Final = "keno.unclaimed-to-jackpot"


def hold_fund() -> Money:
    """What the fund holds, nobody else spending of it until the transaction ends. After links, before rows."""
    hold(Lock.RETURN_FUND)
    return balance(accounts.UNCLAIMED).amount


def owed_by_fund(amount: Money, *, held: Money) -> list[tuple[str, Money]]:
    """Where a late claim's money comes from: the fund as far as it goes, the house for the rest (11.4)."""
    from_fund = min(amount, max(held, ZERO))
    sources = [(accounts.UNCLAIMED, from_fund), (accounts.MADE_GOOD, amount - from_fund)]
    return [(account, part) for account, part in sources if part]


# 11.2, "addition to a jackpot prize": {"amount"} into the prize of a pool, by two people


def _pool(subject: str) -> str:
    code = subject.removeprefix("jackpot:")
    if code == subject or code not in jackpots.POOLS.values():
        names = ", ".join(f"jackpot:{each}" for each in jackpots.POOLS.values())
        raise NotFound("no-such-subject", f"The jackpots are: {names}.", field="subject")
    return code


def _nothing(subject: str) -> None:
    """An addition replaces nothing: there is no value in force that could have changed meanwhile."""
    _pool(subject)


def _refuse_above(amount: Money, held: Money) -> None:
    if amount > held:
        raise Refusal(
            "fund-too-small", f"The unclaimed prizes hold ${held}.", clause="act-keno:11.2", field="new.amount"
        )


def _check(subject: str, new: ToJackpot) -> None:
    _refuse_above(new.amount, balance(accounts.UNCLAIMED).amount)


def _hold(subject: str, new: ToJackpot) -> None:
    jackpots.hold_pools(day=gaming_day_at(timezone.now()).date)
    hold_fund()


def _apply(proposal: Proposal, new: ToJackpot, by: Actor) -> None:
    link, amount, now = _pool(proposal.subject), new.amount, timezone.now()
    day = gaming_day_at(now).date
    _refuse_above(amount, balance(accounts.UNCLAIMED).amount)
    pools.book(
        link=link,
        movements=[Move(Purse.STAKES, Purse.PRIZE, amount)],
        kind=TO_JACKPOT,
        reference=f"proposal/{proposal.pk}",
        by=by,
        day=day,
        at=now,
        outside={Purse.STAKES: accounts.UNCLAIMED},
        memo={"why": proposal.why, "proposed_by": proposal.proposed_by},
    )


KIND = Approvable(
    kind=TO_JACKPOT,
    label="Unclaimed prizes into a jackpot",
    shape=shapes.TO_JACKPOT,
    authority=Authority.INSPECTOR,  # 11.2
    describe=lambda subject, old, new: f"${new.amount} of unclaimed prizes is added to {_pool(subject)}.",
    current=_nothing,
    check=_check,
    hold=_hold,
    apply=_apply,
)
