"""Who may import entries writes a file of his own: a friend's card as often as the terms allow, under coupons that
nobody ever handed out. Nobody else looks at it, and at its time the list is sealed. Or the file is honest, and one
person has it rejected, so that everybody but his friend is out.

What stops it: a list is not sealed while a file that entered anybody is unconfirmed, neither by a person nor by the
clock nor by whoever writes into the database; another person confirms it, who sees its hash, how many it entered and
whom most often. A file is rejected by two, as any entry is taken out. A device counts as who holds it. Not stopped: two
of them together, in the log; and who enters coupon by coupon at the counter, which whoever seals, oversees or draws it
sees by person and by entrant (`promotions/entered_by.py`).
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction

from ledger.models import Act
from promotions import tick
from promotions.imports import go_on
from promotions.locks import database_time
from promotions.models import Entry, EntryList, Promotion
from promotions.run import close
from tests.attacks.insider import Answer, House
from tests.world.promotion_draws import open_day, put_in
from tests.world.promotions import running

FRIEND = "".join(f"mine {n},C-F\n" for n in range(40))
FILE = {"name": "coupons.csv", "csv": f"reference,card\n{FRIEND}"}
WHY = {"why": "Not what it should be."}


def _imported(house: House) -> int:
    """A running promotion with two honest entries, and the friend's forty; then it closes, and its draw is due."""
    open_day()
    promotion = running()
    put_in("AF")
    made = house.insider("manager", holder="manager").post("promotions/SPRING/imports", FILE).ok(201)
    assert go_on(made["id"]).entered == 40
    assert promotion.closes_at is not None
    close(code="SPRING", now=max(promotion.closes_at, database_time()))
    now = database_time()
    Promotion.objects.update(starts_at=now - timedelta(days=8), closes_at=now - timedelta(hours=1), draw_at=now)
    return int(made["id"])


def _without_the_power(house: House) -> list[Callable[..., Answer]]:
    return [house.insider("writer").post, house.insider("inspector").post, house.at_console("auditor").call]


def test_one_person_has_nothing_sealed_that_he_brought_in(house: House) -> None:
    number = _imported(house)
    himself = (house.insider("manager", holder="manager").post, house.at_console("manager").call)
    others = _without_the_power(house)
    with house.unchanged():
        for again in himself:
            assert again(f"promotions/imports/{number}/confirm").refused("same-person")
            assert again("promotions/SPRING/seal").refused("import-unconfirmed")
        for nobody in others:
            assert nobody(f"promotions/imports/{number}/confirm").refused("no-permission")
        tick.tick(database_time())
        with pytest.raises(IntegrityError, match="seen by one person only"), transaction.atomic():
            EntryList.objects.create(
                promotion=Promotion.objects.get(), number=1, root=bytes(32), count=42, sealed_at=database_time()
            )
    assert not EntryList.objects.exists()


def test_another_person_confirms_it_and_the_log_says_so(house: House) -> None:
    number = _imported(house)
    supervisor, other = house.insider("supervisor"), house.insider("manager")
    with house.unchanged(but={"promotion.import-confirmed"}):
        assert supervisor.post(f"promotions/imports/{number}/confirm").ok()["confirmed_at"]
        assert other.post(f"promotions/imports/{number}/confirm").refused("already-confirmed")
    begun, seen = (Act.objects.get(kind=f"promotion.import-{word}") for word in ("begun", "confirmed"))
    assert begun.actor != seen.actor
    assert (seen.data["sha256"], seen.data["entered"]) == (begun.data["sha256"], 40)
    house.at_console("manager").call("promotions/SPRING/seal").ok()
    assert EntryList.objects.get().count == 42


def test_one_person_takes_out_no_file(house: House) -> None:
    number = _imported(house)
    supervisor, others = house.insider("supervisor", holder="supervisor"), _without_the_power(house)
    reject = f"promotions/imports/{number}/reject"
    with house.unchanged(but={"promotion.import-rejection-said"}):
        assert supervisor.post(reject, WHY).ok()["rejected_at"] is None
        for again in (supervisor.post, house.at_console("supervisor").call):
            assert again(reject, WHY).refused("same-person")
        for nobody in others:
            assert nobody(reject, WHY).refused("no-permission")
        tick.tick(database_time())
    assert Act.objects.filter(kind="promotion.import-rejection-said").count() == 1
    assert Entry.objects.filter(withdrawn_at=None).count() == 42


def test_two_people_reject_it_with_one_act_and_the_list_is_sealed_without_it(house: House) -> None:
    number = _imported(house)
    reject = f"promotions/imports/{number}/reject"
    kinds = {"promotion.import-rejection-said", "promotion.import-rejected"}
    manager, supervisor, other = house.at_console("manager"), house.insider("supervisor"), house.insider("manager")
    with house.unchanged(but=kinds):
        manager.call(reject, WHY).ok()  # who brought it in has found it out himself
        assert supervisor.post(reject, WHY).ok()["rejected_at"] is not None
        assert other.post(reject, WHY).refused("already-rejected")
        assert other.post(f"promotions/imports/{number}/confirm").refused("already-rejected")
    act = Act.objects.get(kind="promotion.import-rejected")
    assert (act.data["withdrawn"], act.data["why"], act.data["clause"]) == (40, WHY["why"], "nsw-promo-2025:17.9")
    tick.tick(database_time())
    assert EntryList.objects.get().count == 2
    assert supervisor.post(reject, WHY).refused("promotion-sealed", "promotion-drawn")
