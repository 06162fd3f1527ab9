"""Writers' shifts: every cash movement belongs to one, and its own accounts say what should be in the drawer.

Expected cash is the balance of the shift's account: float, sales, payments and drops are all booked there. At the close
the writer counts first and is told the difference afterwards (a blind count).

A shift is of whoever opened it at that terminal: the person signed in, or the device itself. Cash comes and goes when
its writer and a supervisor say the same amount. One that was left open is closed by two others, who count the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.db import connection, transaction
from django.utils import timezone

from house.devices import by_identity
from house.gaming_days import gaming_day_at, open_gaming_day
from house.incidents import open_incident
from house.log import record_act
from house.persons import may_be_one
from keno import accounts, approved
from keno.acts import ShiftClosed, ShiftOpened
from keno.incident_kinds import OVER_SHORT, SHIFT_ABANDONED
from keno.models import CashMove, CashWay, DrawerCount, Shift
from keno.permissions import SHIFT
from keno.steps import (
    is_own,
    require_may_close,
    require_may_move_cash,
    require_may_see,
    require_open,
    require_own_name,
)
from kernel.actors import Actor
from kernel.money import ZERO, Money
from kernel.prepared import execute
from kernel.refusal import Conflict, Forbidden, NotFound, Refusal
from ledger.accounts import open_account
from ledger.balance import balances
from ledger.models import Account
from ledger.post import Booking, post, post_many

# What a sale or a payment asks of the shift; the rest is fetched where it is asked for.
_SHIFT: Final = ("id", "terminal", "writer", "day")
HELD_LIMIT: Final = 10_000  # shifts that a process remembers
_OPEN_SHIFT: Final = """
    SELECT id, terminal, writer, day FROM keno_shift WHERE terminal = %(terminal)s AND closed_at IS NULL
    FOR KEY SHARE
"""


@transaction.atomic
def open_shift(
    *, by: Actor, opening_float: Money = ZERO, terminal: str | None = None, writer: str | None = None
) -> Shift:
    """Open one's own shift, at one's own terminal. *terminal* and *writer* may say so, and nobody else's."""
    by.require(SHIFT)
    require_own_name(by, terminal, writer)
    if opening_float.micros < 0:
        raise Refusal("float-negative", "A float is not negative.", field="opening_float")
    if opening_float > (alone := approved.amount(approved.FLOAT_ALONE)):
        raise Forbidden(
            "two-people-needed",
            f"One person opens with at most ${alone}. Open with that, and fill the drawer together with a supervisor.",
            field="opening_float",
        )
    now = timezone.now()
    open_gaming_day(now)
    shift = _open(opening_float=opening_float, by=by, now=now)
    if shift is None:
        raise Conflict("shift-open", "A shift is open at this terminal already. Close it first.")
    return shift


def hold_open_shift(by: Actor) -> Shift:
    """The shift open at the caller's terminal, kept open until the transaction ends: closing waits for us.

    A device that is set to do so opens one by itself; otherwise no money moves without an open shift.
    """
    shift = _hold(by.identity)
    if shift is None:
        _held_last.pop(by.identity, None)
        device = by_identity(by.identity)
        if device is not None and device.opens_own_shift:
            _open(opening_float=ZERO, by=by, now=timezone.now())
            shift = _hold(by.identity)
    if shift is None:
        raise Conflict("no-shift-open", "No shift is open at this terminal. Open one first.")
    if len(_held_last) >= HELD_LIMIT:
        _held_last.clear()
    _held_last[by.identity] = shift
    return shift


_held_last: dict[str, Shift] = {}


def held_last(by: Actor) -> Shift | None:
    """The shift that this process last found open at the caller's terminal: a guess, which ``keno.sell_at_once`` has
    the database look at."""
    return _held_last.get(by.identity)


@dataclass(frozen=True, slots=True)
class Moved:
    """*waits*: one of the two has said so, and the cash is moved when the other says the same."""

    shift: Shift
    waits: bool


def drop(*, shift_id: int, amount: Money, by: Actor) -> Moved:
    """Take cash from the drawer to the cage."""
    return move_cash(shift_id=shift_id, way=CashWay.DROP, amount=amount, by=by)


def fill(*, shift_id: int, amount: Money, by: Actor) -> Moved:
    """Bring cash from the cage to the drawer."""
    return move_cash(shift_id=shift_id, way=CashWay.FILL, amount=amount, by=by)


@transaction.atomic
def move_cash(*, shift_id: int, way: CashWay, amount: Money, by: Actor) -> Moved:
    """Both who hand it over say how much, the shift's writer and a supervisor; then it is booked."""
    shift = _lock(shift_id, by)
    require_may_move_cash(shift, by)
    _refuse_odd(amount, "amount")
    if not amount:
        raise Refusal("amount-missing", "Say how much, in whole cents.", field="amount")
    now = timezone.now()
    waiting = CashMove.objects.select_for_update().filter(shift=shift, way=way, confirmed_at=None).first()
    if waiting is None:
        CashMove.objects.create(shift=shift, way=way, amount=amount, said_by=by.identity, said_at=now)
        return Moved(shift, waits=True)
    if (waiting.said_by == shift.terminal) == is_own(shift, by):  # said again, by the same side: the last word counts
        waiting.amount, waiting.said_by, waiting.said_at = amount, by.identity, now
        waiting.save(update_fields=["amount", "said_by", "said_at"])
        return Moved(shift, waits=True)
    if may_be_one([waiting.said_by], [by.identity]):
        raise Forbidden("same-person", "Another person has to say the same: you have the token of this terminal.")
    if waiting.amount != amount:
        raise Conflict("amounts-differ", "The other has said another amount. Count it together, and say it again.")
    waiting.confirmed_by, waiting.confirmed_at = by.identity, now
    waiting.save(update_fields=["confirmed_by", "confirmed_at"])
    debit, credit = (accounts.CAGE, shift.cash) if way == CashWay.DROP else (shift.cash, accounts.CAGE)
    booking = Booking(
        debit=debit,
        credit=credit,
        amount=amount,
        kind=f"keno.{way}",
        reference=f"{shift_id}/{now.isoformat()}",
        memo={"with": waiting.said_by},
    )
    post(booking=booking, by=by, day=gaming_day_at(now).date, at=now)
    return Moved(shift, waits=False)


