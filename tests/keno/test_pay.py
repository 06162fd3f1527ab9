"""Paying: once, in full, to the paper that agrees with the record; cash, cheque or a mix; who authorises it."""

from __future__ import annotations

from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction
from django.test.utils import CaptureQueriesContext

from house.cash.identity import Identity
from house.cash.threshold import report_sent
from house.models import ThresholdReport
from keno import particulars
from keno.models import Game, Payment, PaymentMethod, Prize, TenderType
from keno.pay import Paid, authorise_payment, pay_ticket
from keno.queries.tickets import find_ticket, result_of
from keno.rules.unclaimed import twelve_months_after
from keno.sell import Sold
from keno.shifts import open_shift
from keno.tender import Handed
from keno.vouchers import redeem_voucher
from kernel.money import ZERO
from tests.plugins.worlds import kept
from tests.world import keno_counter as at
from tests.world.keno_counter import plain, refused
from tests.world.keno_played import HIGH, LOW, Played, gaming_day_of
from tests.world.money import dollars
from tests.world.people import actor

pytestmark = pytest.mark.django_db

ANNA = {
    "name": "Anna Marsh",
    "born": "1980-02-29",
    "address": "1 Binara Street, Canberra",
    "document": "passport",
    "document_number": "PA1234567",
}


counter = kept(partial(Played, opening_float="100000.00"))


def pay(counter: Played, sold: Sold, **more: Any) -> Paid:
    by = more.pop("by", counter.writer)
    code = more.pop("security_code", sold.security_code)
    return pay_ticket(serial=sold.ticket.serial, security_code=code, by=by, **more)


@pytest.mark.clause("act-keno:10.5", "act-keno:10.2", "act-keno:10.4")
def test_everything_settled_and_unpaid_is_paid_once(counter: Played) -> None:
    sold = counter.sell(plain(1, 2, 3, games=3))
    counter.play(1, LOW)  # three of three
    counter.play(2, [1, 2, *HIGH[:18]])  # two of three
    paid = pay(counter, sold)
    assert paid.payment.amount == dollars("38.00")
    assert [(prize.game, str(prize.amount)) for prize in paid.due.prizes] == [(1, "36.00"), (2, "2.00")]
    assert paid.still_playing
    assert paid.payment.retain_until == counter.day.closes_at
    assert at.transfers("keno.payment") == [("keno:prizes-owing", counter.shift.cash, "38.00")]
    assert refused(pay, counter, sold) == (409, "already-paid", "act-keno:10.4")
    assert paid.continuation is not None
    new = paid.continuation.security_code
    assert refused(pay, counter, sold, security_code=new) == (409, "already-paid", None)
    counter.play(3, LOW)
    assert pay(counter, sold, security_code=new).payment.amount == dollars("36.00")
    assert at.books().get("keno:prizes-owing", ZERO) == ZERO
    assert at.in_balance()


@pytest.mark.clause("act-keno:10.1")
def test_a_ticket_that_won_nothing_is_paid_nothing(counter: Played) -> None:
    lost = counter.sell(plain(1, 2, 3))
    for _ in range(2):  # before the draw, and after it
        assert refused(pay, counter, lost) == (409, "nothing-to-pay", "act-keno:10.1")
        counter.play(Game.objects.get(status="open").number, HIGH)


@pytest.mark.clause("act-keno:10.3", "act-keno:4.3")
def test_a_forged_or_altered_receipt_is_refused(counter: Played) -> None:
    sold, other = counter.won("12.00"), counter.won("50.00")
    for forged in ("0" * 16, other.security_code, sold.security_code[:-1], "ÄÖÜ"):
        assert refused(pay, counter, sold, security_code=forged) == (422, "security-code-wrong", "act-keno:10.3")
    for missing in (None, "", "  "):
        assert refused(pay, counter, sold, security_code=missing) == (422, "code-missing", "act-keno:10.3")
    # As a person types it.
    typed = "-".join(sold.security_code[i : i + 4].lower() for i in range(0, 16, 4))
    assert pay(counter, sold, security_code=typed).payment.amount == dollars("12.00")


def test_another_installation_makes_other_codes(counter: Played, monkeypatch: pytest.MonkeyPatch) -> None:
    sold = counter.won("12.00")
    monkeypatch.setattr(particulars, "_key", lambda: b"another secret")
    assert refused(pay, counter, sold) == (422, "security-code-wrong", "act-keno:10.3")


