"""``/signage/stream``: server-sent events, as a plain ASGI application. The streams process serves nothing else.

An event's id is its position in the log. ``Last-Event-ID`` (or ``?after=``, for a board that has just read feed.json)
goes on from there with no gap and nothing twice, whichever process answers. A heartbeat is a comment and has no id.
"""

from __future__ import annotations

import asyncio
import json
import signal
import threading
from collections.abc import Awaitable, Callable, MutableMapping
from contextlib import suppress
from typing import Any, Final
from urllib.parse import parse_qs

from django.db import Error as DatabaseError

from signage import relay, tail
from signage.hub import BATCH, Hub, Listener, Packet, in_thread, meter_event
from signage.positions import Position

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

PATH: Final = "/signage/stream"
HEARTBEAT: Final = 15.0
STUCK: Final = 30.0  # seconds one packet may take to be accepted by the listener's machine
MOST: Final = 10_000  # listeners in a process
_OPEN_TO_ALL: Final = [
    (b"access-control-allow-origin", b"*"),
    (b"access-control-allow-headers", b"Last-Event-ID, Cache-Control"),
    (b"cache-control", b"no-store, no-transform"),
]
_STREAM: Final = [*_OPEN_TO_ALL, (b"content-type", b"text/event-stream; charset=utf-8"), (b"x-accel-buffering", b"no")]


class Streams:
    """The application. Its hub and its relay live as long as the process."""

    def __init__(self, *, heartbeat: float = HEARTBEAT) -> None:
        self.heartbeat = heartbeat
        self.hub: Hub

    async def __call__(self, scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._live(receive, send)
        elif scope["type"] == "http":
            await self._answer(scope, receive, send)
        else:
            await send({"type": "websocket.close"})

    async def _live(self, receive: Receive, send: Send) -> None:
        await receive()
        self.hub, stopping = Hub(), threading.Event()
        feeding = threading.Thread(target=relay.run, args=[stopping], name="relay", daemon=True)
        feeding.start()
        reading = asyncio.create_task(self.hub.run())
        _say_goodbye_first(self.hub)
        await send({"type": "lifespan.startup.complete"})
        await receive()
        stopping.set()
        reading.cancel()
        with suppress(asyncio.CancelledError):
            await reading
        await asyncio.to_thread(feeding.join, 2.0)
        await send({"type": "lifespan.shutdown.complete"})

    async def _answer(self, scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
        method = scope["method"]
        if scope["path"] != PATH:
            await _problem(send, 404, "not-found", "Nothing is here but /signage/stream.")
        elif method == "OPTIONS":
            await send({"type": "http.response.start", "status": 204, "headers": _OPEN_TO_ALL})
            await send({"type": "http.response.body", "body": b""})
        elif method != "GET":
            await _problem(send, 405, "method-not-allowed", "Events are read with GET.")
        elif len(self.hub.listeners) >= MOST or self.hub.closed:
            await _problem(send, 503, "busy", "No more listeners fit in here now: try again in a moment.")
        else:
            asked = _asked(scope)
            after = Position.parse(asked) if asked else None
            if asked and (after is None or (after > self.hub.at and not await in_thread(lambda: tail.is_ours(after)))):
                detail = "This id is none of this log: read /signage/feed.json and go on from its as_of."
                await _problem(send, 400, "no-such-position", detail)
                return
            await self._stream(after, receive, send)

    async def _stream(self, after: Position | None, receive: Receive, send: Send) -> None:
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
                    await _say(send, b"".join(_meters(self.hub)))
            listener, missed = joined
            watching = asyncio.create_task(_until_gone(receive, listener))
            await _say(send, missed.body)
            await self._follow(listener, missed.last if missed.events else listener.after, send)
            await send({"type": "http.response.body", "body": b""})
        except (TimeoutError, DatabaseError, _TooSlow):
            _hang_up(send)
        finally:
            if joined is not None:
                self.hub.leave(joined[0])
            if watching is not None:
                watching.cancel()

    async def _follow(self, listener: Listener, after: Position, send: Send) -> None:
        while True:
            try:
                async with asyncio.timeout(self.heartbeat):
                    packet = await listener.queue.get()
            except TimeoutError:
                await _say(send, b": still here\n\n")
                continue
            if packet is None:
                return
            if listener.too_slow.is_set():
                raise _TooSlow
            # Who comes from another process may be ahead of ours for a moment.
            await _say(send, packet.after(after))
            after = max(after, packet.last)

    async def _from_the_log(self, after: Position, send: Send) -> Position:
        """The next batch for somebody who was away for long; how far that brings him."""
        upto = await in_thread(tail.boundary)
        found = await in_thread(lambda: tail.events_after(after, upto=upto, most=BATCH))
        await _say(send, Packet(found).body)
        return found[-1].position if len(found) == BATCH else upto


class _TooSlow(Exception):
    pass


def _asked(scope: MutableMapping[str, Any]) -> str:
    for name, value in scope["headers"]:
        if name == b"last-event-id":
            return str(value.decode("latin-1"))
    return parse_qs(scope["query_string"].decode("latin-1")).get("after", [""])[0]


def _meters(hub: Hub) -> list[bytes]:
    return [meter_event(code, said).encoded(with_id=False) for code, said in sorted(hub.meters.items())]


async def _say(send: Send, body: bytes) -> None:
    if body:
        async with asyncio.timeout(STUCK):
            await send({"type": "http.response.body", "body": body, "more_body": True})


async def _until_gone(receive: Receive, listener: Listener) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    listener.tell(None)


def _hang_up(send: Send) -> None:
    """ASGI has no word for it: end the connection without waiting for a listener who takes nothing any more."""
    transport = getattr(getattr(send, "__self__", None), "transport", None)
    if transport is not None:
        transport.abort()


async def _problem(send: Send, status: int, code: str, detail: str) -> None:
    body = {"type": f"/api/docs/problems#{code}", "title": detail, "status": status, "code": code, "detail": detail}
    headers = [*_OPEN_TO_ALL, (b"content-type", b"application/problem+json")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": json.dumps(body).encode()})


def _say_goodbye_first(hub: Hub) -> None:
    """The server waits for open responses when it is asked to stop, and a stream is never done: end them then."""
    if threading.current_thread() is not threading.main_thread():
        return
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        before = signal.getsignal(number)

        def stop(signum: int, frame: Any, before: Any = before) -> None:
            loop.call_soon_threadsafe(hub.close)
            if callable(before):
                before(signum, frame)

        signal.signal(number, stop)


application = Streams()
