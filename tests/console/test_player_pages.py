"""A player at the desk: registered, limited, kept out and let back, on the pages."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client

from house.models import LimitChange, Player, Restriction
from house.players import limits, restrict
from kernel.money import Money
from tests.world.people import someone

SignedIn = Callable[[str], Client]


@pytest.fixture
def player(signed_in: SignedIn) -> Player:
    page = signed_in("supervisor").post("/players/register/", {"name": "Pat Morgan", "card": "C-1"}, follow=True)
    player = Player.objects.get(name="Pat Morgan")
    assert page.redirect_chain == [(f"/players/{player.number}/", 302)]
    assert "Pat Morgan is registered as" in page.content.decode()
    return player


def test_a_limit_from_the_desk(player: Player, signed_in: SignedIn) -> None:
    supervisor = signed_in("supervisor")
    page = f"/players/{player.number}/"
    supervisor.post(f"{page}limits/", {"which": "loss-week", "amount": "$1,200.50"})
    (standing,) = limits.limit_statuses(player)
    assert (standing.kind, standing.period, standing.amount) == ("loss", "week", Money.parse("1200.50"))
    raised = supervisor.post(f"{page}limits/", {"which": "loss-week", "amount": ""}, follow=True).content.decode()
    assert "it counts once it has cooled off" in raised
    assert "No limit" in raised
    for amount, said in (("-1", "cannot be negative"), ("12.505", "Write dollars and cents"), ("ten", "Write dollars")):
        answer = supervisor.post(f"{page}limits/", {"which": "loss-week", "amount": amount})
        assert answer.status_code == 422
        assert said in answer.content.decode()
    assert LimitChange.objects.count() == 2


def test_kept_out_and_let_back_by_another(player: Player, signed_in: SignedIn) -> None:
    page = f"/players/{player.number}/"
    supervisor = signed_in("supervisor")
    form = {"kind": "exclusion", "scope": "keno", "reason": "Disturbed the draw."}
    assert "May not play" in supervisor.post(f"{page}restrictions/", form, follow=True).content.decode()
    made = Restriction.objects.get()
    assert (made.kind, made.scope) == ("exclusion", "keno")
    lift, confirm = (f"{page}restrictions/{made.pk}/{step}/" for step in ("lift", "confirm"))
    for step in (lift, confirm):
        assert step not in supervisor.get(page).content.decode()
        assert supervisor.post(step).status_code == 403
    manager = signed_in("manager")
    assert confirm in manager.get(page).content.decode()
    shown = manager.post(confirm, follow=True).content.decode()
    assert ("confirmed by" in shown, confirm in shown, lift in shown) == (True, False, True)
    shown = manager.post(lift, follow=True).content.decode()
    assert ("another person says so" in shown, lift in shown) == (True, False)
    assert manager.post(lift).status_code == 403
    restrict.lift(restriction_id=made.pk, by=someone("manager", "ben"))
    assert not restrict.lasting(player, made.from_at.replace(year=made.from_at.year + 1)).exists()
    refused = supervisor.post(f"{page}restrictions/", form | {"kind": "break"})
    assert refused.status_code == 422
    assert "A break has an end" in refused.content.decode()
    assert Restriction.objects.count() == 1


def test_another_card_stops_the_first(player: Player, signed_in: SignedIn) -> None:
    supervisor = signed_in("supervisor")
    page = f"/players/{player.number}/"
    taken = supervisor.post(f"{page}cards/", {"card": "C-1"})
    assert taken.status_code == 409
    assert "has been issued before" in taken.content.decode()
    supervisor.post(f"{page}cards/", {"card": "C-2"})
    assert list(player.cards.filter(cancelled_at=None).values_list("number", flat=True)) == ["C-2"]
    supervisor.post(f"{page}cards/C-2/cancel/", {"comment": "lost"})
    assert "No valid card" in supervisor.get("/players/?q=pat").content.decode()
    assert "Pat Morgan" not in supervisor.get("/players/?q=lee").content.decode()
    assert "Pat Morgan" in supervisor.get("/players/?q=C-2").content.decode()
