"""The log's latest head stands in everything that the house says: in the feed, in the stream, under every report."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from house.devices import service_token
from house.models import Staff
from kernel.notes import Note
from kernel.redis import client
from ledger.checkpoints import Notes, fingerprints, note, verifier_keys
from ledger.cosign import cosign_now
from ledger.seal import last_seal, seal_now
from signage.events import CHECKPOINT
from signage.relay import STREAM, Relay
from tests.signage import acts
from tests.signage.acts import Listening
from tests.signage.feeds import load
from tests.world.sessions import signed_in
from tests.world.witness import RunningWitness

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def head(witness: RunningWitness, clean_redis: None) -> str:
    acts.open_game(1)
    seal_now()
    assert cosign_now()
    said = note()
    assert len(Note.parse(said.encode()).opened(verifier_keys())) == 2  # by the house and the witness
    return said


def stored() -> list[tuple[str, bytes]]:
    with client() as redis:
        return [(fields[b"kind"].decode(), fields[b"data"]) for _, fields in redis.xrange(STREAM)]


def test_before_the_first_seal_there_is_none(clean_redis: None) -> None:
    assert load()["checkpoint"] is None


def test_the_feed_has_it(head: str) -> None:
    assert load()["checkpoint"] == head
    acts.close_game(1)
    seal_now()
    newest = last_seal()
    assert newest is not None
    # The last one cosigned, while that is fresh: both have signed it.
    assert load()["checkpoint"] == head
    assert cosign_now()
    newest.refresh_from_db()
    assert load()["checkpoint"] == str(Notes().of(newest)) != head


def test_the_stream_tells_each_once(head: str) -> None:
    relay = Relay()
    relay.turn()
    told = [data for kind, data in stored() if kind == CHECKPOINT]
    assert len(told) == 1
    acts.close_game(1)
    seal_now()
    assert cosign_now()
    relay._meters_at = 0.0
    relay.turn()
    relay._meters_at = 0.0
    relay.turn()
    told = [data for kind, data in stored() if kind == CHECKPOINT]
    assert len(told) == 2
    assert load()["checkpoint"].splitlines()[2] in told[1].decode()


def test_it_is_heard_by_whoever_listens(head: str, serve: Callable[..., Any]) -> None:
    server = serve()
    acts.wait_until(lambda: server.application.hub.head)
    assert Listening(server.port, after="0-0").until(CHECKPOINT)[-1]["data"] == {"note": head}


def test_under_every_report(head: str, settings: Any) -> None:
    from house import demo

    settings.DEMO = True
    demo.build_demo()
    token = service_token(role="manager").secret
    said = {"Authorization": f"Bearer {token}"}
    head = note()
    written = Client().get("/api/v1/keno/reports/games?format=csv", headers=said)
    rows = list(csv.reader(io.StringIO(written.content.decode(), newline="")))
    keys = fingerprints()
    assert rows[-2 - len(keys) :] == [[], [head], *([f"Key of the {whose}", key] for whose, key in keys)]
    assert "house" in dict(keys)
    paper = Client().get("/api/v1/keno/reports/games?format=pdf", headers=said)
    assert paper.content.startswith(b"%PDF")
    page = signed_in(Staff.objects.get(username="manager")).get(reverse("console:keno-report", args=["games"]))
    assert head.splitlines()[2] in page.content.decode()
    assert all(key in page.content.decode() for _, key in keys)
