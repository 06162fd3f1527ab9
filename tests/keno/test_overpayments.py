"""What was paid and not won is on record, asked back, received in cash, written off by two: games really played."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
from django.db import DatabaseError, transaction

from house.approvals import approve
from house.devices import service_token
from house.models import CashLine
from keno import agreement
from keno.models import AskedHow, Overpayment, Payment, Recovery
from keno.overpayments import propose_overpayment
from keno.recover import ask_back, receive_back
from keno.sell import Sold
from keno.write_off import propose_write_off
from kernel.money import ZERO
from ledger.models import Act
from tests.world import keno_counter as at
from tests.world.calls import Caller, problem
from tests.world.jackpot_table import IDENTITY
from tests.world.keno_counter import plain
from tests.world.keno_played import Played
from tests.world.money import dollars
from tests.world.overpaid import handed_too_much
from tests.world.people import actor
from tests.world.refusals import refused_as
from tests.world.resettled import WHY, pay, play, resettle

pytestmark = [pytest.mark.django_db, pytest.mark.clause("act-keno:12.1-record")]
GONE = "Asked twice by letter, and no answer."


@pytest.fixture
def played() -> Played:
    return Played()


def values() -> Any:
    steps = list(Recovery.objects.order_by("pk").values())
    return at.everything(), list(Overpayment.objects.order_by("pk").values()), steps, Act.objects.count()


refused = partial(refused_as, "code", unchanged=values)


def sound() -> None:
    assert at.in_balance()
    assert agreement.differences() == []


def overpaid(played: Played, *, games: int = 1) -> tuple[Sold, Overpayment]:
    """$36.00 was paid on balls recorded wrongly, and $2.00 was won."""
    sold = played.sell(plain(1, 4, 5, games=games))
    play(played)
    assert pay(played, sold).amount == dollars("36.00")
    resettle(played)
    return sold, Overpayment.objects.get()


def test_it_is_on_record_with_the_resettlement_and_comes_back_in_parts(played: Played) -> None:
    sold, found = overpaid(played)
    assert (found.payment.ticket, found.game, found.amount, found.why) == (sold.ticket, 1, dollars("34.00"), WHY)
    receive = partial(receive_back, overpayment_id=found.pk, by=played.writer)
    for odd in ("0.00", "-1.00", "34.01"):
        assert refused(receive, amount=dollars(odd)) in ("amount-missing", "more-than-left")
    assert refused(receive, amount=dollars("1.00"), by=played.supervisor) == "no-permission"
    no_shift = actor("device:W-2", "writer")
    assert refused(receive, amount=dollars("1.00"), by=no_shift) == "no-shift-open"
    before = at.books()[played.shift.cash]
    receive(amount=dollars("4.00"))
    sound()
    first = Recovery.objects.get()
    assert (first.kind, first.shift, first.by) == ("received", played.shift, "device:W-1")
    receive(amount=dollars("30.00"))
    after = at.books()
    assert (after[played.shift.cash] - before, "keno:overpaid" in after) == (dollars("34.00"), False)
    assert refused(receive, amount=dollars("0.01")) == "nothing-left"
    told = Act.objects.filter(kind="keno.overpayment-received").order_by("id")
    assert [(each.data["amount"], each.data["game"]) for each in told] == [("4.00", 1), ("30.00", 1)]
    listed = played.report("overpayments")
    assert listed.totals[4:] == (dollars("34.00"), dollars("34.00"), ZERO, ZERO)
    sound()


@pytest.mark.clause("act-keno:10.5")
def test_the_next_prize_is_paid_whole_whatever_its_holder_owes(played: Played) -> None:
    sold, found = overpaid(played, games=2)
    play(played, 2)
    assert pay(played, sold).amount == dollars("36.00")  # game 2, in cash; nothing is kept back
    assert Payment.objects.latest("id").cash == dollars("36.00")
    found.refresh_from_db()
    assert found.left == dollars("34.00")
    sound()


def test_two_others_than_who_paid_write_it_off_once_it_was_asked_for(played: Played) -> None:
    _, found = overpaid(played)
    give_up = partial(propose_write_off, overpayment_id=found.pk, why=GONE)
    assert refused(give_up, by=played.supervisor) == "not-asked"
    assert refused(ask_back, overpayment_id=found.pk, how=AskedHow.LETTER, by=played.writer) == "no-permission"
    ask_back(
        overpayment_id=found.pk, how=AskedHow.LETTER, note="To Pat Simmons, 1 Example Street.", by=played.supervisor
    )
    told = Act.objects.get(kind="keno.overpayment-asked")
    assert "Simmons" not in str(told.data)  # no names in the log
    assert refused(give_up, by=played.supervisor, why=" ") == "reason-missing"
    assert refused(give_up, by=played.writer) == "no-permission"
    made = give_up(by=played.supervisor)
    assert refused(give_up, by=played.manager) == "proposed-already"
    assert refused(approve, proposal_id=made.pk, by=played.supervisor) in (
        "no-permission",
        "own-proposal",
        "same-person",
    )
    receive_back(overpayment_id=found.pk, amount=dollars("4.00"), by=played.writer)  # a part comes back meanwhile
    assert approve(proposal_id=made.pk, by=played.manager).status == "failed"
    found.refresh_from_db()
    assert (found.left, found.written_off) == (dollars("30.00"), ZERO)
    sound()


def test_what_is_written_off_is_over_and_is_a_loss_of_its_own(played: Played) -> None:
    _, found = overpaid(played)
    receive_back(overpayment_id=found.pk, amount=dollars("4.00"), by=played.writer)
    ask_back(overpayment_id=found.pk, how=AskedHow.NOT_FOUND, by=played.supervisor)
    made = propose_write_off(overpayment_id=found.pk, why=GONE, by=played.supervisor)
    approve(proposal_id=made.pk, by=played.manager)
    books = at.books()
    assert (books["keno:overpaid-written-off"], "keno:overpaid" in books) == (dollars("30.00"), False)
    found.refresh_from_db()
    assert (found.received, found.written_off, found.left) == (dollars("4.00"), dollars("30.00"), ZERO)
    sound()
    assert refused(receive_back, overpayment_id=found.pk, amount=dollars("1.00"), by=played.writer) == "nothing-left"
    for change in ({"written_off": ZERO}, {"amount": dollars("99.00")}, {"received": dollars("34.00")}):
        with pytest.raises(DatabaseError), transaction.atomic():
            Overpayment.objects.filter(pk=found.pk).update(**change)
    for kept in (Recovery, Overpayment):
        with pytest.raises(DatabaseError), transaction.atomic():
            kept.objects.all().delete()


def test_more_handed_out_than_was_owed_is_said_by_two_who_did_not_pay(played: Played) -> None:
    """$360.00 for $36.00: the drawer is short by $324.00, and stays so."""
    sold = played.sell(plain(1, 2, 3))
    play(played)
    payment = pay(played, sold)
    drawer = at.books()[played.shift.cash]
    say = partial(propose_overpayment, payment_id=payment.pk, amount=dollars("324.00"), why="Camera 2 shows it.")
    assert refused(say, by=played.writer) == "no-permission"
    assert refused(say, by=played.supervisor, amount=ZERO) == "amount-missing"
    assert refused(say, by=played.supervisor, payment_id=2**70) == "no-such-payment"
    made = say(by=played.supervisor)
    assert not Overpayment.objects.exists()
    approve(proposal_id=made.pk, by=played.manager)
    books = at.books()
    assert (books["keno:overpaid"], books["keno:over-short"], books[played.shift.cash]) == (
        dollars("324.00"), -dollars("324.00"), drawer,
    )  # fmt: skip
    assert refused(say, by=played.supervisor) == "recorded-already"
    found = Overpayment.objects.get()
    assert (found.payment, found.game) == (payment, None)
    receive_back(overpayment_id=found.pk, amount=dollars("324.00"), by=played.writer)
    sound()


def test_cash_that_comes_back_is_counted_like_any_other(played: Played) -> None:
    """From the approved limit of a day on who brings it shows who he is."""
    sold = played.sell(plain(1, 2, 3))
    play(played)
    payment = pay(played, sold)
    found = handed_too_much(payment, dollars("12000.00"), by=played.supervisor, decided_by=played.manager)
    receive = partial(receive_back, overpayment_id=found.pk, amount=dollars("12000.00"), by=played.writer)
    assert refused(receive) == "identity-needed"
    receive(identity=IDENTITY)
    assert CashLine.objects.get(what="given-back").way == "in"


def test_over_http(played: Played) -> None:
    _, found = overpaid(played)
    writer, supervisor = (Caller(service_token(role=role).secret) for role in ("writer", "supervisor"))
    problem(writer.get("keno/overpayments"), 403, "no-permission")
    (row,) = supervisor.get("keno/overpayments?left=true").json()["results"]
    assert (row["id"], row["game"], row["left"]) == (found.pk, 1, "34.00")
    assert supervisor.get("keno/overpayments?left=false").json()["results"] == []
    address = f"keno/overpayments/{found.pk}"
    problem(supervisor.post(f"{address}/write-off", {"why": GONE}), 409, "not-asked")
    assert supervisor.post(f"{address}/ask", {"how": "letter"}).status_code == 201
    answer = writer.post(f"{address}/receive", {"amount": "4.00"})
    assert (answer.status_code, answer.json()["left"]) == (201, "30.00")
    assert supervisor.post(f"{address}/write-off", {"why": GONE}).status_code == 202
    problem(writer.post("keno/overpayments/4711/receive", {"amount": "4.00"}), 404, "no-such-overpayment")
    paid = {"payment": found.payment_id, "amount": "1.00", "why": "Camera 2."}
    assert supervisor.post("keno/overpayments", paid).status_code == 202
