"""A meter that stands at 9,100 is set to nought, so that it seems to have rolled over: 900 wagers into the pool that a
friend plays for. Or its clock is set forward, so that so much can have been played.

What stops him: no more is believed than the boxes can have played between the readings, and no clock is more than five
minutes ahead; the rest is for two people. Not stopped: a meter within a round of its end.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from jackpot.models import MeterDisagreement
from tests.attacks.insider import House

TOLD = {"jackpot.meter-disagrees", "incident.reported"}


def reading(ago: timedelta, sequence: int, meter: int) -> dict[str, Any]:
    at = (datetime.now(UTC) - ago).isoformat()
    return {"table": "CSP-01", "sequence": sequence, "meter": meter, "at": at}


def test_a_meter_set_to_nought_brings_in_nothing(house: House) -> None:
    table = house.insider("table", tables=["CSP-01"])
    table.post("jackpot/meters", [reading(timedelta(minutes=10), 1, 9_100)]).ok()
    with house.unchanged(but=TOLD):
        for sequence, ahead in enumerate((0, 4, 60), start=2):
            answer = table.post("jackpot/meters", [reading(timedelta(minutes=-ahead), sequence, 1)]).ok()
            assert (answer["wagers"], len(answer["refused"])) == (0, 1)
        # With the sequence from the beginning it is a restart, which shows one wager and no nine hundred.
    found = MeterDisagreement.objects.get()
    assert (found.status, found.fell_meter, found.shown) == ("open", 1, 0)
    assert table.get("jackpot/pools/CSP").ok()["displayed"] == "50000.00"
    restarted = table.post("jackpot/meters", [reading(timedelta(), 1, 1)]).ok()
    assert restarted["wagers"] == 1


def test_one_that_is_near_its_end_rolls_over(house: House) -> None:
    table = house.insider("table", tables=["CSP-01"])
    table.post("jackpot/meters", [reading(timedelta(minutes=10), 1, 9_990)]).ok()
    answer = table.post("jackpot/meters", [reading(timedelta(), 2, 4)]).ok()
    assert (answer["wagers"], [each["what"] for each in answer["noted"]]) == (14, ["roll-over"])
