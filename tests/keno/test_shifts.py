"""Writers' shifts: float, drops, a blind count, over and short; no cash without one."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
from django.db import DatabaseError, transaction

from house.devices import service_token
from house.models import Incident
from keno import shifts
from keno.models import Shift, TenderType
from keno.sell import sell_ticket
from keno.tender import Handed
from kernel.money import ZERO
from tests.plugins.worlds import kept
from tests.world import keno_counter as at
from tests.world.keno_counter import plain
from tests.world.money import dollars
from tests.world.people import actor
from tests.world.refusals import refused_as

pytestmark = pytest.mark.django_db


counter = kept(partial(at.Counter, opening_float="500.00"))


refused = partial(refused_as, "status code", unchanged=at.everything)


def test_a_shift_from_float_to_count_ends_at_zero(counter: at.Counter) -> None:
    counter.sell(plain(stake="20.00"))
    counter.sell(plain(stake="5.00"), tender=[Handed(type=TenderType.CHIPS, amount=dollars("5.00"))])
    for one in (counter.supervisor, counter.writer):
        shifts.drop(shift_id=counter.shift.pk, amount=dollars("300.00"), by=one)
    for one in (counter.writer, counter.supervisor):
        shifts.drop(shift_id=counter.shift.pk, amount=dollars("50.00"), by=one)
        shifts.fill(shift_id=counter.shift.pk, amount=dollars("10.00"), by=one)
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


def test_one_open_shift_a_terminal(counter: at.Counter) -> None:
    assert refused(shifts.open_shift, by=counter.writer) == (409, "shift-open")
    shifts.close_shift(shift_id=counter.shift.pk, counted_cash=dollars("500.00"), by=counter.writer)
    assert shifts.open_shift(by=counter.writer).opening_float == ZERO


def test_a_shift_that_was_left_open_is_closed_by_two_others_who_count_the_same(counter: at.Counter) -> None:
    close: dict[str, Any] = {"shift_id": counter.shift.pk, "counted_cash": dollars("500.00")}
    assert refused(shifts.close_shift, **close, by=actor("device:W-2", "writer")) == (404, "no-such-shift")
    assert refused(shifts.close_shift, **close, by=actor("staff:ida", "inspector")) == (403, "no-permission")
    for amount in ("490.00", "500.00"):  # alone he may count as often as he likes
        first = shifts.close_shift(shift_id=counter.shift.pk, counted_cash=dollars(amount), by=counter.supervisor)
        assert (first.shift.closed_at, first.cash_over) == (None, None)
    other = {"shift_id": counter.shift.pk, "counted_cash": dollars("490.00"), "by": counter.manager}
    assert refused(shifts.close_shift, **other) == (409, "counts-differ")
    assert not Incident.objects.exists()
    closed = shifts.close_shift(**close, by=counter.manager)
    assert (closed.shift.closed_by, closed.cash_over) == ("staff:mona", ZERO)
    assert Incident.objects.get().kind == "keno-shift-abandoned"
    assert refused(shifts.close_shift, **close, by=counter.manager) == (409, "shift-closed")
    assert refused(shifts.drop, shift_id=counter.shift.pk, amount=dollars("1.00"), by=counter.supervisor) == (
        409, "shift-closed",
    )  # fmt: skip


def test_impossible_amounts_are_refused(counter: at.Counter) -> None:
    for amount in (dollars("-1.00"), type(ZERO)(5)):
        count = {"shift_id": counter.shift.pk, "counted_cash": amount, "by": counter.writer}
        assert refused(shifts.close_shift, **count) == (422, "amount-impossible")
        move = {"shift_id": counter.shift.pk, "amount": amount, "by": counter.supervisor}
        assert refused(shifts.drop, **move) == (422, "amount-impossible")
    assert refused(shifts.drop, shift_id=counter.shift.pk, amount=ZERO, by=counter.supervisor)[1] == "amount-missing"
    assert refused(shifts.open_shift, by=actor("device:W-3", "writer"), opening_float=dollars("-1.00"))[1] == (
        "float-negative"
    )
    assert refused(shifts.drop, shift_id=999, amount=dollars("1.00"), by=counter.supervisor)[1] == "no-such-shift"
    anothers = {"shift_id": counter.shift.pk, "amount": dollars("1.00"), "by": actor("device:W-2", "writer")}
    assert refused(shifts.drop, **anothers) == (404, "no-such-shift")


def test_cash_moves_when_the_writer_and_a_supervisor_say_the_same(counter: at.Counter) -> None:
    fill: dict[str, Any] = {"shift_id": counter.shift.pk, "amount": dollars("200.00")}
    before = at.books()
    for somebody in (counter.supervisor, counter.manager, counter.supervisor):  # two supervisors are one side
        assert shifts.fill(**fill, by=somebody).waits
    assert at.books() == before
    other = fill | {"amount": dollars("199.00"), "by": counter.writer}
    assert refused(shifts.fill, **other) == (409, "amounts-differ")
    assert not shifts.fill(**fill, by=counter.writer).waits
    assert at.books()[counter.shift.cash] == dollars("700.00")
    assert shifts.fill(**fill, by=counter.writer).waits  # the next one begins anew
    assert at.in_balance()


def test_nobody_is_both_sides_of_a_drawer() -> None:
    at.open_day()
    both = actor("staff:sue", "writer", "supervisor")
    shift = shifts.open_shift(by=both)
    for _ in range(2):
        assert shifts.drop(shift_id=shift.pk, amount=dollars("1.00"), by=both).waits
    assert at.books() == {}


def test_nobody_opens_a_shift_in_anothers_name(counter: at.Counter) -> None:
    for name in ("staff:nobody-at-all", "device:W-2"):
        for somebody in (counter.manager, actor("device:W-3", "writer")):
            assert refused(shifts.open_shift, by=somebody, writer=name) == (403, "not-your-shift")
            assert refused(shifts.open_shift, by=somebody, terminal=name) == (403, "not-your-shift")
    mine = shifts.open_shift(by=counter.manager, terminal="staff:mona", writer="staff:mona")
    assert (mine.terminal, mine.writer, mine.opened_by) == ("staff:mona",) * 3


def test_a_drawer_out_by_more_than_the_limit_is_an_incident(counter: at.Counter) -> None:
    close: dict[str, Any] = {"shift_id": counter.shift.pk, "by": counter.writer}
    count = shifts.close_shift(**close, counted_cash=dollars("399.99"))
    assert count.cash_over == dollars("-100.01")
    incident = Incident.objects.get()
    assert (incident.kind, incident.subject) == ("keno-over-short", f"keno-shift:{counter.shift.pk}")
    again = shifts.open_shift(by=counter.writer, opening_float=dollars("200.00"))
    shifts.close_shift(shift_id=again.pk, counted_cash=dollars("300.00"), by=counter.writer)  # the limit itself is not
    assert Incident.objects.count() == 1


@pytest.mark.clause("act-keno:4.1")
def test_a_token_from_the_command_line_opens_its_own_shift_on_first_use(counter: at.Counter) -> None:
    issued = service_token(role="writer", name="Counter 2")
    own = actor(issued.device.identity, "writer")
    sell_ticket(request=plain(), by=own)
    sell_ticket(request=plain(), by=own)
    shift = Shift.objects.get(terminal=own.identity)
    assert (shift.opening_float, shift.closed_at) == (ZERO, None)
    assert at.books()[shift.cash] == dollars("2.00")
    issued.device.opens_own_shift = False
    issued.device.save()
    shifts.close_shift(shift_id=shift.pk, counted_cash=dollars("2.00"), by=own)
    assert refused(sell_ticket, request=plain(), by=own) == (409, "no-shift-open")


def test_a_closed_shift_stays_as_it_is(counter: at.Counter) -> None:
    shifts.close_shift(shift_id=counter.shift.pk, counted_cash=dollars("500.00"), by=counter.writer)
    with pytest.raises(DatabaseError), transaction.atomic():
        Shift.objects.update(counted_cash=dollars("600.00"))
