"""Paying a hit: tax, the fourth person, surveillance, instalments; by the figures in force when it was won."""

from __future__ import annotations

from datetime import date, timedelta
from functools import partial
from typing import Any

import pytest
import time_machine
from django.db import DatabaseError, transaction
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from house.approvals import approve, propose
from house.gaming_days import forget
from house.models import Cheque, Incident, Proposal
from house.plan_days import ensure_gaming_days
from jackpot import handpay, pools, reports, slips
from jackpot.handpay import authorise_hit
from jackpot.hits import deny_hit, pay_hit
from jackpot.instalments import owed, pay_instalment, tell_overdue
from jackpot.models import Hit, Instalment
from jackpot.rules.handpay import INSTALMENTS, TAX, HandpayRules, check, equal_plan, read_written
from kernel.money import ZERO, Money
from kernel.refusal import Conflict, Forbidden, NotFound, Refusal
from ledger.balance import balance
from ledger.models import Act, Transfer
from tests.world import refusals
from tests.world.approvals import INSPECTOR, NOTARY, decide
from tests.world.handpay import NOTHING_ASKED, handpay_asks, plan_for, proposed_plan, today, verified_royal
from tests.world.jackpot_table import IDENTITY, conserved, pay
from tests.world.money import dollars
from tests.world.people import MANAGER, SUPERVISOR, someone


def _state() -> list[object]:
    rows = [list(Hit.objects.values()), list(Instalment.objects.values())]
    return [Transfer.objects.count(), Act.objects.count(), *rows]


refused = partial(refusals.refused, unchanged=_state, undone=True)


def held(purse: str) -> Money:
    return balance(pools.account("CSP", purse)).amount


@given(st.integers(1, 10**14), st.integers(0, 9_999), st.integers(0, 10**12))
def test_what_is_withheld_is_whole_cents_never_all_and_never_more_than_the_rate(
    cents: int, rate: int, limit: int
) -> None:
    amount, rules = Money(cents * 10_000), HandpayRules(tax_rate=rate, tax_from=Money(limit * 10_000))
    tax = rules.withheld(amount)
    assert tax.whole_cents
    assert ZERO <= tax < amount
    exact = amount.micros * rate
    assert (tax == ZERO) if amount < rules.tax_from else (0 <= exact - tax.micros * 10_000 < 10_000 * 10_000)


def test_what_it_may_ask_for() -> None:
    assert read_written(None) == HandpayRules() == read_written(NOTHING_ASKED)
    for wrong in ({"tax_rate": 10_000}, {"tax_from": dollars("-1.00")}, {"instalments_from": Money(5)}):
        with pytest.raises(Refusal):
            check(HandpayRules(**wrong))


