"""Winners: called or told, their claims, what they are paid and how, what is denied, what nobody claims."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import DatabaseError, transaction

from house.models import Incident
from ledger.balance import balance
from ledger.models import Act, Transfer
from ledger.money import Money
from promotions import accounts, letters, scrutineer
from promotions.calls import call_winner, winner_absent, winner_present
from promotions.claims import (
    accept_claim,
    decline_prize,
    deny_claim,
    forget_claimants,
    make_claim,
    make_other_claim,
    told_of_denial,
)
from promotions.draw import draw_promotion
from promotions.draw_tick import tick
from promotions.models import Claim, Draw, Loss, Payment, PaymentPart, Pick, Promotion, Win
from promotions.notify import overdue, record_notification
from promotions.pay import Paid, pay_prize
from promotions.results import published as result_of
from tests.promotions import draws_world as world
from tests.promotions.draws_world import CAR, DAY, drawn, failed, oracle_faults, promised, published, refused
from tests.promotions.promos import manager, prize

pytestmark = pytest.mark.django_db

SECOND = timedelta(seconds=1)
PRESENT: dict[str, Any] = {"must_be_present": True, "call_seconds": 60}


def dollars(text: str) -> Money:
    return Money.parse(text)


def books(account: str) -> str:
    return str(balance(account).amount)


def owed() -> str:
    return books(accounts.OWING)


def claimed(win: Win, *, at: datetime | None = None) -> Claim:
    """A claim that was accepted."""
    at = at or win.won_at + SECOND
    claim = make_claim(win_id=win.pk, name="Anna Marsh", address="1 Lake Street", by=world.supervisor(), now=at)
    return accept_claim(claim_id=claim.pk, by=manager(), now=at)


def pay(claim: Claim, *parts: tuple[str, str], **how) -> Payment:
    paid = [Paid(method, dollars(amount), "" if method == "cash" else "4711") for method, amount in parts]
    return pay_prize(claim_id=claim.pk, parts=paid, **{"by": world.supervisor()} | how)


def refused_pay(claim: Claim, *parts: tuple[str, str], **how) -> tuple[str, str | None]:
    return refused(lambda: pay(claim, *parts, **how))


# --- must be present -------------------------------------------------------------------------------------------------
@pytest.mark.clause("nsw-promo-2025:17.7.1-11", "nsw-promo-2019:15.7")
def test_an_absent_winner_is_replaced_by_the_next_in_the_drawn_order() -> None:
    draw = drawn("ABCDEFGHIJKL", prizes=[prize(alternates=1), prize(name="Second")], **PRESENT)
    noted, at = promised(), draw.drawn_at
    assert at is not None
    first, second = world.wins()
    assert (first.notify_by, first.called_at) == (None, None)
    sue = world.supervisor()
    clause = "nsw-promo-2025:17.7.8"
    assert refused(winner_present, win_id=first.pk, by=sue, now=at)[0] == "not-called"
    assert refused(winner_absent, win_id=first.pk, by=sue, now=at)[0] == "not-called"
    assert refused(call_winner, win_id=second.pk, by=sue, now=at)[0] == "earlier-prize-first"
    called = call_winner(win_id=first.pk, by=sue, now=at)
    assert called.call_ends_at == at + 60 * SECOND
    assert call_winner(win_id=first.pk, by=sue, now=at + SECOND).call_ends_at == called.call_ends_at  # called once
    assert refused(winner_absent, win_id=first.pk, by=sue, now=at + 60 * SECOND) == ("call-not-over", clause)
    late = at + 61 * SECOND
    assert refused(winner_present, win_id=first.pk, by=sue, now=late) == ("call-over", clause)
    (heir,) = winner_absent(win_id=first.pk, by=sue, now=late)
    assert heir.pick.place == 3  # the alternate
    assert heir.pick.prize == 1
    assert refused(winner_absent, win_id=first.pk, by=sue, now=late)[0] == "win-lost"
    # And again, beyond the alternates: the drawn order goes on.
    call_winner(win_id=heir.pk, by=sue, now=late)
    (last,) = winner_absent(win_id=heir.pk, by=sue, now=late + 61 * SECOND)
    assert (last.pick.place, last.pick.prize) == (4, 1)
    call_winner(win_id=last.pk, by=sue, now=late + 62 * SECOND)
    winner_present(win_id=last.pk, by=sue, now=late + 63 * SECOND)
    assert refused(winner_absent, win_id=last.pk, by=sue, now=late + 1000 * SECOND)[0] == "winner-present"
    assert [world.wins()[0].pk, world.wins()[1].pk] == [last.pk, second.pk]
    call_winner(win_id=second.pk, by=sue, now=late + 64 * SECOND)
    # Everything follows from the seed and the two losses.
    made = published()
    assert [loss["place"] for loss in made["losses"]] == [1, 3]
    assert len(made["drawn"]) == 4
    assert failed(made, noted) == []
    assert oracle_faults(made, noted) == []
    results = Act.objects.filter(kind="promotion.result").order_by("id")
    assert [len(act.data["numbers"]) for act in results] == [2, 2, 2]
    shown = result_of(Promotion.objects.get())
    assert shown is not None
    assert shown["result"]["prizes"][0]["number"] == last.pick.number
    assert owed() == "4000.00"  # two prizes, whoever holds them


def test_a_claim_needs_the_winner_to_have_come_forward() -> None:
    draw = drawn(**PRESENT)
    (win,) = world.wins()
    asked: dict[str, Any] = {
        "win_id": win.pk,
        "name": "Anna",
        "address": "1 Lake Street",
        "by": world.supervisor(),
        "now": draw.drawn_at,
    }
    assert refused(make_claim, **asked) == ("not-present", "nsw-promo-2025:17.7.8")
    call_winner(win_id=win.pk, by=world.supervisor(), now=draw.drawn_at)
    winner_present(win_id=win.pk, by=world.supervisor(), now=draw.drawn_at)
    make_claim(**asked)


def test_calling_is_for_those_who_must_be_present() -> None:
    drawn()
    (win,) = world.wins()
    assert refused(call_winner, win_id=win.pk, by=world.supervisor()) == (
        "presence-not-needed",
        "nsw-promo-2025:17.8",
    )
    assert refused(call_winner, win_id=99, by=world.supervisor())[0] == "no-such-win"
    assert refused(call_winner, win_id=win.pk, by=world.auditor())[0] == "no-permission"


def test_everybody_absent_leaves_the_prize_without_a_winner() -> None:
    draw = drawn("AAB", **PRESENT)
    at, sue = draw.drawn_at, world.supervisor()
    assert at is not None
    while held := world.wins():
        call_winner(win_id=held[0].pk, by=sue, now=at)
        at += 61 * SECOND
        winner_absent(win_id=held[0].pk, by=sue, now=at)
    assert Loss.objects.count() == 2  # both of A's entries go with the first that is absent
    assert Promotion.objects.get().status == "finished"
    assert owed() == "0.00"
    assert failed(published(), promised()) == []
    assert oracle_faults(published(), promised()) == []


# --- told ------------------------------------------------------------------------------------------------------------
@pytest.mark.clause("nsw-promo-2025:17.8", "nsw-promo-2019:15.8")
@pytest.mark.parametrize("edition", ["2019", "2025"])
def test_winners_are_told_within_two_days_and_every_attempt_is_kept(edition) -> None:
    draw = drawn(
        edition=edition, prizes=[prize(quantity=2)], notification=["telephone", "email", "mail", "face-to-face"]
    )
    at = draw.drawn_at
    assert at is not None
    reached, missed = world.wins()
    sue = world.supervisor()

    def tell(win: Win, how: str, reached: bool, after: timedelta) -> None:
        record_notification(win_id=win.pk, how=how, reached=reached, by=sue, at=at + after, now=at + after)

    tell(reached, "telephone", False, SECOND)
    tell(reached, "email", False, 2 * SECOND)
    tell(reached, "mail", False, 3 * SECOND)
    tell(reached, "face-to-face", True, DAY)
    tell(reached, "telephone", True, 2 * DAY)  # told again: the first one counts
    reached.refresh_from_db()
    assert reached.told_at == at + DAY
    assert list(reached.notifications.values_list("how", "reached")) == [
        ("telephone", False),
        ("email", False),
        ("mail", False),
        ("face-to-face", True),
        ("telephone", True),
    ]
    with pytest.raises(DatabaseError), transaction.atomic():
        reached.notifications.all().delete()
    # The other: nobody tried. Overdue after two days, to the second; the tick opens one incident.
    assert list(overdue(now=at + 2 * DAY)) == []
    tick(at + 2 * DAY)
    assert not Incident.objects.exists()
    assert [(win.pk, win.attempts) for win in overdue(now=at + 2 * DAY + SECOND)] == [(missed.pk, 0)]  # type: ignore[attr-defined]
    tick(at + 2 * DAY + SECOND)
    tick(at + 2 * DAY + SECOND)
    incident = Incident.objects.get()
    assert incident.kind == f"promotion-winner-not-notified-{edition}"
    assert incident.clause == {"2019": "nsw-promo-2019:15.8", "2025": "nsw-promo-2025:17.8"}[edition]
    tell(missed, "telephone", True, 3 * DAY)
    assert list(overdue(now=at + 4 * DAY)) == []


@pytest.mark.clause("nsw-promo-2025:17.8")
def test_who_was_tried_and_not_reached_is_listed_but_no_breach() -> None:
    draw = drawn()
    at = draw.drawn_at
    assert at is not None
    (win,) = world.wins()
    record_notification(win_id=win.pk, how="email", reached=False, by=world.supervisor(), at=at, now=at)
    tick(at + 3 * DAY)
    assert not Incident.objects.exists()
    assert [late.attempts for late in overdue(now=at + 3 * DAY)] == [1]  # type: ignore[attr-defined]


@pytest.mark.clause("nsw-promo-2025:17.8", "nsw-promo-2019:15.8")
def test_only_the_four_methods_and_those_of_the_terms() -> None:
    draw = drawn()
    (win,) = world.wins()
    asked: dict[str, Any] = {"win_id": win.pk, "reached": True, "by": world.supervisor(), "now": draw.drawn_at}
    assert refused(record_notification, **asked, how="pigeon") == ("method-unknown", "nsw-promo-2025:17.8")
    assert refused(record_notification, **asked, how="mail") == ("method-not-in-terms", "nsw-promo-2025:17.7.9")
    early = draw.drawn_at - DAY  # type: ignore[operator]
    assert refused(record_notification, **asked, how="email", at=early)[0] == "time-impossible"
    late = draw.drawn_at + DAY  # type: ignore[operator]
    assert refused(record_notification, **asked, how="email", at=late)[0] == "time-impossible"
    assert refused(record_notification, **asked, how="email", notes="x" * 301)[0] == "notes-too-long"


# --- claimed and paid ------------------------------------------------------------------------------------------------
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
    scrutineer.nominate_scrutineer(code="SPRING", scrutineer="staff:otto", by=world.supervisor())
    scrutineer.attend(code="SPRING", by=world.auditor(), now=promotion.draw_at)
    draw_promotion(code="SPRING", by=world.supervisor(), now=promotion.draw_at)
    claim = claimed(world.wins()[0])
    assert refused_pay(claim, ("cash", "10000.00"), ("cheque", "14999.99"))[0] == "not-the-amount"
    pay(claim, ("cash", "10000.00"), ("cheque", "14000.00"), ("transfer", "1000.00"))
    assert (books(accounts.CAGE), books(accounts.BANK), owed()) == ("-10000.00", "-15000.00", "0.00")
    assert Promotion.objects.get().status == "drawn"  # the scrutineer has not signed
    scrutineer.sign(code="SPRING", by=world.auditor())
    assert Promotion.objects.get().status == "finished"


@pytest.mark.clause("nsw-promo-2019:15.4")
def test_2019_at_ten_thousand_the_terms_decide() -> None:
    drawn(edition="2019", prizes=[prize(value="10000.00", payment=["cheque"])])
    claim = claimed(world.wins()[0])
    assert refused_pay(claim, ("cash", "10000.00")) == ("method-not-in-terms", "nsw-promo-2019:15.4")
    pay(claim, ("cheque", "10000.00"))


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
def test_casino_dollars_are_issued_and_nothing_else(edition) -> None:
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


# --- denied ----------------------------------------------------------------------------------------------------------
@pytest.mark.clause("nsw-promo-2025:17.9", "nsw-promo-2025:17.10", "nsw-promo-2019:15.10", "nsw-promo-2019:15.11")
@pytest.mark.parametrize("edition", ["2019", "2025"])
def test_a_denial_says_why_is_told_and_kept(edition) -> None:
    drawn("ABCD", edition=edition, prizes=[prize(alternates=1)])
    (win,) = world.wins()
    claim = make_claim(win_id=win.pk, name="Anna Marsh", address="1 Lake Street", by=world.supervisor(), now=win.won_at)
    clause = {"2019": "nsw-promo-2019:15.10", "2025": "nsw-promo-2025:17.9"}[edition]
    assert refused(deny_claim, claim_id=claim.pk, reasons=" ", by=manager()) == ("reasons-missing", clause)
    assert refused(deny_claim, claim_id=claim.pk, reasons="No.", by=world.supervisor())[0] == "no-permission"
    assert refused(told_of_denial, claim_id=claim.pk, how="mail", by=manager()) == ("not-denied", clause)
    assert refused(letters.denial_letter, claim_id=claim.pk) == ("not-denied", clause)
    denied = deny_claim(claim_id=claim.pk, reasons="The winner is an employee.", by=manager(), now=win.won_at)
    assert (denied.status, denied.name, denied.address) == ("denied", "Anna Marsh", "1 Lake Street")
    # The prize goes on by the terms: the alternate's.
    win.refresh_from_db()
    assert win.status == "lost"
    assert [held.pick.place for held in world.wins()] == [2]
    # Told, in a letter with the reasons and the right to complain.
    words = "\n".join(letters.paragraphs(Claim.objects.select_related("promotion").get()))
    assert "The winner is an employee." in words
    assert "complaint with an inspector under section 33 of the Gaming and Liquor Administration Act 2007" in words
    assert letters.denial_letter(claim.pk).startswith(b"%PDF")
    assert refused(told_of_denial, claim_id=claim.pk, how="pigeon", by=manager())[0] == "method-unknown"
    told = told_of_denial(claim_id=claim.pk, how="mail", by=world.supervisor())
    assert told.told_at is not None
    # The log says why and names nobody.
    (act,) = Act.objects.filter(kind="promotion.claim-denied")
    assert act.data == {"promotion": "SPRING", "value": "2000.00", "reasons": "The winner is an employee."}
    # Kept for good: name, address and reasons.
    for change in ({"name": ""}, {"address": ""}, {"reasons": ""}):
        with pytest.raises(DatabaseError), transaction.atomic():
            Claim.objects.update(**change)
    with pytest.raises(DatabaseError), transaction.atomic():
        Claim.objects.all().delete()
    forget_claimants(Promotion.objects.get())
    denied.refresh_from_db()
    assert (denied.name, denied.address) == ("Anna Marsh", "1 Lake Street")


@pytest.mark.clause("nsw-promo-2025:17.9", "nsw-promo-2019:15.10")
def test_somebody_elses_claim_is_kept_above_a_hundred_dollars() -> None:
    drawn()
    sue, mona = world.supervisor(), manager()
    asked: dict[str, Any] = {"code": "SPRING", "what": "The main prize", "name": "Ben Ng", "by": sue}
    assert refused(make_other_claim, **asked | {"what": " "}, value=dollars("5.00"))[0] == "claim-of-nothing"
    big = make_other_claim(**asked, value=dollars("100.01"))
    small = make_other_claim(**asked, value=dollars("100.00"))
    assert refused(accept_claim, claim_id=big.pk, by=mona)[0] == "no-such-win"
    reasons = "The entry was not drawn."
    assert refused(deny_claim, claim_id=big.pk, reasons=reasons, by=mona) == (
        "claimant-incomplete",
        "nsw-promo-2025:17.9",
    )
    deny_claim(claim_id=big.pk, reasons=reasons, by=mona, address="2 Hill Road")
    deny_claim(claim_id=small.pk, reasons=reasons, by=mona)
    assert forget_claimants(Promotion.objects.get()) == 1
    assert list(Claim.objects.order_by("id").values_list("name", "address", "reasons")) == [
        ("Ben Ng", "2 Hill Road", reasons),
        ("", "", reasons),
    ]
    assert world.wins()[0].status == "drawn"  # the winner's prize is untouched


def test_a_denied_claim_need_not_cost_the_winner_the_prize() -> None:
    drawn()
    (win,) = world.wins()
    sue = world.supervisor()
    claim = make_claim(win_id=win.pk, name="Impostor", address="x", by=sue, now=win.won_at)
    deny_claim(claim_id=claim.pk, reasons="Not the holder of the card.", by=manager(), forfeit=False)
    assert [held.pk for held in world.wins()] == [win.pk]
    claimed(win)


def test_a_prize_that_is_declined_goes_by_the_terms() -> None:
    drawn("ABCD", prizes=[prize(alternates=1)])
    (win,) = world.wins()
    sue = world.supervisor()
    claim = make_claim(win_id=win.pk, name="A", address="a", by=sue, now=win.won_at)
    assert refused(decline_prize, win_id=win.pk, by=sue)[0] == "claimed-already"
    deny_claim(claim_id=claim.pk, reasons="Not the winner.", by=manager(), forfeit=False)
    (heir,) = decline_prize(win_id=win.pk, by=sue, now=win.won_at)
    assert heir.pick.place == 2
    assert decline_prize(win_id=heir.pk, by=sue, now=win.won_at) == []  # no alternate is left: the terms draw no more
    assert refused(decline_prize, win_id=win.pk, by=sue)[0] == "win-lost"
    assert [loss.reason for loss in Loss.objects.order_by("id")] == ["declined", "declined"]
    assert failed(published(), promised()) == []


# --- unclaimed -------------------------------------------------------------------------------------------------------
@pytest.mark.clause("nsw-promo-2025:17.7.1-11", "nsw-promo-2019:15.7")
@pytest.mark.parametrize(
    ("unclaimed", "holders"),
    [("alternate", [2, None]), ("redraw", [2, 3, 4, 5]), ("retained", [None])],
)
def test_what_nobody_claims_goes_by_the_terms(unclaimed, holders) -> None:
    draw = drawn("ABCDEFGH", prizes=[prize(alternates=1)], unclaimed=unclaimed)
    noted, now = promised(), draw.drawn_at
    assert now is not None
    for holder in holders:
        now += 28 * DAY
        tick(now)  # to the second: it can still be claimed
        before = Loss.objects.count()
        now += SECOND
        tick(now)
        assert Loss.objects.count() == before + 1
        assert [held.pick.place for held in world.wins()] == ([holder] if holder else [])
    finished = not world.wins()
    assert (Promotion.objects.get().status == "finished") is finished
    assert owed() == ("0.00" if finished else "2000.00")
    assert failed(published(), noted) == []
    assert oracle_faults(published(), noted) == []


def test_a_claim_under_way_keeps_the_prize_waiting() -> None:
    drawn()
    (win,) = world.wins()
    claim = make_claim(win_id=win.pk, name="Anna", address="1 Lake Street", by=world.supervisor(), now=win.claim_by)
    tick(win.claim_by + DAY)
    assert world.wins()[0].status == "drawn"
    accept_claim(claim_id=claim.pk, by=manager())
    tick(win.claim_by + DAY)
    pay(claim, ("cheque", "2000.00"))
    assert Draw.objects.get().numbers == list(Pick.objects.values_list("number", flat=True))
