"""Cancelling (6), voiding the wagers of a person in breach (14.3), refunding an invalidated game (14.5)."""

from __future__ import annotations

from typing import Any

import pytest
import time_machine
from django.utils import timezone

from house.models import Restriction
from house.players.cards import register_player
from house.players.play import may_play
from house.players.restrict import lift
from keno import agreement, refunds
from keno.balls import enter_balls
from keno.cancel import Cancelled, cancel_ticket
from keno.close import close_game
from keno.invalidate import invalidate_game
from keno.models import Play, Prize, TenderType, Ticket
from keno.pay import pay_ticket
from keno.sell import Sold
from keno.tender import Handed
from kernel.refusal import Refusal
from tests.plugins.worlds import kept
from tests.world import keno_counter as at
from tests.world.keno_counter import plain, refused
from tests.world.keno_played import HIGH, LOW, Played
from tests.world.money import dollars
from tests.world.people import actor, someone

pytestmark = pytest.mark.django_db


counter = kept(Played)


def cancel(counter: Played, sold: Sold, **more: Any) -> Cancelled:
    return at.cancel(sold, more.get("by", counter.writer))


@pytest.mark.clause("act-keno:6.1")
def test_a_ticket_is_cancelled_whole_until_the_first_number(counter: Played) -> None:
    sold = counter.sell(plain(games=3, stake="2.00"))
    close_game(number=1, by=counter.supervisor)  # closed for sale, and still to be cancelled
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
def test_after_the_first_number_it_is_too_late(counter: Played) -> None:
    sold = counter.sell()
    counter.begin(1, 7)
    assert refused(cancel, counter, sold) == (409, "nothing-to-cancel", "act-keno:6.1")


@pytest.mark.clause("act-keno:6.2")
def test_a_ticket_of_several_games_keeps_what_was_played(counter: Played) -> None:
    sold = counter.sell(plain(games=5))
    counter.play(1, HIGH)
    counter.begin(2, 1)
    done = cancel(counter, sold)
    assert (done.refund, done.games) == (dollars("3.00"), 3)
    ticket = Ticket.objects.get()
    assert (ticket.status, ticket.cancelled_from, ticket.plays_to) == ("issued", 3, 2)
    assert Play.objects.get().plays_to == 2
    # What it won in the games it played is still paid.
    enter_balls(number=2, balls=[2, *HIGH[:18]], by=counter.supervisor)  # two of its three
    paid = pay_ticket(serial=ticket.serial, security_code=sold.security_code, by=counter.writer)
    assert (paid.payment.amount, paid.continuation) == (dollars("2.00"), None)
    counter.play(3, LOW)  # its numbers, in a game that it does not play any more
    assert not Prize.objects.filter(game=3).exists()


@pytest.mark.clause("act-keno:6.2", "act-keno:14.5")
def test_an_invalidated_game_is_refunded_once_and_not_again_by_cancelling(counter: Played) -> None:
    sold = counter.sell(plain(games=3))
    invalidate_game(number=1, by=counter.manager, cause="fire", reason="Fire.")
    assert cancel(counter, sold).refund == dollars("2.00")
    paid = pay_ticket(serial=sold.ticket.serial, security_code=sold.security_code, by=counter.writer)
    assert paid.payment.amount == dollars("1.00")
    assert "keno:stakes-held" not in at.books()
    assert at.in_balance()


@pytest.mark.clause("act-keno:6.3")
def test_keno_to_go_is_cancelled_whole_before_its_first_game_or_not_at_all(counter: Played) -> None:
    first, second = counter.sell(plain(games=50)), counter.sell(plain(games=100))
    assert cancel(counter, first).refund == dollars("49.00")
    counter.begin(1, 7)
    assert refused(cancel, counter, second) == (409, "keno-to-go-begun", "act-keno:6.3")


@pytest.mark.clause("act-keno:6.3")
def test_keno_to_go_is_cancelled_while_no_number_of_it_is_recorded_though_its_first_game_was_invalidated(
    counter: Played,
) -> None:
    sold, other = counter.sell(plain(games=50)), counter.sell(plain(games=50))
    invalidate_game(number=1, by=counter.manager, cause="fire", reason="Fire in the kitchen.")
    done = at.cancel(sold, counter.writer)
    assert (done.games, done.refund) == (49, dollars("48.00"))  # the first of its 49 charged games is refunded already
    assert pay_ticket(
        serial=sold.ticket.serial, security_code=sold.security_code, by=counter.writer
    ).payment.amount == (dollars("1.00"))
    counter.play(2, LOW)
    assert refused(at.cancel, other, counter.writer) == (409, "keno-to-go-begun", "act-keno:6.3")
    assert agreement.differences() == []


@pytest.mark.clause("act-keno:6.4")
def test_never_after_the_close_of_the_gaming_day_of_issue(counter: Played) -> None:
    sold = counter.sell(plain(games=20))
    with time_machine.travel(counter.day.closes_at, tick=False):
        assert refused(cancel, counter, sold) == (409, "day-of-issue-over", "act-keno:6.4")


def test_cancelling_needs_the_right_a_shift_and_a_ticket(counter: Played) -> None:
    sold = counter.sell()
    assert refused(cancel, counter, sold, by=actor("device:T-1", "table"))[1] == "no-permission"
    assert refused(cancel, counter, sold, by=actor("device:W-2", "writer"))[1] == "no-shift-open"
    nothing = {"serial": "NONE", "security_code": sold.security_code, "by": counter.writer}
    assert refused(cancel_ticket, **nothing)[:2] == (404, "no-such-ticket")


