"""Claim forms (11, 12.5), unclaimed prizes (11.2–11.4), and the values that are approved before use."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

import psycopg
import pytest
from django.utils import timezone

from house.approvals import approve, propose, reject
from house.models import Proposal
from keno.claims import make_claim, pay_claim
from keno.entries import TicketRequest
from keno.invalidate import invalidate_game
from keno.models import Claim, ClaimReason, KenoSettings, PaymentMethod, Prize, TenderType, Voucher
from keno.pay import pay_ticket
from keno.rules.unclaimed import last_day_to_move, twelve_months_after
from keno.sell import Sold
from keno.tender import Handed
from keno.unclaimed import move_unclaimed, sweep
from kernel.money import ZERO
from kernel.refusal import Refusal
from tests.plugins.worlds import kept
from tests.world import approvals
from tests.world import keno_counter as at
from tests.world.keno_counter import paper_of, plain, refused
from tests.world.keno_played import LOW, Played, gaming_day_of, winning
from tests.world.money import dollars
from tests.world.people import actor
from tests.world.server import database_url

pytestmark = pytest.mark.django_db

ANNA = {"name": "Anna Marsh", "address": "1 Binara Street", "contact": "anna@example.org"}


counter = kept(Played)


def claim(counter: Played, sold: Sold, reason: ClaimReason = ClaimReason.LOST, **more: Any) -> Claim:
    form: dict[str, Any] = {"claimant": ANNA, "grounds": "She knows every number.", "by": counter.supervisor} | more
    return make_claim(serial=sold.ticket.serial, reason=reason, **form)


def decide(counter: Played, made: Claim, how: Callable[..., Proposal] = approve) -> Proposal:
    from house.models import Proposal

    proposal = Proposal.objects.filter(subject=f"claim:{made.pk}").latest("id")
    return how(proposal_id=proposal.pk, by=approvals.INSPECTOR)


@pytest.mark.clause("act-keno:12.5", "act-keno:11.5")
def test_a_lost_ticket_is_paid_by_cheque_once_a_second_person_has_approved(counter: Played) -> None:
    sold = counter.won("30.00", games=2)
    made = claim(counter, sold)
    pay: dict[str, Any] = {"claim_id": made.pk, "cheque_number": "000777", "by": counter.supervisor}
    assert refused(pay_claim, **pay) == (409, "not-approved", "act-keno:11.1")
    assert refused(claim, counter, sold) == (409, "claimed-already", "act-keno:11.1")
    assert decide(counter, made).status == "effective"
    assert refused(pay_claim, **{**pay, "cheque_number": " "}) == (422, "cheque-number-missing", "act-keno:11.5")
    assert refused(pay_claim, **{**pay, "by": counter.writer}) == (403, "no-permission", None)
    paid = pay_claim(**pay)
    assert paid.payment is not None
    assert (paid.payment.amount, paid.payment.method, paid.payment.cheque) == (
        dollars("30.00"), PaymentMethod.CHEQUE, dollars("30.00"),
    )  # fmt: skip
    assert at.transfers("keno.payment") == [("keno:prizes-owing", "keno:bank", "30.00")]
    assert refused(pay_claim, **pay) == (409, "already-paid", None)
    code = sold.security_code
    assert refused(pay_ticket, serial=sold.ticket.serial, security_code=code, by=counter.writer)[1] == "already-paid"
    assert at.in_balance()


@pytest.mark.clause("act-keno:10.3")
def test_a_writer_takes_a_claim_form_with_the_paper_only(counter: Played) -> None:
    sold = counter.won("30.00")
    late: dict[str, Any] = {"reason": ClaimReason.LATE, "by": counter.writer}
    with gaming_day_of(counter.too_late):
        assert refused(claim, counter, sold, **late) == (403, "no-permission", None)
        assert refused(claim, counter, sold, **late, security_code="0" * 16) == (
            422,
            "security-code-wrong",
            "act-keno:10.3",
        )
        assert claim(counter, sold, **late, security_code=sold.security_code).amount == dollars("30.00")


def test_who_made_a_claim_does_not_approve_it(counter: Played) -> None:
    sold = counter.won("30.00")
    claim(counter, sold, by=counter.manager)
    for somebody, code in ((counter.manager, "own-proposal"), (actor("staff:max", "manager"), "needs-inspector")):
        with pytest.raises(Refusal) as caught:
            approve(proposal_id=Proposal.objects.get().pk, by=somebody)
        assert caught.value.code == code
    assert Claim.objects.get().approved_by is None


def test_a_rejected_claim_is_not_paid_and_may_be_made_again(counter: Played) -> None:
    sold = counter.won("30.00")
    made = claim(counter, sold)
    decide(counter, made, how=reject)
    pay: dict[str, Any] = {"claim_id": made.pk, "cheque_number": "1", "by": counter.supervisor}
    assert refused(pay_claim, **pay)[1] == "not-approved"
    assert claim(counter, sold).pk != made.pk


def test_a_ticket_that_turns_up_is_paid_and_the_claim_finds_nothing(counter: Played) -> None:
    sold = counter.won("30.00")
    made = claim(counter, sold)
    decide(counter, made)
    pay_ticket(serial=sold.ticket.serial, security_code=sold.security_code, by=counter.writer)
    answer = refused(pay_claim, claim_id=made.pk, cheque_number="1", by=counter.supervisor)
    assert answer == (409, "already-paid", "act-keno:12.5")


def test_a_claim_needs_something_to_claim_and_somebody_who_claims_it(counter: Played) -> None:
    sold = counter.sell(winning("30.00"))
    assert refused(claim, counter, sold) == (409, "nothing-to-pay", "act-keno:12.5")
    counter.play(1, LOW)
    assert refused(claim, counter, sold, reason=ClaimReason.LATE) == (422, "not-late", "act-keno:11.1")
    assert refused(claim, counter, sold, claimant={**ANNA, "name": ""})[1] == "claimant-incomplete"
    assert refused(claim, counter, sold, grounds=" ")[1] == "grounds-missing"
    assert refused(claim, counter, sold, voucher="X")[1] == "claim-of-one-thing"
    assert refused(pay_claim, claim_id=99, cheque_number="1", by=counter.supervisor)[1] == "no-such-claim"


@pytest.mark.clause("act-keno:11.1", "act-keno:11.3")
def test_a_voucher_older_than_twelve_months_is_paid_on_a_claim_and_never_lapses(counter: Played) -> None:
    cash = [Handed(type=TenderType.CASH, amount=dollars("5.00"))]
    old = paper_of(counter.sell(tender=cash, rest="keno-voucher"))
    form: dict[str, Any] = {"reason": ClaimReason.LATE, "claimant": ANNA, "grounds": "In hand.", "by": counter.writer}
    with gaming_day_of(counter.too_late):
        paper = paper_of(counter.sell(tender=cash, rest="keno-voucher"))
        line = [Handed(type=TenderType.KENO_VOUCHER, reference=old.voucher.code, security_code=old.security_code)]
        assert refused(counter.sell, tender=line) == (422, "claim-needed", "act-keno:11.1")
        assert move_unclaimed(now=timezone.now()) == ZERO  # 11.3
        early = {"voucher": paper.voucher.code, "security_code": paper.security_code}
        assert refused(make_claim, **early, **form) == (422, "not-late", "act-keno:11.1")
        assert refused(make_claim, voucher=old.voucher.code, **form)[1] == "no-permission"
        made = make_claim(voucher=old.voucher.code, security_code=old.security_code, **form)
        decide(counter, made)
        pay_claim(claim_id=made.pk, cheque_number="12", by=counter.supervisor)
    assert at.transfers("keno.voucher-paid") == [("keno:vouchers", "keno:bank", "4.00")]
    assert Voucher.objects.get(pk=old.voucher.pk).spent_at is not None


@pytest.mark.clause("act-keno:11.2")
def test_once_a_gaming_day_unclaimed_prizes_are_looked_for(counter: Played) -> None:
    counter.won("30.00")
    with gaming_day_of(counter.day.date + timedelta(days=1)):
        counter.won("4.00")
    with gaming_day_of(counter.too_late) as day:
        assert sweep(now=timezone.now()) == dollars("30.00")
        assert KenoSettings.current().unclaimed_swept == day.date
        assert sweep(now=timezone.now()) == ZERO  # today's look is done
    with gaming_day_of(counter.too_late + timedelta(days=1)):
        assert sweep(now=timezone.now()) == dollars("4.00")  # of the day that has become a year old since
    assert at.books()["keno:unclaimed"] == dollars("34.00")
    assert at.in_balance()


@pytest.mark.django_db(transaction=True)
def test_a_prize_that_is_being_paid_is_looked_for_again(counter: Played) -> None:
    """It may be paid or not: the look of the day is not over before that is known."""
    ticket = counter.won("30.00").ticket
    with gaming_day_of(counter.too_late) as day:
        with psycopg.connect(database_url()) as counter_next_door:
            counter_next_door.execute("SELECT FROM keno_prize WHERE ticket_id = %s FOR UPDATE", [ticket.pk])
            assert sweep(now=timezone.now()) == ZERO
            assert KenoSettings.current().unclaimed_swept is None
        assert sweep(now=timezone.now()) == dollars("30.00")
        assert KenoSettings.current().unclaimed_swept == day.date


@pytest.mark.clause("act-keno:11.2", "act-keno:11.4", "act-keno:11.5")
def test_an_unclaimed_prize_moves_and_a_later_claim_still_finds_its_money(counter: Played) -> None:
    sold = counter.won("30.00", games=3)
    invalidate_game(number=2, by=counter.manager, cause="fire", reason="Fire.")  # its $2.00 go back
    with gaming_day_of(counter.day.date + timedelta(days=1)):
        counter.play(3, LOW)
    with gaming_day_of(counter.too_late):  # of the third game it is twelve months today: still in time
        assert move_unclaimed(now=timezone.now()) == dollars("30.00")
        assert move_unclaimed(now=timezone.now()) == ZERO
        assert at.transfers("keno.unclaimed") == [("keno:prizes-owing", "keno:unclaimed", "30.00")]
        assert Prize.objects.exclude(unclaimed_on=None).get().game == 1
        made = claim(counter, sold, reason=ClaimReason.LATE)
        assert made.amount == dollars("62.00")
        decide(counter, made)
        pay_claim(claim_id=made.pk, cheque_number="1", by=counter.supervisor)
    assert "keno:unclaimed" not in at.books()
    assert at.in_balance()


@pytest.mark.parametrize("today", [date(2028, 2, 28), date(2028, 2, 29), date(2028, 3, 1), date(2029, 3, 1)])
def test_what_has_moved_is_exactly_what_is_too_late_at_the_counter(today: date) -> None:
    for back in range(360, 372):
        day = today - timedelta(days=back)
        assert (day < last_day_to_move(today)) == (today >= twelve_months_after(day)), day


# What is approved before use


def proposed(counter: Played, kind: str, subject: str, new: Any) -> Proposal:
    return propose(kind=kind, subject=subject, new=new, why="For the players.", by=counter.supervisor)


def put(counter: Played, kind: str, subject: str, new: Any) -> Proposal:
    return approvals.decide(proposed(counter, kind, subject, new), house=counter.manager)


@pytest.mark.clause("act-keno:4.7h")
def test_a_set_bet_is_sold_once_a_second_person_has_approved_it(counter: Played) -> None:
    value = {"name": "Lucky", "groups": [[3, 13], [23], [33]], "plays": [2, 3]}
    proposal = proposed(counter, "keno.set-bet", "set-bet:LUCKY", value)
    asked = TicketRequest(set_bet="LUCKY", stake=dollars("1.00"))
    assert refused(counter.sell, asked)[1] == "set-bet-unknown"
    approvals.decide(proposal, house=counter.manager)
    assert counter.sell(asked).ticket.price == dollars("4.00")
    put(counter, "keno.set-bet", "set-bet:LUCKY", None)
    assert refused(counter.sell, asked)[1] == "set-bet-unknown"


@pytest.mark.clause("act-keno:8.4")
def test_special_3_is_computed_before_it_is_approved(counter: Played) -> None:
    def value(prize: str, low: str = "0.70", high: str = "0.80") -> dict[str, Any]:
        return {"tables": {"2": {"2": prize}}, "band": [low, high]}

    where = ("keno.special-3", "special-3:special-3")
    assert refused(proposed, counter, *where, value("20.00"))[1:] == ("return-outside-band", "act-keno:8.4")
    assert refused(proposed, counter, *where, value("12.55"))[1:] == ("schedule-impossible", "act-keno:8.4")
    assert refused(proposed, counter, *where, value("12.00", "0.9", "0.8"))[1:] == ("band-impossible", "act-keno:8.4")
    put(counter, *where, value("12.50"))
    assert counter.sell(plain(1, 2, schedule="special-3")).ticket.schedule == "special-3"
    assert refused(counter.sell, plain(1, 2, 3, schedule="special-3"))[1] == "spots-not-in-schedule"


@pytest.mark.parametrize(
    ("kind", "subject", "new", "code"),
    [
        ("keno.set-bet", "set-bet:lucky", {"name": "L", "sizes": [2], "plays": [2]}, "code-not-allowed"),
        ("keno.set-bet", "other:LUCKY", {"name": "L", "sizes": [2], "plays": [2]}, "no-such-subject"),
        ("keno.set-bet", "set-bet:LUCKY", None, "nothing-changes"),
        ("keno.set-bet", "set-bet:LUCKY", {"name": "L", "plays": [2]}, "value-not-readable"),
        ("keno.set-bet", "set-bet:LUCKY", {"name": "L", "sizes": [2], "plays": [True]}, "value-not-readable"),
        ("keno.set-bet", "set-bet:LUCKY", {"name": "L", "sizes": [2], "plays": [3]}, "play-without-ways"),
        ("keno.set-bet", "set-bet:LUCKY", {"name": "L", "groups": [[81]], "plays": [1]}, "number-out-of-range"),
        ("keno.set-bet", "set-bet:LUCKY", {"name": "L", "sizes": [81], "plays": [1]}, "groups-impossible"),
        ("keno.special-3", "special-3:other", {}, "no-such-subject"),
        ("keno.special-3", "special-3:special-3", {"tables": {"x": {}}, "band": ["0", "1"]}, "value-not-readable"),
        ("keno.voucher-type", "voucher-type:DINE", {"name": "D", "x": 1}, "value-not-readable"),
        ("keno.amount", "amount:premium", "-1.00", "value-not-readable"),
        ("keno.amount", "amount:other", "1.00", "no-such-subject"),
        ("keno.claim", "claim:1", "approved", "no-such-claim"),
    ],
)
def test_impossible_values_cannot_even_be_proposed(
    counter: Played, kind: str, subject: str, new: dict[str, Any] | str | None, code: str
) -> None:
    everybody = actor("staff:all", "writer", "supervisor", "manager")
    with pytest.raises(Refusal) as caught:
        propose(kind=kind, subject=subject, new=new, why="Why not.", by=everybody)
    assert caught.value.code == code


def test_the_venues_amounts_take_effect_when_approved(counter: Played) -> None:
    put(counter, "keno.amount", "amount:premium", "0.50")
    assert counter.sell(plain(1, 2, 3, 4, 5, 6, jackpot=True)).ticket.premium == dollars("0.50")
    put(counter, "keno.voucher-type", "voucher-type:DINE", {"name": "Dinner"})
    put(counter, "keno.voucher-register", "voucher-register:DINE", {"value": "1.00", "first": 1, "last": 3})
    line = Handed(type=TenderType.VOUCHER, reference="DINE-1", amount=dollars("1.00"))
    assert counter.sell(tender=[line]).change == ZERO
