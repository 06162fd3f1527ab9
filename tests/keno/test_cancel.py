"""Cancelling (6), voiding the wagers of a person in breach (14.3), refunding an invalidated game (14.5)."""

from __future__ import annotations

import pytest
import time_machine
from django.utils import timezone

from house.models import Restriction
from house.players.cards import register_player
from house.players.play import may_play
from house.players.restrict import lift
from house.refusal import Refusal
from keno import refunds
from keno.cancel import cancel_ticket
from keno.models import Play, Prize, TenderType, Ticket
from keno.pay import pay_ticket
from keno.tender import Handed
from ledger.money import ZERO
from tests.keno import counter as at
from tests.keno.counter import dollars, plain

pytestmark = pytest.mark.django_db


@pytest.fixture
def counter():
    return at.Counter()


def refused(what, *args, **kwargs):
    before = at.everything()
    with pytest.raises(Refusal) as caught:
        what(*args, **kwargs)
    assert at.everything() == before
    return caught.value.status, caught.value.code, caught.value.clause


def cancel(counter, sold, **more):
    return cancel_ticket(serial=sold.ticket.serial, by=more.get("by", counter.writer))


@pytest.mark.clause("act-keno:6.1")
def test_a_ticket_is_cancelled_whole_until_the_first_number(counter):
    sold = counter.sell(plain(games=3, stake="2.00"))
    at.move(1, "closed")  # closed for sale, and still to be cancelled
    done = cancel(counter, sold)
    assert (done.refund, done.games) == (dollars("6.00"), 3)
    ticket = Ticket.objects.get()
    assert (ticket.status, ticket.cancelled_from, ticket.plays_to) == ("cancelled", 1, 0)
    assert Play.objects.get().plays_to == 0
    assert at.transfers("keno.cancel") == [("keno:stakes-held", counter.shift.cash, "6.00")]
    assert "keno:stakes-held" not in at.books()
    assert at.in_balance()
    assert refused(cancel, counter, sold) == (409, "cancelled-already", "act-keno:6.1")


@pytest.mark.clause("act-keno:6.1")
def test_after_the_first_number_it_is_too_late(counter):
    sold = counter.sell()
    at.move(1, "drawing")
    assert refused(cancel, counter, sold) == (409, "nothing-to-cancel", "act-keno:6.1")


@pytest.mark.clause("act-keno:6.2")
def test_a_ticket_of_several_games_keeps_what_was_played(counter):
    sold = counter.sell(plain(games=5))
    at.move(1, "settled")
    at.open_game(2)
    at.move(2, "drawing")
    done = cancel(counter, sold)
    assert (done.refund, done.games) == (dollars("3.00"), 3)
    ticket = Ticket.objects.get()
    assert (ticket.status, ticket.cancelled_from, ticket.plays_to) == ("issued", 3, 2)
    assert Play.objects.get().plays_to == 2
    # What it won in the games it played is still paid.
    at.win(ticket, "2.00", game=2)
    pay_ticket(serial=ticket.serial, security_code=sold.security_code, by=counter.writer)


@pytest.mark.clause("act-keno:6.2", "act-keno:14.5")
def test_an_invalidated_game_is_refunded_once_and_not_again_by_cancelling(counter):
    sold = counter.sell(plain(games=3))
    refunds.refund_game(game=1, by=counter.manager, day=counter.day.date, at=timezone.now())
    at.invalidate(1)
    assert cancel(counter, sold).refund == dollars("2.00")
    paid = pay_ticket(serial=sold.ticket.serial, security_code=sold.security_code, by=counter.writer)
    assert paid.payment.amount == dollars("1.00")
    assert "keno:stakes-held" not in at.books()
    assert at.in_balance()


@pytest.mark.clause("act-keno:6.3")
def test_keno_to_go_is_cancelled_whole_before_its_first_game_or_not_at_all(counter):
    first, second = counter.sell(plain(games=50)), counter.sell(plain(games=100))
    assert cancel(counter, first).refund == dollars("49.00")
    at.move(1, "drawing")
    assert refused(cancel, counter, second) == (409, "keno-to-go-begun", "act-keno:6.3")


@pytest.mark.clause("act-keno:6.4")
def test_never_after_the_close_of_the_gaming_day_of_issue(counter):
    sold = counter.sell(plain(games=20))
    with time_machine.travel(counter.day.closes_at, tick=False):
        assert refused(cancel, counter, sold) == (409, "day-of-issue-over", "act-keno:6.4")


def test_cancelling_needs_the_right_a_shift_and_a_ticket(counter):
    sold = counter.sell()
    assert refused(cancel, counter, sold, by=at.actor("device:T-1", "table"))[1] == "no-permission"
    assert refused(cancel, counter, sold, by=at.actor("device:W-2", "writer"))[1] == "no-shift-open"
    assert refused(cancel_ticket, serial="NONE", by=counter.writer)[:2] == (404, "no-such-ticket")


