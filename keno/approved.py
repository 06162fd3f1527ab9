"""Values that needed an approval, by kind and code: the latest version is in force, older ones stay on record."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from house.actors import Actor
from house.models import Proposal
from keno.models import Approved
from keno.rules.schedules import Schedule, special_3
from ledger.money import ZERO, Money

CONFIGURATION: Final = "configuration"
SET_BET: Final = "set-bet"
SPECIAL_3: Final = "special-3"
VOUCHER_TYPE: Final = "voucher-type"
AMOUNT: Final = "amount"
BONUS: Final = "bonus"
TOURNAMENT: Final = "tournament"

# Amounts the venue configures, and what they are until it does.
PREMIUM: Final = "premium"
SUPERVISED_ABOVE: Final = "supervised-above"
AMOUNTS: Final = {PREMIUM: ZERO, SUPERVISED_ABOVE: Money.dollars(10_000)}


def in_force(kind: str, code: str) -> Approved | None:
    latest = Approved.objects.filter(kind=kind, code=code).order_by("-id").first()
    return latest if latest is not None and latest.value is not None else None


def all_in_force(kind: str) -> Iterable[Approved]:
    latest = Approved.objects.filter(kind=kind).order_by("code", "-id").distinct("code")
    return [version for version in latest if version.value is not None]


def value(kind: str, code: str) -> Any:
    version = in_force(kind, code)
    return None if version is None else version.value


def put_in_force(kind: str, code: str, new: Any, *, by: Actor, proposal: Proposal | None = None) -> Approved:
    """Write the next version. Called by the effect of an approval, and by the demo."""
    return Approved.objects.create(
        kind=kind, code=code, value=new, approved_by=by.identity, proposal=proposal.pk if proposal else None
    )


def amount(code: str) -> Money:
    approved = value(AMOUNT, code)
    return AMOUNTS[code] if approved is None else Money.parse(approved)


def special_3_of(version: Approved) -> Schedule:
    """{"tables": {"6": {"3": "1.00"}}, "band": [lowest, highest]} as a schedule (8.4)."""
    assert version.value is not None
    tables = version.value["tables"]
    return special_3(
        {
            int(spots): {int(matches): Money.parse(prize) for matches, prize in column.items()}
            for spots, column in tables.items()
        }
    )
