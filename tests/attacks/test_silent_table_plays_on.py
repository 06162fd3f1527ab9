"""A dealer pulls his table's cable so that it is down, takes jackpot wagers all the same, and sends them once it is
known who has won; or lets another table's device say that his is there.

What stops him: a silent table's jackpot is suspended, and what was played then is refused; its own device alone speaks
for it; it opens only once its link's books agree. Not stopped: thirty seconds of silence.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from django.utils import timezone

from house.models import Incident
from jackpot.heartbeats import SILENT_AFTER, watch_tables
from jackpot.models import Table, TableWatch
from tests.attacks.insider import House


def test_what_was_played_in_silence_does_not_count(house: House) -> None:
    own, other = house.insider("table", tables=["CSP-01"]), house.insider("table", tables=["CSP-02"])
    alive = "jackpot/tables/CSP-01/heartbeat"
    own.post(alive).ok()
    silent = timezone.now() - SILENT_AFTER - timedelta(seconds=1)
    TableWatch.objects.update(heard_at=silent)  # as after so long a silence
    with house.unchanged():
        assert other.post(alive).refused("not-your-table")
    assert watch_tables(timezone.now()) == 1
    assert Incident.objects.get().kind == "jackpot-controller-silent"
    played = {"id": "m-1", "table": "CSP-01", "wagers": 5, "at": datetime.now(UTC).isoformat()}
    with house.unchanged():
        assert own.post("jackpot/tables/CSP-01/rounds", {"wagers": [{"box": 1}]}).refused("table-not-open")
        assert own.post("jackpot/contributions", [played]).ok()["accepted"] == 0
        assert other.post(alive).refused("not-your-table")
    assert own.post(alive).ok()["status"] == "open"
    with house.unchanged():  # and afterwards neither: it was played while the link was down
        answer = own.post("jackpot/contributions", [played]).ok()
        assert [each["code"] for each in answer["refused"]] == ["table-not-open"]
    assert Table.objects.get(code="CSP-01").status == "open"
