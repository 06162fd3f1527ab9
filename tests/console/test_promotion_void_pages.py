"""The draw room, the stage and the public page once the witness is asked: a draw that waits, is thrown, is void."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client

from house.models import Incident, Proposal
from promotions.models import Draw, Promotion
from promotions.pages import stage
from promotions.tick import tick_draws
from tests.console.test_promotion_pages import passes, text
from tests.world.promotion_draws import drawn, overseen, sealed
from tests.world.promotions import prize
from tests.world.second_party import AtHand

SignedIn = Callable[[str], Client]
ROOM = {"referer": "http://testserver/promo/SPRING/room/"}


@pytest.mark.clause("nsw-promo-2019:15.12")
def test_void_after_asking_takes_two_and_the_inspector(signed_in: SignedIn) -> None:
    manager = signed_in("manager")
    drawn(edition="2019", prizes=[prize(quantity=2)])
    assert signed_in("supervisor").post("/promo/SPRING/room/integrity/postpone/").status_code == 403
    late = manager.post("/promo/SPRING/room/integrity/postpone/", {"comment": "x"}, headers=ROOM, follow=True)
    assert "propose that it is void" in text(late)
    assert "Propose that it is void" in text(manager.get("/promo/SPRING/room/"))
    manager.post("/promo/SPRING/room/void/", {"comment": "A barrel stood open."})
    proposal = Proposal.objects.get(kind="promotions.void-draw")
    gave = Draw.objects.get().numbers
    for who in ("supervisor", "inspector"):
        assert Promotion.objects.get().status == "drawn"
        signed_in(who).post(f"/approvals/{proposal.pk}/approve/")
    assert Promotion.objects.get().status == "postponed"
    assert Incident.objects.get().kind == "promotion-compromised-2019"
    told = text(Client().get("/promotions/SPRING/"))
    assert "Attempt 1 is void" in told
    assert f"It would have given {', '.join(map(str, gave))}." in told
    assert "It gave" in text(manager.get("/promo/SPRING/room/"))
    assert "seal it anew" not in text(manager.get("/promo/SPRING/room/"))  # the list was asked about
    manager.post("/promo/SPRING/room/integrity/resume/", {"comment": "Counted by two people."})
    assert Promotion.objects.get().status == "sealed"
    manager.post("/promo/SPRING/room/integrity/cancel/", {"comment": "Given up."})
    assert Promotion.objects.get().status == "cancelled"
    assert manager.post("/promo/SPRING/room/integrity/burn/").status_code == 404


def test_a_draw_that_waits_says_so_everywhere_and_goes_on_by_dice(signed_in: SignedIn, second_party: AtHand) -> None:
    supervisor, inspector = signed_in("supervisor"), signed_in("inspector")
    promotion = sealed()
    second_party.away = True
    passes("SPRING", promotion.draw_at - promotion.starts_at)  # type: ignore[operator]
    said = text(supervisor.post("/promo/SPRING/room/draw/", follow=True))
    assert "The witness does not answer. The draw waits" in said
    assert "Waits for the witness." in said
    assert "The witness does not answer" in text(supervisor.get("/"))  # the home page
    assert "The draw waits" in text(Client().get(stage.address("SPRING")))
    public = text(Client().get("/promotions/SPRING/"))
    assert "The draw is under way" in public
    assert "no answer yet" in public
    assert "Throw dice" not in text(inspector.get("/promo/SPRING/room/"))  # not before the scrutineer is there
    overseen()
    assert "Throw dice in its place" in text(inspector.get("/promo/SPRING/room/"))
    thrown = {"dice": "165423" * 10, "comment": "The line is down."}
    assert supervisor.post("/promo/SPRING/room/dice/", thrown).status_code == 403
    inspector.post("/promo/SPRING/room/dice/", thrown)
    tick_draws(Promotion.objects.get().draw_at)  # type: ignore[arg-type]
    assert Promotion.objects.get().status == "drawn"
    for page in (supervisor.get("/promo/SPRING/room/"), Client().get("/promotions/SPRING/")):
        assert "Unwitnessed:" in text(page)
    assert "Unwitnessed" in text(Client().get(stage.address("SPRING")))
