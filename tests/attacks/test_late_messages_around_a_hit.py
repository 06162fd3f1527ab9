"""A royal has been dealt at CSP-01. Somebody with a controller's token wants the winner to have more, or less: wagers
"played before it" that come afterwards, the same ids with other times, wagers of the winning round sent once more.

What stops him: what was won is fixed when it is locked; late wagers stand in the running pool by the terms of their
time; an id is one message for ever; what a round has sent does not come again. Not stopped: a day's invented play,
which is the pool's and not the winner's (see test_meter_pumped).
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from jackpot.models import Hit
from tests.attacks.felt import ROYAL, WHO, deal, seen, start
from tests.attacks.insider import House


def message(name: str, wagers: int, ago: timedelta, table: str = "CSP-02") -> dict[str, Any]:
    return {"id": name, "table": table, "wagers": wagers, "at": (datetime.now(UTC) - ago).isoformat()}


def test_what_was_won_does_not_move(house: House) -> None:
    table = house.insider("table")
    early = message("m-1", 100, timedelta(minutes=1))
    table.post("jackpot/contributions", [early]).ok()
    hit = deal(table)
    assert hit["amount"] == "50176.75"  # with this round's wager
    shown = table.get("jackpot/pools/CSP").ok()["displayed"]
    late = [message("m-2", 400, timedelta(minutes=5)), message("m-3", 400, timedelta(hours=20))]
    assert table.post("jackpot/contributions", late).ok()["accepted"] == 2
    assert Hit.objects.get(pk=hit["id"]).amount.micros == 50_176_750_000
    after = table.get("jackpot/pools/CSP").ok()["displayed"]
    assert (shown, after) == ("50000.00", "51400.00")
    with house.unchanged(but={"incident.reported"}):
        again = [early | {"at": datetime.now(UTC).isoformat()}, early | {"wagers": 900}]
        for each in again:
            answer = table.post("jackpot/contributions", [each]).ok()
            assert ([said["code"] for said in answer["conflicts"]], answer["accepted"]) == (["id-used"], 0)
    address = f"jackpot/hits/{hit['id']}"
    house.insider("supervisor").post(f"{address}/verify", seen()).ok()
    how = {"method": "cheque", "reference": "000123", "identity": WHO}
    paid = house.insider("manager").post(f"{address}/pay", how).ok()
    assert paid["amount"] == "50176.75"


def test_wagers_of_the_winning_round_do_not_come_again_as_messages(house: House) -> None:
    table = house.insider("table")
    number = start(table)
    within = message("m-1", 7, timedelta(), "CSP-01")
    with house.unchanged():
        answer = table.post("jackpot/contributions", [within]).ok()
        assert [each["code"] for each in answer["conflicts"]] == ["played-in-a-round"]
    table.post(f"jackpot/rounds/{number}/finish", {"hands": [{"box": 1, "cards": ROYAL}]}).ok()
    with house.unchanged():
        again = table.post("jackpot/contributions", [within | {"id": "m-2"}]).ok()
        assert [each["code"] for each in again["conflicts"]] == ["played-in-a-round"]
