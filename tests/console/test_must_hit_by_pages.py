"""The page of a must-hit-by link: what decides it today, that it is undecided, and an inspector's dice."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from draws.models import Commitment
from jackpot.decide import decide_movements
from jackpot.demo import build_demo
from jackpot.models import Link, MeterSeal
from tests.world.mystery_link import open_mystery_link, played
from tests.world.second_party import AtHand

SignedIn = Callable[[str], Client]


@pytest.fixture
def link(venue: None) -> Link:
    build_demo()
    return open_mystery_link()


def test_undecided_and_an_inspectors_dice(link: Link, signed_in: SignedIn, second_party: AtHand) -> None:
    second_party.away = True
    played(boxes=2)
    decide_movements(timezone.now() - timedelta(seconds=9))
    seal = MeterSeal.objects.get()
    inspector, manager = signed_in("inspector"), signed_in("manager")
    page = inspector.get("/jackpots/MYS/").content.decode()
    assert "Must be hit by" in page
    assert "Undecided:" in page
    assert bytes(Commitment.objects.get().commitment).hex()[:4] in page
    address = f"/jackpots/movements/{seal.pk}/dice/"
    assert address in page
    assert address not in manager.get("/jackpots/MYS/").content.decode()
    assert manager.get(address).status_code == 403
    assert inspector.get(address).status_code == 200
    assert inspector.post(address, {"dice": "123", "why": "The line is down."}).status_code == 422
    assert inspector.post(address, {"dice": "123456" * 10, "why": "The line is down."}).status_code == 302
    assert decide_movements(timezone.now()) == 1
    assert MeterSeal.objects.get().how == "dice"
    assert "Undecided:" not in inspector.get("/jackpots/MYS/").content.decode()
