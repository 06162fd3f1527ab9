"""Cheques of the house: each number once on its account, whichever room writes it."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from datetime import date, datetime
from typing import Final

from django.db import connection

from house.cash.limits import cash_limits
from kernel.actors import Actor
from kernel.money import Money
from kernel.refusal import Conflict, Refusal

NUMBER_CHARACTERS_LIMIT: Final = 120
_NUMBER: Final = re.compile(r"(?=.*[0-9])[A-Z0-9]+", re.ASCII)
_REGISTER: Final = """
    INSERT INTO house_cheque (account, number, written, amount, room, what, payment, day, at, by)
    VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s) ON CONFLICT (account, number) DO NOTHING RETURNING id
"""


def require_number(
    number: str,
    *,
    words: str = "Write the number of the cheque.",
    code: str = "cheque-number-missing",
    clause: str | None = None,
    field: str | None = "cheque_number",
    characters_maximum: int = NUMBER_CHARACTERS_LIMIT,
) -> str:
    """The number as it is kept; refused where there is none, or too long a one."""
    kept = number.strip()
    if not 0 < len(kept) <= characters_maximum:
        raise Refusal(code, words, clause=clause, field=field)
    return kept


def read_cheque_number(text: str) -> str | None:
    """Capitals and digits without leading zeros: ``000781`` and ``781`` are one cheque. None: no number at all."""
    plain = "".join(
        each for each in unicodedata.normalize("NFKC", text).upper() if unicodedata.category(each)[0] not in "ZPC"
    )
    return plain.lstrip("0") or "0" if _NUMBER.fullmatch(plain) else None


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenCheque:
    """*number*: ``000781``, or ``TRUST:000781`` where the house draws cheques on several accounts; the first, unless
    it is said. *field*: where the caller wrote it."""

    amount: Money
    number: str
    field: str = "cheque_number"


def register(cheque: WrittenCheque, *, room: str, what: str, payment: int, day: date, at: datetime, by: Actor) -> None:
    """Keep it, once. One below the approved amount may go without a number: then there is nothing to keep."""
    limits = cash_limits()
    written = cheque.number.strip()
    if not written and cheque.amount < limits.cheque_number_from:
        return
    require_number(written, field=cheque.field)
    before, colon, after = written.partition(":")
    number = read_cheque_number(after if colon else written)
    if number is None:
        raise Refusal("cheque-number-missing", "Write the number as it is printed on the cheque.", field=cheque.field)
    account = before.strip().upper() if colon else limits.cheque_accounts[0]
    if account not in limits.cheque_accounts:
        raise Refusal(
            "cheque-account-unknown",
            f"The house draws cheques on {', '.join(limits.cheque_accounts)}.",
            field=cheque.field,
        )
    with connection.cursor() as cursor:  # of two who write it at once the unique index lets one through
        cursor.execute(
            _REGISTER,
            [account, number, written, cheque.amount.micros, room, what, payment, day, at, by.identity],
        )
        if cursor.fetchone() is None:
            raise Conflict(
                "cheque-used", f"Cheque {written} has been written before: take the next one.", field=cheque.field
            )
