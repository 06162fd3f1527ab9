"""The stream: every published act once, in the log's order, whatever breaks."""

from __future__ import annotations

import asyncio
import http.client
import random
import socket
import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection, transaction

from kernel.redis import client
from signage import relay, tail
from signage.events import START, Position
from signage.feed import feed
from signage.relay import STREAM, Relay
from tests.signage import acts
from tests.signage.acts import Listening
from tests.signage.feeds import board_of, load, play

pytestmark = pytest.mark.django_db(transaction=True)


def stored() -> list[tuple[str, str]]:
    with client() as redis:
        return [(name.decode(), fields[b"kind"].decode()) for name, fields in redis.xrange(STREAM)]


def logged() -> list[tuple[str, str]]:
    return [(str(e.position), e.kind) for e in tail.events_after(START, upto=tail.boundary(), most=10_000)]


def test_a_position_reads_back_and_nothing_else_does() -> None:
    assert Position.parse("12-34") == Position(12, 34)
    assert str(Position(12, 34)) == "12-34"
    for wrong in ("", "12", "12-", "a-b", "1-2-3", "-1-2", "٣-٤", "99999999999999999999-1", f"{1 << 63}-1"):
        assert Position.parse(wrong) is None, wrong


def test_a_turn_is_taken_when_something_was_written_and_until_its_meters_are_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    passed = [1_000.0]
    monkeypatch.setattr("signage.relay.time.monotonic", lambda: passed[0])
    watch = relay.Watch()
    assert watch.wants_turn()
    passed[0] += relay.METERS_SECONDS
    assert watch.wants_turn()  # a meter may have waited for this one
    passed[0] += 2 * relay.METERS_SECONDS
    assert not watch.wants_turn()
    acts.hit("CSP", 7, "51000.00", table="CSP-01")
    assert watch.wants_turn()
    passed[0] += relay.TURN_SECONDS  # Redis may have been emptied
    assert watch.wants_turn()


def test_unknown_acts_and_private_parts_are_not_published(clean_redis: None) -> None:
    acts.record("keno.shift-opened", "keno-shift:1", writer="staff:anna")
    acts.hit("CSP", 7, "51000.00", table="CSP-01")
    event = tail.events_after(START, upto=tail.boundary(), most=10)[0]
    assert event.kind == "jackpot.hit"
    assert dict(event.data) == {
        "at": event.data["at"], "hit": 7, "link": "CSP", "table": "CSP-01", "hand": "royal-flush", "kind": "royal",
        "amount": "51000.00", "from_pool": "51000.00", "status": "claimed",
    }  # fmt: skip
    assert len(logged()) == 1


def test_the_relay_waits_for_a_slow_transaction_and_skips_nothing(clean_redis: None) -> None:
    relayed = Relay()
    began, finish = threading.Event(), threading.Event()

    def slow() -> None:
        with transaction.atomic():
            acts.open_game(1)
            began.set()
            finish.wait(acts.WAITS)
        connection.close()

    thread = threading.Thread(target=slow)
    thread.start()
    began.wait(acts.WAITS)
    acts.open_game(2)  # later, but committed first
    assert relayed.turn() == 0
    assert stored() == []
    finish.set()
    thread.join()
    assert relayed.turn() == 2
    assert stored() == logged()
    assert [e.data["game"] for e in tail.events_after(START, upto=tail.boundary(), most=9)] == [1, 2]


def test_two_relays_publish_once(clean_redis: None) -> None:
    def feed_it() -> None:
        mine = Relay()
        while not stop.is_set():
            mine.turn()
        mine.turn()
        connection.close()

    stop = threading.Event()
    threads = [threading.Thread(target=feed_it) for _ in range(3)]
    for thread in threads:
        thread.start()
    for game in range(1, 6):
        acts.play_game(game)
    stop.set()
    for thread in threads:
        thread.join()
    assert stored() == logged()
    assert len(logged()) == 5 * 24


