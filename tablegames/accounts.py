"""The accounts of over- and underpayments. The tables' own wins and losses are not kept here: only what went wrong.

    overpaid      float                    -> to be asked back     (tablegames.overpaid, error)
    returned      to be asked back         -> cage                 (tablegames.rectified, error and step)
    given up      to be asked back         -> errors               (tablegames.given-up, error)
    returned late errors                   -> cage                 (tablegames.rectified, error and step)
    underpaid     owed to patrons          -> float                (tablegames.underpaid, error)
    reimbursed    cage                     -> owed to patrons      (tablegames.rectified, error and step)
    by time       commission               -> float                (tablegames.time-charge, charge)

What is owed to a patron who is not found stays owed: closing the record does not end the debt.
"""

from __future__ import annotations

from typing import Final

from django.db import connections
from django.db.migrations.recorder import MigrationRecorder

from ledger.accounts import open_account
from ledger.models import Account

FLOAT: Final = "tablegames:float"
CAGE: Final = "tablegames:cage"
OVERPAID: Final = "tablegames:overpaid"
UNDERPAID: Final = "tablegames:underpaid"
ERRORS: Final = "tablegames:errors"
COMMISSION: Final = "tablegames:commission"

_CHART: Final = (
    (FLOAT, "Table games: the floats of the tables", Account.Kind.ASSET),
    (CAGE, "Table games: the cage", Account.Kind.ASSET),
    (OVERPAID, "Table games: overpaid, to be asked back", Account.Kind.ASSET),
    (UNDERPAID, "Table games: underpaid, owed to patrons", Account.Kind.LIABILITY),
    (ERRORS, "Table games: overpaid and given up", Account.Kind.EXPENSE),
    (COMMISSION, "Table games: the poker room’s commission by time", Account.Kind.INCOME),
)


def open_accounts() -> None:
    for code, name, kind in _CHART:
        open_account(code=code, name=name, kind=kind)


def after_migrate(*, using: str, **_: object) -> None:
    """The receiver of post_migrate, connected in TableGamesConfig.ready."""
    applied = MigrationRecorder(connections[using]).applied_migrations()
    if using == "default" and ("tablegames", "0001_initial") in applied and ("ledger", "0001_initial") in applied:
        open_accounts()
