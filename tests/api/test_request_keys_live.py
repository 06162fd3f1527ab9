"""Decision 10 against a real server: many at once, and a server that dies at the worst moments."""

from __future__ import annotations

import http.client
import json

import pytest

from house.models import Incident
from tests.world.calls import INCIDENT, make_device
from tests.world.served.killing import HEADER as KILL
from tests.world.server import Server
from tests.world.threads import in_threads
from web.models import RequestKey

PATH = "/api/v1/incidents/"
pytestmark = pytest.mark.django_db(transaction=True)


class Reporter:
    def __init__(self, server: Server) -> None:
        self.server = server
        _, self.token = make_device("writer")

    def headers(self, key: str) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}", "Idempotency-Key": key}

    def report(self, key: str, **more: str) -> tuple[int, bytes, dict[str, str]]:
        return self.server.send("POST", PATH, INCIDENT, **self.headers(key), **more)


def test_one_effect_from_32_threads(server: Server) -> None:
    report = Reporter(server).report
    answers = in_threads(32, lambda: report("together"))
    assert {status for status, _, _ in answers} == {201}
    assert len({body for _, body, _ in answers}) == 1
    assert sum("idempotency-replayed" in {name.lower() for name in said} for _, _, said in answers) == 31
    assert Incident.objects.count() == 1


@pytest.mark.long
def test_one_effect_through_kill_9(server: Server) -> None:
    reporter = Reporter(server)
    report = reporter.report
    # Killed after the commit, before the answer: done, and nobody knows.
    with pytest.raises((OSError, http.client.HTTPException)):
        report("lost", **{KILL: "after"})
    assert Incident.objects.count() == 1
    kept = RequestKey.objects.get(key="lost")

    server.start_again()
    status, body, _ = server.send("GET", "/api/v1/requests/lost", **reporter.headers("unused"))
    assert status == 200
    assert json.loads(body)["answer"] == json.loads(kept.answer)
    answers = in_threads(32, lambda: report("lost"))
    assert {(status, body) for status, body, _ in answers} == {(201, kept.answer.encode())}
    assert Incident.objects.count() == 1

    # Killed inside the transaction: not done, and the key is free.
    with pytest.raises((OSError, http.client.HTTPException)):
        report("cut", **{KILL: "inside"})

    server.start_again()
    assert Incident.objects.count() == 1
    assert not RequestKey.objects.filter(key="cut").exists()
    answers = in_threads(32, lambda: report("cut"))
    assert {status for status, _, _ in answers} == {201}
    assert len({body for _, body, _ in answers}) == 1
    assert Incident.objects.count() == 2
    assert report("lost")[1] == kept.answer.encode()
