"""A supervisor verifies a royal flush from his office: without cards, without surveillance, or by guessing."""

from __future__ import annotations

from typing import Any

from house.models import Incident
from jackpot.models import Hit
from tests.attacks.felt import CAMERA, OTHER_ROYAL, ROYAL, deal, seen
from tests.attacks.insider import House

REFUSED: tuple[tuple[dict[str, Any], str], ...] = (
    ({}, "cards-missing"),
    ({"surveillance": CAMERA}, "cards-missing"),
    ({"cards": [], "surveillance": CAMERA}, "cards-missing"),
    ({"tiles": [], "surveillance": CAMERA}, "cards-missing"),
    ({"cards": ROYAL}, "surveillance-missing"),
    ({"cards": ROYAL, "surveillance": "  "}, "surveillance-missing"),
    ({"cards": ROYAL[:4], "surveillance": CAMERA}, "hand-void"),
    ({"cards": [*ROYAL[:4], "??"], "surveillance": CAMERA}, "card-not-in-deck"),
    ({"cards": ROYAL, "tiles": ROYAL, "surveillance": CAMERA}, "malformed"),
)


def test_a_blank_verification_is_none(house: House) -> None:
    hit = deal(house.insider("table"))
    supervisor = house.insider("supervisor")
    with house.unchanged():
        for body, code in REFUSED:
            assert supervisor.post(f"jackpot/hits/{hit['id']}/verify", body).refused(code, "malformed"), body
    assert Hit.objects.get().wrong_entries.count() == 0  # nothing of this was a hand


def test_a_guess_is_counted_and_the_third_is_an_incident(house: House) -> None:
    hit = deal(house.insider("table"))
    supervisor = house.insider("supervisor")
    verify = f"jackpot/hits/{hit['id']}/verify"
    for count in (1, 2, 3):
        with house.unchanged(but={"incident.reported"} if count == 3 else ()):
            answer = supervisor.post(verify, seen(OTHER_ROYAL), key=f"guess-{count}")
            assert answer.refused("hand-differs")
            assert not any(card in answer.body["detail"] for card in ROYAL)
            supervisor.post(verify, seen(OTHER_ROYAL), key=f"guess-{count}")  # the same once more is not another
        assert Hit.objects.get().wrong_entries.count() == count
    assert Incident.objects.get().kind == "jackpot-hand-not-confirmed"
    with house.unchanged():
        assert supervisor.post(verify, seen()).refused("too-many-wrong-entries")
    assert house.insider("supervisor").post(verify, seen()).ok()["status"] == "verified"


def test_no_blank_verification_at_the_console_either(house: House) -> None:
    hit = deal(house.insider("table"))
    supervisor = house.at_console("supervisor")
    position = house.log()
    page = f"/jackpots/hits/{hit['id']}/verify/"
    for form in ({}, {"surveillance": CAMERA}, {"cards": ROYAL}, {"cards": OTHER_ROYAL, "surveillance": CAMERA}):
        assert supervisor.post(page, form).status == 422, form
    assert house.acts_since(position) == []
    assert Hit.objects.get().status == "claimed"
