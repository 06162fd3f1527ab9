"""Two terminals and one limit: the room under it is used once. Without the lock it would be used twice."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable
from datetime import datetime

import pytest
from django.db import connection, transaction
from django.utils import timezone

from house.models import Player, PlayLine
from house.plan_days import ensure_gaming_days
from house.players import cards, limits, play
from house.rules.limits import Kind
from kernel.actors import Actor, system
from kernel.money import Money
from kernel.refusal import Refusal

pytestmark = pytest.mark.django_db(transaction=True)

BY = Actor(identity="staff:s", name="S", permissions=frozenset({"players.manage", "players.limits"}))
TERMINALS = 4


@pytest.fixture
def player() -> Player:
    ensure_gaming_days()
    player = cards.register_player(name="Pat Morgan", card="C-1", by=BY)
    limits.set_limit(player_number=player.number, kind="loss", period="day", amount=Money.dollars(100), by=BY)
    return player


def all_at_once(monkeypatch: pytest.MonkeyPatch, *, patience: float) -> list[str]:
    """Each terminal wagers $60; between looking at the room and using it, every one that can waits for the others."""
    looked = threading.Barrier(TERMINALS)
    look = limits.room

    def look_and_wait(*args: object, **more: datetime) -> Money | None:
        found = look(*args, **more)  # type: ignore[arg-type]
        with contextlib.suppress(threading.BrokenBarrierError):  # the lock kept the others out, as it should
            looked.wait(timeout=patience)
        return found

    monkeypatch.setattr(play, "room", look_and_wait)
    outcomes: list[str] = []

    def terminal() -> None:
        try:
            with transaction.atomic():
                play.take_wager(card="C-1", amount=Money.dollars(60), place="keno", reference="t", by=system("till"))
            outcomes.append("sold")
        except Refusal as refusal:
            outcomes.append(refusal.code)
        finally:
            connection.close()

    threads = [threading.Thread(target=terminal) for _ in range(TERMINALS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sorted(outcomes)


@pytest.mark.clause("nsw-csp:16.3")
def test_the_room_under_a_limit_is_used_once(player: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    assert all_at_once(monkeypatch, patience=0.2) == ["loss-limit"] * (TERMINALS - 1) + ["sold"]
    assert limits.limit_statuses(player)[0].used == Money.dollars(60)


def test_without_the_lock_it_would_be_used_by_all(player: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    unlocked: Callable[[str], Player] = lambda number: Player.objects.get(number=number)  # noqa: E731
    monkeypatch.setattr(play, "lock_player", unlocked)
    assert all_at_once(monkeypatch, patience=30) == ["sold"] * TERMINALS
    assert PlayLine.objects.filter(day=limits.day_of(Kind.LOSS, timezone.now())).count() == TERMINALS
