"""One reader of Redis in a process, fanned out to everybody who listens there.

The hub remembers the last few thousand events. Whoever comes with a position that is still remembered goes on from
there without anything being asked of anybody; who was away longer is first served from the log.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections import deque
from collections.abc import Callable
from typing import Any, Final, TypeVar

import redis.asyncio
import structlog
from django.conf import settings
from django.db import Error as DatabaseError
from django.db import connection
from redis.exceptions import RedisError

from signage import tail
from signage.events import CHECKPOINT, METER, START, Event, Position
from signage.relay import HEAD, METERS, STREAM

REMEMBERED_EVENTS: Final = 5_000
BEHIND_PACKETS_LIMIT: Final = 256  # packets a listener may be behind before it is dropped
BATCH_EVENTS: Final = 1_000
SILENT_SECONDS: Final = 5  # that a Redis in which nothing comes is waited for, before it is asked anew

log = structlog.get_logger(__name__)
T = TypeVar("T")


class Packet:
    """Events that came together, written out once for everybody. A heartbeat has words and no events."""

    def __init__(self, events: list[Event], *, words: bytes = b"") -> None:
        self.events = events
        self.body = words or b"".join(event.encoded() for event in events)
        self.chunk = b"%x\r\n%b\r\n" % (len(self.body), self.body) if self.body else b""  # as HTTP/1.1 sends it
        self.first = events[0].position if events else None
        self.last = events[-1].position if events else START
        self.made_at = time.monotonic()

    def after(self, position: Position) -> bytes:
        if self.first is None or self.first > position:
            return self.body
        return Packet([event for event in self.events if event.position > position]).body


class Listener:
    """Somebody who listens. None among the packets is the end.

    There are thousands of them and a packet ten times a second, so nothing here costs a timer or a task: who is silent
    for too long, or takes nothing any more, is found by one look at all of them (streams.py). To tell somebody who
    has taken everything so far is one write on his line; for others packets wait, and his task sends them.
    """

    __slots__ = ("_line", "_waiting", "after", "packets", "sending_since", "told_at", "too_slow")

    def __init__(self, after: Position) -> None:
        self.after = after
        self.packets: deque[Packet | None] = deque()
        self.too_slow = False
        self.told_at = time.monotonic()
        self.sending_since: float | None = None
        self._line: asyncio.WriteTransport | None = None  # from when it may be written to at once
        self._waiting: asyncio.Future[None] | None = None

    def tell(self, packet: Packet | None) -> None:
        line = self._line
        if (
            line is not None
            and packet is not None
            and self._waiting is not None  # his task sends nothing now, and no packet waits
            and (packet.first is None or packet.first > self.after)
            and not line.get_write_buffer_size()
        ):
            line.write(packet.chunk)
            self.told_at = packet.made_at
            return
        if len(self.packets) >= BEHIND_PACKETS_LIMIT:
            self.too_slow = True  # it comes back with its last id and misses nothing
            return
        self.packets.append(packet)
        waiting, self._waiting = self._waiting, None
        if waiting is not None and not waiting.done():
            waiting.set_result(None)

    def tell_on(self, line: asyncio.WriteTransport | None) -> None:
        """From now on his line may be written to at once: the answer has begun, in HTTP/1.1's chunks."""
        self._line = line

    async def next(self) -> Packet | None:
        while not self.packets:
            self._waiting = asyncio.get_running_loop().create_future()
            await self._waiting
        return self.packets.popleft()


class Hub:
    def __init__(self) -> None:
        self.at = self.floor = START  # everything after the floor and up to here is remembered
        self.remembered: deque[Event] = deque()
        self.meters: dict[str, str] = {}
        self.head = ""
        self.listeners: set[Listener] = set()
        self.ready = asyncio.Event()
        self.closed = False

    async def run(self) -> None:
        """Until cancelled. A Redis or database that is away is waited for."""
        while True:
            try:
                if not self.ready.is_set():
                    self.at = self.floor = await in_thread(tail.boundary)
                    self.ready.set()
                await self._read()
            except (RedisError, DatabaseError, OSError) as error:
                log.warning("the stream of events is interrupted", error=str(error))
                await asyncio.sleep(0.25)

    async def _read(self) -> None:
        # The socket waits longer than the command, so that silence is no error.
        async with redis.asyncio.Redis.from_url(settings.REDIS_URL, socket_timeout=2 * SILENT_SECONDS) as client:
            shown: Any = await client.hgetall(METERS)
            self.meters = {code.decode(): amount.decode() for code, amount in shown.items()}
            head: Any = await client.get(HEAD)
            self.head = head.decode() if head else ""
            while True:
                found: Any = await client.xread(
                    {STREAM: str(self.at)}, block=SILENT_SECONDS * 1_000, count=BATCH_EVENTS
                )
                for _, entries in found or ():
                    await self._pass_on([_event(name, fields) for name, fields in entries])

    async def _pass_on(self, events: list[Event]) -> None:
        whole: list[Event] = []
        at = self.at
        for event in events:
            if event.before is not None and event.before > at:
                whole += await in_thread(lambda: _between(at, event.before))  # noqa: B023  awaited at once
            whole.append(event)
            at = event.position
            if event.kind == METER:
                self.meters[event.data["link"]] = event.data["displayed"]
            elif event.kind == CHECKPOINT:
                self.head = event.data["note"]
        # No await from here on: who joins now is either remembered to or told, never both.
        self.remembered.extend(whole)
        while len(self.remembered) > REMEMBERED_EVENTS:
            self.floor = self.remembered.popleft().position
        self.at = at
        packet = Packet(whole)
        for listener in self.listeners:
            listener.tell(packet)

    def join(self, after: Position | None) -> tuple[Listener, Packet] | None:
        """Listen from a position on, and what was missed since. None where that is too long ago to remember."""
        after = self.at if after is None else after
        if after < self.floor:
            return None
        listener = Listener(after)
        self.listeners.add(listener)
        return listener, Packet([event for event in self.remembered if event.position > after])

    def leave(self, listener: Listener) -> None:
        self.listeners.discard(listener)

    def close(self) -> None:
        """The house shuts: everybody is told, and comes back later."""
        self.closed = True
        for listener in self.listeners:
            listener.tell(None)

    def now(self) -> list[Event]:
        """What is no act, as it is now, for somebody who was away for long."""
        meters = [Event(START, METER, {"link": code, "displayed": said}) for code, said in sorted(self.meters.items())]
        return [*meters, *([Event(START, CHECKPOINT, {"note": self.head})] if self.head else [])]


async def in_thread(ask: Callable[[], T]) -> T:
    """Ask the database from a thread, and give its connection back."""

    def asked() -> T:
        try:
            return ask()
        finally:
            connection.close()

    return await asyncio.to_thread(asked)


def _between(after: Position, upto: Position | None) -> list[Event]:
    assert upto is not None
    found: list[Event] = []
    while batch := tail.events_after(found[-1].position if found else after, upto=upto, most=BATCH_EVENTS):
        found += [event for event in batch if event.position <= upto]
        if batch[-1].position >= upto:
            break
    return found


def _event(name: bytes, fields: dict[bytes, Any]) -> Event:
    position = Position.parse(name.decode())
    assert position is not None
    before = Position.parse(fields[b"before"].decode())
    return Event(position, fields[b"kind"].decode(), json.loads(fields[b"data"]), before)
