"""A supervisor and a friend at box 1: the round was finished without a hand there, and now there was a royal in it.

What stops him: two persons claim a hand late, with surveillance's reference; a third enters the cards unseen, a fourth
pays; nothing dealt twice, no box that had a hand, no hand that was folded or not declared where the rule asks for it.
Not stopped: four persons who lie together, each of them named in the log.
"""

from __future__ import annotations

from typing import Any

from jackpot.models import Hit
from tests.attacks.appointed import change
from tests.attacks.felt import CAMERA, FULL_HOUSE, ROYAL, WHO, seen
from tests.attacks.insider import House

KIND = "jackpot.late-claim"


def finished(house: House, table: str, **ended: Any) -> int:
    dealer = house.insider("table")
    wagers = {"wagers": [{"box": 1}, {"box": 2}]}
    number: int = dealer.post(f"jackpot/tables/{table}/rounds", wagers).ok(201)["round"]
    dealer.post(f"jackpot/rounds/{number}/finish", {"hands": []} | ended).ok()
    return number


def test_nobody_finds_a_royal_alone(house: House) -> None:
    number = finished(house, "CSP-01", hands=[{"box": 2, "cards": FULL_HOUSE}])
    new = {"round": number, "box": 1, "pieces": ROYAL, "surveillance": CAMERA}
    supervisor, dealer = house.at_console("supervisor"), house.insider("table")
    with house.unchanged():
        assert dealer.post(f"jackpot/rounds/{number}/finish", {"hands": [{"box": 1, "cards": ROYAL}]}).refused()
        claim = {"kind": KIND, "subject": "jackpot:CSP", "new": new, "why": "He had it."}
        assert dealer.post("approvals/", claim).refused("no-permission")
        for wrong, code in (
            ({"box": 3}, "no-wager-on-box"),
            ({"box": 2}, "hand-named"),
            ({"pieces": ["4S", "KS", "QS", "JS", "TS"]}, "dealt-too-often"),
            ({"surveillance": ""}, "value-not-readable"),
        ):
            assert change(supervisor, KIND, "jackpot:CSP", new | wrong).refused(code)
    asked = change(supervisor, KIND, "jackpot:CSP", new).ok(201)["id"]
    own = house.insider("supervisor", holder="supervisor")
    with house.unchanged():
        assert supervisor.call(f"approvals/{asked}/approve").refused("own-proposal")
        assert own.post(f"approvals/{asked}/approve").refused()
    assert not Hit.objects.filter(kind="royal").exists()
    decided = house.insider("manager")
    decided.post(f"approvals/{asked}/approve").ok()
    hit = Hit.objects.get(kind="royal")
    address = f"jackpot/hits/{hit.pk}"
    with house.unchanged():
        assert own.post(f"{address}/verify", seen()).refused("same-person")
        assert decided.post(f"{address}/pay", {"method": "cheque", "reference": "1", "identity": WHO}).refused()
        # Once more, for the same box.
        assert change(supervisor, KIND, "jackpot:CSP", new).refused("hand-named")


def test_not_where_the_player_folded_or_did_not_declare(house: House) -> None:
    """act-cp:7.3, act-cp:10.3."""
    number = finished(house, "BOOM-01", folded=[1])
    new = {"round": number, "box": 1, "pieces": ROYAL, "surveillance": CAMERA, "declared": True}
    supervisor = house.at_console("supervisor")
    with house.unchanged():
        assert change(supervisor, KIND, "jackpot:BOOM", new).refused("box-folded")
        undeclared = new | {"box": 2, "declared": False}
        assert change(supervisor, KIND, "jackpot:BOOM", undeclared).refused("not-declared")
