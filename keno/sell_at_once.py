"""The usual sale in one statement (decision 37): one cash tender, nobody's card, far from every limit.

The game on sale and the open shift are those that this process sold with last. The ticket is made with them, answer
and all, and ``keno_sell_at_once`` (migration 0004) writes it in the one transaction in which it looks whether all of
that is so: the caller's token and right, the game open and with room, the shift open. Where anything is otherwise
nothing was done, and ``keno.sell`` sells step by step, or refuses.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from django.db import DatabaseError, connection, transaction
from django.utils import timezone
from psycopg.types.numeric import Int8

from house.cash.limits import SMALLEST
from house.gaming_days import open_gaming_day
from keno import accounts, locks, shifts
from keno.entries import Composed, TicketRequest, compose
from keno.models import Shift, TenderType
from keno.new_ticket import NewTicket, exposed, new_ticket, plays_of
from keno.pay import Continuation
from keno.permissions import SELL
from keno.rules.exposure import Exposure, exposure
from keno.rules.prorate import MAJORS_TOTAL_LIMIT
from keno.sell import REST_IN_CASH
from keno.tender import Handed
from kernel.actors import Actor
from kernel.locks import Lock
from kernel.money import Money
from kernel.prepared import execute_alone

_SELL: Final = """
    SELECT keno_sell_at_once(
        %(token)s, %(power)s, %(actor)s, %(key)s, %(method)s, %(path)s, %(hash)s, %(answer_status)s::smallint,
        %(answer)s, %(exposure_lock)s, %(sales_lock)s, %(together)s, %(way_payable)s, %(payable)s, %(serial)s, %(kind)s,
        %(groups)s, %(schedule)s, %(schedule_version)s, %(jackpot)s, %(set_bet)s, %(games)s, %(first_game)s,
        %(last_game)s, %(charged_to)s, %(price_a_game)s, %(premium)s, %(price)s, %(change)s, %(sold_at)s, %(day)s,
        %(terminal)s, %(writer)s, %(shift)s, %(leaf)s, %(could_pay)s, %(could_pay_minors)s, %(could_pay_held)s,
        %(plays)s, %(cash)s, %(debit)s, %(credit)s)
"""
# Not as expected; and a serial that exists already.
_STEP_BY_STEP: Final = frozenset({"KN002", "23505"})
_ALWAYS: Final = {
    "power": str(SELL),
    "exposure_lock": int(Lock.GAME_EXPOSURE),
    "sales_lock": int(Lock.GAME_SALES),
    "together": MAJORS_TOTAL_LIMIT.micros,
    "credit": accounts.STAKES_HELD,
}


@dataclass(frozen=True, slots=True)
class UsualSale:
    """What the terminal prints, if everything is as expected; and what it takes to sell it."""

    ticket: NewTicket
    composed: Composed
    security_code: str
    could_pay: Exposure
    shift: Shift
    cash: Money
    voucher: None = None
    continuations: tuple[Continuation, ...] = ()

    @property
    def change(self) -> Money:
        return self.ticket.change

    def sell(self, *, token: str, claim: Mapping[str, object], answer_status: int, answer: str) -> bool:
        """Sell it, under its request key and with the answer that is kept. False: nothing was done."""
        asked = {
            **_ALWAYS,
            **claim,
            **self.ticket.row(),
            **exposed(self.could_pay),
            "token": token,
            "answer_status": answer_status,
            "answer": answer,
            "way_payable": Int8(self.could_pay.way.micros),
            "payable": Int8(self.could_pay.payable.micros),
            "plays": plays_of(self.composed.entry),
            "cash": Int8(self.cash.micros),
            "debit": self.shift.cash,
        }
        try:
            if connection.in_atomic_block:
                with transaction.atomic():  # so that what was not as expected leaves the rest as it was
                    return bool(execute_alone(_SELL, asked)[0][0])
            return bool(execute_alone(_SELL, asked)[0][0])
        except DatabaseError as error:
            if getattr(error.__cause__, "sqlstate", None) not in _STEP_BY_STEP:
                raise
            return False


def usual_sale(*, request: TicketRequest, tender: Sequence[Handed], rest: str, by: Actor) -> UsualSale | None:
    """The sale as it will be, if it is a usual one and this process has sold at this terminal before."""
    shift, game = shifts.held_last(by), locks.sold_last()
    if shift is None or game is None or len(tender) != 1 or not by.may(SELL):
        return None
    composed = compose(request)
    price = composed.quote.price.total
    cash = _cash(tender[0], price)
    if cash is None or price >= SMALLEST or (cash != price and rest != REST_IN_CASH):
        return None
    now = timezone.now()
    day = open_gaming_day(now)
    ticket, code = new_ticket(composed, first_game=game, now=now, day=day.date, shift=shift, change=cash - price)
    return UsualSale(ticket, composed, code, exposure(composed.entry), shift, cash)


def _cash(handed: Handed, price: Money) -> Money | None:
    """What is handed over in cash, if that is all and enough."""
    if handed.type is not TenderType.CASH or handed.reference:
        return None
    amount = price if handed.amount is None else handed.amount
    return amount if amount >= price and amount.whole_cents else None
