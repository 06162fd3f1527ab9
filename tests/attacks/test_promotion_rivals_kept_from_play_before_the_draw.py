"""Who cannot exclude his friend's rivals from promotions alone keeps them from play instead, or writes down that they
are seventeen: before the seal, so that the list leaves them out, or between the seal and the draw.

What stops it: what was entered before is left out once a second person has confirmed the restriction, or has written
down the same date of birth; a device counts as who holds it. Until then the entry is in the list and can be drawn, and
the claim decides. Not stopped: one person keeps somebody from play, from entering and from claiming, in the log, until
another lifts it; and two of them together.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from house.models import Player, PlayerCard, Restriction
from ledger.models import Act
from promotions.claims import make_claim
from promotions.draw import draw_promotion
from promotions.models import Draw, Entry, EntryList
from promotions.seal import seal
from tests.attacks.promotions import Insiders, refused_answer
from tests.world import promotion_draws as world
from tests.world.promotion_draws import failed, promised, published, refused

pytestmark = pytest.mark.django_db
RIVALS = "BCDE"
YOUNG = {"born": "2020-05-05"}


def _number(person: str) -> str:
    return PlayerCard.objects.get(number=f"C-{person}").player.number


def _keep_from_play(insiders: Insiders, person: str, kind: str) -> None:
    body = {"kind": kind, "reason": "He says so."}
    made = insiders.supervisor.post(f"players/{_number(person)}/restrictions", body).json()
    for again in (insiders.supervisor, insiders.at_console("supervisor")):
        refused_answer(again.post(f"restrictions/{made['id']}/confirm"), "same-person")


def _excluded(insiders: Insiders, person: str) -> None:
    _keep_from_play(insiders, person, "exclusion")


def _employed(insiders: Insiders, person: str) -> None:
    _keep_from_play(insiders, person, "employee")


def _young(insiders: Insiders, person: str) -> None:
    """He writes it down again and again; it stays one person's word."""
    for again in (insiders.supervisor, insiders.supervisor, insiders.at_console("supervisor")):
        assert again.post(f"players/{_number(person)}/birth", YOUNG).status_code == 200
    (kept,) = Restriction.objects.filter(player__number=_number(person))
    refused_answer(insiders.supervisor.post(f"restrictions/{kept.pk}/confirm"), "same-person")


WAYS = [_excluded, _employed, _young]
Way = Callable[[Insiders, str], None]


@pytest.mark.parametrize("way", WAYS)
def test_one_person_leaves_nobody_out_of_the_list_nor_of_the_draw(way: Way) -> None:
    insiders = Insiders()
    promotion = world.closed("A" + RIVALS)
    for rival in RIVALS[:-1]:
        way(insiders, rival)
    seal(code="SPRING", now=promotion.draw_at)
    assert EntryList.objects.get().count == 1 + len(RIVALS)
    assert not Entry.objects.exclude(withdrawn_at=None).exists()
    way(insiders, RIVALS[-1])
    noted = promised()
    draw_promotion(code="SPRING", by=world.supervisor(), now=promotion.draw_at)
    assert Draw.objects.get().barred == []
    assert failed(published(), noted) == []
    assert not Restriction.objects.exclude(confirmed_at=None).exists()
    assert not Player.objects.exclude(born_confirmed_by=None).exists()
    assert not Act.objects.filter(kind__in=["player.restriction-confirmed", "player.birth-confirmed"]).exists()


@pytest.mark.parametrize("way", WAYS)
def test_a_rival_who_was_drawn_claims_nothing_in_the_meantime(way: Way) -> None:
    insiders = Insiders()
    world.drawn("BBB")
    (win,) = world.wins()
    way(insiders, "B")
    answer = refused(
        make_claim, win_id=win.pk, name="Ben", address="1 Lake Street", by=world.supervisor(), now=win.won_at
    )
    assert answer[0] == "not-eligible"


@pytest.mark.parametrize("way", WAYS)
def test_two_people_leave_him_out_and_the_log_says_so(way: Way) -> None:
    insiders = Insiders()
    promotion = world.closed("ABBA")
    way(insiders, "B")
    if way is _young:
        confirmed = insiders.manager.post(f"players/{_number('B')}/birth", YOUNG)
    else:
        confirmed = insiders.manager.post(f"restrictions/{Restriction.objects.get().pk}/confirm")
    assert confirmed.status_code == 200
    kind = "player.birth-confirmed" if way is _young else "player.restriction-confirmed"
    assert Act.objects.get(kind=kind).subject == f"player:{_number('B')}"
    assert seal(code="SPRING", now=promotion.closes_at).count == 2
