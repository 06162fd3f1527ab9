"""A supervisor took the fees of a tournament, calls it off alone and hands every fee out, to nobody. Or he
has a second account, or a tablet that he holds, agree with him; or another agrees, and he hands the fees out himself.

What stops it: to call a tournament off is a proposal that another person decides, whatever device or account either
uses; then every fee is owed, and neither of the two hands one over. Keno's tournaments likewise.
"""

from __future__ import annotations

from typing import Any

from house.models import Staff
from ledger.balance import balance
from tests.attacks.cards import register
from tests.attacks.insider import House
from tests.attacks.test_tournament_entered_by_name import approved
from tournaments.models import Tournament, TournamentEntry

WHY = {"why": "Too few players."}
NIGHT, CUP = "tournaments/NIGHT", "keno/tournaments/CUP"


def entered(house: House) -> dict[str, Any]:
    """One entry of each, by their tournament."""
    approved(house)
    register(house)
    writer = house.insider("writer")
    writer.post("keno/shifts", {}).ok(201)
    made = {
        NIGHT: writer.post(f"{NIGHT}/entries", {"card": "RX-1"}).ok(201)["id"],
        CUP: writer.post(f"{CUP}/entries", {"card": "RX-1", "numbers": [1, 2, 3]}).ok(201)["id"],
    }
    return made | {"writer": writer}


def test_one_person_calls_no_tournament_off_and_hands_no_fee_out(house: House) -> None:
    taken = entered(house)
    holder = Staff.objects.get(username="supervisor").username
    tablet, second = house.insider("supervisor", holder=holder), house.insider("manager")
    console = house.at_console("supervisor")
    for address, verb, fee in (
        (NIGHT, "cancel", f"tournament-entries/{taken[NIGHT]}/refund"),
        (CUP, "call-off", f"keno/tournament-entries/{taken[CUP]}/refund"),
    ):
        with house.unchanged(but={"approval.proposed"}):
            assert taken["writer"].post(f"{address}/{verb}", WHY).refused("no-permission")
            assert tablet.post(f"{address}/{verb}", {"why": " "}).refused()
            made = tablet.post(f"{address}/{verb}", WHY).ok()
            assert made["cancelled_at"] is None
            number = made["proposal"]
            assert tablet.post(f"approvals/{number}/approve").refused("own-proposal")
            assert console.call(f"approvals/{number}/approve").refused("own-proposal")
            assert console.call(f"{address}/{verb}", WHY).refused("proposed-already")
            assert taken["writer"].post(f"approvals/{number}/approve").refused("no-permission")
            for each in (taken["writer"], second):
                assert each.post(fee).refused("supervisor-needed", "no-permission")
        second.post(f"approvals/{number}/approve").ok()
        with house.unchanged():
            for each in (tablet, second):  # neither of the two, at whatever device
                assert each.post(fee).refused("two-people-needed", "no-permission")
            assert console.call(fee).refused("two-people-needed", "no-permission")
            assert taken["writer"].post(f"{address}/entries", {"card": "RX-1", "numbers": [1, 2, 3]}).refused()
        taken["writer"].post(fee).ok()
        with house.unchanged():
            assert taken["writer"].post(fee).refused("already-refunded")
    for account in ("promotions:tournaments", "keno:tournaments"):
        assert str(balance(account).amount) == "0.00"
    assert Tournament.objects.filter(cancelled_by=None).count() == 0
    assert TournamentEntry.objects.filter(refunded_at=None).count() == 0
