"""Cigarettes in a hamper: who writes the terms declares nothing and confirms it himself.

What stops it: what a prize holds is confirmed by who submits the terms, another person than everybody who wrote them,
whatever account or device he uses; the confirmation stands in the log, and the offline check misses it. An amendment is
confirmed by who approves it. Not stopped: two people who look away together; both are named.
"""

from __future__ import annotations

import pytest

from house.models import Proposal
from ledger.models import Act
from promotions.models import Promotion
from tests.attacks.promotions import Insiders, everything
from tests.world.promotions import prize, terms

pytestmark = pytest.mark.django_db
HAMPER = prize(
    name="Hamper", kind="goods", payment=["handed-over"], details={"description": "Cheese, a carton of cigarettes."}
)


def test_one_writes_and_another_confirms() -> None:
    insiders = Insiders()
    body = {"code": "SPRING", "edition": "2025", "title": "Spring", "terms": terms(prizes=[HAMPER])}
    assert insiders.manager.post("promotions", body).status_code == 201
    before = everything()
    for caller in (insiders.manager, insiders.at_console("manager")):
        answer = caller.post("promotions/SPRING/submit", {"goods_confirmed": True})
        assert (answer.status_code, answer.json()["code"]) == (403, "same-person")
    answer = insiders.other_manager.post("promotions/SPRING/submit", {})
    assert (answer.status_code, answer.json()["code"]) == (422, "goods-not-confirmed")
    assert "cigarettes" in answer.json()["detail"]
    assert everything() == before
    # Who submits looks for himself; and who has edited a word is a writer, too.
    declared = {"terms": {"prizes": [{**HAMPER, "contains": ["tobacco"]}]}}
    assert insiders.other_manager.post("promotions/SPRING/edit", declared).json()["code"] == "prohibited-prize"
    assert Promotion.objects.get().status == "draft"
    assert not Act.objects.filter(kind="promotion.submitted").exists()
    assert not Proposal.objects.exists()
