"""Entries earned by wagers: counted from what was wagered, added and taken back, until the list is sealed."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import transaction
from hypothesis import given
from hypothesis import strategies as st

from house.models import Player, PlayerCard, PlayLine, Restriction
from house.players.cards import register_player
from house.players.restrict import lift, restrict
from kernel.actors import Actor
from kernel.money import ZERO, Money
from kernel.refusal import Conflict
from promotions import earn
from promotions.earn import count_earned, entitled
from promotions.enter import enter
from promotions.exclude import exclude_card
from promotions.locks import database_time
from promotions.models import Entry, Promotion
from promotions.rules.editions import edition
from promotions.rules.terms import check, read
from promotions.run import close
from promotions.seal import seal
from tests.world import promotions as at
from tests.world.people import actor

KENO = {"on": ["keno"], "per": "20.00", "entries": 1}


DESK = Actor(identity="staff:desk", name="Desk", permissions=frozenset({"players.manage", "players.restrict"}))
CARDS = {"P-1": "C-1", "P-2": "C-2", "P-3": "C-3"}


class Play:
    """What the house knows of the play, as the rooms that take wagers leave it there."""

    def __init__(self) -> None:
        for name, card in CARDS.items():
            made = register_player(name=name, card=card, by=DESK)
            Player.objects.filter(pk=made.pk).update(number=name)
        PlayerCard.objects.create(number="C-1B", player=Player.objects.get(number="P-1"), issued_at=database_time())

    def wager(self, player: str, dollars: str, place: str = "keno", when: datetime | None = None) -> None:
        amount = Money.parse(dollars)
        PlayLine.objects.create(
            player=Player.objects.get(number=player.removeprefix("player:")),
            at=when or database_time(),
            day=database_time().date(),
            kind="wager" if amount > ZERO else "refund",
            loss=amount.micros,
            place=place,
            by="test",
        )

    def exclude(self, player: str) -> Restriction:
        return restrict(player_number=player.removeprefix("player:"), kind="exclusion", reason="Asked for it.", by=DESK)


@pytest.fixture
def play(db: None) -> Play:
    return Play()


def standing(**of: Any) -> int:
    return Entry.objects.filter(withdrawn_at=None, **of).count()


@pytest.mark.clause("nsw-promo-2025:17.7.1-11")
def test_one_entry_for_every_20_dollars_of_keno_in_the_window(play: Play) -> None:
    promotion = at.running(earning=KENO)
    play.wager("player:P-1", "39.99")
    play.wager("player:P-2", "20.00")
    play.wager("player:P-2", "500.00", place="CSP-01")
    play.wager("player:P-2", "500.00", when=at.began(promotion) - timedelta(seconds=1))
    play.wager("player:P-2", "500.00", when=promotion.closes_at)
    play.wager("player:P-3", "19.99")
    assert count_earned(code="SPRING") == 2
    assert count_earned(code="SPRING") == 0  # counting again changes nothing
    play.wager("player:P-1", "0.01")
    play.wager("player:P-3", "60.01")
    assert count_earned(code="SPRING") == 5
    assert {who: standing(entrant__identity=f"player:P-{who}") for who in (1, 2, 3)} == {1: 2, 2: 1, 3: 4}
    for entry in Entry.objects.select_related("entrant"):
        assert entry.source == "earned"
        assert bytes(entry.leaf) == at.leaf_of(entry)


def test_what_is_taken_back_takes_its_entries_and_wagering_again_earns_others(play: Play) -> None:
    at.running(earning=KENO)
    play.wager("player:P-1", "60.00")
    count_earned(code="SPRING")
    play.wager("player:P-1", "-25.00")  # a ticket cancelled
    count_earned(code="SPRING")
    assert standing() == 1
    gone = Entry.objects.exclude(withdrawn_at=None).order_by("id")
    assert [entry.reference.rpartition("/")[2] for entry in gone] == ["2", "3"]  # the newest
    play.wager("player:P-1", "25.00")
    assert count_earned(code="SPRING") == 2
    assert (standing(), Entry.objects.count()) == (3, 5)
    play.wager("player:P-1", "-100.00")
    count_earned(code="SPRING")
    assert standing() == 0


def test_a_minimum_wager_a_limit_and_who_may_take_part_hold_for_earned_entries_too(play: Play) -> None:
    at.running(earning=KENO, minimum_wager="50.00", limit_per_person=3)
    play.wager("player:P-1", "49.99")
    assert count_earned(code="SPRING") == 0
    play.wager("player:P-1", "1000.00")
    writer = actor("device:W-1", "writer")
    enter(code="SPRING", card="C-1B", wagered=Money.parse("50.00"), by=writer)  # another card of the same player
    assert count_earned(code="SPRING") == 2
    assert standing(entrant__identity="player:P-1") == 3
    play.wager("player:P-2", "100.00")
    ban = play.exclude("player:P-2")
    assert count_earned(code="SPRING") == 0
    for other in (at.manager(), at.manager("ben")):
        lift(restriction_id=ban.pk, by=other)
    assert count_earned(code="SPRING") == 3
    exclude_card(card="C-2", why="household", by=at.manager())
    count_earned(code="SPRING")
    assert standing(entrant__identity="player:P-2") == 0


def test_wagers_before_the_close_are_counted_until_the_list_is_sealed(play: Play) -> None:
    at.running(earning=KENO)
    promotion = Promotion.objects.get()
    play.wager("player:P-1", "20.00", when=at.began(promotion) + timedelta(seconds=1))
    at.due()
    close(code="SPRING")
    play.wager("player:P-2", "40.00", when=at.began(promotion) + timedelta(seconds=1))  # written late
    assert seal(code="SPRING").count == 3
    assert count_earned(code="SPRING") == 0


def test_the_seal_waits_until_every_wager_from_before_the_close_is_written(
    play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    at.running(earning=KENO)
    at.due()
    close(code="SPRING")
    monkeypatch.setattr(earn, "all_counted", lambda promotion: False)
    with pytest.raises(Conflict) as refused, transaction.atomic():
        seal(code="SPRING")
    assert refused.value.code == "wagers-under-way"
    assert Promotion.objects.get().status == "closed"


@pytest.mark.parametrize(
    "odd",
    [
        {},
        [],
        {"on": [], "per": "20.00"},
        {"on": ["keno"], "per": "0.00"},
        {"on": ["keno"]},
        {"on": "keno", "per": "20.00"},
        {"on": ["keno"], "per": "20.00", "entries": 0},
        {"on": ["keno"], "per": "20.00", "free": 1},
    ],
)
def test_a_rule_of_earning_that_cannot_be_meant_is_on_the_checklist(odd: dict[str, Any] | list[Any]) -> None:
    lines = check(at.terms(earning=odd), edition("2025"))
    assert [(line.field, line.clause) for line in lines] == [("earning", "nsw-promo-2025:17.7.4")]


def test_earning_needs_a_card() -> None:
    lines = check(at.terms(earning=KENO, card_required=False), edition("2025"))
    assert [line.field for line in lines] == ["card_required"]


AMOUNTS = st.integers(-5_000, 1_000_000)


@given(cents=AMOUNTS, per=st.integers(1, 10_000), entries=st.integers(1, 5), least=st.integers(1, 10_000))
def test_what_is_earned_in_whole_cents(cents: int, per: int, entries: int, least: int) -> None:
    """Against arithmetic in cents: whole steps of *per*, none below the minimum."""
    terms = read(
        at.terms(
            earning={"on": ["keno"], "per": str(Money.cents(per)), "entries": entries},
            minimum_wager=str(Money.cents(least)),
        ),
        edition("2025"),
    )
    steps = 0
    while (steps + 1) * per <= cents and steps < 2_000:
        steps += 1
    if steps < 2_000:
        assert entitled(Money.cents(cents), terms) == (steps * entries if cents >= least else 0)
