"""An inspector proposes for the house, so that he or another inspector then decides what he wants himself."""

from __future__ import annotations

from typing import Any

from house.models import Proposal
from tests.attacks.insider import House

KINDS: tuple[tuple[str, str, Any], ...] = (
    ("keno.jackpot-ratio", "jackpot-ratio:KENO-6", {"prize": 2_500, "secondary": 0, "reimbursement": 0}),
    ("keno.set-bet", "set-bet:MINE", {"name": "Mine", "sizes": [1, 1, 1], "plays": [3]}),
    ("house.player-protection", "venue", {"cards_required": True, "cooling_off_hours": 48}),
    ("ledger.adjustment", "ledger", {"debit": "a", "credit": "b", "amount": "1.00", "cause": "entry-error"}),
)


def test_the_house_always_proposes(house: House) -> None:
    inspector, ines = house.insider("inspector"), house.at_console("inspector")
    with house.unchanged():
        for kind, subject, new in KINDS:
            answer = inspector.post("approvals/", {"kind": kind, "subject": subject, "new": new, "why": "I want it."})
            assert answer.status == 403
            assert answer.refused("inspector-proposes")
        assert ines.post("/approvals/propose/player-protection/", {"why": "I want it."}).status == 403
        assert ines.get("/keno/catalogue/set-bet/propose/").status in (403, 404)
    assert not Proposal.objects.exists()
