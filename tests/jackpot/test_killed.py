"""A server that dies in the middle of a hit: it happened wholly or not at all, and the table finds out which."""

from __future__ import annotations

import http.client
import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import IO, Any

import pytest
from django.utils import timezone

from draws import ask as draws
from jackpot import links, pools, promises
from jackpot.finish_round import finish_round
from jackpot.models import CountedWager, Hit, MeterSeal, Round, Wager
from jackpot.reconcile import reconcile
from jackpot.start_round import Offer, start_round
from ledger.models import Act, Transfer
from tests.jackpot.dealt import ROYAL
from tests.world.calls import make_device
from tests.world.dying import start
from tests.world.jackpot_table import conserved
from tests.world.mystery_link import open_mystery_link
from tests.world.people import TABLE
from tests.world.served.killing import HEADER as KILL
from tests.world.server import Server
from web.models import RequestKey

pytestmark = pytest.mark.usefixtures("live_floor")


@pytest.mark.long  # every twelfth write is killed below, in a fork that costs a tenth
def test_kill_9_in_the_middle_of_a_hit(server: Server) -> None:
    _, token = make_device("table")
    hands = {"hands": [{"box": 1, "cards": ROYAL.split()}]}

    def call(path: str, body: Any, key: str, **more: str) -> tuple[int, Any]:
        headers = {"Authorization": f"Bearer {token}", "Idempotency-Key": key, **more}
        status, answer, _ = server.send("POST", f"/api/v1/jackpot/{path}", body, **headers)
        return status, json.loads(answer)

    status, started = call("tables/CSP-01/rounds", {"wagers": [{"box": 1}]}, "start")
    assert status == 201
    finish = f"rounds/{started['round']}/finish"
    before = Transfer.objects.count()
    # Inside: amount fixed, money set aside, not yet committed.
    with pytest.raises((OSError, http.client.HTTPException)):
        call(finish, hands, "finish", **{KILL: "inside"})
    server.start_again()

    assert (Transfer.objects.count(), Hit.objects.count(), Round.objects.get().status) == (before, 0, "open")

    # The table sends it again; this time the answer is lost after the commit.
    with pytest.raises((OSError, http.client.HTTPException)):
        call(finish, hands, "finish", **{KILL: "after"})
    assert Hit.objects.get().status == "claimed"
    after = Transfer.objects.count()

    server.start_again()
    status, ended = call(finish, hands, "finish")
    assert (status, [hit["amount"] for hit in ended["hits"]]) == (200, ["50001.75"])
    assert (Transfer.objects.count(), Hit.objects.count()) == (after, 1)
    conserved("CSP")
    assert reconcile(link=links.find_link("CSP")).fault == ""


Program = tuple[IO[str], IO[str]]


@pytest.fixture(scope="module")
def program(django_db_setup: None) -> Iterator[Program]:
    """What it reads and what it says. One for all tests here: each job is done, and dies, in a fork of it."""
    process, to, back = start("tests.jackpot.dying")
    yield to, back
    process.communicate()


class Dying:
    """See dying.py. Where not exhaustive, it is killed before every twelfth write only."""

    def __init__(self, program: Program, *, exhaustive: bool) -> None:
        self.to, self.back = program
        self.step = 1 if exhaustive else 12

    def order(self, **what: Any) -> Any:
        self.to.write(json.dumps(what) + "\n")
        self.to.flush()
        return json.loads(self.back.readline())

    def killed_everywhere(self, *, ends: int, whole: Callable[[], bool] | None = None, **what: Any) -> int:
        """Killed before each write in turn: each time nothing of it is there. Then it is done; how many deaths."""
        before = everything()
        for at in range(1, 1000, self.step):
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
            CountedWager.objects.all(),
            MeterSeal.objects.all(),
            RequestKey.objects.all(),
        )
    ]


