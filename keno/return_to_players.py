"""What unclaimed prizes are used for (11.2), and how a later claim is still paid (11.4).

The fund is the account `UNCLAIMED`. It pays for approved bonus prizes (``bonuses.py``) and, by an approval of its own,
for an addition to a jackpot. Nothing is held back for claims that may come: the rule makes the whole of it available.
So a claim may find less than it is owed. Then the house makes good what is missing, on an account of its own: the fund
never falls below nothing, and what it cost the house is seen.
"""

from __future__ import annotations

from typing import Any, Final

from django.db import connection
from django.utils import timezone

from house.actors import Actor
from house.approvals import approvable
from house.gaming_days import gaming_day_at
from house.models import Proposal
from house.refusal import NotFound, Refusal
from jackpot import pools
from keno import accounts, jackpots
from keno.catalogue import fields, money, unreadable
from keno.permissions import DECIDE
from keno.rules.jackpots import Move, Purse
from ledger.balance import balance
from ledger.money import ZERO, Money

TO_JACKPOT: Final = "keno.unclaimed-to-jackpot"
_FUND: Final = 0x4B554E43  # the class of the advisory lock on the fund


def hold_fund() -> Money:
    """What the fund holds, nobody else spending of it until the transaction ends. After games, before tickets."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s, 0)", [_FUND])
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


def _amount(new: Any) -> Money:
    amount = money(fields(new, {"amount": str})["amount"], "amount")
    if not amount or not amount.whole_cents:
        raise unreadable("“amount” is whole cents, above nothing.")
    return amount


def _refuse_above(amount: Money, held: Money) -> None:
    if amount > held:
        raise Refusal(
            "fund-too-small", f"The unclaimed prizes hold ${held}.", clause="act-keno:11.2", field="new.amount"
        )


def _check(subject: str, new: Any) -> None:
    _pool(subject)
    _refuse_above(_amount(new), balance(accounts.UNCLAIMED).amount)


def _apply(proposal: Proposal, by: Actor) -> None:
    pool, amount, now = _pool(proposal.subject), _amount(proposal.new), timezone.now()
    day = gaming_day_at(now).date
    jackpots.hold_pools(day=day)
    _refuse_above(amount, hold_fund())
    pools.book(
        pool=pool,
        movements=[Move(Purse.STAKES, Purse.PRIZE, amount)],
        kind=TO_JACKPOT,
        reference=f"proposal/{proposal.pk}",
        by=by,
        day=day,
        at=now,
        outside={Purse.STAKES: accounts.UNCLAIMED},
        memo={"why": proposal.why, "proposed_by": proposal.proposed_by},
    )


KIND = approvable(
    kind=TO_JACKPOT,
    label="Unclaimed prizes into a jackpot",
    permission=DECIDE,
    describe=lambda subject, old, new: f"${new['amount']} of unclaimed prizes is added to {_pool(subject)}.",
    current=_nothing,
    check=_check,
    apply=_apply,
)
