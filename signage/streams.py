"""``/signage/stream``: server-sent events, as a plain ASGI application. The streams process serves nothing else.

An event's id is its position in the log. ``Last-Event-ID`` (or ``?after=``, for a board that has just read feed.json)
goes on from there with no gap and nothing twice, whichever process answers. A heartbeat is a comment and has no id.
"""

from __future__ import annotations

import asyncio
import json
import signal
import threading
import time
from collections import Counter
from collections.abc import Awaitable, Callable, MutableMapping
from contextlib import suppress
from functools import partial
from typing import Any, Final
from urllib.parse import parse_qs

from django.conf import settings
from django.db import Error as DatabaseError

from kernel import environment
from signage import relay, tail
from signage.events import Position
from signage.hub import BATCH_EVENTS, Hub, Listener, Packet, in_thread
from web.address import caller

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

PATH: Final = "/signage/stream"
HEARTBEAT_SECONDS: Final = 15.0
STUCK_AFTER_SECONDS: Final = 30.0  # one packet may take to be accepted by the listener's machine
LISTENERS_LIMIT: Final = 10_000  # in a process
_STILL_HERE: Final = Packet([], words=b": still here\n\n")
_OPEN_TO_ALL: Final = [
    (b"access-control-allow-origin", b"*"),
    (b"access-control-allow-headers", b"Last-Event-ID, Cache-Control"),
    (b"cache-control", b"no-store, no-transform"),
]
_STREAM: Final = [*_OPEN_TO_ALL, (b"content-type", b"text/event-stream; charset=utf-8"), (b"x-accel-buffering", b"no")]


