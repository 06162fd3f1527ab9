"""A supervisor has a friend at a table: he raises the maximum for everybody or for him alone, after the cards, and has
his own tablet agree; he raises the minimum over a player's head without the 20 minutes, takes the marker from who
stayed on the old one, or closes the table over him; and he does it from another table, or by the table's own device.

What stops it: above the approved sign a maximum is a proposal that another person decides; a hand is checked by the
limits of its own moment; what protects players is computed from when each thing was put up, and refused before; a
table's device puts nothing up. A supervisor works at every table: each act is his, with the table and the time.
"""

from __future__ import annotations

from datetime import timedelta

from django.test import override_settings
from django.utils import timezone

from house.models import Staff
from tablegames.demo import build_demo
from tablegames.models import SignMarker, SignNotice
from tests.attacks.felt import HAND
from tests.attacks.insider import House

TABLE = "tablegames/tables/CSP-01"
WHY = {"why": "He asked."}


def ante(low: str, high: str | None) -> dict[str, object]:
    return {"limits": {"ante": {"minimum": low, **({"maximum": high} if high else {})}}}


def opened() -> None:
    with override_settings(DEMO=True):
        build_demo()


def test_one_person_raises_no_maximum(house: House) -> None:
    opened()
    holder = Staff.objects.get(username="supervisor").username
    tablet, console = house.insider("supervisor", holder=holder), house.at_console("supervisor")
    friend = tablet.post(f"{TABLE}/seats", {"box": 3}).ok(201)["seats"][0]["number"]
    own, felt = f"{TABLE}/seats/{friend}/limits", house.insider("table")
    with house.unchanged(but={"approval.proposed"}):
        nothing: dict[str, object] = {"limits": {}}
        for limits in (ante("5.00", "5000.00"), ante("5.00", None), nothing):
            assert tablet.post(f"{TABLE}/limits", limits).refused("needs-second-person")
        assert tablet.post(f"{TABLE}/limits", ante("10.00", "5000.00") | {"at_once": True}).refused()
        assert console.post("/tables/signs/CSP-01/limits/", {"limits": "ante 5 5000"}).status == 409
        assert tablet.post(own, ante("5.00", "150.00") | WHY).refused("not-above-maximum")
        assert tablet.post(own, ante("5.00", "5000.00")).refused()
        made = tablet.post(own, ante("5.00", "5000.00") | WHY).ok(202)["id"]
        assert tablet.post(f"approvals/{made}/approve").refused("own-proposal")
        assert console.call(f"approvals/{made}/approve").refused("own-proposal")
        assert felt.post(own, ante("5.00", "5000.00") | WHY).refused("no-permission")
    assert not SignMarker.objects.exists()
    assert not SignNotice.objects.exists()
    won = timezone.now()  # the friend has won on a wager far above the maximum; now somebody agrees
    house.insider("manager").post(f"approvals/{made}/approve").ok()
    hand = HAND | {"happened_at": won.isoformat()}
    checked = tablet.post("tablegames/settle", hand).ok(201)
    assert checked["difference"] != "0.00"  # overpaid, and on record


def test_nobody_raises_a_minimum_or_closes_over_a_players_head(house: House) -> None:
    opened()
    supervisor, *others = (house.insider(role) for role in ("supervisor", "table", "writer"))
    seat = supervisor.post(f"{TABLE}/seats", {"box": 1}).ok(201)["seats"][0]["number"]
    soon = (timezone.now() + timedelta(minutes=19)).isoformat()
    with house.unchanged():
        assert supervisor.post(f"{TABLE}/limits", ante("50.00", "200.00")).refused("notice-too-short")
        assert supervisor.post(f"{TABLE}/limits", ante("50.00", "200.00") | {"takes_effect_at": soon}).refused()
        assert supervisor.post(f"{TABLE}/closing", {"closes_at": soon}).refused("notice-too-short")
        assert supervisor.post(f"{TABLE}/close").refused("closing-not-shown")
        raised = {"kind": "tablegames.terms", "subject": "gaming-table:CSP-01", "new": ante("50.00", "200.00"), **WHY}
        assert supervisor.post("approvals/", raised).refused("limits-by-notice")
        for each in others:
            assert each.post(f"{TABLE}/limits", ante("50.00", "200.00")).refused("no-permission")
    stands = supervisor.post(f"{TABLE}/limits", ante("50.00", "200.00") | {"at_once": True}).ok(201)
    (marker,) = stands["markers"]
    assert (marker["seat"], marker["kind"]) == (seat, "old-minimum")
    with house.unchanged():
        assert supervisor.post(f"{TABLE}/markers/{marker['number']}/remove").refused("old-minimum-stands")
        assert supervisor.post(f"tablegames/tables/LP-01/markers/{marker['number']}/remove").refused("no-such-marker")
        assert supervisor.post(f"tablegames/tables/LP-01/seats/{seat}/leave").refused("no-such-seat")
    within = supervisor.post(f"{TABLE}/wagers", {"box": 1, "wagers": {"ante": "5.00"}}).ok()
    assert within["within"]
