"""A hit's way: claimed, verified, paid or denied; three people, in the order of payment."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest
from django.db import DatabaseError, transaction

from house.cash.identity import Identity
from house.models import CashLine, Incident, PlayLine, ThresholdReport
from house.players.cards import register_player
from house.players.restrict import restrict
from jackpot import pools
from jackpot.finish_round import finish_round
from jackpot.hits import deny_hit, pay_hit, verify_hit
from jackpot.models import Hit
from jackpot.start_round import Offer, start_round
from kernel.actors import Actor
from kernel.money import ZERO, Money
from kernel.refusal import Conflict, Forbidden, NotFound, Refusal
from ledger.balance import balance
from ledger.models import Act, Transfer
from tests.jackpot.dealt import FLUSH, FULL_HOUSE, ROYAL, ROYAL_HEARTS, STRAIGHT_FLUSH, cards
from tests.world.jackpot_table import CAMERA, IDENTITY, conserved, pay, verify
from tests.world.money import dollars
from tests.world.people import DESK, MANAGER, SUPERVISOR, TABLE, someone
from tests.world.players import registered

pytestmark = pytest.mark.usefixtures("floor")


def hit(hand: str = ROYAL, *, table: str = "CSP-01", player: str | None = None) -> Hit:
    if player is not None:
        registered(player)
    started = start_round(table=table, wagers=[Offer(box=1, player_card=player)], by=TABLE)
    (found,) = finish_round(round_id=started.pk, hands=[cards(1, hand)], by=TABLE)
    return found


def unchanged(found: Hit, verb: Callable[..., object], error: type[Refusal], code: str) -> None:
    """A refusal: nothing moved, nothing written."""
    before = Transfer.objects.count(), Act.objects.count(), Hit.objects.get(pk=found.pk).status
    with pytest.raises(error) as refused:
        verb()
    assert refused.value.code == code
    assert (Transfer.objects.count(), Act.objects.count(), Hit.objects.get(pk=found.pk).status) == before


@pytest.mark.clause("nsw-csp:9.6")
def test_three_people_and_the_money_goes_to_the_winner() -> None:
    won = hit(FULL_HOUSE, player="P1")
    verified = verify_hit(hit_id=won.pk, by=SUPERVISOR, cards=FULL_HOUSE.split(), surveillance=CAMERA)
    assert (verified.status, verified.verified_by) == ("verified", "staff:supervisor")
    paid = pay_hit(hit_id=won.pk, by=MANAGER)
    assert (paid.status, paid.method, paid.paid_by) == ("paid", "cash", "staff:manager")
    assert balance(pools.account("CSP", "cash")).amount == -dollars("150.00")
    assert pools.read_pools("CSP").owed_to_winners == ZERO
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
    verify(won, boss)
    unchanged(won, lambda: pay_hit(hit_id=won.pk, by=boss), Forbidden, "same-person")
    unchanged(won, lambda: deny_hit(hit_id=won.pk, reason="No.", by=boss), Forbidden, "same-person")
    unchanged(won, lambda: verify_hit(hit_id=won.pk, by=SUPERVISOR), Conflict, "hit-not-ready")
    unchanged(won, lambda: pay_hit(hit_id=won.pk, by=SUPERVISOR), Forbidden, "no-permission")
    pay(won)
    unchanged(won, lambda: pay_hit(hit_id=won.pk, by=someone("manager", "second")), Conflict, "hit-not-ready")
    unchanged(won, lambda: deny_hit(hit_id=won.pk, reason="No.", by=someone("manager", "x")), Conflict, "hit-decided")
    with pytest.raises(NotFound):
        pay_hit(hit_id=10**9, by=MANAGER)
    for changes in ({"paid_by": "staff:boss"}, {"verified_by": TABLE.identity}, {"status": "claimed"}):
        with pytest.raises(DatabaseError), transaction.atomic():
            Hit.objects.filter(pk=won.pk).update(**changes)


@pytest.mark.clause("nsw-csp:9.6")
def test_the_cards_are_entered_unseen_and_compared() -> None:
    won = hit(FULL_HOUSE)
    blanks: tuple[list[str] | None, ...] = (None, [])
    for blank in blanks:
        unchanged(won, lambda seen=blank: verify(won, cards=seen), Refusal, "cards-missing")
    for nobody in ("", "   "):
        unchanged(won, lambda looked=nobody: verify(won, surveillance=looked), Refusal, "surveillance-missing")
    unchanged(won, lambda: verify(won, cards=won.dealt[:4]), Refusal, "hand-void")
    unchanged(won, lambda: verify(won, cards=[*won.dealt[:4], "XX"]), Refusal, "card-not-in-deck")
    with pytest.raises(Refusal) as refused:
        verify(won, cards=ROYAL.split())
    assert refused.value.code == "hand-differs"
    assert not any(card in refused.value.detail for card in won.dealt)
    assert verify(won, cards=won.dealt[::-1]).status == "verified"  # in whatever order they are read


def test_three_wrong_entries_are_an_incident_and_another_person_verifies() -> None:
    won = hit(FULL_HOUSE)
    for count in (1, 2, 3):
        with pytest.raises(Refusal) as refused:
            verify(won, cards=ROYAL.split())
        refused.value.take_note()
        assert (won.wrong_entries.count(), Incident.objects.count()) == (count, count // 3)
    unchanged(won, lambda: verify(won), Forbidden, "too-many-wrong-entries")
    assert verify(won, someone("supervisor", "second")).status == "verified"


def test_a_person_is_the_same_at_every_device_and_a_device_in_every_hand() -> None:
    def at(device: str, who: str, role: str) -> Actor:
        return replace(someone(role, who), device=device)

    started = start_round(table="CSP-01", wagers=[Offer(box=1)], by=replace(TABLE, device="T-0001"))
    dealer = at("S-0009", "dealer", "supervisor")
    (won,) = finish_round(round_id=started.pk, hands=[cards(1, FULL_HOUSE)], by=dealer)
    started_it = replace(someone("supervisor"), identity=TABLE.identity)
    for one in (dealer, someone("supervisor", "dealer"), at("S-0009", "anna", "supervisor"), started_it,
                at("T-0001", "anna", "supervisor")):  # fmt: skip
        unchanged(won, lambda by=one: verify(won, by), Forbidden, "same-person")
    verify(won, at("S-0001", "anna", "supervisor"))
    for one in (someone("manager", "anna"), at("S-0002", "anna", "manager"), at("S-0001", "bert", "manager"),
                at("S-0009", "bert", "manager")):  # fmt: skip
        unchanged(won, lambda by=one: pay(won, by), Forbidden, "same-person")
        unchanged(won, lambda by=one: deny_hit(hit_id=won.pk, reason="No.", by=by), Forbidden, "same-person")
    assert pay(won, at("S-0002", "bert", "manager")).paid_device == "S-0002"
    with pytest.raises(DatabaseError), transaction.atomic():
        Hit.objects.filter(pk=won.pk).update(paid_device="S-0001")


def test_ten_thousand_in_cash_needs_an_identity_and_makes_a_report() -> None:
    won = hit()
    verify(won)
    unchanged(won, lambda: pay_hit(hit_id=won.pk, method="cash", by=MANAGER), Refusal, "identity-missing")
    nameless = Identity(name=" ", born=IDENTITY.born, address="x", document="y", document_number="z")
    unchanged(
        won, lambda: pay_hit(hit_id=won.pk, method="cash", identity=nameless, by=MANAGER), Refusal, "identity-missing"
    )
    unchanged(won, lambda: pay_hit(hit_id=won.pk, method="gold", by=MANAGER), Refusal, "no-such-method")
    pay_hit(hit_id=won.pk, method="cash", identity=IDENTITY, by=MANAGER)
    report = ThresholdReport.objects.get()
    assert (report.cash, report.receiver.name, report.made_by) == (dollars("50001.75"), "Wu Li", "staff:manager")
    # Who it is stays out of the log, which is exported: the report has it.
    assert "Wu Li" not in str(list(Act.objects.values_list("data", flat=True)))

    second = hit()
    verify(second)
    for method in ("cheque", "chips", "transfer", None):
        unchanged(second, lambda how=method: pay(second, method=how, identity=None), Refusal, "identity-missing")
    for number in ("", "  "):
        unchanged(second, lambda n=number: pay(second, payment_reference=n), Refusal, "cheque-number-missing")
    paid = pay(second)
    assert (paid.method, paid.payment_reference) == ("cheque", "CHQ 000123")
    assert Identity.read(CashLine.objects.get(payment=paid.pk).identity or {}) == IDENTITY
    assert ThresholdReport.objects.count() == 1
    conserved("CSP")


@pytest.mark.clause("nsw-csp:11.10.4", "nsw-csp:12.4", "nsw-csp:12.2")
def test_the_order_of_payment_is_kept() -> None:
    started = start_round(table="CSP-01", wagers=[Offer(box=box) for box in (1, 2, 3)], by=TABLE)
    hits = finish_round(round_id=started.pk, hands=[cards(1, ROYAL_HEARTS), cards(2, STRAIGHT_FLUSH)], by=TABLE)
    assert [(each.kind, each.box) for each in hits] == [("bonus", 3), ("straight", 2), ("royal", 1)]
    for each in hits:
        verify(each)
    bonus, straight, royal = hits
    for early in (royal, straight):  # nothing else is missing
        unchanged(early, lambda hit=early: pay(hit, method="chips"), Conflict, "paid-out-of-order")
    pay_hit(hit_id=bonus.pk, by=MANAGER)
    deny_hit(hit_id=straight.pk, reason="Box 2 was not in play.", by=MANAGER)
    assert pay(royal, method="chips").method == "chips"
    conserved("CSP")


@pytest.mark.clause("nsw-csp:12.2")
def test_of_two_equal_prizes_the_one_at_the_dealers_right_is_paid_first() -> None:
    """Boxes count from the dealer's left: box 3 lies to the right of box 1."""
    started = start_round(table="CSP-01", wagers=[Offer(box=box) for box in (1, 2, 3)], by=TABLE)
    hits = finish_round(round_id=started.pk, hands=[cards(1, FULL_HOUSE), cards(3, FLUSH)], by=TABLE)
    by_box = {each.box: verify(each) for each in hits}
    assert [each.box for each in hits] == [3, 1]
    unchanged(by_box[1], lambda: pay_hit(hit_id=by_box[1].pk, by=MANAGER), Conflict, "paid-out-of-order")
    for box in (3, 1):
        assert pay_hit(hit_id=by_box[box].pk, by=MANAGER).status == "paid"


