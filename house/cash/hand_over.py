"""Money that changes hands between the house and a customer: the one call of every verb that pays, in every room.

    hand_over(HandedOver(kind=TICKET, payment=…, reference=…, cash=…, day=…, at=…), receiver=Receiver(…), by=by)

It asks who the customer is, counts what he got in this gaming day in all rooms together, makes the threshold report,
keeps the cheque's number, and notices what looks like one payment cut into several. It is called last, in the
transaction that pays: a refusal undoes all of it. A small payment to somebody unknown asks the database nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Final

from house.cash import structuring, threshold
from house.cash.cheques import WrittenCheque, register
from house.cash.customers import hold, marks_of, player_mark
from house.cash.identity import Identity, require_identity
from house.cash.kinds import CashKind
from house.cash.limits import SMALLEST, CashLimits, cash_limits
from house.models import CashLine
from house.players.cards import known_card
from kernel.actors import Actor, system
from kernel.money import ZERO, Money
from kernel.prepared import execute

_SYSTEM: Final = system("cash")
# What the lines of a gaming day come to, for each of these customers and whoever turned out to be the same.
_TOTALS: Final = """
    SELECT customer.number, sum(line.amount)::bigint, sum(line.cash)::bigint, bool_or(line.identity IS NOT NULL)
    FROM unnest(%(customers)s::bigint[]) AS customer(number)
    JOIN house_customer same ON same.id = customer.number OR same.same_as_id = customer.number
    JOIN house_cashline line ON line.day = %(day)s AND line.way = %(way)s
                            AND (line.customer_id = same.id OR line.played_by_id = same.id)
    GROUP BY customer.number
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Receiver:
    """Who stands there. *card*: his own, shown with the payment; *played_by*: whose card the wager was made with."""

    identity: Identity | None = None
    card: str | None = None
    played_by: int | None = None
    refused_as: str = "identity-needed"


NOBODY: Final = Receiver()


@dataclass(frozen=True, slots=True, kw_only=True)
class HandedOver:
    kind: CashKind
    payment: int  # the room's own number of it
    reference: str  # what people call it
    day: date
    at: datetime
    cash: Money = ZERO
    cheque: WrittenCheque | None = None
    other: Money = ZERO  # by transfer, in chips, into an account

    @property
    def amount(self) -> Money:
        return self.cash + self.other + (self.cheque.amount if self.cheque else ZERO)


@dataclass(slots=True)
class _Counted:
    """A customer's gaming day, this payment included."""

    customer: int
    amount: Money
    cash: Money
    identified: bool


@dataclass(slots=True)
class _Desk:
    """One handing over, while it is looked at."""

    what: HandedOver
    receiver: Receiver
    by: Actor
    identity: Identity | None = None
    customer: int | None = None
    played_by: int | None = None
    counted: list[_Counted] = field(default_factory=list)


def hand_over(what: HandedOver, *, receiver: Receiver = NOBODY, by: Actor) -> CashLine | None:
    """Ask, count, report, keep the cheque. The line that was kept of it; None where nothing has to be."""
    unknown = receiver.card is None and receiver.identity is None and receiver.played_by is None
    line = None
    if what.amount and not (unknown and what.amount < SMALLEST):
        line = _look_at(_Desk(what, receiver, by))
    if what.cheque is not None:
        kind = what.kind
        register(what.cheque, room=kind.room, what=kind.what, payment=what.payment, day=what.day, at=what.at, by=by)
    return line


def _look_at(desk: _Desk) -> CashLine | None:
    _recognise(desk)
    if desk.customer is None and desk.played_by is None:
        return _to_somebody_unknown(desk, cash_limits())
    line = _keep(desk)
    _count(desk)
    if max(each.amount for each in desk.counted) < SMALLEST:
        return line
    limits = cash_limits()
    if desk.what.kind.reported and _require_identity(desk, limits):
        threshold.cover(line, customers=_reaching(desk, limits), limits=limits, by=desk.by)
    structuring.look_at_customers(line, [each.customer for each in desk.counted], limits=limits)
    return line


def _recognise(desk: _Desk) -> None:
    """By what he shows. Half an identity is none, and is asked for again where it is needed."""
    given, marks = desk.receiver.identity, []
    if given is not None and not given.missing():
        desk.identity = require_identity(desk.what.amount, given, refused_as=desk.receiver.refused_as)
        marks += marks_of(desk.identity)
    if desk.receiver.card is not None:
        marks.append(player_mark(known_card(desk.receiver.card, field="card").player_id))
    played = [] if desk.receiver.played_by is None else [player_mark(desk.receiver.played_by)]
    desk.customer, desk.played_by = hold([marks, played])
    if desk.customer is None:  # nobody showed anything: it is taken for the player's own
        desk.customer, desk.played_by = desk.played_by, None
    elif desk.customer == desk.played_by:
        desk.played_by = None


def _to_somebody_unknown(desk: _Desk, limits: CashLimits) -> CashLine | None:
    if desk.what.amount >= limits.identity_from and desk.what.kind.reported:
        require_identity(desk.what.amount, desk.receiver.identity, refused_as=desk.receiver.refused_as)
    if desk.what.cash < limits.structuring_from:
        return None
    line = _keep(desk)
    structuring.look_at_terminal(line, limits=limits)
    return line


def _keep(desk: _Desk) -> CashLine:
    what = desk.what
    return CashLine.objects.create(
        way=what.kind.way,
        room=what.kind.room,
        what=what.kind.what,
        payment=what.payment,
        reference=what.reference,
        amount=what.amount,
        cash=what.cash,
        customer_id=desk.customer,
        played_by_id=desk.played_by,
        identity=desk.identity.as_json() if desk.identity else None,
        day=what.day,
        at=what.at,
        by=desk.by.identity,
        device=desk.by.device or "",
    )


def _count(desk: _Desk) -> None:
    """He is held, and this line is written: nobody counts beside us, and everybody after us sees it."""
    customers = [number for number in (desk.customer, desk.played_by) if number is not None]
    rows = execute(_TOTALS, {"customers": customers, "day": desk.what.day, "way": str(desk.what.kind.way)})
    desk.counted = [_Counted(number, Money(amount), Money(cash), shown) for number, amount, cash, shown in rows]


def _require_identity(desk: _Desk, limits: CashLimits) -> bool:
    """Whether who he is is on record; refused where it has to be and is not.

    Somebody who has shown it today is not asked again for an amount below the limit.
    """
    if desk.identity is not None:
        return True
    over = [each for each in desk.counted if each.amount >= limits.identity_from]
    if desk.what.amount < limits.identity_from and any(each.identified for each in over or desk.counted):
        return True
    if over:
        amount, given = max(each.amount for each in over), desk.receiver
        require_identity(amount, given.identity, refused_as=given.refused_as, in_the_day=amount != desk.what.amount)
    return False


def _reaching(desk: _Desk, limits: CashLimits) -> list[int]:
    return [each.customer for each in desk.counted if each.cash >= limits.report_from]
