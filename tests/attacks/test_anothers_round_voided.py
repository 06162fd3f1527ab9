"""A dealer voids or ends a round of another table just before its jackpot hand would have been read."""

from __future__ import annotations

from jackpot.models import Round
from tests.attacks.felt import ROYAL, start
from tests.attacks.insider import Caller, House


def ends(caller: Caller, number: int) -> list[tuple[int, str]]:
    answers = (
        caller.post(f"jackpot/rounds/{number}/void", {"cause": "misdeal", "why": "I say so."}),
        caller.post(f"jackpot/rounds/{number}/finish", {"hands": [{"box": 1, "cards": ROYAL}]}),
    )
    return [(answer.status, answer.body["code"]) for answer in answers]


def test_a_round_is_ended_by_its_own_table(house: House) -> None:
    number = start(house.insider("table", tables=["GJ-01"]), "GJ-01")
    elsewhere, everywhere = house.insider("table", tables=["CSP-01", "BOOM-01"]), house.insider("table")
    with house.unchanged():
        assert ends(elsewhere, number) == [(403, "not-your-table")] * 2
        # Not even one that may work everywhere: somebody else began it.
        assert ends(everywhere, number) == [(403, "not-your-round")] * 2
    assert Round.objects.get().status == "open"
    spare = house.insider("table", tables=["GJ-01"])  # the table's new controller
    assert spare.post(f"jackpot/rounds/{number}/void", {"why": "The old one broke."}).ok()["status"] == "void"


def test_a_supervisor_may(house: House) -> None:
    number = start(house.insider("table"), "GJ-01")
    assert house.insider("supervisor").post(f"jackpot/rounds/{number}/void", {"why": "x"}).ok()["status"] == "void"
