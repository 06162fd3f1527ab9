"""From the win to the hand: three people, three pages."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from house.approvals import approve
from house.models import Proposal, ThresholdReport
from jackpot.demo import build_demo
from jackpot.finish_round import finish_round
from jackpot.handpay import authorise_hit
from jackpot.models import Hit, Link, Table
from jackpot.pools import read_meter
from jackpot.rules.payouts import Dealt
from jackpot.start_round import Offer, start_round
from kernel.actors import Actor
from kernel.money import Money
from tests.console.pages import text
from tests.world.approvals import decide
from tests.world.demo import demo_actor
from tests.world.handpay import handpay_asks, today
from tests.world.people import someone
from web.words import number

SignedIn = Callable[[str], Client]
TABLE = Actor(identity="device:T-1", name="T-1", permissions=frozenset({"jackpot.play"}))
WHO = {
    "name": "Pat Morgan",
    "born": "1970-02-01",
    "address": "1 Main St",
    "document": "Passport",
    "document_number": "X1",
}
ROYAL = ["AS", "KS", "QS", "JS", "TS"]


@pytest.fixture
def hit(venue: None) -> Hit:
    build_demo()
    started = start_round(table="CSP-01", wagers=[Offer(box=2)], by=TABLE)
    (won,) = finish_round(round_id=started.pk, hands=[Dealt(box=2, cards=ROYAL)], by=TABLE)
    return won


def test_verified_then_paid_with_identity(hit: Hit, signed_in: SignedIn) -> None:
    page = f"/jackpots/hits/{hit.pk}/"
    supervisor, manager = signed_in("supervisor"), signed_in("manager")
    home = supervisor.get("/").content.decode()
    assert "Verify $50,001.75: royal flush at CSP-01, box 2" in home
    assert home.count("$50,001") == 1  # among what waits for her, and not in the jackpots’ figures again
    assert text(signed_in("auditor").get("/")).count("To be verified") == 1  # who takes no step of it sees it there
    unseen = supervisor.get(page).content.decode()
    assert unseen.count('name="cards"') == 52  # the keyboard of cards, none of them touched
    assert "Laid" not in unseen
    assert "checked" not in unseen
    blank = supervisor.post(f"{page}verify/", {"surveillance": "CAM-12"})
    assert (blank.status_code, "Enter the cards or tiles" in blank.content.decode()) == (422, True)
    assert supervisor.post(f"{page}verify/", {"cards": ROYAL}).status_code == 422  # surveillance has not looked
    wrong = supervisor.post(f"{page}verify/", {"cards": ["2S", "3S", "4S", "5S", "6S"], "surveillance": "CAM-12"})
    assert wrong.status_code == 422
    said = wrong.content.decode()
    assert "not what the table sent" in said
    assert said.count("checked") == 5  # his own, to look at again
    assert Hit.objects.get().wrong_entries.count() == 1
    assert Hit.objects.get().status == "claimed"
    seen = {"cards": ROYAL, "box": "2", "surveillance": "CAM-12"}
    supervisor.post(f"{page}verify/", seen)
    assert "Needs another person" in supervisor.get(page).content.decode()
    assert supervisor.post(f"{page}pay/", {"method": "cash"}).status_code == 403
    assert "Pay $50,001.75" in manager.get("/").content.decode()
    refused = manager.post(f"{page}pay/", {"method": "cash"})
    assert refused.status_code == 422
    assert "date of birth" in refused.content.decode()
    assert not ThresholdReport.objects.exists()
    manager.post(f"{page}pay/", {"method": "cash"} | WHO)
    paid = Hit.objects.get()
    assert (paid.status, paid.method, paid.amount) == ("paid", "cash", Money.parse("50001.75"))
    assert ThresholdReport.objects.get().receiver.name == "Pat Morgan"
    slip = manager.get(f"{page}slip/")
    assert (slip.headers["Content-Type"], slip.content[:5]) == ("application/pdf", b"%PDF-")


def test_who_sees_the_cards_of_a_hit_that_is_not_verified(hit: Hit, signed_in: SignedIn) -> None:
    page = f"/jackpots/hits/{hit.pk}/"
    laid = "<dd>A♠ K♠ Q♠ J♠ 10♠</dd>"
    for role in ("inspector", "auditor"):
        assert laid in signed_in(role).get(page).content.decode(), role
    for role in ("supervisor", "manager", "dealer", "writer", "administrator"):
        assert laid not in signed_in(role).get(page).content.decode(), role


def test_a_cheque_of_ten_thousand_has_its_number(hit: Hit, signed_in: SignedIn) -> None:
    page = f"/jackpots/hits/{hit.pk}/"
    signed_in("supervisor").post(f"{page}verify/", {"cards": ROYAL, "surveillance": "CAM-12"})
    refused = signed_in("manager").post(f"{page}pay/", {"method": "cheque"} | WHO)
    assert (refused.status_code, "number of the cheque" in refused.content.decode()) == (422, True)
    signed_in("manager").post(f"{page}pay/", {"method": "cheque", "payment_reference": "000781"} | WHO)
    assert Hit.objects.get().status == "paid"


def test_denied_with_a_reason(hit: Hit, signed_in: SignedIn) -> None:
    page = f"/jackpots/hits/{hit.pk}/"
    supervisor = signed_in("supervisor")
    assert supervisor.get(f"{page}slip/").status_code == 409
    supervisor.post(f"{page}deny/", {"comment": ""})
    assert Hit.objects.get().status == "claimed"
    said = supervisor.post(f"{page}deny/", {"comment": "Six cards in the hand."}, follow=True).content.decode()
    assert "Six cards in the hand." in said
    assert "right to complain" in said
    assert read_meter(Link.objects.get(code="CSP")).total == Money.parse("50001.75")


def test_terms_adjustments_and_tables_from_the_link(hit: Hit, signed_in: SignedIn) -> None:
    supervisor = signed_in("supervisor")
    page = supervisor.get("/jackpots/CSP/").content.decode()
    assert "4 <span" in page  # ways to a royal flush
    assert number(2_598_960) in page
    form = {
        "wager": "5.00", "bonus": "250.00", "reserve_rate": "10", "reimbursement_rate": "0", "contribution_limit": "",
        "prize_rate": "65.5", "prize_seed": "60000", "prize_ceiling": "", "when": "now", "effective_from": "",
        "why": "More room.",
    }  # fmt: skip
    supervisor.post("/jackpots/CSP/propose/terms/", form)
    proposal = Proposal.objects.get(kind="jackpot.terms")
    assert isinstance(proposal.new, dict)
    assert (proposal.new["wager"], proposal.new["retained_rate"]) == ("5.00", 2450)
    decide(proposal)
    assert read_meter(Link.objects.get(code="CSP")).terms.parameters.levels[0].seed == Money.dollars(60_000)
    before = read_meter(Link.objects.get(code="CSP")).total
    adjustment = {"purse": "prize", "sign": "-", "amount": "1.75", "cause": "overcount", "why": "One wager too many."}
    supervisor.post("/jackpots/CSP/propose/adjustment/", adjustment)
    approve(proposal_id=Proposal.objects.get(kind="jackpot.adjustment").pk, by=demo_actor("manager"))
    assert read_meter(Link.objects.get(code="CSP")).total == before - Money.parse("1.75")
    too_much = supervisor.post("/jackpots/CSP/propose/terms/", form | {"prize_rate": "95"})
    assert too_much.status_code == 422
    supervisor.post("/jackpots/CSP/tables/CSP-02/suspend/", {"comment": "The meter stays dark."})
    assert Table.objects.get(code="CSP-02").status == "suspended"
    supervisor.post("/jackpots/CSP/tables/CSP-02/open/")
    assert Table.objects.get(code="CSP-02").status == "open"
    assert supervisor.post("/jackpots/CSP/tables/CSP-02/burn/").status_code == 404


def words(answer: Any) -> str:
    """What it says, without its marks."""
    return re.sub(r"<[^>]+>", "", text(answer))


def test_one_page_walks_through_a_payment_in_instalments(hit: Hit, signed_in: SignedIn) -> None:
    address = f"/jackpots/hits/{hit.pk}/handpay/"
    supervisor, manager, inspector = signed_in("supervisor"), signed_in("manager"), signed_in("inspector")
    assert "Verify it first" in manager.get(address).content.decode()
    handpay_asks(tax_rate=1_000, authorised_from="20000.00", surveillance_from="20000.00", instalments_from="20000.00")
    started = start_round(table="CSP-02", wagers=[Offer(box=2)], by=TABLE)
    (won,) = finish_round(round_id=started.pk, hands=[Dealt(box=2, cards=ROYAL)], by=TABLE)
    page = f"/jackpots/hits/{won.pk}/"
    supervisor.post(f"{page}verify/", {"cards": ROYAL, "surveillance": "CAM-12"})
    walk = words(manager.get(f"{page}handpay/"))
    assert all(said in walk for said in ("Tax, 10%", "By a fourth person", "Surveillance watches the payment"))
    assert "Authorise $" in walk
    assert "Paid by" not in walk  # nothing to fill in before it can be paid
    assert "Pay $" not in words(manager.get(page))
    assert "Authorise $" not in words(supervisor.get(f"{page}handpay/"))
    plan = {"parts": "3", "months": "1", "first": today().isoformat(), "agreed": "Paper 12", "why": "He asked."}
    propose = f"{page}propose/instalments/"
    assert "come to" not in supervisor.get(propose).content.decode()
    assert supervisor.post(propose, plan | {"parts": "1"}).status_code == 422
    supervisor.post(propose, plan)
    waiting = Proposal.objects.get(kind="jackpot.instalments")
    inspector.post(f"/approvals/{waiting.pk}/approve/", {"comment": ""})
    by_instalments = {"method": "instalments"} | WHO
    refused = manager.post(f"{page}pay/", by_instalments)
    assert (refused.status_code, "after a fourth person has authorised it" in words(refused)) == (409, True)
    authorise_hit(hit_id=won.pk, by=someone("manager", "fourth"))
    assert "Paid by" in words(manager.get(f"{page}handpay/"))
    assert "Pay $45,001.58" in words(manager.get(page))
    assert "Surveillance watches a payment" in words(manager.post(f"{page}pay/", by_instalments))
    manager.post(f"{page}pay/", by_instalments | {"surveillance": "CAM-9"})
    owed = words(manager.get(f"{page}handpay/"))
    assert "Pay instalment 1, $15,000.52" in owed
    assert "$45,001.58 is still owed." in owed
    assert "Pay instalment 2" not in owed
    part = f"/jackpots/instalments/{won.instalments.order_by('number')[0].pk}/pay/"
    assert manager.post(part, {"method": "cheque"} | WHO).status_code == 422
    manager.post(part, {"method": "cheque", "reference": "000782"} | WHO)
    assert "$30,001.06 is still owed." in words(manager.get(f"{page}handpay/"))
    assert manager.get(f"{page}slip/").content.startswith(b"%PDF")
