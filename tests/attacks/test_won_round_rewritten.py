"""Somebody with the database's password changes the cards of a round, what was displayed, or what a hit is worth.

What stops it: rounds and hits cannot be changed once they are recorded (triggers), and where these are off, a hit is
computed again before it is paid, from the acts in the sealed log: wagers, displayed amounts, the hash over its cards. A
difference stops the payment and is an incident. What would not be stopped: cards shown wrongly at the table itself,
before anybody has looked; the second person who looks at them is there for that.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.db import DatabaseError, transaction

from house.models import Incident
from jackpot.models import Hit, Round
from kernel.money import Money
from tests.attacks.felt import FULL_HOUSE, WHO, deal, seen
from tests.attacks.insider import House
from tests.world.owner import unguarded

CHANGES = {
    "the cards": "UPDATE jackpot_round SET hands = replace(hands::text, '4S', 'AS')::jsonb",
    "the amount": "UPDATE jackpot_hit SET amount = amount + 10000, from_house = from_house + 10000",
    "its place": "UPDATE jackpot_hit SET box = 2",
    "another round’s acts": "UPDATE jackpot_round SET finished_act = started_act",
}


@pytest.mark.parametrize("what", CHANGES)
def test_it_is_not_paid(house: House, what: str) -> None:
    dealer, supervisor, manager = (house.insider(role) for role in ("table", "supervisor", "manager"))
    hit = deal(dealer, FULL_HOUSE)["id"]
    supervisor.post(f"jackpot/hits/{hit}/verify", seen(FULL_HOUSE)).ok()
    with unguarded("jackpot_round", "jackpot_hit") as cursor:
        cursor.execute(CHANGES[what])
    for _ in range(2):
        assert manager.post(f"jackpot/hits/{hit}/pay", {"identity": WHO, "reference": "CHQ 1"}).refused("hit-differs")
    assert Hit.objects.get(pk=hit).status == "verified"
    assert Incident.objects.filter(kind="jackpot-hit-differs").count() == 1


def test_the_database_itself_refuses(house: House) -> None:
    deal(house.insider("table"), FULL_HOUSE)
    played, won = Round.objects.all(), Hit.objects.all()
    changes: tuple[Callable[[], object], ...] = (
        lambda: played.update(hands=[]),
        lambda: played.update(displayed={"prize": "1.00"}),
        lambda: played.update(folded=[1]),
        lambda: played.update(fed=0),
        lambda: won.update(amount=Money.cents(1), from_house=Money.cents(1)),
        lambda: won.update(place=2),
        lambda: won.update(hand="royal-flush"),
    )
    for change in changes:
        with pytest.raises(DatabaseError), transaction.atomic():
            change()
