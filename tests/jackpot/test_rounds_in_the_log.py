"""A round is in the sealed log, its hands too: one that won is there as a hash until somebody has seen it."""

from __future__ import annotations

from typing import Any

import pytest

from jackpot.hits import deny_hit
from jackpot.models import Round
from jackpot.rules.sealed_hands import seal_of
from ledger.models import Act
from tests.jackpot.dealt import FULL_HOUSE, NOTHING, ROYAL, cards
from tests.world.jackpot_table import finish, start, verify
from tests.world.people import MANAGER

pytestmark = pytest.mark.usefixtures("floor")


def said(kind: str) -> dict[str, Any]:
    data: dict[str, Any] = Act.objects.filter(kind=kind).order_by("-id")[0].data
    return data


def test_its_beginning_says_wagers_and_what_was_displayed() -> None:
    round_ = start(boxes=(3, 1))
    act = said("jackpot.round-started")
    assert (act["round"], act["table"], act["terms"], act["boxes"]) == (round_.pk, "CSP-01", 1, [1, 3])
    assert act["displayed"] == {"prize": "50000.00"}
    assert str(act["seen"]).count(":") == 2


def test_its_end_says_hands_and_hides_what_is_to_be_verified() -> None:
    round_ = start(boxes=(1, 2, 3))
    hits = finish(round_, cards(1, FULL_HOUSE), cards(2, NOTHING), folded=(3,))
    act = said("jackpot.round-finished")
    won, lost = act["hands"]
    assert lost == {"box": 2, "declared": True, "pieces": NOTHING.split(), "sealed": None}
    assert won["pieces"] is None
    assert (act["folded"], act["void"]) == ([3], [])
    assert act["pools"]["prize"] == "50005.25"  # its own wagers included
    assert not any(card in str(Act.objects.values_list("data", flat=True)) for card in FULL_HOUSE.split())
    verify(hits[0])
    shown = said("jackpot.hit-verified")["dealt"]
    assert shown["pieces"] == FULL_HOUSE.split()
    opened = seal_of(
        round_id=round_.pk,
        box=1,
        pieces=FULL_HOUSE.split(),
        salt=bytes.fromhex(shown["salt"]),
    )
    assert opened.hex() == won["sealed"]


def test_a_denied_hit_shows_its_hand_too_and_each_has_a_salt_of_its_own() -> None:
    first, *_, last = finish(start(boxes=(1, 2)), cards(1, ROYAL), cards(2, FULL_HOUSE))
    verify(first)
    salt = said("jackpot.hit-verified")["dealt"]["salt"]
    deny_hit(hit_id=last.pk, reason="Not seen by surveillance.", by=MANAGER)
    shown = said("jackpot.hit-denied")["dealt"]
    assert shown["pieces"] == ROYAL.split()
    assert shown["salt"] != salt
    assert Round.objects.get().salt is not None
