"""A small set of books for tests: two whole-cent accounts, two that accrue parts of a cent."""

from __future__ import annotations

from datetime import date
from itertools import count

from kernel.actors import Actor
from kernel.money import Money
from ledger.accounts import open_account
from ledger.models import Account
from ledger.post import Booking

DAY = date(2026, 11, 16)
ANNA = Actor("staff:anna", "Anna")
BEN = Actor("staff:ben", "Ben")

CASH, SALES, POOL, RESERVE = "house:cash", "house:sales", "pool:prize", "pool:reserve"
ALL = (CASH, SALES, POOL, RESERVE)

_references = count()


def open_books() -> None:
    open_account(code=CASH, name="Cash", kind=Account.Kind.ASSET)
    open_account(code=SALES, name="Sales", kind=Account.Kind.INCOME)
    open_account(code=POOL, name="Prize pool", kind=Account.Kind.LIABILITY, whole_cents=False)
    open_account(code=RESERVE, name="Reserve", kind=Account.Kind.EQUITY, whole_cents=False)


def booking(
    amount: str | Money = "1.00", *, debit: str = CASH, credit: str = SALES, kind: str = "test.sale"
) -> Booking:
    money = amount if isinstance(amount, Money) else Money.parse(amount)
    return Booking(debit=debit, credit=credit, amount=money, kind=kind, reference=f"ticket/{next(_references)}")
