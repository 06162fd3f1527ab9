"""The accounts of promotions and tournaments.

A prize of money, vouchers or casino dollars is owed from the moment it is won until it is paid; goods are handed over
on record and are not money here.

    won             prizes                 -> prizes owing              (promotions.prize, win)
    lost            prizes owing           -> prizes                    (promotions.prize-lost, win)
    paid            prizes owing           -> cage, bank, issued …      (promotions.payment, payment and method)
    money instead   prizes                 -> prizes owing              (promotions.alternative, win)
    entry fee       cage                   -> tournaments               (promotions.tournament-entry, entry)
    finished        tournaments            -> fees retained             (promotions.tournament-retained, tournament)
    prize           tournaments            -> cage, bank                (promotions.tournament-prize, entry)
"""

from __future__ import annotations

from typing import Final

from django.db import connections
from django.db.migrations.recorder import MigrationRecorder

from ledger.accounts import open_account
from ledger.models import Account
from promotions.rules.editions import CASH, CHEQUE, DEPOSIT, ISSUED, TRANSFER

CAGE: Final = "promotions:cage"
BANK: Final = "promotions:bank"
PLAYER_ACCOUNTS: Final = "promotions:player-accounts"
PRIZES_ISSUED: Final = "promotions:issued"
OWING: Final = "promotions:prizes-owing"
PRIZES: Final = "promotions:prizes"
TOURNAMENTS: Final = "promotions:tournaments"
TOURNAMENT_FEES: Final = "promotions:tournament-fees"

# Where the money comes from, by the way in which it reaches the winner.
BY_METHOD: Final = {CASH: CAGE, CHEQUE: BANK, TRANSFER: BANK, DEPOSIT: PLAYER_ACCOUNTS, ISSUED: PRIZES_ISSUED}

_CHART: Final = (
    (CAGE, "Promotions: the cage", Account.Kind.ASSET),
    (BANK, "Promotions: the bank, for cheques and transfers", Account.Kind.ASSET),
    (PLAYER_ACCOUNTS, "Promotions: paid into players' accounts", Account.Kind.LIABILITY),
    (PRIZES_ISSUED, "Promotions: vouchers and casino dollars issued", Account.Kind.LIABILITY),
    (OWING, "Promotions: prizes won and not yet paid", Account.Kind.LIABILITY),
    (PRIZES, "Promotions: prizes won", Account.Kind.EXPENSE),
    (TOURNAMENTS, "Tournaments: entry fees, until they are prizes", Account.Kind.LIABILITY),
    (TOURNAMENT_FEES, "Tournaments: entry fees retained", Account.Kind.INCOME),
)


def open_accounts() -> None:
    for code, name, kind in _CHART:
        open_account(code=code, name=name, kind=kind)


def after_migrate(*, using: str, **_: object) -> None:
    """The receiver of post_migrate, connected in PromotionsConfig.ready."""
    applied = MigrationRecorder(connections[using]).applied_migrations()
    if using == "default" and any(app == "promotions" for app, _ in applied) and ("ledger", "0001_initial") in applied:
        open_accounts()
