"""A writer reads what is owing on strangers' tickets, and others' sales, payments, drawers, claims and claimants."""

from __future__ import annotations

from tests.attacks.counter import WON, code, sell, winner
from tests.attacks.insider import House

CLAIMANT = {"name": "Anna Marsh", "address": "1 Binara Street", "contact": "anna@example.org"}


def test_a_writers_lists_are_his_own(house: House) -> None:
    honest, thief, supervisor = house.insider("writer"), house.insider("writer"), house.insider("supervisor")
    won, kept = winner(house, honest), winner(house, honest)
    own = sell(thief)
    honest.post(f"keno/tickets/{won['serial']}/pay", code(won)).ok()
    claim = {"serial": kept["serial"], "reason": "lost", "claimant": CLAIMANT, "grounds": "She knows the numbers."}
    supervisor.post("keno/claims", claim).ok(201)
    shift = honest.get("keno/shifts/current").ok()["id"]

    assert [row["serial"] for row in thief.get("keno/tickets").ok()["results"]] == [own["serial"]]
    named = thief.get(f"keno/tickets?terminal={honest.identity}").ok()["results"]
    assert named == []
    assert thief.get("keno/payments").ok()["results"] == []
    assert thief.get("keno/claims").ok()["results"] == []
    assert [row["terminal"] for row in thief.get("keno/shifts").ok()["results"]] == [thief.identity]
    assert thief.get(f"keno/shifts/{shift}").refused("no-such-shift")
    assert thief.get("keno/reports/shifts").refused("no-permission")
    for path in (f"keno/tickets/{kept['serial']}", f"keno/tickets/{won['serial']}"):
        shown = thief.get(path).ok()
        told = ("won", "refunded", "paid", "owing", "still_playing", "cancelled_from")
        assert {name: shown[name] for name in told} == dict.fromkeys(told)
        assert (shown["results"], shown["status"]) == ([], "issued")
    assert thief.post("keno/claims", claim).refused("no-permission")  # its answer would say what is owing
    assert len(supervisor.get("keno/tickets").ok()["results"]) == 3
    assert supervisor.get(f"keno/tickets/{kept['serial']}").ok()["owing"] == WON


def test_nor_on_the_pages(house: House) -> None:
    honest, supervisor = house.insider("writer"), house.insider("supervisor")
    kept = winner(house, honest)
    claim = {"serial": kept["serial"], "reason": "lost", "claimant": CLAIMANT, "grounds": "She knows the numbers."}
    supervisor.post("keno/claims", claim).ok(201)
    writer = house.at_console("writer")
    assert writer.get("/keno/unclaimed/").status == 403
    assert writer.get("/keno/unclaimed/?format=csv").status == 403
    for path in ("/keno/tickets/", "/keno/tickets/?format=csv", "/keno/claims/", "/keno/claims/?format=csv"):
        page = writer.get(path)
        assert page.status == 200
        assert kept["serial"] not in page.body
        assert "Anna Marsh" not in page.body
    for path in ("/keno/shifts/", "/keno/shifts/?format=csv"):
        assert honest.identity.partition(":")[2] not in writer.get(path).body
    page = writer.get(f"/keno/tickets/{kept['serial']}/")
    assert page.status == 200
    assert "Owing" not in page.body
    assert WON not in page.body


def test_page_and_call_show_the_same_to_the_same_people(house: House) -> None:
    """The auditor sees claims by both; the claimants' names by neither."""
    honest, supervisor = house.insider("writer"), house.insider("supervisor")
    kept = winner(house, honest)
    claim = {"serial": kept["serial"], "reason": "lost", "claimant": CLAIMANT, "grounds": "She knows the numbers."}
    made = supervisor.post("keno/claims", claim).ok(201)
    assert made["claimant"] == CLAIMANT
    auditor = house.at_console("auditor")
    for path in ("/keno/claims/", "/keno/claims/?format=csv", "/api/v1/keno/claims"):
        seen = auditor.get(path)
        assert seen.status == 200, path
        assert "Anna Marsh" not in seen.body
        assert kept["serial"] in seen.body.replace("-", "").replace("\u2011", "")
    for path in ("tickets", "payments", "shifts", "orders", "claims"):
        assert auditor.get(f"/api/v1/keno/{path}").status == 200, path
