"""Balances: what the last seal rolled up, plus the rows since, read in one statement and so from one snapshot.

Right at any moment, whoever is posting: a row is either under the seal's boundary and in the roll-up, or above it and
added here. Nothing is locked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kernel.money import Money
from kernel.prepared import execute
from ledger.models import Account

_SINCE = """
    SELECT coalesce(sum(amount), 0)::bigint AS moved
    FROM ledger_transfer WHERE {side} = a.id AND tx >= sealed.upto
"""
_BALANCES = f"""
    SELECT a.code, a.kind, coalesce(b.debits, 0) + d.moved, coalesce(b.credits, 0) + c.moved,
           pg_current_snapshot()::text
    FROM (SELECT coalesce(max(tx_upto), 0) AS upto FROM ledger_seal) sealed
    CROSS JOIN ledger_account a
    LEFT JOIN ledger_balance b ON b.account_id = a.id
    CROSS JOIN LATERAL ({_SINCE.format(side="debit_id")}) d
    CROSS JOIN LATERAL ({_SINCE.format(side="credit_id")}) c
    WHERE a.code = ANY(%(codes)s)
"""  # noqa: S608  # assembled from constants above


@dataclass(frozen=True, slots=True)
class AccountBalance:
    code: str
    kind: Account.Kind
    debits: Money
    credits: Money

    @property
    def amount(self) -> Money:
        """What the account holds, positive on its own side."""
        debit_normal = self.kind in (Account.Kind.ASSET, Account.Kind.EXPENSE)
        return self.debits - self.credits if debit_normal else self.credits - self.debits


def balances(codes: Sequence[str]) -> dict[str, AccountBalance]:
    """The balances of these accounts, all as of the same moment. An unknown code is a LookupError."""
    return balances_seen(codes)[0]


def balances_seen(codes: Sequence[str]) -> tuple[dict[str, AccountBalance], str]:
    """The balances, and which transactions they are the sum of: what had ended (``pg_current_snapshot``), and this
    one's own rows so far. Whoever acts on a balance that others go on adding to puts it on record with what it saw."""
    found, seen = balances_known(codes)
    if missing := set(codes) - found.keys():
        raise LookupError(f"no such account: {', '.join(sorted(missing))}")
    return found, seen


def balances_known(codes: Sequence[str]) -> tuple[dict[str, AccountBalance], str]:
    """The same of those that there are."""
    rows = execute(_BALANCES, {"codes": list(codes)})
    found = {
        row[0]: AccountBalance(row[0], Account.Kind(row[1]), *(Money(int(total)) for total in row[2:4])) for row in rows
    }
    return found, str(rows[0][4]) if rows else ""


def balance(code: str) -> AccountBalance:
    return balances([code])[code]
