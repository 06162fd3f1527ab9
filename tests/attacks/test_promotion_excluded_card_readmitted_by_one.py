"""A card is kept from promotions: of an employee's household. Its holder asks a friend who is a manager, did not
exclude it and needs nobody else to let it enter again.

What stops it: who says that a card is to be readmitted has readmitted nothing; another person says so, too, and neither
is who excluded it. A device counts as who holds it. Not stopped: two managers together, in the log.
"""

from __future__ import annotations

import pytest

from ledger.models import Act, Transfer
from promotions.models import Entry, ExcludedCard
from tests.attacks.promotions import Insiders, everything, refused_answer
from tests.world.calls import Caller, make_device
from tests.world.promotions import running

pytestmark = pytest.mark.django_db
READMIT = "promotions/excluded-cards/C-7/readmit"
ENTRY = {"card": "C-7", "reference": "coupon 1"}


def test_one_friend_readmits_nobody() -> None:
    insiders = Insiders()
    running()
    made = insiders.manager.post("promotions/excluded-cards", {"card": "C-7", "why": "household"})
    assert made.status_code == 201
    said = insiders.other_manager.post(READMIT).json()
    assert (said["readmission_said_at"] is not None, said["removed_at"]) == (True, None)
    before, transfers = everything(), Transfer.objects.count()
    friend = (insiders.other_manager, insiders.at_console("other_manager"))
    for again in (*friend, insiders.manager, insiders.at_console("manager")):
        refused_answer(again.post(READMIT), "same-person")
        refused_answer(again.post("promotions/SPRING/entries", ENTRY), "not-eligible")
    refused_answer(insiders.supervisor.post(READMIT), "no-permission")
    assert everything() == before
    assert Transfer.objects.count() == transfers
    assert not Entry.objects.exists()
    assert not Act.objects.filter(kind="promotion.card-readmitted").exists()


def test_two_others_readmit_it_and_the_log_says_so() -> None:
    insiders = Insiders()
    running()
    insiders.manager.post("promotions/excluded-cards", {"card": "C-7", "why": "household"})
    third = Caller(make_device("manager")[1])
    assert insiders.other_manager.post(READMIT).json()["removed_at"] is None
    assert third.post(READMIT).json()["removed_at"] is not None
    assert third.post("promotions/SPRING/entries", ENTRY).status_code == 201
    kinds = ("promotion.readmission-said", "promotion.card-readmitted")
    one, other = (Act.objects.get(kind=kind) for kind in kinds)
    assert one.actor != other.actor
    assert one.subject == other.subject == f"excluded-card:{ExcludedCard.objects.get().pk}"
    assert "C-7" not in str((one.data, other.data))