@pytest.mark.clause("act-keno:10.5")
def test_a_cheque_or_a_mix_only_where_a_major_prize_is_in_it(counter: Played) -> None:
    minor, major = counter.won("199.00"), counter.won("200.00")
    for method, more in ((PaymentMethod.CHEQUE, {}), (PaymentMethod.MIX, {"cheque": dollars("1.00")})):
        assert refused(pay, counter, minor, method=method, **more) == (422, "cheque-needs-major", "act-keno:10.5")
    for cheque in ("0.00", "200.00", "300.00"):
        answer = refused(pay, counter, major, method=PaymentMethod.MIX, cheque=dollars(cheque))
        assert answer == (422, "cheque-amount", None)
    assert refused(pay, counter, major, method=PaymentMethod.MIX) == (422, "cheque-amount", None)
    pay(counter, major, method=PaymentMethod.MIX, cheque=dollars("150.00"), cheque_number="000123")
    assert at.transfers("keno.payment") == [
        ("keno:prizes-owing", counter.shift.cash, "50.00"),
        ("keno:prizes-owing", "keno:bank", "150.00"),
    ]
    whole = counter.won("500.00")
    pay(counter, whole, method=PaymentMethod.CHEQUE)
    assert at.transfers("keno.payment")[2:] == [("keno:prizes-owing", "keno:bank", "500.00")]
    assert Payment.objects.get(amount=dollars("200.00")).cheque_number == "000123"  # type: ignore[misc]  # MoneyField takes Money


@pytest.mark.clause("act-keno:10.5")
def test_a_large_cheque_has_its_number_and_no_number_is_written_twice(counter: Played) -> None:
    large: dict[str, Any] = {"method": PaymentMethod.CHEQUE, "identity": Identity.read(ANNA)}
    sold = counter.won("10000.00")
    for none in ("", "  ", "none"):
        assert refused(pay, counter, sold, **large, cheque_number=none) == (422, "cheque-number-missing", None)
    pay(counter, sold, **large, cheque_number="000781")
    other = counter.won("500.00")
    for same in ("000781", "781"):
        assert refused(pay, counter, other, method=PaymentMethod.CHEQUE, cheque_number=same)[1] == "cheque-used"


@pytest.mark.clause("act-keno:10.5")
def test_a_prize_does_not_go_out_as_a_keno_voucher(counter: Played) -> None:
    says = (422, "voucher-is-change", "act-keno:10.5")
    for amount in ("30.00", "500.00", "10000.00"):
        sold = counter.won(amount)
        assert refused(pay, counter, sold, method=PaymentMethod.VOUCHER) == says
    small = counter.won("30.00")
    line = Handed(type=TenderType.TICKET, reference=small.ticket.serial, security_code=small.security_code)
    assert refused(counter.sell, tender=[line], rest="keno-voucher") == says
    # What is left of the cash beside it is change.
    cash = Handed(type=TenderType.CASH, amount=dollars("20.00"))
    bought = counter.sell(plain(stake="40.00"), tender=[line, cash], rest="keno-voucher")
    assert bought.voucher is not None
    assert bought.voucher.voucher.amount == dollars("10.00")


@pytest.mark.clause("act-keno:4.6")
def test_a_keno_voucher_is_cashed_once(counter: Played) -> None:
    paper = at.paper_of(
        counter.sell(tender=[Handed(type=TenderType.CASH, amount=dollars("31.00"))], rest="keno-voucher")
    )
    assert (paper.voucher.amount, at.books()["keno:vouchers"]) == (dollars("30.00"), dollars("30.00"))
    code = paper.voucher.code
    wrong = {"code": code, "security_code": "0" * 16, "by": counter.writer}
    assert refused(redeem_voucher, **wrong) == (422, "security-code-wrong", "act-keno:10.3")
    assert refused(redeem_voucher, **wrong | {"security_code": None}) == (422, "code-missing", "act-keno:10.3")
    right: dict[str, Any] = {"code": code, "security_code": paper.security_code, "by": counter.writer}
    redeem_voucher(**right)
    assert "keno:vouchers" not in at.books()
    assert refused(redeem_voucher, **right) == (409, "voucher-spent", None)
    assert at.in_balance()


def test_a_large_payment_needs_a_supervisor_who_is_not_the_payer(counter: Played) -> None:
    at.approve_value("amount", "supervised-above", "1000.00")
    assert pay(counter, counter.won("1000.00")).payment.supervisor is None
    sold = counter.won("1001.00", games=2)
    assert refused(pay, counter, sold) == (403, "supervisor-needed", None)
    assert refused(authorise_payment, serial=sold.ticket.serial, by=counter.writer) == (403, "no-permission", None)
    terminal = actor("device:W-1", "writer", "supervisor")
    assert refused(authorise_payment, serial=sold.ticket.serial, by=terminal) == (403, "in-person", None)
    both = actor("staff:both", "writer", "supervisor")
    open_shift(by=both, opening_float=dollars("2000.00"))
    authorise_payment(serial=sold.ticket.serial, by=both)
    assert refused(pay, counter, sold, by=both) == (403, "two-people-needed", None)
    authorise_payment(serial=sold.ticket.serial, by=counter.supervisor)
    paid = pay(counter, sold)
    assert paid.payment.supervisor == "staff:sue"
    # It was good for that payment, and for no more.
    counter.play(sold.ticket.last_game, LOW)
    assert paid.continuation is not None
    new = paid.continuation.security_code
    assert refused(pay, counter, sold, security_code=new) == (403, "supervisor-needed", None)