def test_an_act_link_has_the_same_order_and_cites_no_clause_of_another_place() -> None:
    """The ACT's text has no clause about the order (docs/reading.md)."""
    for table, clause in (("CSP-02", "nsw-csp:12.4"), ("BOOM-01", None)):
        started = start_round(table=table, wagers=[Offer(box=box) for box in (1, 2)], by=TABLE)
        hits = finish_round(round_id=started.pk, hands=[cards(1, ROYAL_HEARTS), cards(2, STRAIGHT_FLUSH)], by=TABLE)
        for each in hits:
            verify(each)
        with pytest.raises(Conflict) as refused:
            pay_hit(hit_id=hits[-1].pk, by=MANAGER)
        assert (refused.value.code, refused.value.clause) == ("paid-out-of-order", clause)
        assert {each.status for each in Hit.objects.filter(round=started)} == {"verified"}


def test_a_denied_hit_gives_everything_back() -> None:
    started = start_round(table="CSP-01", wagers=[Offer(box=1)], by=TABLE)
    before = pools.read_pools("CSP")
    (won,) = finish_round(round_id=started.pk, hands=[cards(1, ROYAL)], by=TABLE)
    verify(won)
    start_round(table="CSP-02", wagers=[Offer(box=1)], by=TABLE)  # other tables play on
    unchanged(won, lambda: deny_hit(hit_id=won.pk, reason=" ", by=MANAGER), Refusal, "reason-missing")
    denied = deny_hit(hit_id=won.pk, reason="A card was marked.", by=MANAGER)
    assert (denied.status, denied.reason) == ("denied", "A card was marked.")
    after = pools.read_pools("CSP")
    assert after.prize == before.prize + dollars("1.75")
    assert after.reserve == before.reserve + dollars("0.25")
    assert (after.advanced, after.owed_to_winners) == (before.advanced, ZERO)
    conserved("CSP")


