"""Forgetting people when the time the terms state is over; roots and the log stay as they were."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import DatabaseError, transaction

from kernel.refusal import Conflict, Forbidden
from ledger.models import Act
from promotions.enter import enter
from promotions.erase import erase, erase_due, erase_personal_data, kept_until
from promotions.locks import database_time
from promotions.models import Entrant, Entry, EntryList, Person, Promotion
from promotions.people import Contact
from promotions.personal import export_people
from promotions.run import close
from promotions.seal import entry_proof, seal
from tests.world import promotions as at
from tests.world.people import actor
from tests.world.promotions import root_again

pytestmark = pytest.mark.django_db


def finished(**more: Any) -> datetime:
    at.running(**more)
    writer = actor("device:W-1", "writer")
    for n in range(5):
        enter(code="SPRING", card=f"C-{n}", contact=Contact(name=f"Person {n}", telephone="0400 1"), by=writer)
    at.due()
    close(code="SPRING")
    seal(code="SPRING")
    now = database_time()
    Promotion.objects.update(status="drawing")
    Promotion.objects.update(status="drawn", drawn_at=now)
    Promotion.objects.update(status="finished", finished_at=now)
    return now


def test_personal_data_is_deleted_when_the_retention_of_the_terms_is_over_and_the_root_stands() -> None:
    over = finished(retention_days=30)
    promotion = Promotion.objects.get()
    assert kept_until(promotion) == over + timedelta(days=30)
    root, log = bytes(EntryList.objects.get().root), list(Act.objects.order_by("id").values())
    with pytest.raises(Conflict) as refused, transaction.atomic():
        erase(code="SPRING", now=over + timedelta(days=30) - timedelta(seconds=1))
    assert refused.value.code == "retention-lasts"
    assert Person.objects.count() == 5
    assert erase_personal_data(code="SPRING", by=at.manager(), now=over + timedelta(days=30)) == 5
    assert not Person.objects.exists()
    assert set(Entrant.objects.values_list("identity", flat=True)) == {None}
    assert set(Entry.objects.values_list("salt", flat=True)) == {None}
    assert root_again(promotion) == root == bytes(EntryList.objects.get().root)
    assert list(Act.objects.order_by("id").values())[: len(log)] == log
    assert Act.objects.latest("id").data == {"entrants": 5}
    with pytest.raises(Conflict):
        entry_proof(code="SPRING", number=Entry.objects.earliest("id").pk)
    with pytest.raises(Conflict):
        export_people(code="SPRING", why="Too late.", by=at.manager())
    with pytest.raises(Conflict):
        erase(code="SPRING", now=over + timedelta(days=31))
    with pytest.raises(DatabaseError), transaction.atomic():
        Entrant.objects.update(identity="card:C-9")  # nobody is put back


def test_the_clock_does_it_once_and_not_while_a_promotion_runs() -> None:
    over = finished()
    at.running("OTHER")
    erase_due(now=over + timedelta(days=89))
    assert Person.objects.count() == 5
    erase_due(now=over + timedelta(days=90))
    erase_due(now=over + timedelta(days=91))
    assert not Person.objects.exists()
    assert Act.objects.filter(kind="promotion.personal-data-erased").count() == 1
    with pytest.raises(Conflict) as refused, transaction.atomic():
        erase(code="OTHER")
    assert refused.value.code == "retention-lasts"
    with pytest.raises(DatabaseError), transaction.atomic():
        Promotion.objects.filter(code="OTHER").update(erased_at=over)


def test_erasing_is_a_managers() -> None:
    finished()
    with pytest.raises(Forbidden):
        erase_personal_data(code="SPRING", by=actor("staff:sue", "supervisor"))
