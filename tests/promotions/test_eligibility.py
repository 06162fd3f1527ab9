"""Who may take part is asked at entry, seal, draw, claim and payment (17.7.3, 15.7.3; nsw-csp:16.19)."""

from __future__ import annotations

from typing import Any

import pytest

from house.models import Player, PlayerCard
from house.players.restrict import restrict
from kernel.actors import Actor
from ledger.models import Act
from promotions.claims import accept_claim, make_claim
from promotions.draw import draw_promotion
from promotions.losses import winner_ineligible
from promotions.models import Claim, Draw, Entry, EntryList, Win
from promotions.pay import Paid, pay_prize
from promotions.seal import seal
from tests.world import promotion_draws as world
from tests.world.promotion_draws import claimed, closed, drawn, lost, oracle_faults, owed, promised, published, refused
from tests.world.promotions import manager, prize

pytestmark = pytest.mark.django_db
DESK = Actor("staff:desk", "Desk", frozenset({"players.manage", "players.restrict"}))


def bar(person: str, kind: str = "exclusion") -> None:
    player = Player.objects.get(pk=PlayerCard.objects.get(number=f"C-{person}").player_id)
    restrict(player_number=player.number, kind=kind, reason="As asked.", by=DESK)


@pytest.mark.clause("nsw-promo-2025:17.7.1-11", "nsw-promo-2019:15.7")
def test_at_the_seal_entries_of_those_who_may_not_take_part_are_withdrawn() -> None:
    promotion = closed("AABC")
    bar("A")
    sealed = seal(code="SPRING", now=promotion.closes_at)
    assert sealed.count == EntryList.objects.get().count == 2
    gone = Entry.objects.filter(withdrawn_at__isnull=False)
    assert {entry.entrant.identity for entry in gone} == {"player:P-C-A"}
    acts = Act.objects.filter(kind="promotion.entry-withdrawn").order_by("id")
    assert [act.data["entry"] for act in acts] == sorted(gone.values_list("pk", flat=True))
    assert {act.data["clause"] for act in acts} == {"nsw-promo-2025:17.7.3"}
    assert not any("exclu" in str(act.data) for act in acts)  # why is between the person and the house


def test_at_the_draw_they_are_passed_over_and_the_next_follows_from_the_same_proof() -> None:
    promotion = world.sealed("AB")
    bar("A")
    draw_promotion(code="SPRING", by=world.supervisor(), now=promotion.draw_at)
    (win,) = world.wins()
    assert world.person(win) == "B"
    assert len(Draw.objects.get().barred) == 1
    assert oracle_faults(published(), promised()) == []


@pytest.mark.clause("nsw-csp:16.19")
@pytest.mark.parametrize(("kind", "clause"), [("exclusion", "nsw-promo-2025:17.7.3"), ("employee", "nsw-csp:16.19")])
def test_at_the_claim_and_at_the_payment_nothing_is_owed_to_who_may_not_win(kind: str, clause: str) -> None:
    """The one found out before the claim, the other before the payment; the next in the drawn order wins instead."""
    drawn("ABCDEF", prizes=[prize(quantity=2, alternates=1)], one_prize_a_person=True)
    early, late = world.wins()
    claim = claimed(late)
    for win in (early, late):
        bar(world.person(win), kind)
    asked: dict[str, Any] = {"name": "Anna", "address": "1 Lake Street", "by": world.supervisor(), "now": early.won_at}
    assert refused(make_claim, win_id=early.pk, **asked) == ("not-eligible", clause)
    paid = [Paid("transfer", late.value, "4711")]
    assert refused(pay_prize, claim_id=claim.pk, parts=paid, by=world.supervisor()) == ("not-eligible", clause)
    assert owed() == "4000.00"
    for win in (early, late):
        lost(winner_ineligible(win_id=win.pk, why="He may not play.", by=world.supervisor()))
    assert {world.person(win) for win in world.wins()}.isdisjoint({world.person(early), world.person(late)})
    assert oracle_faults(published(), promised()) == []


def test_a_claim_made_before_is_not_accepted_after() -> None:
    drawn("ABC")
    (win,) = world.wins()
    claim = make_claim(win_id=win.pk, name="Anna", address="1 Lake Street", by=world.supervisor(), now=win.won_at)
    bar(world.person(win))
    assert refused(accept_claim, claim_id=claim.pk, by=manager())[0] == "not-eligible"
    assert (Claim.objects.get().status, Win.objects.get().status) == ("made", "drawn")
