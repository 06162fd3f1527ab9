"""The server of the event streams: uvicorn, whose lines end where nothing is asked on them.

``python -m config.streams --port 18000``
"""

from __future__ import annotations

import argparse
import asyncio
import math
from collections import Counter
from typing import ClassVar, Final

import uvicorn
from django.conf import settings
from uvicorn.protocols.http.h11_impl import H11Protocol

from kernel import environment
from kernel.masking import mask_uncaught
from web.address import caller, is_proxy

LOOK_SECONDS: Final = 1.0
LINES_BESIDE_STREAMS: Final = 20  # of one address: those that are just coming, and those that are just going


class Door(H11Protocol):
    """uvicorn's own, with an end to its patience: it would wait for the head of a request for ever."""

    lines: ClassVar[Counter[str]] = Counter()  # open ones of each address
    slow_seconds: ClassVar[float] = environment.slow_seconds()
    watched: ClassVar[bool] = False

    _address = ""
    _until = math.inf  # by then a request is here; looked at once a second

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._expect()
        connected = self.client[0] if self.client else ""
        if not is_proxy(connected):  # behind one of ours everybody has its address
            self._address = caller(connected, "")
            self.lines[self._address] += 1
            if self.lines[self._address] > settings.STREAMS_PER_ADDRESS + LINES_BESIDE_STREAMS:
                transport.abort()
        if not Door.watched:
            Door.watched = True
            self.loop.call_later(LOOK_SECONDS, self._watch)

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        if self._address:
            self.lines[self._address] -= 1
            if not self.lines[self._address]:
                del self.lines[self._address]

    def data_received(self, data: bytes) -> None:
        if self.transport.is_closing():
            return
        super().data_received(data)
        if self.cycle is not None and not self.cycle.response_complete:
            self._until = math.inf  # it is being answered: a stream has no end

    def on_response_complete(self) -> None:
        self._expect()
        super().on_response_complete()

    def _expect(self) -> None:
        self._until = self.loop.time() + self.slow_seconds

    def _watch(self) -> None:
        now = self.loop.time()
        for line in list(self.connections):
            if isinstance(line, Door) and line._until < now:
                line.transport.abort()
        if self.connections:
            self.loop.call_later(LOOK_SECONDS, self._watch)
        else:
            Door.watched = False


class Server(uvicorn.Server):
    """uvicorn's own, which looks ten times a second whether somebody has asked it to stop."""

    async def main_loop(self) -> None:
        tenths = 0
        while not await self.on_tick(tenths):
            tenths += 5
            await asyncio.sleep(0.5)


def main() -> None:
    asked = argparse.ArgumentParser(prog="python -m config.streams")
    asked.add_argument("--host", default="127.0.0.1")
    asked.add_argument("--port", type=int, required=True)
    given = asked.parse_args()
    environment.keep_to_ourselves()
    mask_uncaught()
    configured = uvicorn.Config(
        "config.asgi:application",
        host=given.host,
        port=given.port,
        http=Door,
        ws="none",
        lifespan="on",
        # It writes down and believes nothing about callers: web.address reads what a proxy says of them.
        access_log=False,
        proxy_headers=False,
        server_header=False,
        log_config=None,
        log_level="warning",
        timeout_graceful_shutdown=2,
    )
    Server(configured).run()


if __name__ == "__main__":
    main()
