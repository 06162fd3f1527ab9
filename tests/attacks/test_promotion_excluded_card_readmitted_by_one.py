"""A card is kept from promotions: of an employee's household. Its holder asks a friend who is a manager, did not
exclude it and needs nobody else to let it enter again.

What stops it: who says that a card is to be readmitted has readmitted nothing; another person says so, too, and neither
is who excluded it. A device counts as who holds it. Not stopped: two managers together, in the log.
"""

from __future__ import annotations

from ledger.models import Act
from promotions.models import Entry, ExcludedCard
from tests.attacks.insider import Caller, House
from tests.world.promotions import running

READMIT = "promotions/excluded-cards/C-7/readmit"
ENTRY = {"card": "C-7", "reference": "coupon 1"}


def _excluded(house: House) -> tuple[Caller, Caller]:
    """Who excluded it, and the friend."""
    running()
    manager, friend = house.insider("manager", holder="manager"), house.insider("manager")
    manager.post("promotions/excluded-cards", {"card": "C-7", "why": "household"}).ok(201)
    said = friend.post(READMIT).ok()
    assert (said["readmission_said_at"] is not None, said["removed_at"]) == (True, None)
    return manager, friend


def test_one_friend_readmits_nobody(house: House) -> None:
    manager, friend = _excluded(house)
    himself, others = (
        house.at_console("manager"),
        [house.insider(role) for role in ("supervisor", "inspector", "writer")],
    )
    auditor = house.at_console("auditor")
    with house.unchanged():
        for again in (friend.post, manager.post, himself.call):
            assert again(READMIT).refused("same-person")
            assert again("promotions/SPRING/entries", ENTRY).refused("not-eligible")
        for other in (*(each.post for each in others), auditor.call):
            assert other(READMIT).refused("no-permission")
    assert not Entry.objects.exists()
    assert ExcludedCard.objects.get().removed_at is None


def test_two_others_readmit_it_and_the_log_says_so(house: House) -> None:
    _excluded(house)
    third = house.insider("manager")
    assert third.post(READMIT).ok()["removed_at"] is not None
    third.post("promotions/SPRING/entries", ENTRY).ok(201)
    kinds = ("promotion.readmission-said", "promotion.card-readmitted")
    one, other = (Act.objects.get(kind=kind) for kind in kinds)
    assert one.actor != other.actor
    assert one.subject == other.subject == f"excluded-card:{ExcludedCard.objects.get().pk}"
    assert "C-7" not in str((one.data, other.data))