def test_an_empty_redis_is_filled_from_the_log_under_the_same_ids(
    clean_redis: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    acts.play_game(1)
    Relay().turn()
    before = stored()
    with client() as redis:
        redis.flushall()
    Relay().turn()
    assert stored() == before == logged()
    with client() as redis:
        redis.flushall()
    monkeypatch.setattr(relay, "EVENTS_KEPT", 10)
    Relay().turn()
    assert stored() == before[-10:]


def test_a_stream_of_another_log_is_thrown_away(clean_redis: None) -> None:
    acts.open_game(1)
    with client() as redis:
        redis.xadd(STREAM, {"kind": "keno.opened", "data": "{}", "before": ""}, id="999999999999-1")
    Relay().turn()
    assert stored() == logged()


def test_meters_are_said_once_and_a_win_at_once(clean_redis: None, meters: dict[str, str]) -> None:
    relayed = Relay()
    meters.update({"CSP": "50000.00", "BOOM": "10000.00"})
    assert relayed.turn() == 2
    meters["CSP"] = "50001.75"
    assert relayed.turn() == 0  # its quarter of a second is not over
    acts.hit("CSP", 1, "50001.75", table="CSP-01")
    meters["CSP"] = "50000.00"
    acts.open_game(1)
    assert relayed.turn() == 2  # the acts; the meter shows what was said last
    meters["CSP"] = "50003.50"
    acts.hit("CSP", 2, "50003.50", table="CSP-01")
    assert relayed.turn() == 2  # with the win, the meter
    with client() as redis:
        said = [fields[b"data"].decode() for _, fields in redis.xrange(STREAM) if fields[b"kind"] == b"jackpot.meter"]
    assert said == [
        '{"link":"BOOM","displayed":"10000.00"}',
        '{"link":"CSP","displayed":"50000.00"}',
        '{"link":"CSP","displayed":"50003.50"}',
    ]


def test_a_hundred_cuts_end_with_the_board_of_a_fresh_snapshot(serve: Callable[..., Any]) -> None:
    """Each cut is at a place of its own, between two processes' worth of servers; nothing is missed, nothing twice."""
    servers = [serve(), serve()]
    acts.open_link("CSP", "Caribbean Stud", "CSP-01", "CSP-02")
    start = load()
    writer = threading.Thread(target=_play_games, args=[range(1, 9)])
    writer.start()
    chance, board, at, seen = random.Random(4), board_of(start), start["as_of"], []
    for cut in range(100):
        listening = Listening(servers[cut % 2].port, after=at, header=bool(cut % 3))
        for event in listening.take(chance.randint(1, 2)):
            at = event["id"]
            seen.append(at)
            play(board, event)
        listening.close()
    listening = Listening(servers[0].port, after=at)
    for event in listening.until("keno.settled", game=8):
        seen.append(event["id"])
        play(board, event)
    writer.join()
    assert seen == [name for name, _ in logged() if Position.parse(name) > Position.parse(start["as_of"])]  # type: ignore[operator]
    assert board == board_of(load())


def _play_games(games: range) -> None:
    for game in games:
        acts.play_game(game)
    connection.close()


def test_two_processes_serve_the_same_stream(process: Callable[[], int]) -> None:
    ports = [process(), process()]
    listening = [Listening(port) for port in ports]
    acts.play_game(1)
    heard = [one.until("keno.settled", game=1) for one in listening]
    assert heard[0] == heard[1]
    assert [(event["id"], event["event"]) for event in heard[0]] == logged()
    # Half of it from one process, the rest from the other.
    again = Listening(ports[1], after=heard[0][11]["id"])
    assert again.until("keno.settled", game=1) == heard[0][12:]


def test_listeners_live_through_a_restart_of_redis(serve: Callable[..., Any], redis_service: Any) -> None:
    """Its data is gone, too (the test's Redis keeps nothing): the log fills it again."""
    server = serve()
    listening = Listening(server.port)
    acts.play_game(1)
    heard = listening.until("keno.settled", game=1)
    redis_service.stop()
    acts.play_game(2)
    redis_service.start()
    heard += listening.until("keno.settled", game=2)
    assert [(event["id"], event["event"]) for event in heard] == logged()
    late = Listening(server.port, after=heard[3]["id"])
    assert late.until("keno.settled", game=2) == heard[4:]


def test_who_was_away_longer_than_anybody_remembers_is_served_from_the_log(
    serve: Callable[..., Any], meters: dict[str, str]
) -> None:
    meters["CSP"] = "50000.00"
    acts.play_game(1)
    server = serve()  # it remembers nothing from before its start
    acts.wait_until(lambda: server.application.hub.meters)
    first = logged()[0][0]
    listening = Listening(server.port, after=first)
    heard = listening.until("keno.settled", game=1)
    assert [(event["id"], event["event"]) for event in heard] == logged()[1:]
    current = listening.take(1)[0]
    assert (current["event"], current["data"]) == ("jackpot.meter", {"link": "CSP", "displayed": "50000.00"})
    acts.open_game(2)
    assert listening.until("keno.opened", game=2)[-1]["id"] == logged()[-1][0]


def test_a_heartbeat_has_no_id(serve: Callable[..., Any]) -> None:
    listening = Listening(serve(heartbeat=0.05).port)
    assert listening.take(2) == [{"comment": ": still here"}] * 2


def test_a_listener_who_takes_nothing_is_dropped_and_the_others_hear_everything(
    serve: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    from signage import streams

    monkeypatch.setattr(streams, "STUCK_AFTER_SECONDS", 1.0)
    server = serve()

    def listen() -> socket.socket:
        line = socket.socket()
        line.settimeout(acts.WAITS)
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        line.connect(("127.0.0.1", server.port))
        line.sendall(b"GET /signage/stream HTTP/1.1\r\nHost: localhost\r\n\r\n")
        return line

    def read_all() -> None:
        while b'"draw":59' not in heard[-200_000:]:
            heard.extend(eager.recv(1 << 20))

    heard = bytearray()
    with listen(), listen() as eager:
        acts.wait_until(lambda: len(server.application.hub.listeners) == 2)
        reader = threading.Thread(target=read_all)
        reader.start()
        for draw in range(60):
            acts.record("promotion.result", "promotion:1", draw=draw, numbers=list(range(20_000)))
        reader.join()
        acts.wait_until(lambda: len(server.application.hub.listeners) == 1)
    assert heard.count(b"event: promotion.result") == 60


def test_a_listener_too_far_behind_is_marked() -> None:
    from signage.hub import BEHIND_PACKETS_LIMIT, Listener, Packet

    listener = Listener(START)
    for _ in range(BEHIND_PACKETS_LIMIT):
        listener.tell(Packet([]))
    assert not listener.too_slow
    listener.tell(Packet([]))
    assert listener.too_slow


@pytest.mark.parametrize("wrong", ["abc", "1-2-3", "999999999999-1"])
def test_an_id_that_is_not_of_this_log_is_refused_with_a_sentence(serve: Callable[..., Any], wrong: str) -> None:
    connection_ = http.client.HTTPConnection("127.0.0.1", serve().port, timeout=acts.WAITS)
    connection_.request("GET", "/signage/stream", headers={"Last-Event-ID": wrong})
    response = connection_.getresponse()
    assert (response.status, response.headers["Content-Type"]) == (400, "application/problem+json")
    assert b"feed.json" in response.read()


def test_nothing_else_is_served_there(serve: Callable[..., Any]) -> None:
    port = serve().port
    for method, path, status in [
        ("GET", "/", 404),
        ("GET", "/signage/keno", 404),
        ("POST", "/signage/stream", 405),
        ("OPTIONS", "/signage/stream", 204),
    ]:
        line = http.client.HTTPConnection("127.0.0.1", port, timeout=acts.WAITS)
        line.request(method, path)
        response = line.getresponse()
        assert response.status == status, path
        assert response.headers["Access-Control-Allow-Origin"] == "*"


def test_the_feed_is_where_the_stream_goes_on(serve: Callable[..., Any]) -> None:
    acts.play_game(1)
    at = load()["as_of"]
    server = serve()
    listening = Listening(server.port, after=at, header=False)
    acts.open_game(2)
    assert listening.take(1)[0]["data"]["game"] == 2
    assert feed() == feed()


class Line:
    """A connection to a listener that takes what it is sent, until it does not."""

    def __init__(self) -> None:
        self.written: list[bytes] = []
        self.left = 0

    def write(self, data: bytes) -> None:
        self.written.append(data)

    def get_write_buffer_size(self) -> int:
        return self.left


def test_who_has_taken_everything_is_told_at_once_and_nobody_out_of_order() -> None:
    from signage.events import Event
    from signage.hub import Listener, Packet

    packets = [Packet([Event(Position(1, number), "keno.ball", {"n": number})]) for number in range(1, 6)]

    async def listen() -> None:
        listener, line = Listener(START), Line()
        listener.tell(packets[0])  # before the answer has begun
        listener.tell_on(line)  # type: ignore[arg-type]  # as much of one as is used
        listener.tell(packets[1])  # behind one that waits
        assert [await listener.next(), await listener.next()] == packets[:2]
        task = asyncio.create_task(listener.next())
        await asyncio.sleep(0)
        listener.tell(packets[2])
        assert line.written == [b"%x\r\n%b\r\n" % (len(packets[2].body), packets[2].body)]
        line.left = 1  # he does not take it
        listener.tell(packets[3])
        line.left = 0
        listener.tell(packets[4])  # not before the one that waits
        assert [await task, await listener.next()] == packets[3:]
        assert len(line.written) == 1

    asyncio.run(listen())


def test_who_is_ahead_of_this_process_hears_nothing_twice() -> None:
    from signage.events import Event
    from signage.hub import Listener, Packet

    async def listen() -> None:
        listener, line = Listener(Position(1, 1)), Line()
        listener.tell_on(line)  # type: ignore[arg-type]
        task = asyncio.create_task(listener.next())
        await asyncio.sleep(0)
        both = Packet([Event(Position(1, number), "keno.ball", {"n": number}) for number in (1, 2)])
        listener.tell(both)
        assert line.written == []
        assert (await task) is both  # his task leaves out what he has

    asyncio.run(listen())
