"""An employee with the right to see threshold reports reads the one about himself, marks it sent, or takes the file."""

from __future__ import annotations

from house.models import Staff, ThresholdReport
from tests.attacks.felt import WHO, deal, seen
from tests.attacks.insider import House


def test_nobody_reads_or_sends_the_report_about_himself(house: House) -> None:
    name = Staff.objects.get(username="manager").name
    first, *rest = name.split()
    hit = deal(house.insider("table"))
    house.insider("supervisor").post(f"jackpot/hits/{hit['id']}/verify", seen()).ok()
    receiver = WHO | {"name": f"{' '.join(rest).upper()}, {first}"}
    house.insider("manager").post(f"jackpot/hits/{hit['id']}/pay", {"method": "cash", "identity": receiver}).ok()
    report = ThresholdReport.objects.get().pk
    himself, person = house.insider("manager", holder="manager"), house.at_console("manager")
    with house.unchanged():
        for path in ("cash/reports", "jackpot/threshold-reports"):
            assert himself.get(path).ok()["results"] == []
        for path in (f"cash/reports/{report}", f"cash/reports/{report}/file"):
            assert himself.get(path).refused("no-such-report")
        assert himself.get("cash/reports/file").refused("nothing-due")
        assert himself.post(f"cash/reports/{report}/sent", {"reference": "TTR-1"}).refused("no-such-report")
        assert himself.post(f"jackpot/threshold-reports/{report}/reported").refused("no-such-report")
    assert person.get(f"/cash/threshold-reports/{report}/").status == 404
    assert person.post(f"/cash/threshold-reports/{report}/file/").status == 404
    assert f"/cash/threshold-reports/{report}/" not in person.get("/cash/threshold-reports/").body
    assert house.insider("manager").get(f"cash/reports/{report}").ok()["identity"]["name"] == receiver["name"]


def test_names_are_for_those_with_the_right_to_them(house: House) -> None:
    """Lists, files and old addresses alike: the auditor sees that it was reported, not whom it was paid to."""
    hit = deal(house.insider("table"))
    house.insider("supervisor").post(f"jackpot/hits/{hit['id']}/verify", seen()).ok()
    house.insider("manager").post(f"jackpot/hits/{hit['id']}/pay", {"method": "cash", "identity": WHO}).ok()
    report = ThresholdReport.objects.get().pk
    supervisor, auditor = house.insider("supervisor"), house.at_console("auditor")
    for path in ("cash/reports", f"cash/reports/{report}", "jackpot/threshold-reports", "keno/threshold-reports"):
        assert "Wu Li" not in str(supervisor.get(path).ok())
        assert "Wu Li" not in auditor.get(f"/api/v1/{path}").body
    for path in (
        "/cash/threshold-reports/",
        f"/cash/threshold-reports/{report}/",
        "/cash/threshold-reports/?format=csv",
    ):
        assert "Wu Li" not in auditor.get(path).body
    with house.unchanged():
        assert supervisor.get(f"cash/reports/{report}/file").refused("no-permission")
        assert supervisor.get("cash/reports/file?format=csv").refused("no-permission")
    manager = house.insider("manager")
    before = house.log()
    assert "Wu Li" in str(manager.get("cash/reports/file?format=csv").ok())
    assert house.acts_since(before) == ["cash.reports-downloaded"]
    for writer in (house.insider("writer"), house.insider("table")):
        for path in ("cash/reports", "jackpot/threshold-reports", "keno/threshold-reports"):
            assert writer.get(path).refused("no-permission")
