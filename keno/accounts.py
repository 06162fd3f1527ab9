"""Keno's accounts. A stake is held for its game and earned when the game is settled; a prize is owed until it is paid.

    sale            cash, chips, voucher …   -> stakes held          (keno.sale, ticket)
    cancel          stakes held              -> cash …               (keno.cancel, ticket)
    game settled    stakes held              -> stakes               (keno.stakes, game)
                    prizes                   -> prizes owing         (keno.prizes, game)
    invalidated     stakes held              -> refunds owing        (keno.refunds, game)
    paid            prizes owing, refunds …  -> cash, cheque …       (keno.payment, payment)
    twelve months   prizes owing             -> unclaimed            (keno.unclaimed, gaming day)
    returned        unclaimed                -> prizes owing, a pool (keno.bonus, keno.unclaimed-to-jackpot)
    settled again   prizes owing             -> prizes               (keno.prizes-taken-back, game)
                    prizes                   -> prizes owing         (keno.prizes-again, game)
                    overpaid                 -> prizes owing         (keno.overpaid, game)
    handed too much overpaid                 -> over and short       (keno.overpaid-at-counter, overpayment)
    given back      cash                     -> overpaid             (keno.overpaid-received, overpayment)
    given up        overpaid, written off    -> overpaid             (keno.overpaid-written-off, overpayment)
    late claim      unclaimed, made good     -> bank                 (keno.payment, payment)

So stakes held are the worth of the games still to play, and sold = won + lost + refunded for every game.
"""

from __future__ import annotations

from typing import Final

from django.db import connections
from django.db.migrations.recorder import MigrationRecorder

from keno.chart import (
    APPROVED_VOUCHERS,
    BANK,
    BONUSES,
    CAGE,
    MADE_GOOD,
    OVER_SHORT,
    OVERPAID,
    OVERPAID_LOST,
    PRIZES,
    PRIZES_OWING,
    REFUNDS_OWING,
    STAKES,
    STAKES_HELD,
    TOURNAMENT_FEES,
    TOURNAMENTS,
    UNCLAIMED,
    VOUCHERS,
)
from ledger.accounts import open_account
from ledger.models import Account

__all__ = [
    "APPROVED_VOUCHERS",
    "BANK",
    "BONUSES",
    "CAGE",
    "MADE_GOOD",
    "OVERPAID",
    "OVERPAID_LOST",
    "OVER_SHORT",
    "PRIZES",
    "PRIZES_OWING",
    "REFUNDS_OWING",
    "STAKES",
    "STAKES_HELD",
    "TOURNAMENTS",
    "TOURNAMENT_FEES",
    "UNCLAIMED",
    "VOUCHERS",
    "after_migrate",
    "open_accounts",
]

_CHART: Final = (
    (CAGE, "Keno: the cage", Account.Kind.ASSET),
    (BANK, "Keno: the bank, for cheques", Account.Kind.ASSET),
    (APPROVED_VOUCHERS, "Keno: approved vouchers taken in", Account.Kind.ASSET),
    (STAKES_HELD, "Keno: paid for games not yet drawn", Account.Kind.LIABILITY),
    (PRIZES_OWING, "Keno: prizes won and not yet paid", Account.Kind.LIABILITY),
    (REFUNDS_OWING, "Keno: refunds of invalidated games", Account.Kind.LIABILITY),
    (VOUCHERS, "Keno: vouchers outstanding", Account.Kind.LIABILITY),
    (UNCLAIMED, "Keno: unclaimed for twelve months, for return to players", Account.Kind.LIABILITY),
    (MADE_GOOD, "Keno: late claims made good by the house", Account.Kind.EXPENSE),
    (STAKES, "Keno: stakes of settled games", Account.Kind.INCOME),
    (PRIZES, "Keno: prizes won", Account.Kind.EXPENSE),
    (BONUSES, "Keno: bonus prizes won", Account.Kind.EXPENSE),
    (TOURNAMENTS, "Keno: entry fees of tournaments", Account.Kind.LIABILITY),
    (TOURNAMENT_FEES, "Keno: entry fees retained", Account.Kind.INCOME),
    (OVER_SHORT, "Keno: drawers over and short", Account.Kind.EXPENSE),
    (OVERPAID, "Keno: paid too much, and asked back", Account.Kind.EXPENSE),
    (OVERPAID_LOST, "Keno: paid too much, and written off", Account.Kind.EXPENSE),
)


def open_accounts() -> None:
    for code, name, kind in _CHART:
        open_account(code=code, name=name, kind=kind)


def after_migrate(*, using: str, **_: object) -> None:
    """The receiver of post_migrate, connected in KenoConfig.ready."""
    applied = MigrationRecorder(connections[using]).applied_migrations()
    if using == "default" and any(app == "keno" for app, _ in applied) and ("ledger", "0001_initial") in applied:
        open_accounts()
