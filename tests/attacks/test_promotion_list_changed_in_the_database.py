"""Somebody with the run of the database changes the sealed list, before the witness is asked or while it is.

What stops it: before asking the whole list is compared with the root that was published; one that differs is postponed
with the inspector's notice, and nobody is asked. After asking the drawn entries are compared with what was sealed and
the list with what the witness signed: nothing is drawn, an incident says so, and when the rows are as they were the
draw goes on by the answer that was given. Not stopped: destroying the list for good, which is seen; then the attempt
can only be void, with its numbers.
"""

from __future__ import annotations

import pytest
from django.db import transaction

from house.models import Incident
from ledger.models import Question
from promotions.models import Draw, Pick, Promotion
from tests.attacks.promotions import Insiders, due
from tests.world.promotion_draws import failed, promised, published, unguarded, voided
from tests.world.second_party import AtHand

pytestmark = pytest.mark.django_db
CRIME = """UPDATE promotions_entry SET entrant_id = (SELECT max(entrant_id) FROM promotions_entry),
           leaf = (SELECT leaf FROM promotions_entry ORDER BY id DESC LIMIT 1)"""


def test_before_asking_nobody_is_asked() -> None:
    insiders = Insiders()
    due()
    unguarded(CRIME)
    assert insiders.supervisor.post("promotions/SPRING/draw").json()["status"] == "postponed"
    assert not Question.objects.exists()
    assert Incident.objects.get().kind == "promotion-compromised-2025"


def test_after_asking_nothing_is_drawn_until_it_is_the_sealed_one(second_party: AtHand) -> None:
    insiders = Insiders()
    due()
    noted, second_party.away = promised(), True
    insiders.supervisor.post("promotions/SPRING/draw")
    second_party.away, before = False, transaction.savepoint()
    unguarded(CRIME)
    for _ in range(2):
        assert insiders.supervisor.post("promotions/SPRING/draw").json()["status"] == "drawing"
    assert not Pick.objects.exists()
    assert Incident.objects.filter(kind="promotion-compromised-2025").count() == 1
    transaction.savepoint_rollback(before)  # a backup
    assert insiders.supervisor.post("promotions/SPRING/draw").json()["status"] == "drawn"
    assert failed(published(), noted) == []
    assert Question.objects.count() == 1


def test_a_list_that_is_gone_leaves_a_void_with_its_numbers(second_party: AtHand) -> None:
    insiders = Insiders()
    due()
    second_party.away = True
    insiders.supervisor.post("promotions/SPRING/draw")
    second_party.away = False
    unguarded("DELETE FROM promotions_entry")
    insiders.supervisor.post("promotions/SPRING/draw")
    voided(then="cancel")
    assert Promotion.objects.get().status == "cancelled"
    assert len(Draw.objects.get().void_numbers) == 1
