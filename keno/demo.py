"""Keno in the demo venue: a game every three minutes by random number generator, jackpots split 15/6/4, set bets."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, Final

from django.conf import settings
from django.db import transaction

from house.actors import Actor
from house.refusal import Refusal
from keno import approved, jackpots
from keno.models import Approved, Device, KenoSettings
from keno.open_games import keep_open
from keno.setup import keno_settings

_BUILDER: Final = Actor(identity="system:demo", name="demo")
RATIO: Final = {"prize": 1_500, "secondary": 600, "reimbursement": 400}  # of the 25% (5.3)
SET_BETS: Final[dict[str, dict[str, Any]]] = {
    "CORNERS": {"name": "Four corners", "groups": [[1, 2], [9, 10], [71, 72], [79, 80]], "plays": [4, 8]},
    "KINGS": {"name": "Eight kings, fives", "sizes": [1] * 8, "plays": [5]},
    "PAIRS": {"name": "Three lucky pairs", "sizes": [2, 2, 2], "plays": [2, 4, 6]},
}


@transaction.atomic
def build_demo() -> KenoSettings:
    """Furnish the demo venue with Keno, or complete what is missing. What was changed in it since stays changed."""
    if not settings.DEMO:
        raise Refusal("demo-off", "The demo setting is off (METERHOUSE_DEMO): there is no demo to build.")
    if not KenoSettings.objects.exists():
        made = keno_settings()
        made.device, made.interval = Device.RNG, timedelta(minutes=3)
        made.save()
    for code in jackpots.POOLS.values():
        _once(jackpots.RATIO, code, RATIO)
    for code, value in SET_BETS.items():
        _once(approved.SET_BET, code, value)
    _once(approved.VOUCHER_TYPE, "DINE", {"name": "Dinner voucher"})
    keep_open()
    return keno_settings()


def _once(kind: str, code: str, value: Any) -> None:
    if not Approved.objects.filter(kind=kind, code=code).exists():
        approved.put_in_force(kind, code, value, by=_BUILDER)