def test_two_denied_one_after_the_other_restart_is_undone_with_the_last() -> None:
    started = start_round(table="CSP-01", wagers=[Offer(box=1), Offer(box=2)], by=TABLE)
    before = pools.read_pools("CSP")
    first, second = finish_round(round_id=started.pk, hands=[cards(1, ROYAL), cards(2, ROYAL_HEARTS)], by=TABLE)
    # Half the pool each, made up to $50,000 by the house.
    assert (first.amount, first.from_pool) == (dollars("50000.00"), dollars("25001.75"))
    deny_hit(hit_id=first.pk, reason="No.", by=SUPERVISOR)
    assert pools.read_pools("CSP").prize == dollars("50000.00") + dollars("25001.75")
    deny_hit(hit_id=second.pk, reason="No.", by=SUPERVISOR)
    assert pools.read_pools("CSP") == before
    conserved("CSP")


@pytest.mark.clause("nsw-csp:16.19")
def test_somebody_who_may_not_be_paid_is_not() -> None:
    player = register_player(name="Pat Morgan", card="P1", by=DESK)
    won = hit(player="P1")
    # Found out afterwards that the person was on the payroll when the wager was made.
    assert won.round is not None
    since = won.round.started_at - timedelta(days=1)
    restrict(player_number=player.number, kind="employee", reason="Dealer since May.", breach_since=since, by=DESK)
    registered("P2")
    unchanged(won, lambda: verify(won, player_card="P3"), Refusal, "card-unknown")
    unchanged(won, lambda: verify(won, player_card="P2"), Refusal, "player-differs")
    unchanged(won, lambda: verify(won, cards=ROYAL_HEARTS.split()), Refusal, "hand-differs")
    verify(won)
    unchanged(won, lambda: pay(won), Refusal, "employee-policy")


def test_what_is_won_makes_room_under_a_limit() -> None:
    register_player(name="Pat Morgan", card="P1", by=DESK)
    won = hit(player="P1")
    verify(won)
    pay(won, method="cheque")
    assert [(line.kind, Money(line.loss)) for line in PlayLine.objects.order_by("id")] == [
        ("wager", dollars("2.50")),
        ("winnings", -won.amount),
    ]
