"""A hit's way: claimed, verified, paid or denied; three people, in the order of payment."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from django.db import IntegrityError, transaction

from house.models import PlayLine, Restriction
from house.players.cards import register_player
from house.players.restrict import restrict
from house.refusal import Conflict, Forbidden, NotFound, Refusal
from jackpot import pools
from jackpot.finish_round import finish_round
from jackpot.hits import Identity, deny_hit, pay_hit, verify_hit
from jackpot.models import Hit, ThresholdReport
from jackpot.start_round import Offer, start_round
from ledger.balance import balance
from ledger.models import Act, Transfer
from ledger.money import ZERO, Money
from tests.jackpot.people import (
    DESK,
    FULL_HOUSE,
    MANAGER,
    ROYAL,
    ROYAL_HEARTS,
    STRAIGHT_FLUSH,
    SUPERVISOR,
    TABLE,
    cards,
    dollars,
    someone,
)
from tests.jackpot.table import conserved

pytestmark = pytest.mark.usefixtures("floor")
IDENTITY = Identity(
    name="Wu Li", date_of_birth=date(1980, 2, 29), address="1 George St, Sydney", document="Passport PA1"
)


def hit(hand: str = ROYAL, *, table: str = "CSP-01", player: str | None = None) -> Hit:
    started = start_round(table=table, wagers=[Offer(box=1, player=player)], by=TABLE)
    (found,) = finish_round(round_id=started.pk, hands=[cards(1, hand)], by=TABLE)
    return found


def unchanged(found: Hit, verb, error: type[Refusal], code: str) -> None:
    """A refusal: nothing moved, nothing written."""
    before = Transfer.objects.count(), Act.objects.count(), Hit.objects.get(pk=found.pk).status
    with pytest.raises(error) as refused:
        verb()
    assert refused.value.code == code
    assert (Transfer.objects.count(), Act.objects.count(), Hit.objects.get(pk=found.pk).status) == before


@pytest.mark.clause("nsw-csp:9.6")
def test_three_people_and_the_money_goes_to_the_winner() -> None:
    won = hit(FULL_HOUSE, player="P1")
    verified = verify_hit(hit_id=won.pk, by=SUPERVISOR, cards=FULL_HOUSE.split(), surveillance="CAM-7 21:04")
    assert (verified.status, verified.verified_by) == ("verified", "staff:supervisor")
    paid = pay_hit(hit_id=won.pk, by=MANAGER)
    assert (paid.status, paid.method, paid.paid_by) == ("paid", "cash", "staff:manager")
    assert balance(pools.account("CSP", "cash")).amount == -dollars("150.00")
    assert pools.standing("CSP").owed_to_winners == ZERO
    assert not ThresholdReport.objects.exists()
    conserved("CSP")


def test_nobody_acts_twice_and_nothing_is_skipped() -> None:
    won = hit()
    everything = someone("manager", "boss")
    boss = type(everything)(everything.identity, "boss", everything.permissions | SUPERVISOR.permissions)
    same_table = type(TABLE)(TABLE.identity, "table", boss.permissions)
    unchanged(won, lambda: verify_hit(hit_id=won.pk, by=same_table), Forbidden, "same-person")
    unchanged(won, lambda: verify_hit(hit_id=won.pk, by=someone("dealer")), Forbidden, "no-permission")
    unchanged(won, lambda: pay_hit(hit_id=won.pk, by=MANAGER), Conflict, "hit-not-ready")
    verify_hit(hit_id=won.pk, by=boss)
    unchanged(won, lambda: pay_hit(hit_id=won.pk, by=boss), Forbidden, "same-person")
    unchanged(won, lambda: deny_hit(hit_id=won.pk, reason="No.", by=boss), Forbidden, "same-person")
    unchanged(won, lambda: verify_hit(hit_id=won.pk, by=SUPERVISOR), Conflict, "hit-not-ready")
    unchanged(won, lambda: pay_hit(hit_id=won.pk, by=SUPERVISOR), Forbidden, "no-permission")
    pay_hit(hit_id=won.pk, by=MANAGER)
    unchanged(won, lambda: pay_hit(hit_id=won.pk, by=someone("manager", "second")), Conflict, "hit-not-ready")
    unchanged(won, lambda: deny_hit(hit_id=won.pk, reason="No.", by=someone("manager", "x")), Conflict, "hit-decided")
    with pytest.raises(NotFound):
        pay_hit(hit_id=10**9, by=MANAGER)
    for changes in ({"paid_by": "staff:boss"}, {"verified_by": TABLE.identity}, {"status": "claimed"}):
        with pytest.raises(IntegrityError), transaction.atomic():
            Hit.objects.filter(pk=won.pk).update(**changes)


def test_ten_thousand_in_cash_needs_an_identity_and_makes_a_report() -> None:
    won = hit()
    verify_hit(hit_id=won.pk, by=SUPERVISOR)
    unchanged(won, lambda: pay_hit(hit_id=won.pk, method="cash", by=MANAGER), Refusal, "identity-missing")
    nameless = Identity(name=" ", date_of_birth=IDENTITY.date_of_birth, address="x", document="y")
    unchanged(
        won, lambda: pay_hit(hit_id=won.pk, method="cash", identity=nameless, by=MANAGER), Refusal, "identity-missing"
    )
    unchanged(won, lambda: pay_hit(hit_id=won.pk, method="chips", by=MANAGER), Refusal, "no-such-method")
    pay_hit(hit_id=won.pk, method="cash", identity=IDENTITY, by=MANAGER)
    report = ThresholdReport.objects.get()
    assert (report.amount, report.name, report.made_by) == (dollars("50001.75"), "Wu Li", "staff:manager")
    # Who it is stays out of the log, which is exported: the report has it.
    assert "Wu Li" not in str(list(Act.objects.values_list("data", flat=True)))

    second = hit()
    verify_hit(hit_id=second.pk, by=SUPERVISOR)
    assert pay_hit(hit_id=second.pk, by=MANAGER, payment_reference="CHQ 000123").method == "cheque"
    assert ThresholdReport.objects.count() == 1
    conserved("CSP")


@pytest.mark.clause("nsw-csp:11.10.4", "nsw-csp:12.4", "nsw-csp:12.2")
def test_the_order_of_payment_is_kept() -> None:
    started = start_round(table="CSP-01", wagers=[Offer(box=box) for box in (1, 2, 3)], by=TABLE)
    hits = finish_round(round_id=started.pk, hands=[cards(1, ROYAL_HEARTS), cards(2, STRAIGHT_FLUSH)], by=TABLE)
    assert [(each.kind, each.box) for each in hits] == [("bonus", 3), ("straight", 2), ("royal", 1)]
    for each in hits:
        verify_hit(hit_id=each.pk, by=SUPERVISOR)
    bonus, straight, royal = hits
    unchanged(royal, lambda: pay_hit(hit_id=royal.pk, by=MANAGER), Conflict, "paid-out-of-order")
    unchanged(straight, lambda: pay_hit(hit_id=straight.pk, by=MANAGER), Conflict, "paid-out-of-order")
    pay_hit(hit_id=bonus.pk, by=MANAGER)
    deny_hit(hit_id=straight.pk, reason="Box 2 was not in play.", by=MANAGER)
    pay_hit(hit_id=royal.pk, by=MANAGER)
    conserved("CSP")


@pytest.mark.clause("nsw-csp:16.17", "nsw-csp:16.18")
def test_a_denied_hit_gives_everything_back() -> None:
    started = start_round(table="CSP-01", wagers=[Offer(box=1)], by=TABLE)
    before = pools.standing("CSP")
    (won,) = finish_round(round_id=started.pk, hands=[cards(1, ROYAL)], by=TABLE)
    verify_hit(hit_id=won.pk, by=SUPERVISOR)
    start_round(table="CSP-02", wagers=[Offer(box=1)], by=TABLE)  # other tables play on
    unchanged(won, lambda: deny_hit(hit_id=won.pk, reason=" ", by=MANAGER), Refusal, "reason-missing")
    denied = deny_hit(hit_id=won.pk, reason="A card was marked.", by=MANAGER)
    assert (denied.status, denied.reason) == ("denied", "A card was marked.")
    after = pools.standing("CSP")
    assert after.prize == before.prize + dollars("1.75")
    assert after.reserve == before.reserve + dollars("0.25")
    assert (after.advanced, after.owed_to_winners) == (before.advanced, ZERO)
    conserved("CSP")


def test_two_denied_one_after_the_other_restart_is_undone_with_the_last() -> None:
    started = start_round(table="CSP-01", wagers=[Offer(box=1), Offer(box=2)], by=TABLE)
    before = pools.standing("CSP")
    first, second = finish_round(round_id=started.pk, hands=[cards(1, ROYAL), cards(2, ROYAL_HEARTS)], by=TABLE)
    # Half the pool each, made up to $50,000 by the house.
    assert (first.amount, first.from_pool) == (dollars("50000.00"), dollars("25001.75"))
    deny_hit(hit_id=first.pk, reason="No.", by=SUPERVISOR)
    assert pools.standing("CSP").prize == dollars("50000.00") + dollars("25001.75")
    deny_hit(hit_id=second.pk, reason="No.", by=SUPERVISOR)
    assert pools.standing("CSP") == before
    conserved("CSP")


@pytest.mark.clause("nsw-csp:16.19")
def test_somebody_who_may_not_be_paid_is_not() -> None:
    player = register_player(name="Pat Morgan", card="P1", by=DESK)
    won = hit(player="P1")
    # Found out afterwards that the person was on the payroll when the wager was made.
    flag = restrict(player=player.number, kind="employee", reason="Dealer since May.", by=DESK)
    assert won.round is not None
    Restriction.objects.filter(pk=flag.pk).update(from_at=won.round.started_at - timedelta(days=1))
    unchanged(won, lambda: verify_hit(hit_id=won.pk, player="P2", by=SUPERVISOR), Refusal, "player-differs")
    unchanged(
        won, lambda: verify_hit(hit_id=won.pk, cards=ROYAL_HEARTS.split(), by=SUPERVISOR), Refusal, "hand-differs"
    )
    verify_hit(hit_id=won.pk, by=SUPERVISOR)
    unchanged(won, lambda: pay_hit(hit_id=won.pk, by=MANAGER), Refusal, "employee-policy")


def test_what_is_won_makes_room_under_a_limit() -> None:
    register_player(name="Pat Morgan", card="P1", by=DESK)
    won = hit(player="P1")
    verify_hit(hit_id=won.pk, by=SUPERVISOR)
    pay_hit(hit_id=won.pk, method="cheque", by=MANAGER)
    assert [(line.kind, Money(line.loss)) for line in PlayLine.objects.order_by("id")] == [
        ("wager", dollars("2.50")),
        ("winnings", -won.amount),
    ]
