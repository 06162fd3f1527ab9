"""From the log to Redis: every published act once, in the log's final order, and the meters where they have moved.

Every streams process runs one; an advisory lock lets one at a time write. Where it begins is what Redis holds: a Redis
that came back empty is filled again from the log, one that lost its last second is filled from there. Readers find a
gap by *before*, the act published just before each, and fill it from the log themselves.
"""

from __future__ import annotations

import threading
import time
from typing import Any, Final

import redis
import structlog
from django.db import Error as DatabaseError
from django.db import connection, transaction

from jackpot.hit_acts import HitClaimed
from keno.acts import GameSettled
from keno.resettle_acts import GameResettled
from kernel import locks
from kernel.locks import Lock
from kernel.redis import client
from kernel.transactions import snapshot
from ledger.checkpoints import note
from signage import meters, tail
from signage.events import CHECKPOINT, METER, METER_ID, Event, Position, written

STREAM: Final = "signage:events"
METERS: Final = "signage:meters"  # what each meter was last said to show
HEAD: Final = "signage:checkpoint"  # the head that was last told
EVENTS_KEPT: Final = 5_000  # in Redis; whoever was away longer is served from the log
BATCH_EVENTS: Final = 1_000
LOOK_SECONDS: Final = 0.1  # between looks at the log
QUIET_LOOK_SECONDS: Final = 0.25  # the same where nothing was written for a while
QUIET_AFTER_SECONDS: Final = 10.0
TURN_SECONDS: Final = 5.0  # between turns where nothing was written: a Redis that was emptied is filled again
METERS_SECONDS: Final = 0.25  # at most four a second

_WINS: Final = frozenset({HitClaimed.kind, GameSettled.kind, GameResettled.kind})

log = structlog.get_logger(__name__)


class Relay:
    def __init__(self) -> None:
        self._redis = client()
        self._meters_at = 0.0
        self._seen = ""

    def turn(self) -> int:
        """Publish what can be published; how many events that were. Nothing where another relay is at it."""
        with transaction.atomic():
            if not locks.try_hold(Lock.RELAY):
                return 0
            upto = tail.boundary()
            top = self._top(upto)
            count = 0
            won = False
            while found := tail.events_after(top, upto=upto, most=BATCH_EVENTS):
                for event in found:
                    self._add(event)
                    won = won or event.kind in _WINS
                top, count = found[-1].position, count + len(found)
            # A win shows at once; a meter that merely counts up waits its turn.
            if won or time.monotonic() - self._meters_at >= METERS_SECONDS:
                self._meters_at = time.monotonic()
                count += self._say_now(top, upto)
            return count

    def _top(self, upto: Position) -> Position:
        """The last position in Redis. One from another log's future is thrown away with all it stands on."""
        last: Any = self._redis.xrevrange(STREAM, count=1)
        if last:
            found = Position.parse(last[0][0].decode())
            if found is not None and tail.is_ours(found):
                return found
            self._redis.delete(STREAM, METERS, HEAD)
        return tail.published_upto(upto, skip=EVENTS_KEPT)

    def _say_now(self, top: Position, upto: Position) -> int:
        """Meters and the log's head are not acts. They stand behind everything final, and before what is not."""
        said: Any = self._redis.hgetall(METERS)
        shown = {code.decode(): amount.decode() for code, amount in said.items()}
        seen = snapshot()
        if shown and seen == self._seen:
            return 0  # nothing was committed, so nothing has moved
        self._seen = seen
        moved = {code: amount for code, amount in meters.displayed().items() if shown.get(code) != amount}
        told: Any = self._redis.get(HEAD)
        head = note()
        place = Position(upto.tx, top.id + 1 if top.tx == upto.tx and top.id >= METER_ID else METER_ID)
        if place <= top:
            return 0
        for number, (code, amount) in enumerate(sorted(moved.items())):
            self._add(Event(Position(place.tx, place.id + number), METER, {"link": code, "displayed": amount}))
            self._redis.hset(METERS, code, amount)
        is_new = bool(head) and head.encode() != told
        if is_new:
            self._add(Event(Position(place.tx, place.id + len(moved)), CHECKPOINT, {"note": head}))
            self._redis.set(HEAD, head)
        return len(moved) + is_new

    def _add(self, event: Event) -> None:
        fields = {"kind": event.kind, "data": written(event.data), "before": str(event.before or "")}
        try:
            self._redis.xadd(STREAM, fields, id=str(event.position), maxlen=EVENTS_KEPT, approximate=True)  # type: ignore[arg-type]
        except redis.ResponseError as error:
            if "equal or smaller" not in str(error):
                raise
            # Another relay, which lost its lock with its database connection, was still writing the same.


class Watch:
    """Whether a turn is worth its while: something was written, or has just been and a meter waited its turn."""

    def __init__(self) -> None:
        self._seen = ""
        self._written = self._turned = float("-inf")

    def wants_turn(self) -> bool:
        now, seen = time.monotonic(), snapshot()
        if seen != self._seen:
            self._seen, self._written = seen, now
        elif now - self._written > 2 * METERS_SECONDS and now - self._turned < TURN_SECONDS:
            return False
        self._turned = now
        return True

    @property
    def look_seconds(self) -> float:
        is_quiet = time.monotonic() - self._written > QUIET_AFTER_SECONDS
        return QUIET_LOOK_SECONDS if is_quiet else LOOK_SECONDS


def run(stopping: threading.Event) -> None:
    """Until told to stop. A Redis or database that is away is waited for."""
    relay, away, watch = Relay(), False, Watch()
    while not stopping.wait(watch.look_seconds):
        try:
            if not watch.wants_turn():
                continue
            relay.turn()
            if away:
                log.info("boards are fed again")
            away = False
        except (redis.RedisError, DatabaseError, OSError) as error:
            if not away:
                log.warning("boards are not fed", error=str(error))
            away = True
            connection.close()
            stopping.wait(0.4)
    connection.close()