def test_what_an_approved_voucher_paid_comes_back_as_a_keno_voucher(counter):
    at.approve_value("voucher-type", "DINE", {"name": "Dinner voucher"})
    tender = [
        Handed(type=TenderType.VOUCHER, reference="DINE-1", amount=dollars("2.00")),
        Handed(type=TenderType.CASH),
    ]
    done = cancel(counter, counter.sell(plain(stake="5.00"), tender=tender))
    assert done.voucher.voucher.amount == done.refund == dollars("5.00")
    assert at.books()["keno:vouchers"] == dollars("5.00")
    assert at.in_balance()


@pytest.mark.clause("act-keno:14.5", "act-keno:3.1a")
def test_an_invalidated_game_refunds_what_was_paid_for_it_and_nothing_for_free_games(counter):
    plain_one = counter.sell(plain(stake="3.00"))
    free = counter.sell(plain(games=50))
    cancelled = counter.sell()
    cancel(counter, cancelled)
    before = at.books()["keno:stakes-held"]
    for game, total in ((1, "4.00"), (50, "0.00"), (49, "1.00")):
        done = refunds.refund_game(game=game, by=counter.manager, day=counter.day.date, at=timezone.now())
        assert done == dollars(total)
    assert refunds.refund_game(game=1, by=counter.manager, day=counter.day.date, at=timezone.now()) == ZERO
    assert at.books()["keno:stakes-held"] == before - dollars("5.00")
    assert at.books()["keno:refunds-owing"] == dollars("5.00")
    rows = Prize.objects.order_by("game", "amount").values_list("ticket__serial", "game", "kind", "amount")
    assert list(rows) == [
        (free.ticket.serial, 1, "refund", dollars("1.00")),
        (plain_one.ticket.serial, 1, "refund", dollars("3.00")),
        (free.ticket.serial, 49, "refund", dollars("1.00")),
    ]
    pay_ticket(serial=plain_one.ticket.serial, security_code=plain_one.security_code, by=counter.writer)
    assert at.transfers("keno.payment") == [("keno:refunds-owing", counter.shift.cash, "3.00")]
    assert at.in_balance()


@pytest.mark.clause("act-keno:14.3")
def test_the_wagers_of_a_person_in_breach_are_voided_and_refunded(counter):
    sold = counter.sell(plain(games=4))
    at.move(1, "drawing")
    void = {"serial": sold.ticket.serial, "why": "Used a device that records draws."}
    assert refused(refunds.void_wagers, **void, by=counter.writer)[1] == "no-permission"
    assert refused(refunds.void_wagers, serial=sold.ticket.serial, why=" ", by=counter.manager)[1] == "reason-missing"
    assert refunds.void_wagers(**void, by=counter.manager) == dollars("3.00")
    ticket = Ticket.objects.get()
    assert (ticket.status, ticket.plays_to) == ("voided", 1)
    assert at.books()["keno:refunds-owing"] == dollars("3.00")
    assert refused(refunds.void_wagers, **void, by=counter.manager)[1] == "cancelled-already"
    assert refused(cancel, counter, sold)[1] == "cancelled-already"


@pytest.mark.clause("act-keno:14.3")
def test_the_person_in_breach_may_be_excluded_in_the_same_moment(counter):
    desk = at.actor("staff:desk", "manager", "supervisor", "administrator")
    anna = register_player(name="Anna Marsh", card="C-100", by=desk)
    sold = counter.sell(plain(games=4))
    void = {"serial": sold.ticket.serial, "why": "Used a device that records draws.", "by": counter.manager}
    assert refused(refunds.void_wagers, **void, exclude="P-999999")[1:] == ("no-such-player", "act-keno:14.3")
    assert may_play(card="C-100", place="keno") == anna
    assert refunds.void_wagers(**void, exclude=anna.number) == dollars("4.00")
    exclusion = Restriction.objects.get()
    assert (exclusion.player, exclusion.kind, exclusion.scope, exclusion.clause, exclusion.until) == (
        anna, "exclusion", "keno", "act-keno:14.3", None,
    )  # fmt: skip
    with pytest.raises(Refusal) as caught:
        may_play(card="C-100", place="keno")
    assert (caught.value.code, caught.value.clause) == ("player-exclusion", "act-keno:14.3")
    assert may_play(card="C-100", place="CSP-01") == anna  # from Keno, not from the tables
    assert refused(lift, restriction_id=exclusion.pk, by=counter.manager)[1] == "same-person"
    lift(restriction_id=exclusion.pk, by=counter.supervisor)
    assert may_play(card="C-100", place="keno") == anna
