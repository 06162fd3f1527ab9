"""Who may take part is asked at entry, seal, draw, claim and payment (17.7.3, 15.7.3; nsw-csp:16.19)."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest

from house.cash.identity import Identity
from house.models import Player, PlayerCard
from house.players.age import record_birth, today
from house.players.restrict import confirm, restrict
from house.rules.age import last_birthday_of_age
from kernel.actors import Actor
from ledger.models import Act
from promotions.claimants import Shown
from promotions.claims import accept_claim, make_claim
from promotions.draw import draw_promotion
from promotions.enter import enter
from promotions.losses import winner_ineligible
from promotions.models import Claim, Draw, Entry, EntryList, Win
from promotions.pay import Paid, pay_prize
from promotions.run import close
from promotions.seal import seal
from tests.world import promotion_draws as world
from tests.world.promotion_draws import claimed, closed, drawn, lost, oracle_faults, owed, promised, published, refused
from tests.world.promotions import keep_out, manager, prize, running

pytestmark = pytest.mark.django_db
DESK = Actor("staff:desk", "Desk", frozenset({"players.manage", "players.restrict"}))
OTHER_DESK = Actor("staff:other-desk", "Other desk", DESK.permissions)


def bar(person: str, kind: str = "exclusion") -> None:
    player = Player.objects.get(pk=PlayerCard.objects.get(number=f"C-{person}").player_id)
    made = restrict(player_number=player.number, kind=kind, reason="As asked.", by=DESK)
    confirm(restriction_id=made.pk, by=OTHER_DESK)


def years_ago(years: int) -> date:
    return last_birthday_of_age(today(), years)


def born(person: str, on: date, by: Actor = DESK) -> None:
    number = PlayerCard.objects.get(number=f"C-{person}").player.number
    record_birth(player_number=number, born=on, by=by)


def of_household(person: str) -> None:
    keep_out(f"C-{person}", why="household")


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


@pytest.mark.clause("nsw-promo-2025:17.7.1-11", "nsw-promo-2019:15.7")
@pytest.mark.parametrize(("edition", "clause"), [("2025", "nsw-promo-2025:17.7.3"), ("2019", "nsw-promo-2019:15.7.3")])
def test_age_and_household_at_entry_seal_and_draw(edition: str, clause: str) -> None:
    """Too young by a day, of a household, and neither: the one on record before each step decides it."""
    world.open_day()
    promotion = running("SPRING", edition, minimum_age=21, households_excluded=True)
    young, old = years_ago(21) + timedelta(days=1), years_ago(21)
    born("A", young)
    of_household("B")
    for person in "AB":
        assert refused(enter, code="SPRING", by=manager(), card=f"C-{person}") == ("not-eligible", clause)
    born("G", old)
    world.put_in("CDEFG")
    for desk in (DESK, OTHER_DESK):
        born("C", young, by=desk)
    of_household("D")
    assert promotion.closes_at is not None
    close(code="SPRING", now=promotion.closes_at)
    seal(code="SPRING", now=promotion.closes_at)
    gone = Entry.objects.filter(withdrawn_at__isnull=False)
    assert {entry.entrant.identity for entry in gone} == {"player:P-C-C", "player:P-C-D"}
    for desk in (DESK, OTHER_DESK):
        born("E", young, by=desk)
    of_household("F")
    draw_promotion(code="SPRING", by=world.supervisor(), now=promotion.draw_at)
    assert [world.person(win) for win in world.wins()] == ["G"]
    assert len(Draw.objects.get().barred) == 2
    assert oracle_faults(published(), promised()) == []


def test_what_the_terms_do_not_say_of_age_and_households() -> None:
    """Nobody known to be under 18 enters anything; a household's card is out unless the terms let it in."""
    running()
    running("AUTUMN", households_excluded=False)
    born("A", years_ago(18) + timedelta(days=1))
    born("B", years_ago(18))
    of_household("C")
    for person, code in (("A", "SPRING"), ("A", "AUTUMN"), ("C", "SPRING")):
        assert refused(enter, code=code, by=manager(), card=f"C-{person}")[0] == "not-eligible"
    for person, code in (("B", "SPRING"), ("C", "AUTUMN")):
        enter(code=code, by=manager(), card=f"C-{person}")


@pytest.mark.clause("nsw-promo-2025:17.7.1-11")
def test_age_and_household_at_the_claim_and_at_the_payment() -> None:
    drawn("A", minimum_age=21, households_excluded=True)
    (win,) = world.wins()
    asked: dict[str, Any] = {"name": "Anna", "address": "1 Lake Street", "by": world.supervisor(), "now": win.won_at}
    old, young = years_ago(21), years_ago(21) + timedelta(days=1)
    for shown, code in (
        (Shown(), "born-missing"),
        (Shown(born=date(1821, 1, 1)), "born-impossible"),
        (Shown(born=young, household=False), "not-eligible"),
        (Shown(born=old), "household-missing"),
        (Shown(born=old, household=True), "not-eligible"),
    ):
        assert refused(make_claim, win_id=win.pk, shown=shown, **asked)[0] == code
    assert Player.objects.get(number="P-C-A").born is None
    claim = make_claim(win_id=win.pk, shown=Shown(old, household=False), **asked)
    act = Act.objects.get(kind="promotion.claim-made").data
    assert (act["age"], act["household"], old.isoformat() in str(act)) == ("document", False, False)
    assert Player.objects.get(number="P-C-A").born == old  # from the document of the claim on
    # Found out before it is decided, and put right again: each by another person than who wrote it down.
    born("A", young, by=OTHER_DESK)
    assert refused(accept_claim, claim_id=claim.pk, by=manager())[0] == "not-eligible"
    born("A", old)
    accept_claim(claim_id=claim.pk, by=manager())
    paid: dict[str, Any] = {"claim_id": claim.pk, "parts": [Paid("cheque", win.value, "4711")]}
    paid["by"] = world.supervisor()
    somebody_else = Identity(name="Ben", born=date(1980, 1, 1), address="2", document="Passport", document_number="A1")
    assert refused(pay_prize, identity=somebody_else, **paid)[0] == "born-differs"
    born("A", young, by=OTHER_DESK)
    assert refused(pay_prize, **paid)[0] == "not-eligible"
    assert owed() == "2000.00"
    born("A", old)
    pay_prize(**paid)
