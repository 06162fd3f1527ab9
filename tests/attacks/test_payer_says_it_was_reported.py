"""A manager pays $50,000 in cash and marks the threshold report as sent himself; nobody ever sends it."""

from __future__ import annotations

from house.models import ThresholdReport
from tests.attacks.felt import WHO, deal, seen
from tests.attacks.insider import House


def test_who_paid_does_not_say_that_it_was_sent(house: House) -> None:
    payer = house.insider("manager", holder="manager")
    others = [house.insider(role) for role in ("supervisor", "writer")]
    again, console = house.insider("manager", holder="manager"), house.at_console("manager")
    hit = deal(house.insider("table"))
    house.insider("supervisor").post(f"jackpot/hits/{hit['id']}/verify", seen()).ok()
    payer.post(f"jackpot/hits/{hit['id']}/pay", {"method": "cash", "identity": WHO}).ok()
    report = ThresholdReport.objects.get()
    sent = {"reference": "TTR-1"}
    with house.unchanged():
        for insider in (payer, again):
            assert insider.post(f"cash/reports/{report.pk}/sent", sent).refused("two-people-needed")
            assert insider.post(f"jackpot/threshold-reports/{report.pk}/reported").refused("two-people-needed")
        assert console.post(f"/cash/threshold-reports/{report.pk}/sent/", sent).status == 403
        for insider in others:
            assert insider.post(f"cash/reports/{report.pk}/sent", sent).refused("no-permission")
    other = house.insider("manager")
    assert other.post(f"cash/reports/{report.pk}/sent", sent).ok()["sent_by"] != "staff:manager"
    with house.unchanged():
        assert other.post(f"cash/reports/{report.pk}/sent", {"reference": "TTR-2"}).refused("already-reported")
