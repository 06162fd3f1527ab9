"""Prizes: claimed, whole and in time; what is paid, how, and what of the books it moves."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from house.cash.identity import Identity
from house.models import ThresholdReport
from ledger.models import Transfer
from promotions import accounts, scrutineer
from promotions.claims import (
    accept_claim,
    deny_claim,
    make_claim,
)
from promotions.draw import draw_promotion
from promotions.models import Claim, Payment, PaymentPart, Promotion
from promotions.pay import Paid, pay_prize
from tests.world import promotion_draws as world
from tests.world.money import dollars
from tests.world.promotion_draws import (
    CAR,
    SECOND,
    books,
    claimed,
    drawn,
    owed,
    pay,
    refused,
)
from tests.world.promotions import manager, prize

pytestmark = pytest.mark.django_db


ANNA = Identity(
    name="Anna Marsh", born=date(1980, 2, 29), address="1 Lake Street", document="passport", document_number="PA1"
)


def refused_pay(claim: Claim, *parts: tuple[str, str], **how: Any) -> tuple[str, str | None]:
    said: tuple[str, str | None] = refused(lambda: pay(claim, *parts, **how))
    return said


def test_a_money_prize_from_the_draw_to_the_bank() -> None:
    drawn()
    (win,) = world.wins()
    assert (owed(), books(accounts.PRIZES)) == ("2000.00", "2000.00")
    claim = claimed(win)
    assert refused(make_claim, win_id=win.pk, name="B", address="b", by=manager(), now=win.won_at)[0] == "win-claimed"
    assert refused(lambda: pay(claim, ("transfer", "2000.00"), by=manager()))[0] == "same-person"
    payment = pay(claim, ("transfer", "2000.00"))
    win.refresh_from_db()
    assert win.status == "paid"
    (part,) = PaymentPart.objects.all()
    assert (part.method, str(part.amount), part.reference) == ("transfer", "2000.00", "4711")
    transfer = Transfer.objects.get(pk=part.transfer or 0)
    assert (transfer.kind, transfer.reference) == ("promotions.payment", f"{payment.pk}/transfer")
    assert (owed(), books(accounts.BANK)) == ("0.00", "-2000.00")
    assert refused(lambda: pay(claim, ("transfer", "2000.00")))[0] == "already-paid"
    assert Promotion.objects.get().status == "finished"


@pytest.mark.clause("nsw-promo-2025:17.4")
def test_2025_never_pays_cash() -> None:
    drawn()
    claim = claimed(world.wins()[0])
    assert refused_pay(claim, ("cash", "2000.00")) == ("never-cash", "nsw-promo-2025:17.4")
    assert refused_pay(claim, ("account", "2000.00")) == ("method-not-in-terms", "nsw-promo-2025:17.4")
    pay(claim, ("cheque", "2000.00"))


@pytest.mark.clause("nsw-promo-2019:15.4")
def test_2019_above_ten_thousand_is_paid_as_the_winner_chooses() -> None:
    promotion = world.sealed(edition="2019", prizes=[prize(value="25000.00", payment=["cash", "cheque", "transfer"])])
    scrutineer.nominate_scrutineer(code="SPRING", scrutineer=world.auditor().identity, by=world.supervisor())
    scrutineer.attend(code="SPRING", by=world.auditor(), now=promotion.draw_at)
    draw_promotion(code="SPRING", by=world.supervisor(), now=promotion.draw_at)
    scrutineer.sign(code="SPRING", by=world.auditor())
    claim = claimed(world.wins()[0])
    assert refused_pay(claim, ("cash", "10000.00"), ("cheque", "14999.99"))[0] == "not-the-amount"
    mix = (("cash", "10000.00"), ("cheque", "14000.00"), ("transfer", "1000.00"))
    assert refused_pay(claim, *mix)[0] == "identity-needed"
    assert not ThresholdReport.objects.exists()
    pay(claim, *mix, identity=ANNA)
    report = ThresholdReport.objects.get()
    assert (report.room, report.reference, str(report.cash)) == ("promotions", str(claim.pk), "10000.00")
    assert report.receiver == ANNA
    assert (books(accounts.CAGE), books(accounts.BANK), owed()) == ("-10000.00", "-15000.00", "0.00")
    assert Promotion.objects.get().status == "finished"


@pytest.mark.clause("nsw-promo-2019:15.4")
def test_2019_at_ten_thousand_the_terms_decide() -> None:
    drawn(edition="2019", prizes=[prize(value="10000.00", payment=["cheque"])])
    claim = claimed(world.wins()[0])
    assert refused_pay(claim, ("cash", "10000.00")) == ("method-not-in-terms", "nsw-promo-2019:15.4")
    assert refused_pay(claim, ("cheque", "10000.00"))[0] == "identity-needed"
    pay(claim, ("cheque", "10000.00"), identity=ANNA)
    assert not ThresholdReport.objects.exists()  # no cash


CHEAP_CAR = {**CAR, "value": "9000.00"}


@pytest.mark.clause("nsw-promo-2019:15.3")
def test_2019_money_instead_only_where_the_terms_state_it() -> None:
    drawn(edition="2019", prizes=[CHEAP_CAR])
    claim = claimed(world.wins()[0])
    assert refused_pay(claim, ("cash", "9000.00"), alternative=True) == (
        "alternative-not-in-terms",
        "nsw-promo-2019:15.3",
    )
    pay(claim, ("handed-over", "9000.00"))
    assert not Transfer.objects.filter(kind__startswith="promotions.").exists()  # goods are no money
    assert PaymentPart.objects.get().transfer is None


@pytest.mark.clause("nsw-promo-2019:15.3")
def test_2019_money_instead_as_stated() -> None:
    drawn(edition="2019", prizes=[{**CHEAP_CAR, "alternative": "8000.00"}])
    claim = claimed(world.wins()[0])
    pay(claim, ("cash", "8000.00"), alternative=True)
    assert (books(accounts.CAGE), books(accounts.PRIZES), owed()) == ("-8000.00", "8000.00", "0.00")
    assert Payment.objects.get().alternative


@pytest.mark.clause("nsw-promo-2025:17.3", "nsw-promo-2025:17.4")
def test_2025_money_instead_but_not_cash_and_not_for_casino_dollars() -> None:
    drawn(prizes=[CHEAP_CAR])
    claim = claimed(world.wins()[0])
    assert refused_pay(claim, ("cash", "9000.00"), alternative=True) == ("never-cash", "nsw-promo-2025:17.4")
    pay(claim, ("transfer", "9000.00"), alternative=True)
    assert (books(accounts.BANK), books(accounts.PRIZES), owed()) == ("-9000.00", "9000.00", "0.00")


CASINO_DOLLARS = prize(
    name="Casino dollars",
    kind="casino-dollars",
    value="50.00",
    payment=["issued"],
    details={"usable_on": "tables", "expires": "none"},
)


@pytest.mark.clause("nsw-promo-2025:17.3", "nsw-promo-2019:15.3")
@pytest.mark.parametrize("edition", ["2019", "2025"])
def test_casino_dollars_are_issued_and_nothing_else(edition: str) -> None:
    drawn(edition=edition, prizes=[CASINO_DOLLARS])
    claim = claimed(world.wins()[0])
    clause = {"2019": "nsw-promo-2019:15.3", "2025": "nsw-promo-2025:17.3"}[edition]
    assert refused_pay(claim, ("transfer", "50.00"), alternative=True) == ("no-alternative", clause)
    pay(claim, ("issued", "50.00"))
    assert (books(accounts.PRIZES_ISSUED), owed()) == ("50.00", "0.00")


def test_a_voucher_exchanged_for_money_is_owed_no_more() -> None:
    voucher = prize(
        name="Dinner",
        kind="voucher",
        value="120.00",
        payment=["issued"],
        alternative="100.00",
        details={"redeemable_at": "the restaurant", "expires": "none"},
    )
    drawn(prizes=[voucher])
    claim = claimed(world.wins()[0])
    pay(claim, ("cheque", "100.00"), alternative=True)
    assert (owed(), books(accounts.PRIZES), books(accounts.BANK)) == ("0.00", "100.00", "-100.00")


def test_a_payment_names_its_number_and_its_right() -> None:
    drawn()
    claim = claimed(world.wins()[0])
    nameless = [Paid("cheque", dollars("2000.00"))]
    assert refused(pay_prize, claim_id=claim.pk, parts=nameless, by=world.supervisor())[0] == "reference-missing"
    assert refused(lambda: pay(claim, ("cheque", "2000.00"), by=world.auditor()))[0] == "no-permission"
    assert refused(pay_prize, claim_id=99, parts=[], by=world.supervisor())[0] == "no-such-claim"
    assert refused(pay_prize, claim_id=claim.pk, parts=[], by=world.supervisor())[0] == "nothing-paid"


def test_claims_are_whole_and_in_time() -> None:
    drawn()
    (win,) = world.wins()
    asked: dict[str, Any] = {"win_id": win.pk, "name": "Anna", "address": "1 Lake Street", "by": world.supervisor()}
    assert refused(make_claim, **asked | {"name": " "})[0] == "claimant-incomplete"
    assert refused(make_claim, **asked | {"address": ""})[0] == "claimant-incomplete"
    assert refused(make_claim, **asked | {"name": "x" * 121})[0] == "too-long"
    assert refused(make_claim, **asked, now=win.claim_by + SECOND) == ("too-late", "nsw-promo-2025:17.7.8")
    claim = make_claim(**asked, now=win.claim_by)
    assert refused(make_claim, **asked, now=win.claim_by)[0] == "claimed-already"
    assert refused(lambda: pay(claim, ("cheque", "2000.00")))[0] == "claim-not-accepted"
    accept_claim(claim_id=claim.pk, by=manager())
    assert refused(accept_claim, claim_id=claim.pk, by=manager())[0] == "claim-decided"
    assert refused(deny_claim, claim_id=claim.pk, reasons="No.", by=manager())[0] == "claim-decided"