def test_kill_9_of_the_web_at_every_write_of_a_hit(program: Program, exhaustive: bool) -> None:
    """A royal flush with a bonus beside it: finished, verified, paid, each killed everywhere and then done once."""
    devices = {role: make_device(role) for role in ("table", "supervisor", "manager")}
    tokens = {role: token for role, (_, token) in devices.items()}
    dealer = replace(TABLE, identity=devices["table"][0].identity)
    started = start_round(table="CSP-01", wagers=[Offer(box=1), Offer(box=2)], by=dealer)

    def web(who: str, path: str, key: str, body: Any = None) -> dict[str, Any]:
        return {"job": "web", "path": path, "body": body or {}, "token": tokens[who], "key": key}

    dying = Dying(program, exhaustive=exhaustive)
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
        seen = {"surveillance": "CAM-7 21:04"} | ({"cards": hit.dealt} if hit.dealt else {})
        dying.killed_everywhere(ends=200, **web("supervisor", f"hits/{hit.pk}/verify", f"verify {hit.pk}", seen))
    dying.killed_everywhere(ends=200, **web("manager", f"hits/{bonus.pk}/pay", "pay"))
    reason = {"reason": "Seen by nobody."}
    dying.killed_everywhere(ends=200, **web("manager", f"hits/{royal.pk}/deny", "deny", reason))
    assert list(Hit.objects.order_by("sequence").values_list("status", flat=True)) == ["paid", "denied"]
    assert str(pools.read_pools("CSP").prize) == "50003.50"  # as if the royal had not been
    conserved("CSP")
    assert reconcile(link=links.find_link("CSP")).fault == ""


def test_kill_9_of_web_and_worker_at_every_write_of_a_fall(program: Program, exhaustive: bool) -> None:
    """A round whose wagers count is ended by the web, its movement sealed and decided by the worker. Whoever is killed,
    wherever, no wager counts twice, nothing is sealed or decided twice, and nothing that fell is skipped."""
    link = open_mystery_link()
    device, token = make_device("table")
    dealer = replace(TABLE, identity=device.identity)
    started = [
        start_round(table=table, wagers=[Offer(box=box) for box in range(1, 8)], by=dealer)
        for table in ("MYS-01", "MYS-02", "MYS-03")
    ]  # 60.50 in all: it falls surely
    promises.must_be_promised(link, timezone.now())
    for each in started[1:]:
        finish_round(round_id=each.pk, hands=[], by=dealer)
    finish: dict[str, Any] = {"job": "web", "path": f"rounds/{started[0].pk}/finish", "body": {"hands": []}}
    dying = Dying(program, exhaustive=exhaustive)
    assert dying.killed_everywhere(ends=200, token=token, key="finish", **finish) > 3
    assert CountedWager.objects.filter(seal=None).count() == 21
    assert dying.killed_everywhere(ends=0, job="seal", whole=MeterSeal.objects.exists) > 2
    seal = MeterSeal.objects.get()
    assert (seal.count, seal.wagers.count()) == (21, 21)
    draws.ask(seal.commitment, occasion=seal.occasion, attempt=1, by=TABLE)
    assert dying.killed_everywhere(ends=0, job="worker", whole=lambda: _settled(seal)) > 4  # where it falls once
    fallen = Hit.objects.count()
    assert fallen >= 1
    assert dying.order(job="worker", at=0) == 0
    assert Hit.objects.count() == fallen
    conserved("MYS")
    assert reconcile(link=link).fault == ""


def _settled(seal: MeterSeal) -> bool:
    """The decision is there, wholly: its hits, where the meter stands, and books that agree."""
    seal.refresh_from_db()
    if seal.decided_at is None:
        return False
    assert seal.after is not None
    hits = Hit.objects.order_by("sequence").values_list("pk", flat=True)
    assert [fell["hit"] for fell in seal.falls or ()] == list(hits)
    assert pools.read_pools("MYS").prize == seal.after
    conserved("MYS")
    return True
