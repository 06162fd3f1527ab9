"""Opening accounts. Rooms open the purses they own, as often as they like; an account is opened once."""

from __future__ import annotations

from django.db import connection, transaction

from kernel.actors import Actor, system
from ledger.acts import AccountOpened
from ledger.log import write_act
from ledger.models import Account

BOOKKEEPER = system("bookkeeper")


@transaction.atomic
def open_account(*, code: str, name: str, kind: Account.Kind, whole_cents: bool = True, by: Actor = BOOKKEEPER) -> None:
    """Open the account unless it is open already. The same code with another kind is a mistake in the caller."""
    with connection.cursor() as cursor:
        cursor.execute(
            """INSERT INTO ledger_account (code, name, kind, whole_cents) VALUES (%s, %s, %s, %s)
               ON CONFLICT (code) DO NOTHING RETURNING id""",
            [code, name, kind.value, whole_cents],
        )
        opened = cursor.fetchone() is not None
    if opened:
        # In the log, so that an export tells the whole chart of accounts and a seal covers it.
        write_act(AccountOpened(code=code, name=name, kind_=kind.value, whole_cents=whole_cents), by=by)
        return
    account = Account.objects.get(code=code)
    if (account.kind, account.whole_cents) != (kind.value, whole_cents):
        raise ValueError(f"account {code} is open already, as another kind of account")
