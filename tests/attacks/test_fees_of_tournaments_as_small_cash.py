"""Somebody washes $12,000 through two tournaments: two fees below the limit, in two rooms, both called off, both fees
back. And a writer, who may hand fees back, reads from it who the players are."""

from __future__ import annotations

from house.models import ThresholdReport
from tests.attacks.cards import register
from tests.attacks.felt import WHO
from tests.attacks.insider import House
from tests.attacks.test_tournament_called_off_by_one import CUP, NIGHT, WHY
from tests.attacks.test_tournament_entered_by_name import approved


def test_two_fees_of_one_card_count_together_in_and_out(house: House) -> None:
    approved(house, fee="6000.00")
    register(house)
    writer, other = house.insider("writer"), house.insider("writer")
    for each in (writer, other):
        each.post("keno/shifts", {}).ok(201)
    entry = {"card": "RX-1"}
    night = writer.post(f"{NIGHT}/entries", entry).ok(201)["id"]
    marked = entry | {"numbers": [1, 2, 3]}
    with house.unchanged():
        assert other.post(f"{CUP}/entries", marked).refused("identity-needed")
    cup = other.post(f"{CUP}/entries", marked | {"identity": WHO}).ok(201)["id"]
    supervisor, manager = house.insider("supervisor"), house.insider("manager")
    for address, verb in ((NIGHT, "cancel"), (CUP, "call-off")):
        made = supervisor.post(f"{address}/{verb}", WHY).ok()["proposal"]
        manager.post(f"approvals/{made}/approve").ok()
    writer.post(f"keno/tournament-entries/{cup}/refund").ok()
    with house.unchanged():
        assert other.post(f"tournament-entries/{night}/refund").refused("identity-needed")
    told = other.post(f"tournament-entries/{night}/refund", {"identity": WHO}).ok()
    assert [str(each.cash) for each in ThresholdReport.objects.order_by("pk")] == ["12000.00", "12000.00"]
    assert {each.way for each in ThresholdReport.objects.all()} == {"in", "out"}
    assert "Robin" not in str(told)
    assert "RX-1" not in str(told)
    page = house.at_console("writer").get("/promo/tournaments/NIGHT/")
    assert page.status == 200
    assert "Robin" not in page.body