@pytest.mark.usefixtures("floor")
def test_tax_by_the_rate_when_it_was_won_and_a_fourth_person_and_surveillance() -> None:
    before = verified_royal("CSP-02")
    handpay_asks(tax_rate=1_250, tax_from="1000.00", authorised_from="50000.00", surveillance_from="10000.00")
    hit = verified_royal()
    handpay_asks()  # what changes after it was won changes nothing for it
    assert pay(before).withheld == ZERO
    refused(lambda: authorise_hit(hit_id=before.pk, by=MANAGER), "hit-not-ready", Conflict)
    refused(lambda: pay(hit, surveillance="CAM 9"), "not-authorised", Conflict)
    refused(lambda: authorise_hit(hit_id=hit.pk, by=SUPERVISOR), "no-permission", Forbidden)
    refused(lambda: authorise_hit(hit_id=10**9, by=MANAGER), "no-such-hit", NotFound)
    fourth = someone("manager", "fourth")
    authorise_hit(hit_id=hit.pk, by=fourth)
    refused(lambda: authorise_hit(hit_id=hit.pk, by=MANAGER), "hit-authorised", Conflict)
    refused(lambda: pay(hit, by=fourth, surveillance="CAM 9"), "same-person", Forbidden)
    refused(lambda: pay(hit), "surveillance-missing")
    paid = pay(hit, surveillance=" CAM 9 ", payment_reference="CHQ 000124")
    tax = Money(paid.amount.micros * 1_250 // 10_000).down_to_cents()
    assert (paid.withheld, paid.paid_out, paid.payment_surveillance) == (tax, paid.amount - tax, "CAM 9")
    assert (held(TAX), -held("cheque")) == (tax, paid.paid_out + before.amount)
    assert Cheque.objects.get(number="CHQ000124").amount == paid.paid_out
    assert Transfer.objects.get(kind="jackpot.tax").amount == tax
    assert pools.read_pools("CSP").owed_to_winners == ZERO
    conserved("CSP")
    said = dict(slips.lines(paid))
    assert (said["Tax withheld"], said["Handed over"]) == ("$6,250.21", "$43,751.54")
    assert said["Authorised by"] == fourth.identity
    for changes in ({"withheld": ZERO}, {"authorised_by": "staff:x"}):
        with pytest.raises(DatabaseError), transaction.atomic():
            Hit.objects.filter(pk=hit.pk).update(**changes)


@pytest.mark.usefixtures("floor")
def test_the_page_says_what_a_payment_asks_for() -> None:
    hit = verified_royal("CSP-02")
    assert handpay.asked_for(hit)[0].startswith("Three people")
    assert len(handpay.asked_for(hit)) == 4  # identity, the cheque's number, the report
    handpay_asks(authorised_from="1.00", surveillance_from="1.00", instalments_from="1.00")
    assert len(handpay.asked_for(verified_royal())) == 7
    small = Hit(amount=dollars("150.00"), claimed_at=hit.claimed_at)
    assert len(handpay.asked_for(small)) == 1
    refused(lambda: authorise_hit(hit_id=hit.pk, by=MANAGER), "no-authorisation-asked", Conflict)


@pytest.mark.usefixtures("floor")
def test_instalments_are_approved_owed_and_paid_when_they_are_due() -> None:
    handpay_asks(tax_rate=1_000, instalments_from="20000.00")
    hit = verified_royal()
    tax = Money(hit.amount.micros // 10).down_to_cents()
    whole = hit.amount - tax
    plan = plan_for(hit, whole)
    refused(lambda: pay(hit, method=INSTALMENTS), "instalments-not-approved", Conflict)
    waiting = proposed_plan(hit, plan)
    with pytest.raises(Forbidden):
        approve(proposal_id=waiting.pk, by=MANAGER)
    refused(lambda: pay(hit, method=INSTALMENTS), "instalments-not-approved", Conflict)
    approve(proposal_id=waiting.pk, by=INSPECTOR)
    refused(lambda: pay_hit(hit_id=hit.pk, method=INSTALMENTS, by=MANAGER), "identity-missing")
    paid = pay(hit, method=INSTALMENTS, payment_reference="")
    assert (paid.method, held(INSTALMENTS), held(TAX), owed(hit)) == (INSTALMENTS, whole, tax, whole)
    conserved("CSP")
    (owing,) = [each for each in reports.liabilities() if each.link == "CSP"]
    assert (owing.owed_to_winners, owing.instalments, owing.tax) == (ZERO, whole, tax)
    refused(lambda: deny_hit(hit_id=hit.pk, reason="No.", by=MANAGER), "hit-decided", Conflict)
    ids = {each.number: each.pk for each in hit.instalments.all()} | {9: 10**9}
    first: dict[str, Any] = {"instalment_id": ids[1], "method": "cheque", "identity": IDENTITY}
    refused(lambda: pay_instalment(**first, by=MANAGER), "cheque-number-missing")
    refused(lambda: pay_instalment(**first | {"method": "chips"}, by=MANAGER), "no-such-method")
    refused(lambda: pay_instalment(**first | {"instalment_id": ids[2]}, by=MANAGER), "not-due-yet", Conflict)
    refused(lambda: pay_instalment(**first | {"instalment_id": ids[9]}, by=MANAGER), "no-such-instalment", NotFound)
    pay_instalment(**first, reference="CHQ 1", by=MANAGER)
    refused(lambda: pay_instalment(**first, reference="CHQ 2", by=MANAGER), "instalment-paid", Conflict)
    assert owed(hit) == held(INSTALMENTS) == whole - Instalment.objects.get(number=1).amount
    assert any(words.startswith("2 of 3 owed") for _, words in slips.lines(Hit.objects.get(pk=hit.pk)))
    with time_machine.travel(timezone.now() + timedelta(days=61)):
        forget()
        ensure_gaming_days()
        refused(lambda: pay_instalment(**first | {"instalment_id": ids[3]}, by=MANAGER), "paid-out-of-order", Conflict)
        tell_overdue(timezone.now())
        tell_overdue(timezone.now())
        assert Incident.objects.filter(kind="jackpot-instalment-overdue").count() == 2
        for number in (2, 3):
            part = first | {"instalment_id": ids[number], "method": "transfer"}
            pay_instalment(**part, by=MANAGER)
        assert (owed(hit), held(INSTALMENTS)) == (ZERO, ZERO)
        conserved("CSP")
    forget()


@pytest.mark.usefixtures("floor")
def test_instalments_that_are_refused() -> None:
    hit = verified_royal()
    whole = hit.amount
    plan = plan_for(hit, whole)
    refused(lambda: proposed_plan(hit, plan), "instalments-not-allowed")
    handpay_asks(instalments_from="20000.00")
    refused(lambda: proposed_plan(hit, plan), "instalments-not-allowed")  # it was won before
    hit = verified_royal("CSP-02")
    plan = plan_for(hit, hit.amount)
    for wrong in (
        plan_for(hit, hit.amount, parts=1),
        plan_for(hit, hit.amount - dollars("0.01")),
        plan_for(hit, hit.amount, every_days=0),
        plan_for(hit, hit.amount, parts=400, every_days=1),
    ):
        refused(lambda new=wrong: proposed_plan(hit, new), "plan-invalid")
    refused(lambda: proposed_plan(hit, plan | {"agreed": " "}), "value-not-readable")
    refused(lambda: proposed_plan(hit, plan | {"hit": 10**9}), "no-such-hit", NotFound)
    waiting = propose(kind="jackpot.instalments", subject="jackpot:CSP", new=plan, why="He asked.", by=NOTARY)
    decide(waiting)
    refused(lambda: pay(hit, by=NOTARY, method=INSTALMENTS), "same-person", Forbidden)
    assert pay(hit, method="cheque").status == "paid"  # all at once is never wrong
    refused(lambda: proposed_plan(hit, plan), "hit-not-ready", Conflict)
    assert Proposal.objects.filter(kind="jackpot.instalments").count() == 1
    assert today() >= hit.day


def test_equal_instalments_on_the_same_day_of_the_month() -> None:
    plan = equal_plan(dollars("100.00"), parts=3, first=date(2026, 11, 30), months=3)
    assert [str(each.amount) for each in plan] == ["33.33", "33.33", "33.34"]
    assert [each.due for each in plan] == [date(2026, 11, 30), date(2027, 2, 28), date(2027, 5, 30)]
