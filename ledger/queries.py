"""What is read of the log: acts, transfers, seals, accounts. What is proved of it is in ``proofs.py``."""

from __future__ import annotations

from datetime import datetime

from django.db.models import Q, QuerySet

from ledger.acts import AccountOpened, FirstKey, KeyHandedOver
from ledger.balance import AccountBalance, balances
from ledger.models import PEOPLE, Account, Act, Seal, Transfer
from ledger.seal import last_seal

__all__ = [
    "accounts", "acts", "acts_of_machines", "acts_of_people", "last_seal", "oldest_unsealed", "public_key", "seals",
    "transfers",
]  # fmt: skip


def acts() -> QuerySet[Act]:
    return Act.objects.all()


def acts_of_people() -> QuerySet[Act]:
    """That an account is opened follows from something that somebody did: it is not done by him."""
    return Act.objects.filter(actor__startswith=PEOPLE).exclude(kind=AccountOpened.kind)


def acts_of_machines() -> QuerySet[Act]:
    return Act.objects.exclude(Q(actor__startswith=PEOPLE) & ~Q(kind=AccountOpened.kind))


def transfers() -> QuerySet[Transfer]:
    return Transfer.objects.select_related("debit", "credit")


def seals() -> QuerySet[Seal]:
    return Seal.objects.all()


def accounts() -> list[tuple[Account, AccountBalance]]:
    """Every account with what it holds, all as of one moment."""
    known = list(Account.objects.order_by("code"))
    held = balances([account.code for account in known])
    return [(account, held[account.code]) for account in known]


def public_key(fingerprint: str) -> bytes | None:
    """The public half of a sealing key, as the log names it."""
    kinds = (FirstKey.kind, KeyHandedOver.kind)
    known = Act.objects.filter(kind__in=kinds, subject=f"key:{fingerprint}").first()
    return bytes.fromhex(known.data["public"]) if known is not None and "public" in known.data else None


def oldest_unsealed(last: Seal | None) -> datetime | None:
    """When the oldest row was written that this seal, the last, does not cover."""
    upto = last.tx_upto if last else 0
    oldest = [
        rows.filter(tx__gte=upto).order_by("tx", "id").values_list("at", flat=True).first()
        for rows in (Act.objects.all(), Transfer.objects.all())
    ]
    return min((at for at in oldest if at is not None), default=None)