@dataclass(frozen=True, slots=True)
class Count:
    """What a closed shift came to. Over is positive, short negative; nothing is told before the second count."""

    shift: Shift
    cash_over: Money | None
    chips_over: Money | None


@transaction.atomic
def close_shift(*, shift_id: int, counted_cash: Money, by: Actor, counted_chips: Money = ZERO) -> Count:
    """Close a shift on what was counted: by its own writer, or by two others who count the same, one after the other.

    The drawer goes to the cage as counted, and the difference to over and short: the accounts of the shift end at zero.
    """
    shift = _lock(shift_id, by)
    require_may_close(shift, by)
    _refuse_odd(counted_cash, "counted_cash")
    _refuse_odd(counted_chips, "counted_chips")
    now = timezone.now()
    first = None
    if not is_own(shift, by):
        first = _counted_before(shift, counted_cash, counted_chips, by, now)
        if first is None:
            return Count(shift, None, None)
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
    record_act(
        ShiftClosed(
            shift=shift.pk,
            counted_cash=counted_cash,
            expected_cash=cash,
            counted_chips=counted_chips,
            expected_chips=chips,
        ),
        by=by,
    )
    count = Count(shift, counted_cash - cash, counted_chips - chips)
    _report(count, first, by)
    return count


def _counted_before(shift: Shift, cash: Money, chips: Money, by: Actor, now: datetime) -> DrawerCount | None:
    """The first of two who closes a shift that was left open; None while this is the first count."""
    first = DrawerCount.objects.filter(shift=shift).exclude(by=by.identity).order_by("-at").first()
    if first is None:
        DrawerCount.objects.update_or_create(
            shift=shift, by=by.identity, defaults={"cash": cash, "chips": chips, "at": now}
        )
    elif (first.cash, first.chips) != (cash, chips):
        raise Conflict("counts-differ", "The other has counted something else. Count it together, and say it again.")
    return first


def _report(count: Count, first: DrawerCount | None, by: Actor) -> None:
    """A shift closed by others, and a drawer out by more than the approved limit, are incidents."""
    shift, limit = count.shift, approved.amount(approved.OVER_SHORT)
    about = f"keno-shift:{shift.pk}"
    concerned = {shift.writer, shift.terminal, by.identity} | ({first.by} if first is not None else set())
    if first is not None:
        what = f"Shift {shift.pk} of {shift.writer} was left open: counted by {first.by} and {by.identity}, and closed."
        open_incident(kind=SHIFT_ABANDONED, what=what, by=by, subject=about, caused_by=concerned)
    assert count.cash_over is not None
    assert count.chips_over is not None
    if any(abs(over.micros) > limit.micros for over in (count.cash_over, count.chips_over)):
        what = f"Shift {shift.pk} of {shift.writer}: cash {count.cash_over}, chips {count.chips_over} over or short."
        open_incident(kind=OVER_SHORT, what=what, by=by, subject=about, caused_by=concerned)


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


def _open(*, opening_float: Money, by: Actor, now: datetime) -> Shift | None:
    day = gaming_day_at(now).date
    with connection.cursor() as cursor:  # of two that open at once one finds the other's, and nothing fails
        cursor.execute(
            """INSERT INTO keno_shift (terminal, writer, day, opened_at, opened_by, opening_float)
               VALUES (%s, %s, %s, %s, %s, %s)
               ON CONFLICT (terminal) WHERE closed_at IS NULL DO NOTHING RETURNING id""",
            [by.identity, by.identity, day, now, by.identity, opening_float.micros],
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
    record_act(ShiftOpened(shift=shift.pk, terminal=shift.terminal, writer=shift.writer, float=opening_float), by=by)
    return shift


def _hold(terminal: str) -> Shift | None:
    """FOR KEY SHARE: many sales hold it together, and closing (FOR UPDATE) waits for all of them."""
    rows = execute(_OPEN_SHIFT, {"terminal": terminal})
    return Shift.from_db(connection.alias, _SHIFT, rows[0]) if rows else None


def _lock(shift_id: int, by: Actor) -> Shift:
    shift = Shift.objects.select_for_update().filter(pk=shift_id).first()
    if shift is None:
        raise NotFound("no-such-shift", f"There is no shift {shift_id}.")
    require_may_see(shift, by)
    require_open(shift)
    return shift


def _refuse_odd(amount: Money, field: str) -> None:
    if amount.micros < 0 or not amount.whole_cents:
        raise Refusal("amount-impossible", "An amount is whole cents and not negative.", field=field)
