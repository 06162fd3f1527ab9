"""Who cannot withdraw his friend's rivals alone excludes their cards instead: employees', he says, or of a household.
Before the seal, so that the list leaves them out; or between the seal and the draw, so that they are passed over.

What stops it: what was entered before is left out once a second person has confirmed the exclusion, and a device counts
as who holds it. Until then the entry is in the list and can be drawn; whether it is paid is decided at the claim, by
two people and the scrutineer. Not stopped: one person keeps a card from entering anything more, in the log, until
two others readmit it; and two of them together.
"""

from __future__ import annotations

import pytest

from ledger.models import Act
from promotions.claims import make_claim
from promotions.draw import draw_promotion
from promotions.locks import database_time
from promotions.models import Draw, Entry, EntryList, ExcludedCard
from promotions.run import close
from promotions.seal import seal
from tests.attacks.promotions import Insiders, refused_answer
from tests.world import promotion_draws as world
from tests.world.promotion_draws import failed, promised, published, refused
from tests.world.promotions import running

pytestmark = pytest.mark.django_db
RIVALS = "BCDE"


def _exclude(insiders: Insiders, people: str) -> None:
    """As far as one person gets: by his token, and once more from his console."""
    for person in people:
        body = {"card": f"C-{person}", "why": "employee"}
        assert insiders.manager.post("promotions/excluded-cards", body).status_code == 201
        for again in (insiders.manager, insiders.at_console("manager")):
            refused_answer(again.post(f"promotions/excluded-cards/C-{person}/confirm"), "same-person")
    refused_answer(insiders.supervisor.post(f"promotions/excluded-cards/C-{people[0]}/confirm"), "no-permission")
    assert not ExcludedCard.objects.exclude(confirmed_at=None).exists()
    assert not Act.objects.filter(kind="promotion.exclusion-confirmed").exists()


def test_one_person_leaves_nobody_out_of_the_list_nor_of_the_draw() -> None:
    insiders = Insiders()
    world.open_day()
    promotion = running()
    world.put_in("A" + RIVALS)
    _exclude(insiders, RIVALS[:-1])
    assert promotion.closes_at is not None
    close(code="SPRING", now=max(promotion.closes_at, database_time()))
    seal(code="SPRING", now=promotion.draw_at)
    assert EntryList.objects.get().count == 1 + len(RIVALS)
    assert not Entry.objects.exclude(withdrawn_at=None).exists()
    _exclude(insiders, RIVALS[-1])
    noted = promised()
    draw_promotion(code="SPRING", by=world.supervisor(), now=promotion.draw_at)
    assert Draw.objects.get().barred == []
    assert failed(published(), noted) == []


def test_a_rival_who_was_drawn_claims_nothing_while_he_is_excluded() -> None:
    """What one person may do at once stays: nothing is paid out to whom he may have found out."""
    insiders = Insiders()
    world.drawn("BBB")
    (win,) = world.wins()
    _exclude(insiders, "B")
    answer = refused(
        make_claim, win_id=win.pk, name="Ben", address="1 Lake Street", by=world.supervisor(), now=win.won_at
    )
    assert answer[0] == "not-eligible"


def test_two_people_leave_him_out_and_the_log_says_so() -> None:
    insiders = Insiders()
    promotion = world.closed("ABBA")
    _exclude(insiders, "B")
    confirmed = insiders.other_manager.post("promotions/excluded-cards/C-B/confirm")
    assert confirmed.status_code == 200
    assert confirmed.json()["confirmed_at"] is not None
    act = Act.objects.get(kind="promotion.exclusion-confirmed")
    assert act.subject == f"excluded-card:{ExcludedCard.objects.get().pk}"
    assert "C-B" not in str(act.data)
    assert seal(code="SPRING", now=promotion.closes_at).count == 2
