"""Who runs a tournament wants his friend at the last seat of the softest table: he names the seats and calls it a lot,
draws again until it suits, takes somebody out in between, or has the seats assigned after all.

What stops it: seats are drawn between house and witness from a promise that stands in the log before the second player
has entered, over the sealed list of entries, once; nobody names one unless the approved conditions say so.
"""

from __future__ import annotations

import time
from datetime import timedelta

from django.utils import timezone

from ledger.models import Act
from tests.attacks.appointed import agreed, change
from tests.attacks.insider import House
from tests.world.tournaments import poker_night
from tournaments.models import TournamentEntry

SEATS = "tournaments/NIGHT/seats"


def test_nobody_chooses_a_seat(house: House) -> None:
    closes = timezone.now() + timedelta(seconds=12)
    night = poker_night(closes, tables=["LP-01", "LP-02"])
    manager, supervisor, writer = house.at_console("manager"), house.insider("supervisor"), house.insider("writer")
    inspector = house.insider("inspector")
    agreed(house, change(manager, "promotions.tournament", "tournament:NIGHT", night), by=inspector)
    entries = []
    for card in ("AM-1", "BM-1", "CM-1"):
        supervisor.post("players/", {"name": f"Player {card}", "card": card}).ok(201)
        entries.append(writer.post("tournaments/NIGHT/entries", {"card": card}).ok(201)["id"])
    promised = Act.objects.get(kind="draw.promised", data__purpose="tournament")
    assert promised.pk < Act.objects.filter(kind="tournament.entered").order_by("pk")[1].pk
    mine = [{"entry": each, "table": "LP-01", "seat": 1 + at} for at, each in enumerate(entries)]
    with house.unchanged():
        assert supervisor.post(SEATS, {"how": "lot"}).refused("tournament-open")
    time.sleep(max(0.0, (closes - timezone.now()).total_seconds()) + 0.2)
    with house.unchanged():
        assert supervisor.post(SEATS, {"how": "lot", "seats": mine}).refused("seats-are-drawn")
        assert supervisor.post(SEATS, {"how": "assigned", "seats": mine}).refused("seats-otherwise")
        manager.post("/promo/tournaments/NIGHT/seats/", {f"seat-{entries[0]}": "1 LP-01 1"})  # says why not
        assert writer.post(SEATS, {"how": "lot"}).refused("no-permission")
        away = f"tournament-entries/{entries[0]}/authorise-refund"
        assert supervisor.post(away, {"why": "He sits badly."}).refused("tournament-begun")
    seated = supervisor.post(SEATS, {"how": "lot"}).ok()["results"]
    assert {(each["table"], each["seat"]) for each in seated} == {("LP-01", 1), ("LP-02", 1), ("LP-01", 2)}
    stands = list(TournamentEntry.objects.order_by("pk").values_list("table", "seat"))
    with house.unchanged():
        assert supervisor.post(SEATS, {"how": "lot"}).refused("seated-already")
        assert manager.call(SEATS, {"how": "assigned", "seats": mine}).refused("seats-otherwise")
    assert list(TournamentEntry.objects.order_by("pk").values_list("table", "seat")) == stands