class Streams:
    """The application. Its hub and its relay live as long as the process."""

    def __init__(self, *, heartbeat: float = HEARTBEAT_SECONDS) -> None:
        self.heartbeat = heartbeat
        self.hub: Hub
        self.callers: Counter[str] = Counter()  # streams that each address has open
        self.lines: dict[Listener, Callable[[], None]] = {}  # how each is hung up on

    async def __call__(self, scope: MutableMapping[str, object], receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._live(receive, send)
        elif scope["type"] == "http":
            await self._answer(scope, receive, send)
        else:
            await send({"type": "websocket.close"})

    async def _live(self, receive: Receive, send: Send) -> None:
        await receive()
        environment.allow_open_files(LISTENERS_LIMIT + 1_000)
        self.hub, stopping = Hub(), threading.Event()
        feeding = threading.Thread(target=relay.run, args=[stopping], name="relay", daemon=True)
        feeding.start()
        reading = asyncio.create_task(self.hub.run())
        watching = asyncio.create_task(self._watch())
        _say_goodbye_first(self.hub)
        await send({"type": "lifespan.startup.complete"})
        await receive()
        stopping.set()
        for task in (reading, watching):
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
        await asyncio.to_thread(feeding.join, 2.0)
        await send({"type": "lifespan.shutdown.complete"})

    async def _watch(self) -> None:
        """Who has heard nothing for a while hears a heartbeat; who takes nothing any more is hung up on."""
        while True:
            await asyncio.sleep(min(self.heartbeat / 4, 1.0))
            now = time.monotonic()
            for listener in list(self.hub.listeners):
                if listener.sending_since is not None and now - listener.sending_since > STUCK_AFTER_SECONDS:
                    self.hub.leave(listener)
                    self.lines.pop(listener, _nothing)()
                elif listener.sending_since is None and now - listener.told_at > self.heartbeat:
                    listener.told_at = now
                    listener.tell(_STILL_HERE)

    async def _answer(self, scope: MutableMapping[str, object], receive: Receive, send: Send) -> None:
        method = scope["method"]
        if scope["path"] != PATH:
            await _problem(send, 404, "not-found", "Nothing is here but /signage/stream.")
        elif method == "OPTIONS":
            await send({"type": "http.response.start", "status": 204, "headers": _OPEN_TO_ALL})
            await send({"type": "http.response.body", "body": b""})
        elif method != "GET":
            await _problem(send, 405, "method-not-allowed", "Events are read with GET.")
        elif len(self.hub.listeners) >= LISTENERS_LIMIT or self.hub.closed:
            await _problem(send, 503, "busy", "No more listeners fit in here now: try again in a moment.")
        elif self.callers[address := _address(scope)] >= settings.STREAMS_PER_ADDRESS:
            detail = f"An address may have {settings.STREAMS_PER_ADDRESS} streams open at a time: close one first."
            await _problem(send, 429, "too-many-streams", detail)
        else:
            asked = _asked(scope)
            after = Position.parse(asked) if asked else None
            if asked and (after is None or (after > self.hub.at and not await in_thread(lambda: tail.is_ours(after)))):
                detail = "This id is none of this log: read /signage/feed.json and go on from its as_of."
                await _problem(send, 400, "no-such-position", detail)
                return
            self.callers[address] += 1
            try:
                await self._stream(after, receive, send, in_chunks=scope["http_version"] == "1.1")
            finally:
                self.callers[address] -= 1
                if not self.callers[address]:
                    del self.callers[address]

    async def _stream(self, after: Position | None, receive: Receive, send: Send, *, in_chunks: bool) -> None:
        watching: asyncio.Task[None] | None = None
        await self.hub.ready.wait()
        joined = self.hub.join(after)  # before the answer begins: who has it hears everything from then on
        try:
            await send({"type": "http.response.start", "status": 200, "headers": _STREAM})
            await _say(send, b"retry: 1000\n\n")
            while joined is None:
                assert after is not None
                after = await self._from_the_log(after, send)
                joined = self.hub.join(after)
                if joined is not None:  # what the meters did meanwhile is forgotten; what they show is not
                    await _say(send, b"".join(event.encoded(with_id=False) for event in self.hub.now()))
            listener, missed = joined
            self.lines[listener] = partial(_hang_up, send)
            watching = asyncio.create_task(_until_gone(receive, listener))
            await _say(send, missed.body)
            listener.after = missed.last if missed.events else listener.after
            listener.tell_on(_line(send) if in_chunks else None)
            await _follow(listener, send)
            await send({"type": "http.response.body", "body": b""})
        except (TimeoutError, DatabaseError, _TooSlow):
            _hang_up(send)
        finally:
            if joined is not None:
                self.hub.leave(joined[0])
                self.lines.pop(joined[0], None)
            if watching is not None:
                watching.cancel()

    async def _from_the_log(self, after: Position, send: Send) -> Position:
        """The next batch for somebody who was away for long; how far that brings him."""
        upto = await in_thread(tail.boundary)
        found = await in_thread(lambda: tail.events_after(after, upto=upto, most=BATCH_EVENTS))
        await _say(send, Packet(found).body)
        return found[-1].position if len(found) == BATCH_EVENTS else upto


class _TooSlow(Exception):
    pass


async def _follow(listener: Listener, send: Send) -> None:
    while (packet := await listener.next()) is not None:
        if listener.too_slow:
            raise _TooSlow
        # Who comes from another process may be ahead of ours for a moment.
        if body := packet.after(listener.after):
            listener.sending_since = listener.told_at = time.monotonic()
            await send({"type": "http.response.body", "body": body, "more_body": True})
            listener.sending_since = None
        listener.after = max(listener.after, packet.last)


def _asked(scope: MutableMapping[str, Any]) -> str:
    for name, value in scope["headers"]:
        if name == b"last-event-id":
            return str(value.decode("latin-1"))
    query: str = scope["query_string"].decode("latin-1")
    return parse_qs(query).get("after", [""])[0]


def _address(scope: MutableMapping[str, Any]) -> str:
    """Whom the stream is counted to; what a proxy says of him counts where it is one of ours."""
    said = b",".join(value for name, value in scope["headers"] if name == b"x-forwarded-for")
    return caller(scope["client"][0] if scope.get("client") else "", said.decode("latin-1"))


async def _say(send: Send, body: bytes) -> None:
    if body:
        async with asyncio.timeout(STUCK_AFTER_SECONDS):
            await send({"type": "http.response.body", "body": body, "more_body": True})


async def _until_gone(receive: Receive, listener: Listener) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    listener.tell(None)


def _nothing() -> None:
    pass


def _line(send: Send) -> asyncio.WriteTransport | None:
    """The connection under an answer, for which ASGI has no word."""
    found: asyncio.WriteTransport | None = getattr(getattr(send, "__self__", None), "transport", None)
    return found


def _hang_up(send: Send) -> None:
    """End the connection without waiting for a listener who takes nothing any more."""
    if line := _line(send):
        line.abort()


async def _problem(send: Send, status: int, code: str, detail: str) -> None:
    said = {"type": f"/api/docs/problems#{code}", "title": detail, "status": status, "code": code, "detail": detail}
    body = json.dumps(said).encode()
    headers = [*_OPEN_TO_ALL, (b"content-type", b"application/problem+json")]
    headers.append((b"content-length", str(len(body)).encode()))
    if status in (429, 503):
        headers.append((b"retry-after", b"10"))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def _say_goodbye_first(hub: Hub) -> None:
    """The server waits for open responses when it is asked to stop, and a stream is never done: end them then."""
    if threading.current_thread() is not threading.main_thread():
        return
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        before = signal.getsignal(number)

        def stop(signum: int, frame: object, before: object = before) -> None:
            loop.call_soon_threadsafe(hub.close)
            if callable(before):
                before(signum, frame)

        signal.signal(number, stop)


application = Streams()
