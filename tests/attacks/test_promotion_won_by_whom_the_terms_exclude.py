"""An employee's spouse, somebody under age, somebody excluded: each tries it at every step, with an insider's help.

What stops it: one gate at entry, seal, draw, claim, acceptance and payment, by what is on record at that moment, with
whatever card. Who is found out late loses the prize by two people and the scrutineer, and the next one of the
same proof wins. Not stopped: a spouse whom nobody has put on the list and who lies at the claim; the claim says in the
log that she was asked.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

import pytest

from house.models import PlayerCard
from house.players.age import record_birth, today
from house.players.cards import issue_card
from house.players.restrict import confirm, restrict
from house.rules.age import last_birthday_of_age
from kernel.actors import Actor
from promotions.claimants import Shown
from promotions.claims import accept_claim, make_claim
from promotions.draw import draw_promotion
from promotions.enter import enter
from promotions.losses import winner_ineligible
from promotions.models import Draw, Entry
from promotions.pay import Paid, pay_prize
from promotions.run import close
from promotions.seal import seal
from tests.world import promotion_draws as world
from tests.world.promotion_draws import failed, lost, owed, promised, published, refused
from tests.world.promotions import keep_out, manager, running

pytestmark = pytest.mark.django_db
DESK = Actor("staff:desk", "Desk", frozenset({"players.manage", "players.restrict"}))
OTHER_DESK = Actor("staff:other-desk", "Other desk", DESK.permissions)
TERMS: dict[str, Any] = {"minimum_age": 18, "households_excluded": True}
GOOD = Shown(date(1984, 2, 29), household=False)


def _number(person: str) -> str:
    return PlayerCard.objects.get(number=f"C-{person}").player.number


def _spouse(person: str) -> None:
    keep_out(f"C-{person}", why="household")


def _minor(person: str) -> None:
    born = last_birthday_of_age(today()) + timedelta(days=1)
    for desk in (DESK, OTHER_DESK):
        record_birth(player_number=_number(person), born=born, by=desk)


def _excluded(person: str) -> None:
    made = restrict(player_number=_number(person), kind="exclusion", reason="Asked for it.", by=DESK)
    confirm(restriction_id=made.pk, by=OTHER_DESK)


@pytest.mark.parametrize("found_out", [_spouse, _minor, _excluded])
def test_at_every_step(found_out: Callable[[str], None]) -> None:
    world.open_day()
    promotion = running(**TERMS)
    assert promotion.closes_at is not None
    found_out("A")
    issue_card(player_number=_number("A"), card="C-A2", by=DESK)
    for card in ("C-A", "C-A2", " c-a "):  # another card, another spelling
        assert refused(enter, code="SPRING", by=manager(), card=card)[0] == "not-eligible"
    world.put_in("BCDEF")
    found_out("B")
    close(code="SPRING", now=promotion.closes_at)
    seal(code="SPRING", now=promotion.closes_at)
    assert Entry.objects.filter(withdrawn_at=None).count() == 4
    found_out("C")
    draw_promotion(code="SPRING", by=world.supervisor(), now=promotion.draw_at)
    noted, (barred,) = promised(), Draw.objects.get().barred
    (win,) = world.wins()
    assert win.pick.number != barred
    asked: dict[str, Any] = {"name": "Anna", "address": "1 Lake Street", "by": world.supervisor(), "now": win.won_at}
    if found_out is _excluded:
        claim = make_claim(win_id=win.pk, shown=GOOD, **asked)
        accept_claim(claim_id=claim.pk, by=manager())
        found_out(world.person(win))
        paid = [Paid("cheque", win.value, "4711")]
        assert refused(pay_prize, claim_id=claim.pk, parts=paid, by=world.supervisor())[0] == "not-eligible"
    else:
        found_out(world.person(win))
    assert refused(make_claim, win_id=win.pk, shown=GOOD, **asked)[0] in {"not-eligible", "win-claimed"}
    assert owed() == "2000.00"
    # Lost by three, and the next one of the same proof wins; never who was passed over.
    (instead,) = lost(winner_ineligible(win_id=win.pk, why="He may not win.", by=world.supervisor()))
    order = [number for number in published()["proof"]["numbers"] if number != barred]
    assert (win.pick.number, instead.pick.number) == (order[0], order[1])
    assert failed(published(), noted) == []
