"""Writers' shifts: float, drops, a blind count, over and short; no cash without one."""

from __future__ import annotations

import pytest
from django.db import DatabaseError, transaction

from house.devices import service_token
from house.refusal import Refusal
from keno import shifts
from keno.models import Shift, TenderType
from keno.sell import sell_ticket
from keno.tender import Handed
from ledger.money import ZERO
from tests.keno import counter as at
from tests.keno.counter import dollars, plain

pytestmark = pytest.mark.django_db


@pytest.fixture
def counter():
    return at.Counter("500.00")


def refused(what, *args, **kwargs):
    before = at.everything()
    with pytest.raises(Refusal) as caught:
        what(*args, **kwargs)
    assert at.everything() == before
    return caught.value.status, caught.value.code


def test_a_shift_from_float_to_count_ends_at_zero(counter):
    counter.sell(plain(stake="20.00"))
    counter.sell(plain(stake="5.00"), tender=[Handed(type=TenderType.CHIPS, amount=dollars("5.00"))])
    shifts.drop(shift_id=counter.shift.pk, amount=dollars("300.00"), by=counter.supervisor)
    shifts.drop(shift_id=counter.shift.pk, amount=dollars("50.00"), by=counter.supervisor)
    shifts.fill(shift_id=counter.shift.pk, amount=dollars("10.00"), by=counter.supervisor)
    count = shifts.close_shift(
        shift_id=counter.shift.pk,
        counted_cash=dollars("177.50"),
        counted_chips=dollars("6.00"),
        by=counter.writer,
    )
    assert (count.cash_over, count.chips_over) == (dollars("-2.50"), dollars("1.00"))
    assert (count.shift.expected_cash, count.shift.expected_chips) == (dollars("180.00"), dollars("5.00"))
    books = at.books()
    assert counter.shift.cash not in books
    assert counter.shift.chips not in books
    assert books["keno:over-short"] == dollars("1.50")
    # 500 out, 350 dropped, 10 out again, 177.50 and 6 handed in
    assert books["keno:cage"] == dollars("23.50")
    assert books["keno:stakes-held"] == dollars("25.00")
    assert at.in_balance()


def test_one_open_shift_a_terminal(counter):
    assert refused(shifts.open_shift, by=counter.writer) == (409, "shift-open")
    shifts.close_shift(shift_id=counter.shift.pk, counted_cash=dollars("500.00"), by=counter.writer)
    assert shifts.open_shift(by=counter.writer).opening_float == ZERO


def test_a_manager_may_close_anothers_shift_and_nobody_else(counter):
    close = {"shift_id": counter.shift.pk, "counted_cash": dollars("500.00")}
    for somebody in (counter.supervisor, at.actor("device:W-2", "writer")):
        assert refused(shifts.close_shift, **close, by=somebody) == (403, "no-permission")
    assert shifts.close_shift(**close, by=counter.manager).shift.closed_by == "staff:mona"
    assert refused(shifts.close_shift, **close, by=counter.manager) == (409, "shift-closed")
    assert refused(shifts.drop, shift_id=counter.shift.pk, amount=dollars("1.00"), by=counter.supervisor) == (
        409, "shift-closed",
    )  # fmt: skip


def test_impossible_amounts_are_refused(counter):
    for amount in (dollars("-1.00"), type(ZERO)(5)):
        count = {"shift_id": counter.shift.pk, "counted_cash": amount, "by": counter.writer}
        assert refused(shifts.close_shift, **count) == (422, "amount-impossible")
        move = {"shift_id": counter.shift.pk, "amount": amount, "by": counter.supervisor}
        assert refused(shifts.drop, **move) == (422, "amount-impossible")
    assert refused(shifts.drop, shift_id=counter.shift.pk, amount=ZERO, by=counter.supervisor)[1] == "amount-missing"
    assert refused(shifts.open_shift, by=at.actor("device:W-3", "writer"), opening_float=dollars("-1.00"))[1] == (
        "float-negative"
    )
    assert refused(shifts.drop, shift_id=999, amount=dollars("1.00"), by=counter.supervisor)[1] == "no-such-shift"
    assert refused(shifts.drop, shift_id=counter.shift.pk, amount=dollars("1.00"), by=counter.writer)[1] == (
        "no-permission"
    )


def test_nobody_fills_and_empties_their_own_drawer():
    at.open_day()
    both = at.actor("staff:sue", "writer", "supervisor")
    shift = shifts.open_shift(by=both)
    assert refused(shifts.drop, shift_id=shift.pk, amount=dollars("1.00"), by=both) == (403, "own-drawer")


@pytest.mark.clause("act-keno:4.1")
def test_a_token_from_the_command_line_opens_its_own_shift_on_first_use(counter):
    issued = service_token(role="writer", name="Counter 2")
    own = at.actor(issued.device.identity, "writer")
    sell_ticket(request=plain(), by=own)
    sell_ticket(request=plain(), by=own)
    shift = Shift.objects.get(terminal=own.identity)
    assert (shift.opening_float, shift.closed_at) == (ZERO, None)
    assert at.books()[shift.cash] == dollars("2.00")
    issued.device.opens_own_shift = False
    issued.device.save()
    shifts.close_shift(shift_id=shift.pk, counted_cash=dollars("2.00"), by=own)
    assert refused(sell_ticket, request=plain(), by=own) == (409, "no-shift-open")


def test_a_closed_shift_stays_as_it_is(counter):
    shifts.close_shift(shift_id=counter.shift.pk, counted_cash=dollars("500.00"), by=counter.writer)
    with pytest.raises(DatabaseError), transaction.atomic():
        Shift.objects.update(counted_cash=dollars("600.00"))
