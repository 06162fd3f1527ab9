"""Keno in the demo venue: a game every three minutes by random number generator, jackpots split 15/6/4, set bets."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from django.conf import settings
from django.db import transaction

from keno import approved, jackpots, voucher_register
from keno.entry_forms import LAYOUT, FormCode
from keno.models import ApprovedVoucher, DrawDevice, KenoSettings
from keno.open_games import keep_open
from kernel.actors import Actor
from kernel.authority import Authority
from kernel.money import Money
from kernel.refusal import Refusal

_BUILDER: Final = Actor(identity="system:demo", name="demo")
RATIO: Final = {"prize": 1_500, "secondary": 600, "reimbursement": 400}  # of the 25% (5.3)
SET_BETS: Final[dict[str, dict[str, object]]] = {
    "CORNERS": {"name": "Four corners", "groups": [[1, 2], [9, 10], [71, 72], [79, 80]], "plays": [4, 8]},
    "KINGS": {"name": "Eight kings, fives", "sizes": [1] * 8, "plays": [5]},
    "PAIRS": {"name": "Three lucky pairs", "sizes": [2, 2, 2], "plays": [2, 4, 6]},
}
HELP_LINE: Final = "Is it still a game? Talk to us, or call the demo help line, day and night."
DINNERS: Final = 200  # DINE-1 to DINE-200, as the demo's restaurant numbered them
DINNER: Final = Money.dollars(2)

DEVICES: Final = {DrawDevice.RNG: "the random number generator", DrawDevice.MECHANICAL: "the ball machine"}


def build_demo() -> KenoSettings:
    """Furnish the demo venue with Keno, or complete what is missing. What was changed in it since stays changed."""
    if not settings.DEMO:
        raise Refusal("demo-off", "The demo setting is off (METERHOUSE_DEMO): there is no demo to build.")
    _furnish()
    keep_open()  # by itself: the witness sees the promise of a game before it opens
    return KenoSettings.current()


@transaction.atomic
def _furnish() -> None:
    if not KenoSettings.objects.exists():
        made = KenoSettings.current()
        made.device, made.interval = DrawDevice.RNG, timedelta(minutes=3)
        made.save()
    for code in jackpots.POOLS.values():
        _once(jackpots.RATIO, code, RATIO)
    for code, value in SET_BETS.items():
        _once(approved.SET_BET, code, value, authority=Authority.HOUSE)
    _once(approved.VOUCHER_TYPE, "DINE", {"name": "Dinner voucher"})
    for code in ("A", "B"):  # 12.4a: where a ball of one is damaged, the other takes its place
        _once(approved.BALL_SET, code, {"name": f"Set {code}, 80 balls", "reference": "Demo"})
    for device, name in DEVICES.items():
        _once(approved.DRAW_DEVICE, device, {"name": name, "reference": "Demo"})
    for form in FormCode:
        _once(approved.ENTRY_FORM, form, {"layout": LAYOUT, "reference": "Demo", "help_line": HELP_LINE})
    if not ApprovedVoucher.objects.exists():
        numbers = [str(number) for number in range(1, DINNERS + 1)]
        voucher_register.register(type="DINE", value=DINNER, numbers=numbers, by=_BUILDER)


def _once(kind: str, code: str, value: object, *, authority: Authority = Authority.INSPECTOR) -> None:
    if not approved.known(kind, code):
        approved.install(kind, code, value, by=_BUILDER, authority=authority)
