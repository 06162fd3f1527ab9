"""The answer does not please: the manager declares the list void and seals another.

What stops it: after asking the list stands, also where its attempt is void; the next attempt is drawn from the same
root. An operator who writes another seal into the log all the same is told by everybody who reads it, and the witness
answers an attempt once, whatever root it is shown (`test_another_root_for_the_same_attempt.py`). Not stopped: a reseal
before asking, which needs an incident with the inspector's notice and is on record; nobody knows then what it gives.
"""

from __future__ import annotations

from typing import Any

import pytest
from django.db import DatabaseError, transaction

from draws.ask import seal_set
from draws.models import Commitment
from kernel.export_check import Doubt
from ledger.models import Act
from promotions.models import EntryList, Promotion
from tests.attacks.promotions import Insiders, due, everything, on_record
from tests.world.promotion_draws import failed, oracle_faults, promised, published, voided
from tests.world.promotions import manager
from tests.world.second_party import AtHand

pytestmark = pytest.mark.django_db
RESEAL: dict[str, Any] = {"why": "A better list.", "reseal": True}


def test_no_reseal_while_the_draw_waits_after_it_or_after_its_void(second_party: AtHand) -> None:
    insiders = Insiders()
    due()
    noted, second_party.away = promised(), True
    insiders.supervisor.post("promotions/SPRING/draw")
    _refused(insiders, "promotion-drawing")
    second_party.away = False
    insiders.supervisor.post("promotions/SPRING/draw")
    _refused(insiders, "promotion-drawn")
    voided()
    assert Promotion.objects.get().status == "postponed"
    _refused(insiders, "list-asked-about")
    insiders.manager.post("promotions/SPRING/integrity/resume", {"why": "Validated."})
    insiders.supervisor.post("promotions/SPRING/draw")
    assert EntryList.objects.count() == 1
    assert (failed(published(), noted), oracle_faults(published(), noted)) == ([], [])


def _refused(insiders: Insiders, code: str) -> None:
    before = everything()
    answer = insiders.manager.post("promotions/SPRING/integrity/resume", RESEAL)
    assert (answer.status_code, answer.json()["code"]) == (409, code)
    answer = insiders.manager.post("promotions/SPRING/seal")
    assert answer.status_code == 409
    assert everything() == before


def test_a_second_seal_is_refused_by_the_log_and_seen_by_everybody() -> None:
    insiders = Insiders()
    due()
    insiders.supervisor.post("promotions/SPRING/draw")
    record = on_record()
    assert record.occasion("SPRING").count == 8
    with pytest.raises(DatabaseError), transaction.atomic():
        seal_set(Commitment.objects.get(), occasion="SPRING", root=bytes(32), count=7, by=manager())
    (sealed,) = Act.objects.filter(kind="draw.sealed")
    with pytest.raises(Doubt, match="sealed a second time"):  # in a log that was written past the database
        record.act(sealed.kind, sealed.data | {"root": bytes(32).hex()})
