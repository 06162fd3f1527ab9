"""A public beacon takes part: real rounds of drand's quicknet, served by a relay of our own on this machine."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
import time_machine

from chance import beacon, two_party
from chance.two_party import How
from config.beacon import beacon_rule, beacon_url
from draws import ask, commit
from draws import beacon as fetching
from draws.models import BeaconRound, Commitment, Replacement
from draws.proof import proof_of
from draws.record import KINDS, DrawsOnRecord
from draws.replace import name_round
from kernel.environment import Trouble
from kernel.export_check import Doubt
from kernel.refusal import Conflict, Forbidden, Refusal
from ledger.models import Act
from tests.draws.conftest import BY
from tests.draws.vectors import ROUNDS, RULE, answered_before
from tests.world import second_implementation as second
from tests.world.demo import demo_actor
from tests.world.second_party import AtHand

installed = pytest.mark.skipif(not beacon.can_check(), reason="drand-verify is not installed")
ROUND_1000 = beacon.time_of(1000)


class Relay:
    """What it gives, by number; and what it was asked for."""

    def __init__(self) -> None:
        self.rounds: dict[int, str] = dict(ROUNDS)
        self.asked: list[str] = []
        relay = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                relay.asked.append(self.path)
                number = int(self.path.rpartition("/")[2])
                body = json.dumps({"round": number, "signature": relay.rounds.get(number, "")}).encode()
                self.send_response(200 if number in relay.rounds else 425)
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *args: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"


@pytest.fixture
def relay(settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Relay]:
    made = Relay()
    threading.Thread(target=made.server.serve_forever, daemon=True).start()
    settings.BEACON_URL = made.url
    # The test's own transaction is no verb's.
    monkeypatch.setattr(fetching, "connection", type("Outside", (), {"in_atomic_block": False}))
    yield made
    made.server.shutdown()
    made.server.server_close()


@pytest.mark.parametrize(
    ("rule", "right"),
    [
        (RULE, True),
        ("drand-quicknet+9", False),
        ("drand-quicknet+3601", False),
        ("drand-quicknet+030", False),
        ("", False),
        ("drand-quicknet", False),
        ("drand-mainnet+30", False),
    ],
)
def test_a_rule_names_the_chain_and_the_seconds(rule: str, right: bool) -> None:
    if right:
        assert beacon.delay_of(rule) == 30
    else:
        with pytest.raises(ValueError, match="drand-quicknet"):
            beacon.delay_of(rule)


def test_the_round_comes_after_the_answer_and_the_delay() -> None:
    for at in range(1_794_823_400, 1_794_823_420):
        number = beacon.round_of_rule(RULE, at=at)
        assert beacon.time_of(number - 1) <= at + 30 < beacon.time_of(number)
    assert beacon.first_after(0) == 1


def test_the_environment_names_a_beacon_whole_or_not_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    assert (beacon_url(), beacon_rule()) == ("", "")
    monkeypatch.setenv("BEACON_RULE", RULE)
    with pytest.raises(Trouble, match="BEACON_URL"):
        beacon_rule()
    monkeypatch.setenv("BEACON_URL", "https://api.drand.sh/")
    monkeypatch.setattr(beacon, "CHECKED_BY", "json")
    assert (beacon_url(), beacon_rule()) == ("https://api.drand.sh", RULE)
    monkeypatch.setattr(beacon, "CHECKED_BY", "no_such_module")
    with pytest.raises(Trouble, match=r"pip install -r requirements-beacon\.txt"):
        beacon_rule()
    monkeypatch.setenv("BEACON_RULE", "tea leaves")
    with pytest.raises(Trouble, match="must read like"):
        beacon_rule()
    monkeypatch.setenv("BEACON_URL", "api.drand.sh")
    with pytest.raises(Trouble, match="BEACON_URL must read like"):
        beacon_url()


@installed
def test_published_rounds_are_drands_and_no_others(relay: Relay) -> None:
    for number, signature in ROUNDS.items():
        assert fetching.fetch(number) == bytes.fromhex(signature)
    for forged in (ROUNDS[123], "00" * 48, "ff" * 48, "", "not hex", 7):
        relay.rounds[1000] = forged  # type: ignore[assignment]
        assert fetching.fetch(1000) is None
    assert fetching.fetch(1001) is None
    assert relay.asked[0] == f"/{beacon.CHAIN}/public/123"


@installed
def test_a_round_that_is_still_to_come_is_not_asked_for(relay: Relay) -> None:
    with time_machine.travel(ROUND_1000 - 1, tick=False):
        assert fetching.fetch(1000) is None
    assert relay.asked == []
    relay.server.shutdown()
    relay.server.server_close()
    assert fetching.fetch(1000) is None  # nobody there


def sealed(promised: Commitment) -> Commitment:
    ask.seal_set(promised, occasion=promised.name, root=bytes([7] * 32), count=14, by=BY)
    return promised


def on_record() -> DrawsOnRecord:
    record = DrawsOnRecord("keno")
    for act in Act.objects.filter(kind__in=KINDS).order_by("id"):
        record.act(act.kind, act.data)
    return record


@pytest.fixture
def with_beacon(venue: None, relay: Relay, settings: Any) -> Commitment:
    settings.BEACON_RULE = RULE
    return sealed(commit.commit(purpose="keno", name="1042", device="rng", by=BY))


@installed
@pytest.mark.django_db
def test_the_draw_waits_for_its_round_and_for_no_other(with_beacon: Commitment, relay: Relay) -> None:
    of = {"occasion": "1042", "attempt": 1}
    assert with_beacon.beacon == RULE
    with time_machine.travel(answered_before(1000), tick=False):
        assert ask.ask(with_beacon, **of, by=BY) is None  # type: ignore[arg-type]
    assert relay.asked == []
    with time_machine.travel(ROUND_1000 + 1, tick=False):
        genuine = relay.rounds.pop(1000)
        assert ask.ask(with_beacon, **of, by=BY) is None  # type: ignore[arg-type]  # not there yet
        relay.rounds[1000] = relay.rounds[123]
        assert ask.ask(with_beacon, **of, by=BY) is None  # type: ignore[arg-type]  # a relay that lies
        relay.rounds[1000] = genuine
        said = ask.ask(with_beacon, **of, by=BY)  # type: ignore[arg-type]
        assert said is not None
        assert ask.ask(with_beacon, **of, by=BY) == said  # type: ignore[arg-type]
    assert said.beacon == two_party.beacon_round(1000, bytes.fromhex(ROUNDS[1000]))
    assert BeaconRound.objects.get().round == 1000
    drawn = ask.numbers(with_beacon, said, pool=80, count=20)
    commit.reveal(with_beacon, by=BY)
    record = on_record()
    assert (record.said("1042", 1), record.rounds, record.rounds_unchecked) == (said, 1, 0)
    proof = json.loads(json.dumps(proof_of(with_beacon, **of, pool=80, numbers=drawn)))  # type: ignore[arg-type]
    assert (second.failures(proof), proof["numbers"]) == ([], drawn)


@installed
@pytest.mark.django_db
def test_a_verifier_knows_the_round_by_the_rule(with_beacon: Commitment, monkeypatch: pytest.MonkeyPatch) -> None:
    with time_machine.travel(answered_before(1000), tick=False):
        ask.ask(with_beacon, occasion="1042", attempt=1, by=BY)
    with pytest.raises(Doubt, match="beacon that was promised is missing"):
        on_record().said("1042", 1)
    with time_machine.travel(ROUND_1000 + 1, tick=False):
        ask.ask(with_beacon, occasion="1042", attempt=1, by=BY)
    heard = Act.objects.get(kind="draw.beacon")
    for forged, said in (
        ({"round": 1001}, "means 1000"),
        ({"signature": ROUNDS[123]}, "not signed by drand"),
    ):
        record = DrawsOnRecord("keno")
        with pytest.raises(Doubt, match=said):  # noqa: PT012
            for act in Act.objects.filter(kind__in=KINDS).order_by("id"):
                record.act(act.kind, act.data | forged if act.id == heard.id else act.data)
    monkeypatch.setattr(beacon, "CHECKED_BY", "no_such_module")
    record = on_record()
    assert (record.rounds, record.rounds_unchecked) == (1, 1)
    assert "1 of 1 rounds of drand were not checked" in record.remarks()[0]


@pytest.mark.django_db
def test_links_wait_for_no_beacon(venue: None, settings: Any) -> None:
    settings.BEACON_RULE = RULE
    assert commit.commit(purpose="must-hit-by", name="LINK/2026-11-17", device="rng", by=BY).beacon == ""


@installed
@pytest.mark.django_db
def test_an_inspector_names_a_round_that_is_still_to_come(
    promised: Commitment, relay: Relay, second_party: AtHand
) -> None:
    of: Any = {"occasion": "1042", "attempt": 1}
    inspector = demo_actor("inspector")
    second_party.away = True
    sealed(promised)
    with time_machine.travel(ROUND_1000 - 60, tick=False):
        with pytest.raises(Conflict, match="not been asked"):
            name_round(promised, **of, round=1000, why="Away.", by=inspector)
        assert ask.ask(promised, **of, by=BY) is None
        for wrong in (998 - 20, 123, 1000 + 24 * 1200 + 100):
            with pytest.raises(Refusal, match="still to come"):
                name_round(promised, **of, round=wrong, why="Away.", by=inspector)
        with pytest.raises(Forbidden):
            name_round(promised, **of, round=1000, why="Away.", by=demo_actor("manager"))
        with pytest.raises(Refusal, match="Say why"):
            name_round(promised, **of, round=1000, why=" ", by=inspector)
        assert not Replacement.objects.exists()
        name_round(promised, **of, round=1000, why="The line is down.", by=inspector)
        with pytest.raises(Conflict, match="already"):
            name_round(promised, **of, round=1000, why="Again.", by=inspector)
        assert ask.ask(promised, **of, by=BY) is None  # the round is still to come
        second_party.away = False  # the witness comes back: what it says is on record, and changes nothing
        from draws import second_party as turned_to

        assert turned_to.ask(promised, **of, by=BY) is not None
        assert ask.said_to(promised, **of) is None
    with pytest.raises(Doubt, match="never answered"):
        on_record().said("1042", 1)
    with time_machine.travel(ROUND_1000 + 1, tick=False):
        said = ask.ask(promised, **of, by=BY)
    assert said is not None
    assert (said.how, said.said) == (How.BEACON, two_party.beacon_round(1000, bytes.fromhex(ROUNDS[1000])))
    record = on_record()
    assert (record.said("1042", 1), record.unwitnessed, record.rounds) == (said, 1, 1)
    drawn = ask.numbers(promised, said, pool=80, count=20)
    commit.reveal(promised, by=BY)
    assert second.failures(proof_of(promised, **of, pool=80, numbers=drawn)) == []


@pytest.mark.django_db
def test_without_a_relay_no_round_is_named(promised: Commitment, second_party: AtHand, settings: Any) -> None:
    settings.BEACON_URL = ""
    second_party.away = True
    ask.ask(sealed(promised), occasion="1042", attempt=1, by=BY)
    with pytest.raises(Conflict, match="throw dice"):
        name_round(promised, occasion="1042", attempt=1, round=99_999_999, why="Away.", by=demo_actor("inspector"))
    assert not Replacement.objects.exists()
