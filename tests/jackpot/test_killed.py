"""A server that dies in the middle of a hit: it happened wholly or not at all, and the table finds out which."""

from __future__ import annotations

import http.client
import json
import os
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from house.models import RequestKey
from jackpot import mystery, pools, trigger_points
from jackpot.contribute import Message, contribute_bulk
from jackpot.finish_round import finish_round
from jackpot.models import Hit, Pool, Round, TriggerPoint, Wager
from jackpot.reconcile import reconcile
from jackpot.start_round import Offer, start_round
from ledger.models import Act, Transfer
from tests.api.calls import make_device
from tests.api.live.killing import HEADER as KILL
from tests.api.live.server import ROOT, Server, database_url
from tests.jackpot.mystery_link import STEP, open_link
from tests.jackpot.people import ROYAL, TABLE
from tests.jackpot.table import conserved

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


class Dying:
    """See dying.py."""

    def __enter__(self) -> Dying:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.jackpot.dying"],
            cwd=ROOT,
            env={**os.environ, "DATABASE_URL": database_url()},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        return self

    def __exit__(self, *_: Any) -> None:
        self.process.communicate()

    def order(self, **what: Any) -> Any:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps(what) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def killed_everywhere(self, *, ends: int, whole: Callable[[], bool] | None = None, **what: Any) -> int:
        """Killed before each write in turn: each time nothing of it is there. Then it is done; how many deaths."""
        before = everything()
        for at in range(1, 1000):
            ended = self.order(at=at, **what)
            if ended != "killed":
                assert ended == ends
                return at
            if whole is not None and whole():  # committed, and killed while it went on with something else
                return at
            assert everything() == before, f"killed before write {at}"
        raise AssertionError("it never came to its end")


def everything() -> list[Any]:
    """All that a hit touches."""
    return [
        list(rows.order_by("pk").values())
        for rows in (
            Transfer.objects.all(),
            Act.objects.all(),
            Hit.objects.all(),
            Round.objects.all(),
            Wager.objects.all(),
            TriggerPoint.objects.all(),
            RequestKey.objects.all(),
        )
    ]


def test_kill_9_of_the_web_at_every_write_of_a_hit() -> None:
    """A royal flush with a bonus beside it: finished, verified, paid, each killed everywhere and then done once."""
    started = start_round(table="CSP-01", wagers=[Offer(box=1), Offer(box=2)], by=TABLE)
    tokens = {role: make_device(role)[1] for role in ("table", "supervisor", "manager")}

    def web(who: str, path: str, key: str, body: Any = None) -> dict[str, Any]:
        return {"job": "web", "path": path, "body": body or {}, "token": tokens[who], "key": key}

    with Dying() as dying:
        hands = {"hands": [{"box": 1, "cards": ROYAL.split()}]}
        finish = web("table", f"rounds/{started.pk}/finish", "finish", hands)
        deaths = dying.killed_everywhere(ends=200, **finish)
        assert deaths > 5  # it was killed before, between and after its postings
        once = everything()
        # The answer was lost: the same request again, which does nothing more.
        assert dying.order(at=0, **finish) == 200
        assert everything()[:-1] == once[:-1]
        bonus, royal = Hit.objects.order_by("sequence")
        for hit in (bonus, royal):
            dying.killed_everywhere(ends=200, **web("supervisor", f"hits/{hit.pk}/verify", f"verify {hit.pk}"))
        dying.killed_everywhere(ends=200, **web("manager", f"hits/{bonus.pk}/pay", "pay"))
        reason = {"reason": "Seen by nobody."}
        dying.killed_everywhere(ends=200, **web("manager", f"hits/{royal.pk}/deny", "deny", reason))
    assert list(Hit.objects.order_by("sequence").values_list("status", flat=True)) == ["paid", "denied"]
    assert str(pools.standing("CSP").prize) == "50003.50"  # as if the royal had not been
    conserved("CSP")
    assert reconcile(pool=pools.find("CSP")).fault == ""


def test_kill_9_of_web_and_worker_at_every_write_of_a_fall(monkeypatch: pytest.MonkeyPatch) -> None:
    """A must-hit-by jackpot that two wagers reached together is settled by the worker; one that a round reaches by the
    web. Whoever is killed, wherever, the point is not skipped and not paid twice."""
    pool = open_link()
    monkeypatch.setattr(mystery, "_may_fall", lambda pool, coming: False)
    for table in ("MYS-01", "MYS-02", "MYS-03"):
        start_round(table=table, wagers=[Offer(box=box) for box in range(1, 8)], by=TABLE)  # 60.50 in all
    monkeypatch.undo()
    assert Hit.objects.count() == 0
    with Dying() as dying:
        assert dying.killed_everywhere(ends=0, job="worker", whole=lambda: _settled(pool)) > 5
        fallen = Hit.objects.count()
        assert fallen >= 1
        assert dying.order(job="worker", at=0) == 0
        assert Hit.objects.count() == fallen
        for played in Round.objects.filter(table__pool=pool, status="open"):
            finish_round(round_id=played.pk, hands=[], by=TABLE)
        _, token = make_device("table")
        wagers = _short_of(pool)
        fallen = Hit.objects.count()
        contribute_bulk(messages=[Message("near", "MYS-01", wagers, datetime.now(UTC))], by=TABLE)
        assert Hit.objects.count() == fallen
        start: dict[str, Any] = {
            "job": "web",
            "path": "tables/MYS-01/rounds",
            "body": {"wagers": [{"box": 1}]},
            "token": token,
        }
        assert dying.killed_everywhere(ends=201, key="start", **start) > 5
    assert Hit.objects.count() == fallen + 1
    assert Hit.objects.order_by("-sequence")[0].table.code == "MYS-01"
    conserved("MYS")
    assert reconcile(pool=pool).fault == ""


def _settled(pool: Pool) -> bool:
    """The fall is there, wholly: its hit, its proof, the next point, and books that agree."""
    if not Hit.objects.exists():
        return False
    assert TriggerPoint.objects.filter(hit__isnull=False).count() == Hit.objects.count()
    assert mystery.running(pool) is not None
    conserved("MYS")
    return True


def _short_of(pool: Pool) -> int:
    """How many wagers may come before the one that reaches the point: at least one, so that a message can say it."""
    sealed = mystery.running(pool)
    assert sealed is not None
    left = (trigger_points.point_of(sealed) - pools.standing("MYS").prize).micros
    if left <= STEP:  # the next wager reaches it: let it fall, and look at the one after
        contribute_bulk(messages=[Message(f"fell-{sealed.number}", "MYS-01", 1, datetime.now(UTC))], by=TABLE)
        return _short_of(pool)
    return -(-left // STEP) - 1
