"""A manager postpones a promotion and resumes it, until the seed suits him.

What stops it: there is one promise for a promotion, which the database keeps unique and unchanged; resuming, sealing
anew, amending and going back to draft make no other, and `new_seed` is refused. Not stopped: postponing and resuming as
such, before the witness is asked: it is on record with the inspector's notice, and changes nothing of the draw.
"""

from __future__ import annotations

import pytest
from django.db import DatabaseError, transaction

from draws.commit import commit
from draws.models import Commitment
from ledger.models import Act
from promotions.models import Draw, Promotion
from tests.attacks.promotions import Insiders, due, everything
from tests.world.promotion_draws import failed, promised, published
from tests.world.promotions import manager

pytestmark = pytest.mark.django_db
WHY = {"why": "A box stood open."}


def test_however_often_he_postpones_the_promise_is_the_same() -> None:
    insiders = Insiders()
    due()
    noted = promised()
    for _ in range(3):
        assert insiders.manager.post("promotions/SPRING/integrity/postpone", WHY).status_code == 200
        before = everything()
        refused = insiders.manager.post("promotions/SPRING/integrity/resume", {**WHY, "new_seed": True})
        assert (refused.status_code, refused.json()["code"]) == (409, "promise-stands")
        assert everything() == before
        assert insiders.manager.post("promotions/SPRING/integrity/resume", WHY).status_code == 200
    insiders.manager.post("promotions/SPRING/integrity/postpone", WHY)
    insiders.manager.post("promotions/SPRING/integrity/resume", {**WHY, "reseal": True})
    insiders.manager.post("promotions/SPRING/seal")
    insiders.supervisor.post("promotions/SPRING/draw")
    assert (Commitment.objects.count(), Draw.objects.count()) == (1, 1)
    assert Act.objects.filter(kind="draw.promised").count() == 1
    assert failed(published(), noted) == []  # by the promise from before the start


def test_nor_behind_the_verbs() -> None:
    due()
    with pytest.raises(DatabaseError), transaction.atomic():
        commit(purpose="promotion", name="SPRING", device="rng", by=manager())
    for change in ({"commitment": bytes(32)}, {"name": "AUTUMN"}):
        with pytest.raises(DatabaseError), transaction.atomic():
            Commitment.objects.update(**change)
    with pytest.raises(DatabaseError), transaction.atomic():
        Draw.objects.update(promise=None)
    with pytest.raises(DatabaseError), transaction.atomic():
        Commitment.objects.all().delete()
    assert Promotion.objects.get().status == "sealed"
