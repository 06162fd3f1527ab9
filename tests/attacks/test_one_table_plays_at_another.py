"""Whoever has the token of one table plays, counts and ends rounds at the tables of other links with it."""

from __future__ import annotations

from jackpot.models import Contribution, Round
from tests.attacks.felt import ROYAL, pump, start
from tests.attacks.insider import House


def test_a_table_token_works_at_its_own_tables(house: House) -> None:
    mine, theirs = house.insider("table", tables=["CSP-01"]), house.insider("table", tables=["GJ-01", "BOOM-01"])
    open_round = start(theirs, "GJ-01")
    with house.unchanged():
        for table in ("CSP-02", "GJ-01", "BOOM-01", "NOWHERE"):
            assert mine.post(f"jackpot/tables/{table}/rounds", {"wagers": [{"box": 1}]}).refused("not-your-table")
        hands = {"hands": [{"box": 1, "cards": ROYAL}]}
        assert mine.post(f"jackpot/rounds/{open_round}/finish", hands).refused("not-your-table")
        assert mine.post("jackpot/contributions", pump("BOOM-01", messages=2, wagers=7)).refused("not-your-table")
    assert Round.objects.get().status == "open"
    # What its sign shows is no secret.
    assert mine.get("jackpot/tables/GJ-01/sign").ok()["link"] == "GJ"


def test_a_message_for_another_table_is_refused_in_its_place(house: House) -> None:
    mine = house.insider("table", tables=["CSP-01"])
    before = house.money()
    sent = [*pump("CSP-01", messages=2, wagers=1), *pump("GJ-01", messages=2, wagers=900, name="x")]
    answer = mine.post("jackpot/contributions", sent).ok()
    assert (answer["accepted"], answer["held"]) == (2, [])
    assert [(each["place"], each["id"], each["code"]) for each in answer["refused"]] == [
        (2, "x-0", "not-your-table"),
        (3, "x-1", "not-your-table"),
    ]
    moved = {code for code, amount in house.money().items() if amount != before[code]}
    assert moved == {f"jackpot:CSP:{purse}" for purse in ("drop", "house", "prize", "reserve")}
    assert set(Contribution.objects.values_list("id", flat=True)) == {"m-0", "m-1"}


def test_a_table_that_is_bound_to_none_does_nothing(house: House) -> None:
    loose = house.insider("table", tables=[])
    with house.unchanged():
        assert loose.post("jackpot/tables/CSP-01/rounds", {"wagers": [{"box": 1}]}).refused("not-your-table")
        assert loose.post("jackpot/contributions", pump("CSP-01", messages=1, wagers=1)).refused("not-your-table")
