"""Posting transfers: money moves by appending rows, never by changing one. Nothing here locks a purse (decision 4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Final

from psycopg.types.json import Jsonb

from kernel import clock
from kernel.actors import Actor
from kernel.money import Money
from kernel.prepared import execute
from kernel.transactions import one_transaction
from ledger.models import Account
from ledger.rewound_log import STANDS_STILL, log_rewound, stands_still


@dataclass(frozen=True, slots=True, kw_only=True)
class Booking:
    """A transfer to be made: *amount* into the debit account, out of the credit account."""

    debit: str
    credit: str
    amount: Money
    kind: str  # what was done: "keno.sale"
    reference: str  # to which thing: unique within its kind, so nothing is booked twice
    memo: Mapping[str, Any] | None = None
    reverses: int | None = None


def post(*, booking: Booking, by: Actor, day: date, at: datetime | None = None) -> int:
    """Post one transfer and return its number."""
    return post_many(bookings=[booking], by=by, day=day, at=at)[0]


_INSERT: Final = f"""
    INSERT INTO ledger_transfer (at, day, debit_id, debit_whole_cents, credit_id, credit_whole_cents,
                                 amount, kind, reference, actor, reverses_id, memo)
    SELECT coalesce(%(at)s::timestamptz, statement_timestamp()), %(day)s::date, d.id, d.whole_cents,
           c.id, c.whole_cents, b.amount, b.kind, b.reference, %(actor)s::text, b.reverses, b.memo
    FROM ROWS FROM (jsonb_to_recordset(%(bookings)s) AS (
             debit text, credit text, amount bigint, kind text, reference text, reverses bigint,
             memo jsonb))
         WITH ORDINALITY AS b(debit, credit, amount, kind, reference, reverses, memo, place)
    -- OFFSET 0: each account is looked for by its code. Joined, all accounts there are were read with every sale.
    CROSS JOIN LATERAL (SELECT id, whole_cents FROM ledger_account WHERE code = b.debit OFFSET 0) d
    CROSS JOIN LATERAL (SELECT id, whole_cents FROM ledger_account WHERE code = b.credit OFFSET 0) c
    WHERE NOT {STANDS_STILL}
    ORDER BY b.place
    RETURNING id
"""  # noqa: S608  words of ours


@one_transaction()
def post_many(*, bookings: Sequence[Booking], by: Actor, day: date, at: datetime | None = None) -> list[int]:
    """Post all of them or none, in one statement; their numbers come back in the order given."""
    if not bookings:
        return []
    # As JSON: nine arrays took the driver five times as long to write.
    written = Jsonb([_written(booking) for booking in bookings])
    posted = execute(_INSERT, {"at": at or clock.in_hand(), "day": day, "actor": by.identity, "bookings": written})
    if len(posted) != len(bookings):
        if not posted and stands_still():
            raise log_rewound()
        raise LookupError(f"no such account: {_unknown(bookings)}")
    return [number for (number,) in posted]


def _written(booking: Booking) -> dict[str, object]:
    return {
        "debit": booking.debit,
        "credit": booking.credit,
        "amount": booking.amount.micros,
        "kind": booking.kind,
        "reference": booking.reference,
        "reverses": booking.reverses,
        "memo": None if booking.memo is None else dict(booking.memo),
    }


def _unknown(bookings: Sequence[Booking]) -> str:
    codes = {code for b in bookings for code in (b.debit, b.credit)}
    return ", ".join(sorted(codes - set(Account.objects.filter(code__in=codes).values_list("code", flat=True))))
