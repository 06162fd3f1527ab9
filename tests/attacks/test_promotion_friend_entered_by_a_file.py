"""Who may import entries writes a file of his own: a friend's card as often as the terms allow, under coupons that
nobody ever handed out. Nobody else looks at it, and at its time the list is sealed.

What stops it: a list is not sealed while a file that entered anybody is unconfirmed, neither by a person nor by the
clock; another person confirms it, who sees its hash, how many it entered and whom most often. A device counts as who
holds it. Not stopped: two of them together, in the log; and who enters coupon by coupon at the counter, each of which
bears who entered it.
"""

from __future__ import annotations

from datetime import timedelta

import pytest

from ledger.models import Act, Transfer
from promotions import tick
from promotions.imports import go_on
from promotions.locks import database_time
from promotions.models import EntryList, Promotion
from promotions.run import close
from tests.attacks.promotions import Insiders, everything, refused_answer
from tests.world import promotion_draws as world
from tests.world.promotions import running

pytestmark = pytest.mark.django_db
FRIEND = "".join(f"mine {n},C-F\n" for n in range(40))
FILE = {"name": "coupons.csv", "csv": f"reference,card\n{FRIEND}"}


def _imported(insiders: Insiders) -> int:
    """A running promotion with one honest entry, and the friend's forty; then it closes."""
    world.open_day()
    promotion = running()
    world.put_in("AF")
    made = insiders.manager.post("promotions/SPRING/imports", FILE).json()
    assert go_on(made["id"]).entered == 40
    assert promotion.closes_at is not None
    close(code="SPRING", now=max(promotion.closes_at, database_time()))
    return int(made["id"])


def test_one_person_has_nothing_sealed_that_he_brought_in() -> None:
    insiders = Insiders()
    number = _imported(insiders)
    now = database_time()
    Promotion.objects.update(starts_at=now - timedelta(days=8), closes_at=now - timedelta(hours=1), draw_at=now)
    before, transfers = everything(), Transfer.objects.count()
    for again in (insiders.manager, insiders.at_console("manager")):
        refused_answer(again.post(f"promotions/imports/{number}/confirm"), "same-person")
        refused_answer(again.post("promotions/SPRING/seal"), "import-unconfirmed")
    refused_answer(insiders.auditor.post(f"promotions/imports/{number}/confirm"), "no-permission")
    tick.tick(database_time())
    assert everything() == before
    assert Transfer.objects.count() == transfers
    assert not EntryList.objects.exists()
    assert not Act.objects.filter(kind="promotion.import-confirmed").exists()


def test_another_person_confirms_it_and_the_log_says_so() -> None:
    insiders = Insiders()
    number = _imported(insiders)
    confirmed = insiders.supervisor.post(f"promotions/imports/{number}/confirm")
    assert confirmed.status_code == 200
    assert confirmed.json()["confirmed_at"] is not None
    refused_answer(insiders.other_manager.post(f"promotions/imports/{number}/confirm"), "already-confirmed")
    begun, seen = (Act.objects.get(kind=f"promotion.import-{word}") for word in ("begun", "confirmed"))
    assert begun.actor != seen.actor
    assert (seen.data["sha256"], seen.data["entered"]) == (begun.data["sha256"], 40)
    assert insiders.manager.post("promotions/SPRING/seal").status_code == 200
    assert EntryList.objects.get().count == 42
