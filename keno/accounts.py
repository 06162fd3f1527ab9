"""Keno's chart of accounts: where its money is, and whose it is.

A sale puts the price into UNPLAYED: it is the players' until the game is settled. The settlement of a game moves what
was paid for it to SALES, and what it won to OWING; paying takes it from there. So at any moment UNPLAYED is the worth
of the games still to play, OWING what winners have not collected, and sold = won + lost + refunded for every game.
"""

from __future__ import annotations

from typing import Any, Final

from django.db import connections
from django.db.migrations.recorder import MigrationRecorder

from ledger.accounts import open_account
from ledger.models import Account

CAGE: Final = "keno:cage"  # where floats come from and drops go
BANK: Final = "keno:bank"  # cheques are drawn on it
APPROVED_VOUCHERS: Final = "keno:approved-vouchers"  # taken in; to be made good by whoever issued them
UNPLAYED: Final = "keno:unplayed"
OWING: Final = "keno:owing"
VOUCHERS: Final = "keno:vouchers"
UNCLAIMED: Final = "keno:unclaimed"  # 11.2: return to players
SALES: Final = "keno:sales"
PRIZES: Final = "keno:prizes"
BONUSES: Final = "keno:bonuses"
OVER_SHORT: Final = "keno:over-short"

_CHART: Final = (
    (CAGE, "Keno's share of the cage", Account.Kind.ASSET),
    (BANK, "Bank, for cheques", Account.Kind.ASSET),
    (APPROVED_VOUCHERS, "Approved vouchers taken in", Account.Kind.ASSET),
    (UNPLAYED, "Stakes of games still to be settled", Account.Kind.LIABILITY),
    (OWING, "Prizes and refunds not collected", Account.Kind.LIABILITY),
    (VOUCHERS, "Keno vouchers outstanding", Account.Kind.LIABILITY),
    (UNCLAIMED, "Unclaimed for twelve months, for return to players", Account.Kind.LIABILITY),
    (SALES, "Stakes of settled games", Account.Kind.INCOME),
    (PRIZES, "Prizes won", Account.Kind.EXPENSE),
    (BONUSES, "Bonus prizes won", Account.Kind.EXPENSE),
    (OVER_SHORT, "Drawers over and short", Account.Kind.EXPENSE),
)


def open_accounts() -> None:
    for code, name, kind in _CHART:
        open_account(code=code, name=name, kind=kind)


def after_migrate(*, using: str, **_: Any) -> None:
    """The receiver of post_migrate, connected in KenoConfig.ready."""
    applied = MigrationRecorder(connections[using]).applied_migrations()
    if using == "default" and any(app == "keno" for app, _ in applied) and ("ledger", "0001_initial") in applied:
        open_accounts()
