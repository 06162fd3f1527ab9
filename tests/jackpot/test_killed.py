"""A server that dies in the middle of a hit: it happened wholly or not at all, and the table finds out which."""

from __future__ import annotations

import http.client
import json
from pathlib import Path
from typing import Any

import pytest

from jackpot import pools
from jackpot.models import Hit, Round
from jackpot.reconcile import reconcile
from ledger.models import Transfer
from tests.api.calls import make_device
from tests.api.live.killing import HEADER as KILL
from tests.api.live.server import Server
from tests.jackpot.people import ROYAL
from tests.jackpot.test_rounds import conserved

pytestmark = pytest.mark.usefixtures("live_floor")


def test_kill_9_in_the_middle_of_a_hit(tmp_path: Path) -> None:
    _, token = make_device("table")
    hands = {"hands": [{"box": 1, "cards": ROYAL.split()}]}

    def call(server: Server, path: str, body: Any, key: str, **more: str) -> tuple[int, Any]:
        headers = {"Authorization": f"Bearer {token}", "Idempotency-Key": key, **more}
        status, answer, _ = server.send("POST", f"/api/v1/jackpot/{path}", body, **headers)
        return status, json.loads(answer)

    with Server(tmp_path / "log") as server:
        status, started = call(server, "tables/CSP-01/rounds", {"wagers": [{"box": 1}]}, "start")
        assert status == 201
        finish = f"rounds/{started['round']}/finish"
        before = Transfer.objects.count()
        # Inside: amount fixed, money set aside, not yet committed.
        with pytest.raises((OSError, http.client.HTTPException)):
            call(server, finish, hands, "finish", **{KILL: "inside"})

    assert (Transfer.objects.count(), Hit.objects.count(), Round.objects.get().status) == (before, 0, "open")

    # The table sends it again; this time the answer is lost after the commit.
    with Server(tmp_path / "log") as server, pytest.raises((OSError, http.client.HTTPException)):
        call(server, finish, hands, "finish", **{KILL: "after"})
    assert Hit.objects.get().status == "claimed"
    after = Transfer.objects.count()

    with Server(tmp_path / "log") as server:
        status, ended = call(server, finish, hands, "finish")
        assert (status, [hit["amount"] for hit in ended["hits"]]) == (200, ["50001.75"])
    assert (Transfer.objects.count(), Hit.objects.count()) == (after, 1)
    conserved("CSP")
    assert reconcile(pool=pools.find("CSP")).fault == ""