@pytest.mark.clause("act-keno:10.3")
def test_cancelling_needs_the_paper(counter: Played) -> None:
    sold, other = counter.sell(), counter.sell()
    for code in (None, "", " "):
        without = {"serial": sold.ticket.serial, "security_code": code, "by": counter.writer}
        assert refused(cancel_ticket, **without) == (422, "code-missing", "act-keno:10.3")
    for code in ("0" * 16, other.security_code, sold.security_code[:-1]):
        wrong = {"serial": sold.ticket.serial, "security_code": code, "by": counter.writer}
        assert refused(cancel_ticket, **wrong) == (422, "security-code-wrong", "act-keno:10.3")


@pytest.mark.clause("act-keno:4.6")
def test_what_an_approved_voucher_paid_comes_back_as_a_keno_voucher_that_is_never_cash(counter: Played) -> None:
    at.issue_vouchers("2.00", "1")
    tender = [Handed(type=TenderType.VOUCHER, reference="DINE-1"), Handed(type=TenderType.CASH)]
    done = cancel(counter, counter.sell(plain(stake="5.00"), tender=tender))
    assert done.voucher is not None
    paper = done.voucher.voucher
    assert (paper.amount, paper.cashable) == (dollars("2.00"), False)
    assert (done.refund, done.cash) == (dollars("5.00"), dollars("3.00"))
    assert at.books()["keno:vouchers"] == dollars("2.00")
    assert at.in_balance()


@pytest.mark.clause("act-keno:4.6", "act-keno:6.2")
def test_of_a_ticket_half_played_the_voucher_comes_back_first(counter: Played) -> None:
    at.issue_vouchers("2.00", "1")
    tender = [Handed(type=TenderType.VOUCHER, reference="DINE-1"), Handed(type=TenderType.CASH)]
    sold = counter.sell(plain(games=4), tender=tender)
    counter.play(1, HIGH)
    done = cancel(counter, sold)
    assert done.voucher is not None
    assert (done.refund, done.voucher.voucher.amount, done.cash) == tuple(map(dollars, ("3.00", "2.00", "1.00")))


@pytest.mark.clause("act-keno:4.6", "act-keno:14.5")
def test_a_refund_of_a_game_gives_a_voucher_back_as_one(counter: Played) -> None:
    at.issue_vouchers("2.00", "1")
    tender = [Handed(type=TenderType.VOUCHER, reference="DINE-1"), Handed(type=TenderType.CASH)]
    sold = counter.sell(plain(stake="3.00"), tender=tender)
    invalidate_game(number=1, by=counter.manager, cause="fire", reason="Fire.")
    line = Handed(type=TenderType.TICKET, reference=sold.ticket.serial, security_code=sold.security_code)
    assert refused(counter.sell, tender=[line])[1] == "pay-it-first"
    paid = pay_ticket(serial=sold.ticket.serial, security_code=sold.security_code, by=counter.writer)
    assert paid.voucher is not None
    assert (paid.voucher.voucher.amount, paid.voucher.voucher.cashable) == (dollars("2.00"), False)
    assert (paid.payment.cash, paid.payment.not_cash) == (dollars("1.00"), dollars("2.00"))
    assert at.in_balance()


@pytest.mark.clause("act-keno:14.5", "act-keno:3.1a")
def test_an_invalidated_game_refunds_what_was_paid_for_it_and_nothing_for_free_games(counter: Played) -> None:
    plain_one = counter.sell(plain(stake="3.00"))
    free = counter.sell(plain(games=50))
    cancelled = counter.sell()
    cancel(counter, cancelled)
    before = at.books()["keno:stakes-held"]
    invalidate_game(number=1, by=counter.manager, cause="fire", reason="Fire.")
    for game, total in ((1, "0.00"), (50, "0.00"), (49, "1.00")):  # game 1: once is enough
        done = refunds.refund_game(game=game, by=counter.manager, day=counter.day.date, at=timezone.now())
        assert done == dollars(total)
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
def test_the_wagers_of_a_person_in_breach_are_voided_and_refunded(counter: Played) -> None:
    sold = counter.sell(plain(games=4))
    counter.begin(1, 7)
    void: dict[str, Any] = {"serial": sold.ticket.serial, "why": "Used a device that records draws."}
    assert refused(refunds.void_wagers, **void, by=counter.writer)[1] == "no-permission"
    assert refused(refunds.void_wagers, serial=sold.ticket.serial, why=" ", by=counter.manager)[1] == "reason-missing"
    assert refunds.void_wagers(**void, by=counter.manager) == dollars("3.00")
    ticket = Ticket.objects.get()
    assert (ticket.status, ticket.plays_to) == ("voided", 1)
    assert at.books()["keno:refunds-owing"] == dollars("3.00")
    assert refused(refunds.void_wagers, **void, by=counter.manager)[1] == "cancelled-already"
    assert refused(cancel, counter, sold)[1] == "cancelled-already"


@pytest.mark.clause("act-keno:14.3")
def test_the_person_in_breach_may_be_excluded_in_the_same_moment(counter: Played) -> None:
    desk = actor("staff:desk", "manager", "supervisor", "administrator")
    anna = register_player(name="Anna Marsh", card="C-100", by=desk)
    sold = counter.sell(plain(games=4))
    void: dict[str, Any] = {
        "serial": sold.ticket.serial,
        "why": "Used a device that records draws.",
        "by": counter.manager,
    }
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
    for other in (counter.supervisor, someone("supervisor", "another")):
        lift(restriction_id=exclusion.pk, by=other)
    assert may_play(card="C-100", place="keno") == anna
