"""Keno's approved values, by kind and code: the latest version is in force, older ones stay on record.

They are kept by ``house.approved``, under ``keno.`` and the kind.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final

from house import approved
from house.models import ApprovedValue
from keno import shapes
from keno.permissions import SUPERVISED_ABOVE
from keno.rules.schedules import Schedule
from keno.shapes import EntryForm, SetBet
from kernel.actors import Actor
from kernel.authority import Authority
from kernel.money import ZERO, Money

CONFIGURATION: Final = "configuration"
SET_BET: Final = "set-bet"
SPECIAL_3: Final = "special-3"
VOUCHER_TYPE: Final = "voucher-type"
BALL_SET: Final = "ball-set"
DRAW_DEVICE: Final = "draw-device"
ENTRY_FORM: Final = "entry-form"
AMOUNT: Final = "amount"
BONUS: Final = "bonus"
TOURNAMENT: Final = "tournament"

# Amounts the venue configures, and what they are until it does.
PREMIUM: Final = "premium"
OVER_SHORT: Final = "over-short"  # a drawer that is out by more is an incident
FLOAT_ALONE: Final = "float-alone"  # a drawer begins with at most so much on its writer's word; more takes two
# What tickets may make payable (keno.rules.exposure): refused above, and from when on the control page says so. Until
# the house sets its own, no ticket is refused that the rules allow: $9,999 buys 99,990 ways, that keep $200 each (9.3).
MOST_A_WAY: Final = "most-a-way"
MOST_A_TICKET: Final = "most-a-ticket"
MOST_A_GAME: Final = "most-a-game"
EXPOSURE_ALARM: Final = "exposure-alarm"
AMOUNTS: Final = {
    PREMIUM: ZERO,
    SUPERVISED_ABOVE: Money.dollars(10_000),
    OVER_SHORT: Money.dollars(100),
    FLOAT_ALONE: Money.dollars(2_000),
    MOST_A_WAY: Money.dollars(50_000),
    MOST_A_TICKET: Money.dollars(20_000_000),
    MOST_A_GAME: Money.dollars(1_000_000_000),
    EXPOSURE_ALARM: Money.dollars(1_000_000),
}


def full_name(kind: str) -> str:
    """As proposals and approved values name it."""
    return f"keno.{kind}"


def in_force(kind: str, code: str) -> ApprovedValue | None:
    return approved.in_force(full_name(kind), code)


def all_in_force(kind: str, *, at: datetime | None = None) -> list[ApprovedValue]:
    return approved.all_in_force(full_name(kind), at=at)


def known(kind: str, code: str) -> bool:
    """Whether there has ever been one."""
    return approved.first(full_name(kind), code) is not None


def versions(kind: str) -> list[ApprovedValue]:
    """Every version that says something, of every code."""
    return list(ApprovedValue.objects.filter(kind=full_name(kind), value__isnull=False))


def version(number: int) -> ApprovedValue:
    """The one that a ticket was sold under."""
    return ApprovedValue.objects.get(pk=number)


def value(kind: str, code: str) -> Any:
    """The value in force as it is shown; the rules read it through its shape."""
    found = in_force(kind, code)
    return None if found is None else found.value


def install(
    kind: str, code: str, new: object, *, by: Actor, authority: Authority = Authority.INSPECTOR
) -> ApprovedValue:
    """What the demo begins with: it has nobody to ask."""
    return approved.install(full_name(kind), code, new, by=by, authority=authority)


def amount(code: str) -> Money:
    found = approved.value(full_name(AMOUNT), code, shapes.AMOUNT)
    return AMOUNTS[code] if found is None else found


def amounts() -> dict[str, Money]:
    """All of them at once, in one question."""
    found = {each.code: shapes.AMOUNT.read(each.value) for each in all_in_force(AMOUNT)}
    return AMOUNTS | found


def set_bet(code: str) -> SetBet | None:
    return approved.value(full_name(SET_BET), code, shapes.SET_BET)


def entry_form(code: str) -> EntryForm | None:
    return approved.value(full_name(ENTRY_FORM), code, shapes.ENTRY_FORM)


def special_3_of(version: ApprovedValue) -> Schedule:
    """A version of special 3 as a schedule (8.4)."""
    return shapes.SPECIAL_3.read(version.value).schedule