def test_ten_thousand_in_cash_asks_who_the_customer_is_and_lists_a_report(counter: Played) -> None:
    sold = counter.won("10000.00")
    assert refused(pay, counter, sold) == (422, "identity-needed", None)
    for name in ANNA:
        somebody = Identity.read({**ANNA, name: " "})
        assert refused(pay, counter, sold, identity=somebody) == (
            422,
            "identity-needed",
            None,
        )
    pay(counter, sold, identity=Identity.read(ANNA))
    report = ThresholdReport.objects.get()
    assert (report.cash, report.identity) == (dollars("10000.00"), ANNA)
    assert refused(report_sent, report_id=report.pk, by=counter.writer) == (403, "no-permission", None)
    assert report_sent(report_id=report.pk, by=counter.manager).reported_by == "staff:mona"
    assert refused(report_sent, report_id=report.pk, by=counter.manager) == (409, "reported-already", None)
    pay(counter, counter.won("9999.00"))
    assert ThresholdReport.objects.count() == 1
    # A cent by cheque is no way around it.
    mixed: dict[str, Any] = {"method": PaymentMethod.MIX, "cheque": dollars("0.01")}
    sold = counter.won("10000.00")
    assert refused(pay, counter, sold, **mixed) == (422, "identity-needed", None)
    pay(counter, sold, identity=Identity.read(ANNA), **mixed)
    assert [each.cash for each in ThresholdReport.objects.order_by("pk")] == [dollars("10000.00"), dollars("9999.99")]


def test_a_small_payment_to_nobody_known_asks_nothing_about_cash(counter: Played) -> None:
    sold = counter.won("999.00")
    with CaptureQueriesContext(connection) as asked:
        pay(counter, sold)
    said = " ".join(str(query["sql"]) for query in asked.captured_queries)
    for table in ("house_customer", "house_cashline", "house_cheque", "house_thresholdreport", "cash-limits"):
        assert table not in said


@pytest.mark.clause("act-keno:11.1")
def test_after_twelve_months_only_a_claim_form_will_do(counter: Played) -> None:
    in_time, late = counter.won("5.00"), counter.won("6.00", games=2)
    with gaming_day_of(counter.too_late - timedelta(days=1)):
        assert pay(counter, in_time).payment.amount == dollars("5.00")
    with gaming_day_of(counter.too_late):
        assert refused(pay, counter, late) == (422, "claim-needed", "act-keno:11.1")
        counter.play(late.ticket.last_game, LOW)  # what it wins today is paid, the late one waits
        paid = pay(counter, late)
        assert [prize.game for prize in paid.due.prizes] == [late.ticket.last_game]
        assert paid.payment.amount == dollars("6.00")
        assert refused(pay, counter, late) == (422, "claim-needed", "act-keno:11.1")


def test_twelve_months_from_the_29th_of_february() -> None:
    from datetime import date

    assert twelve_months_after(date(2028, 2, 29)) == date(2029, 3, 1)
    assert twelve_months_after(date(2026, 11, 16)) == date(2027, 11, 17)


def test_no_cash_without_a_shift_and_no_paying_without_the_right(counter: Played) -> None:
    sold = counter.won("5.00")
    assert refused(pay, counter, sold, by=actor("device:W-2", "writer")) == (409, "no-shift-open", None)
    assert refused(pay, counter, sold, by=counter.supervisor) == (403, "no-permission", None)
    assert refused(pay_ticket, serial="NONE", security_code="X", by=counter.writer) == (
        404, "no-such-ticket", "act-keno:1.2",
    )  # fmt: skip


def test_the_database_itself_pays_a_prize_once(counter: Played) -> None:
    sold = counter.won("5.00")
    paid = pay(counter, sold).payment
    with pytest.raises(DatabaseError), transaction.atomic():
        Prize.objects.filter(ticket=sold.ticket).update(payment=paid)
    with pytest.raises(DatabaseError), transaction.atomic():
        Prize.objects.filter(ticket=sold.ticket).update(amount=dollars("6.00"))


def test_how_a_ticket_stands(counter: Played) -> None:
    sold = counter.sell(plain(1, 2, 3, games=2))

    def stands() -> tuple[str, str, str, str, bool]:
        found = result_of(find_ticket(sold.ticket.serial))
        return found.status, str(found.won), str(found.paid), str(found.owing), found.still_playing

    assert stands() == ("in-play", "0.00", "0.00", "0.00", True)
    counter.play(1, LOW)
    assert stands() == ("won", "36.00", "0.00", "36.00", True)
    pay(counter, sold)
    assert stands() == ("in-play", "36.00", "36.00", "0.00", True)
    counter.play(2, HIGH)
    assert stands() == ("paid", "36.00", "36.00", "0.00", False)
    lost = counter.sell(plain(1, 2, 3))
    counter.play(3, HIGH)
    assert result_of(find_ticket(lost.ticket.serial)).status == "lost"
