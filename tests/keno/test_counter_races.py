"""Many terminals at the same moment: a ticket is paid once, a voucher spent once, and no shift closes under a sale."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest
from django.db import connection, transaction
from django.utils import timezone

from house.approvals import approve, propose
from house.models import Proposal
from keno import jackpots, refunds
from keno.claims import make_claim, pay_claim
from keno.models import ClaimReason, Payment, Shift, TenderType, Ticket, Voucher
from keno.pay import pay_ticket
from keno.sell import Sold, sell_ticket
from keno.shifts import close_shift, hold_open_shift, open_shift
from keno.tender import Handed
from keno.unclaimed import move_unclaimed
from keno.vouchers import redeem_voucher
from kernel.actors import Actor
from kernel.money import ZERO
from kernel.refusal import Refusal
from tests.keno.test_claims import ANNA, decide
from tests.world import keno_counter as at
from tests.world.approvals import INSPECTOR
from tests.world.keno_counter import paper_of, plain
from tests.world.keno_played import Played, gaming_day_of
from tests.world.money import dollars
from tests.world.people import actor
from tests.world.threads import at_once, in_threads

pytestmark = pytest.mark.django_db(transaction=True)


def tried(do: Callable[[], object]) -> Any:
    """The answer, or the code of the refusal."""
    try:
        return do()
    except Refusal as refusal:
        return refusal.code


def terminals(count: int) -> Iterator[Actor]:
    writers = [actor(f"device:W-1{number}", "writer") for number in range(count)]
    for writer in writers:
        open_shift(by=writer)
    return iter(writers)


def together(count: int, do: Callable[[Actor], object]) -> list[Any]:
    """One writer each, all at once."""
    writers, lock = terminals(count), threading.Lock()

    def one() -> Any:
        with lock:
            writer = next(writers)
        return tried(lambda: do(writer))

    return in_threads(count, one)


def test_eight_terminals_pay_one_ticket_once() -> None:
    sold = Played().won("100.00")
    answers = together(
        8, lambda by: pay_ticket(serial=sold.ticket.serial, security_code=sold.security_code, by=by).payment.amount
    )
    assert sorted(map(str, answers)) == ["100.00"] + ["already-paid"] * 7
    assert Payment.objects.count() == 1
    assert "keno:prizes-owing" not in at.books()
    assert at.in_balance()


@pytest.mark.clause("act-keno:4.6")
def test_the_same_voucher_tendered_at_eight_terminals_buys_one_ticket(counter: at.Counter) -> None:
    paper = paper_of(counter.sell(tender=[Handed(type=TenderType.CASH, amount=dollars("11.00"))], rest="keno-voucher"))
    line = Handed(type=TenderType.KENO_VOUCHER, reference=paper.voucher.code, security_code=paper.security_code)
    answers = together(8, lambda by: sell_ticket(request=plain(stake="10.00"), tender=[line], by=by).ticket.price)
    assert sorted(map(str, answers)) == ["10.00"] + ["voucher-spent"] * 7
    assert Ticket.objects.count() == 2
    assert "keno:vouchers" not in at.books()
    assert at.in_balance()


def test_an_approved_voucher_tendered_at_eight_terminals_is_taken_once(counter: at.Counter) -> None:
    at.issue_vouchers("1.00", "7")
    line = Handed(type=TenderType.VOUCHER, reference="DINE-7", amount=dollars("1.00"))
    answers = together(8, lambda by: sell_ticket(request=plain(), tender=[line], by=by).ticket.price)
    assert sorted(map(str, answers)) == ["1.00"] + ["voucher-spent"] * 7
    assert at.books()["keno:approved-vouchers"] == dollars("1.00")


def test_a_winning_ticket_is_paid_or_tendered_and_a_voucher_cashed_or_tendered() -> None:
    sold = Played().won("20.00")
    line = Handed(type=TenderType.TICKET, reference=sold.ticket.serial, security_code=sold.security_code)
    turn = iter(range(8))

    def either(by: Actor) -> Any:
        if next(turn) % 2:
            return pay_ticket(serial=sold.ticket.serial, security_code=sold.security_code, by=by).payment.amount
        return sell_ticket(request=plain(stake="20.00"), tender=[line], by=by).ticket.price

    answers = together(8, either)
    assert sorted(map(str, answers)) == ["20.00"] + ["already-paid"] * 7
    assert Payment.objects.count() == 1
    assert at.in_balance()


def test_a_voucher_is_cashed_once(counter: at.Counter) -> None:
    paper = paper_of(counter.sell(tender=[Handed(type=TenderType.CASH, amount=dollars("6.00"))], rest="keno-voucher"))
    answers = together(
        8, lambda by: redeem_voucher(code=paper.voucher.code, security_code=paper.security_code, by=by).amount
    )
    assert sorted(map(str, answers)) == ["5.00"] + ["voucher-spent"] * 7
    assert Voucher.objects.get().spent_by is not None
    assert at.in_balance()


@pytest.mark.clause("act-keno:6.1")
def test_a_ticket_is_cancelled_once(counter: at.Counter) -> None:
    sold = counter.sell(plain(stake="9.00"))
    answers = together(8, lambda by: at.cancel(sold, by).refund)
    assert sorted(map(str, answers)) == ["9.00"] + ["cancelled-already"] * 7
    assert "keno:stakes-held" not in at.books()
    assert at.in_balance()


def test_a_ticket_is_cancelled_or_voided_never_both(counter: at.Counter) -> None:
    sold = counter.sell(plain(stake="9.00"))
    turn = iter(range(8))

    def either(by: Actor) -> Any:
        if next(turn) % 2:
            return at.cancel(sold, by).refund
        return refunds.void_wagers(serial=sold.ticket.serial, why="A breach.", by=counter.manager)

    answers = together(8, either)
    assert sorted(map(str, answers)) == ["9.00"] + ["cancelled-already"] * 7
    assert at.in_balance()


@pytest.mark.clause("act-keno:11.2", "act-keno:11.4")
def test_unclaimed_prizes_spent_from_three_sides_at_once_are_spent_once() -> None:
    """Two approvals of $200.00 and a claim of $300.00 on a fund of $300.00: it is never below nothing."""
    counter = Played()
    sold = counter.won("300.00")
    with gaming_day_of(counter.too_late):
        _spend_from_three_sides(counter, sold)


def _spend_from_three_sides(counter: Played, sold: Sold) -> None:
    move_unclaimed(now=timezone.now())
    claim = make_claim(
        serial=sold.ticket.serial, reason=ClaimReason.LATE, claimant=ANNA, grounds="In hand.", by=counter.supervisor
    )
    decide(counter, claim)
    kind, new = "keno.unclaimed-to-jackpot", {"amount": "200.00"}
    additions = [
        propose(kind=kind, subject=f"jackpot:{pool}", new=new, why="Back to players.", by=counter.supervisor)
        for pool in jackpots.POOLS.values()
    ]
    at_once(
        [
            *(partial(approve, proposal_id=each.pk, by=INSPECTOR) for each in additions),
            partial(pay_claim, claim_id=claim.pk, cheque_number="1", by=counter.supervisor),
        ]
    )
    given = [amount for *_, amount in at.transfers(kind)]
    assert given in ([], ["200.00"])  # not both; neither, where the claim came first
    assert [each.status for each in Proposal.objects.filter(kind=kind)].count("effective") == len(given)
    books = at.books()
    assert "keno:unclaimed" not in books
    assert books.get("keno:unclaimed-made-good", ZERO) == (dollars("200.00") if given else ZERO)
    assert str(-books["keno:bank"]) == "300.00"
    assert at.in_balance()


def test_of_eight_first_sales_of_a_device_one_opens_its_shift(counter: at.Counter) -> None:
    from house.devices import service_token

    own = actor(service_token(role="writer", name="Counter 2").device.identity, "writer")
    answers = in_threads(8, lambda: tried(lambda: sell_ticket(request=plain(), by=own).ticket.price))
    assert list(map(str, answers)) == ["1.00"] * 8
    shift = Shift.objects.get(terminal=own.identity)
    assert at.books()[shift.cash] == dollars("8.00")


def test_a_shift_closes_after_the_sale_under_way_and_counts_it(counter: at.Counter) -> None:
    """The sale holds the shift; the close waits for it, so no money arrives in a closed drawer."""
    holding, go = threading.Event(), threading.Event()
    answer = {}

    def selling() -> None:
        try:
            with transaction.atomic():
                hold_open_shift(counter.writer)
                holding.set()
                go.wait(5)
                counter.sell()
        finally:
            connection.close()

    def closing() -> None:
        try:
            answer["count"] = close_shift(shift_id=counter.shift.pk, counted_cash=dollars("1000.00"), by=counter.writer)
        finally:
            connection.close()

    seller, closer = threading.Thread(target=selling), threading.Thread(target=closing)
    seller.start()
    assert holding.wait(5)
    closer.start()
    go.set()
    seller.join(10)
    closer.join(10)
    assert answer["count"].cash_over == dollars("-1.00")
    assert counter.shift.cash not in at.books()
    assert tried(counter.sell) == "no-shift-open"
