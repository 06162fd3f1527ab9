"""Writers' shifts: every cash movement belongs to one, and its own accounts say what should be in the drawer.

Expected cash is the balance of the shift's account: float, sales, payments and drops are all booked there. At the close
the writer counts first and is told the difference afterwards (a blind count).
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.db import connection, transaction
from django.utils import timezone

from house import acts
from house.actors import Actor
from house.devices import by_identity
from house.gaming_days import gaming_day_at, open_gaming_day
from house.prepared import execute
from house.refusal import Conflict, Forbidden, NotFound, Refusal
from keno import accounts
from keno.models import Shift
from keno.permissions import CASH, SHIFT, SHIFT_OTHERS
from ledger.accounts import open_account
from ledger.balance import balances
from ledger.models import Account
from ledger.money import ZERO, Money
from ledger.post import Booking, post, post_many

# What a sale or a payment asks of the shift; the rest is fetched where it is asked for.
_SHIFT: Final = ("id", "terminal", "writer", "day")
_OPEN_SHIFT: Final = """
    SELECT id, terminal, writer, day FROM keno_shift WHERE terminal = %(terminal)s AND closed_at IS NULL
    FOR KEY SHARE
"""


@transaction.atomic
def open_shift(
    *, by: Actor, opening_float: Money = ZERO, terminal: str | None = None, writer: str | None = None
) -> Shift:
    """Open a shift at this terminal (the caller's own, unless a manager opens it for another)."""
    by.require(SHIFT if terminal in (None, by.identity) else SHIFT_OTHERS)
    if opening_float.micros < 0:
        raise Refusal("float-negative", "A float is not negative.", field="opening_float")
    now = timezone.now()
    open_gaming_day(now)
    terminal = terminal or by.identity
    shift = _open(terminal=terminal, writer=writer or terminal, opening_float=opening_float, by=by, now=now)
    if shift is None:
        raise Conflict("shift-open", "A shift is open at this terminal already. Close it first.")
    return shift


def hold_open_shift(by: Actor) -> Shift:
    """The shift open at the caller's terminal, kept open until the transaction ends: closing waits for us.

    A device that is set to do so opens one by itself; otherwise no money moves without an open shift.
    """
    shift = _hold(by.identity)
    if shift is None:
        device = by_identity(by.identity)
        if device is not None and device.opens_own_shift:
            _open(terminal=by.identity, writer=by.identity, opening_float=ZERO, by=by, now=timezone.now())
            shift = _hold(by.identity)
    if shift is None:
        raise Conflict("no-shift-open", "No shift is open at this terminal. Open one first.")
    return shift


@transaction.atomic
def drop(*, shift_id: int, amount: Money, by: Actor) -> None:
    """Take cash from the drawer to the cage."""
    _move(shift_id, amount, by, kind="keno.drop")


@transaction.atomic
def fill(*, shift_id: int, amount: Money, by: Actor) -> None:
    """Bring cash from the cage to the drawer."""
    _move(shift_id, amount, by, kind="keno.fill")


def _move(shift_id: int, amount: Money, by: Actor, *, kind: str) -> None:
    by.require(CASH)
    _refuse_odd(amount, "amount")
    if not amount:
        raise Refusal("amount-missing", "Say how much, in whole cents.", field="amount")
    shift = _lock(shift_id)
    if shift.writer == by.identity:
        raise Forbidden("own-drawer", "Another person brings and takes the cash of a drawer.")
    now = timezone.now()
    debit, credit = (accounts.CAGE, shift.cash) if kind == "keno.drop" else (shift.cash, accounts.CAGE)
    post(
        booking=Booking(
            debit=debit, credit=credit, amount=amount, kind=kind, reference=f"{shift_id}/{now.isoformat()}"
        ),
        by=by,
        day=gaming_day_at(now).date,
        at=now,
    )


@dataclass(frozen=True, slots=True)
class Count:
    """What a closed shift came to. Over is positive, short negative."""

    shift: Shift
    cash_over: Money
    chips_over: Money


@transaction.atomic
def close_shift(*, shift_id: int, counted_cash: Money, by: Actor, counted_chips: Money = ZERO) -> Count:
    """Close a shift on what was counted. Its own writer may, or a manager for another.

    The drawer goes to the cage as counted, and the difference to over and short: the accounts of the shift end at zero.
    """
    shift = _lock(shift_id)
    by.require(SHIFT if by.identity in (shift.writer, shift.terminal, shift.opened_by) else SHIFT_OTHERS)
    _refuse_odd(counted_cash, "counted_cash")
    _refuse_odd(counted_chips, "counted_chips")
    now = timezone.now()
    held = balances([shift.cash, shift.chips])
    cash, chips = held[shift.cash].amount, held[shift.chips].amount
    bookings = [
        *_to_zero(shift, shift.cash, cash, counted_cash, "cash"),
        *_to_zero(shift, shift.chips, chips, counted_chips, "chips"),
    ]
    post_many(bookings=bookings, by=by, day=gaming_day_at(now).date, at=now)
    shift.closed_at, shift.closed_by = now, by.identity
    shift.counted_cash, shift.counted_chips = counted_cash, counted_chips
    shift.expected_cash, shift.expected_chips = cash, chips
    shift.save()
    acts.record(
        kind="keno.shift-closed",
        subject=f"keno-shift:{shift.pk}",
        by=by,
        data={
            "counted_cash": str(counted_cash),
            "expected_cash": str(cash),
            "counted_chips": str(counted_chips),
            "expected_chips": str(chips),
        },
    )
    return Count(shift=shift, cash_over=counted_cash - cash, chips_over=counted_chips - chips)


def _to_zero(shift: Shift, account: str, expected: Money, counted: Money, what: str) -> list[Booking]:
    def moved(kind: str, amount: Money, *, other: str) -> list[Booking]:
        """*amount* out of the drawer; into it where negative."""
        if not amount:
            return []
        debit, credit = (other, account) if amount.micros > 0 else (account, other)
        size = amount if amount.micros > 0 else -amount
        return [Booking(debit=debit, credit=credit, amount=size, kind=kind, reference=f"{shift.pk}/{what}")]

    return [
        *moved("keno.over-short", expected - counted, other=accounts.OVER_SHORT),
        *moved("keno.handed-in", counted, other=accounts.CAGE),
    ]


def _open(*, terminal: str, writer: str, opening_float: Money, by: Actor, now: datetime) -> Shift | None:
    day = gaming_day_at(now).date
    with connection.cursor() as cursor:  # of two that open at once one finds the other's, and nothing fails
        cursor.execute(
            """INSERT INTO keno_shift (terminal, writer, day, opened_at, opened_by, opening_float)
               VALUES (%s, %s, %s, %s, %s, %s)
               ON CONFLICT (terminal) WHERE closed_at IS NULL DO NOTHING RETURNING id""",
            [terminal, writer, day, now, by.identity, opening_float.micros],
        )
        row = cursor.fetchone()
    if row is None:
        return None
    shift = Shift.objects.get(pk=row[0])
    open_account(code=shift.cash, name=f"Keno: cash of shift {shift.pk}", kind=Account.Kind.ASSET, by=by)
    open_account(code=shift.chips, name=f"Keno: chips of shift {shift.pk}", kind=Account.Kind.ASSET, by=by)
    if opening_float:
        booking = Booking(
            debit=shift.cash, credit=accounts.CAGE, amount=opening_float, kind="keno.float", reference=str(shift.pk)
        )
        post(booking=booking, by=by, day=day, at=now)
    acts.record(
        kind="keno.shift-opened",
        subject=f"keno-shift:{shift.pk}",
        by=by,
        data={"terminal": terminal, "writer": writer, "float": str(opening_float)},
    )
    return shift


def _hold(terminal: str) -> Shift | None:
    """FOR KEY SHARE: many sales hold it together, and closing (FOR UPDATE) waits for all of them."""
    rows = execute(_OPEN_SHIFT, {"terminal": terminal})
    return Shift.from_db(connection.alias, _SHIFT, rows[0]) if rows else None


def _lock(shift_id: int) -> Shift:
    shift = Shift.objects.select_for_update().filter(pk=shift_id).first()
    if shift is None:
        raise NotFound("no-such-shift", f"There is no shift {shift_id}.")
    if shift.closed_at is not None:
        raise Conflict("shift-closed", f"Shift {shift_id} is closed.")
    return shift


def _refuse_odd(amount: Money, field: str) -> None:
    if amount.micros < 0 or not amount.whole_cents:
        raise Refusal("amount-impossible", "An amount is whole cents and not negative.", field=field)
