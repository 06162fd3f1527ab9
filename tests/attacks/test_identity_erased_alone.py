"""A manager wants the trace of a payment gone: his friend's name, before the seven years are over, by himself."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
from django.db import Error, transaction

from house.models import CashLine, Proposal
from house.models.cash import IDENTITY_ERASED
from tests.attacks.insider import House
from tests.world.cash import ANNA, handed


def test_what_the_law_keeps_goes_by_nobodys_word_and_the_rest_not_by_one_persons(house: House) -> None:
    now = datetime.now(UTC)
    handed("12000.00", payment=1, day=now.date(), at=now, identity=ANNA)
    old = now - timedelta(days=8 * 366)
    handed("12000.00", payment=2, day=old.date(), at=old, identity=ANNA)
    manager = house.insider("manager")
    erasure = {"kind": "house.erasure", "subject": "cash", "why": "Tidying up."}
    with house.unchanged():
        early = manager.post("approvals/", {**erasure, "new": {"before": (now + timedelta(days=1)).date().isoformat()}})
        assert early.refused("kept-by-law")
        assert manager.post("approvals/", {**erasure, "new": {"before": "soon"}}).status == 400
        with pytest.raises(Error), transaction.atomic():
            CashLine.objects.filter(payment=1).update(identity=IDENTITY_ERASED)
    due = manager.post("approvals/", {**erasure, "new": {"before": date(now.year - 7, 1, 1).isoformat()}})
    assert due.status == 201
    alone = manager.post(f"approvals/{Proposal.objects.get().pk}/approve", {"comment": "Yes."})
    assert alone.refused("own-proposal")
    assert {line.identity["name"] for line in CashLine.objects.all() if line.identity} == {ANNA.name}
