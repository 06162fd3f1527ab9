"""A technician restarts a table's controller so that the wagers just before it are in no meter, and keeps their chips;
or sends what was read before the restart once more, so that the new meter's low stand makes thousands of it.

What stops him: a restart is told and stays open until two persons have said how many wagers nobody saw; what was read
before it is told apart by its time. Not stopped: two persons who say nought together, both named in the log.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from house.models import Incident
from jackpot.models import Contribution, MeterDisagreement
from tests.attacks.appointed import change
from tests.attacks.insider import House

BEGAN = datetime.now(UTC) - timedelta(minutes=30)


def reading(minute: float, sequence: int, meter: int) -> dict[str, Any]:
    at = (BEGAN + timedelta(minutes=minute)).isoformat()
    return {"table": "CSP-01", "sequence": sequence, "meter": meter, "at": at}


def test_the_wagers_before_a_restart_are_asked_for_and_not_by_one(house: House) -> None:
    table = house.insider("table", tables=["CSP-01"])
    table.post("jackpot/meters", [reading(0, 1, 8_000), reading(1, 2, 8_006)]).ok()
    hidden = table.post("jackpot/meters", [reading(11, 1, 2)]).ok()
    assert (hidden["wagers"], [each["what"] for each in hidden["noted"]]) == (2, ["restart"])
    assert Incident.objects.get().kind == "jackpot-meter-disagrees"
    found = MeterDisagreement.objects.get()
    assert found.unseen == 7 * 41 - 2  # ten minutes of four rounds, and one that had begun
    new = {"disagreement": found.pk, "shown": 2, "counted": 2, "unseen": found.unseen}
    none = new | {"cause": "restarted", "wagers": 0}
    manager = house.at_console("manager")
    his_device = house.insider("manager", holder="manager")
    with house.unchanged():
        said: dict[str, Any] = {"kind": "jackpot.meter-disagreement", "subject": "table:CSP-01"}
        assert table.post("approvals/", said | {"new": none, "why": "Nothing."}).refused("no-permission")
        # As if there had been no restart.
        assert change(manager, said["kind"], said["subject"], none | {"unseen": 0}).refused("disagreement-moved")
    asked = change(manager, "jackpot.meter-disagreement", "table:CSP-01", none).ok(201)["id"]
    with house.unchanged():
        assert manager.call(f"approvals/{asked}/approve").refused("own-proposal")
        assert his_device.post(f"approvals/{asked}/approve").refused("own-proposal")
    # He restarts it again meanwhile: what the other was shown is not what there is.
    table.post("jackpot/meters", [reading(12, 1, 0)]).ok()
    house.insider("manager").post(f"approvals/{asked}/approve")
    found.refresh_from_db()
    assert (found.status, found.unseen) == ("open", 7 * 41 - 2 + 7 * 5)


def test_what_was_read_before_a_restart_makes_nothing_of_the_new_meter(house: House) -> None:
    table = house.insider("table", tables=["CSP-01"])
    old = [reading(0, 1, 800), reading(1, 2, 806)]
    table.post("jackpot/meters", old).ok()
    table.post("jackpot/meters", [reading(3, 1, 2)]).ok()
    with house.unchanged():
        again = table.post("jackpot/meters", old).ok()
        assert (again["duplicates"], again["wagers"]) == (2, 0)
        other = table.post("jackpot/meters", [reading(1, 2, 900), reading(0.5, 9, 700), reading(-5, 8, 2)]).ok()
        assert ([each["code"] for each in other["conflicts"]], other["wagers"]) == (
            ["before-baseline", "meter-differs", "reading-differs"],
            0,
        )
    assert sum(Contribution.objects.values_list("wagers", flat=True)) == 8
