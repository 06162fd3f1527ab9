"""A streams server: the real application under the real server, in a process of its own or in a thread of this one."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from config.services.redis import Redis


@pytest.fixture
def clean_redis(transactional_db: None) -> Iterator[None]:
    from kernel.redis import client

    with client() as redis:
        redis.flushall()
        yield
        redis.flushall()


@pytest.fixture
def meters(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """What the jackpots' own boards would say; the tests move it."""
    from signage import meters as room

    shown: dict[str, str] = {}
    monkeypatch.setattr(room, "displayed", lambda: dict(shown))
    return shown


class Server:
    def __init__(self, *, heartbeat: float = 15.0, port: int | None = None) -> None:
        import uvicorn

        from signage.streams import Streams
        from tests.world.server import free_port

        self.port = port or free_port()
        self.application = Streams(heartbeat=heartbeat)
        config = uvicorn.Config(self.application, port=self.port, log_level="critical", timeout_graceful_shutdown=1)
        self.server = uvicorn.Server(config)
        self.thread = threading.Thread(target=self.server.run, daemon=True)

    def start(self) -> Server:
        self.thread.start()
        while not self.server.started:
            assert self.thread.is_alive()
            time.sleep(0.01)
        return self

    def stop(self) -> None:
        if not self.thread.is_alive():
            return
        self.application.hub.close()
        self.server.should_exit = True
        self.thread.join(10)
        assert not self.thread.is_alive()


@pytest.fixture
def serve(clean_redis: None) -> Iterator[Callable[..., Server]]:
    running: list[Server] = []

    def start(**options: Any) -> Server:
        server = Server(**options).start()
        running.append(server)
        return server

    yield start
    for server in running:
        server.stop()


@pytest.fixture
def process(clean_redis: None) -> Iterator[Callable[[], int]]:
    """Streams in processes of their own; each answers its port."""
    from tests.world.streams import streams

    with ExitStack() as running:
        yield lambda: running.enter_context(streams())


@pytest.fixture
def redis_service(request: pytest.FixtureRequest) -> Redis:
    """The embedded Redis of this process, to be stopped and started."""
    from config.services.redis import Redis

    services = request.config.pluginmanager.get_plugin("meterhouse-services")
    assert services is not None
    for service in services.services:
        if isinstance(service, Redis):
            return service
    pytest.skip("these tests run on somebody else's Redis")


@pytest.fixture
def screen(browser: Any, live_server: Any, clean_redis: None) -> Iterator[Callable[..., Any]]:
    """Put up a screen at a path."""
    from tests.world.browser import Screen

    here: list[Screen] = []

    def put_up(path: str, *, width: int = 1280, height: int = 900, dark: bool = False) -> Screen:
        screen = Screen(browser, live_server.url, width=width, height=height, dark=dark)
        here.append(screen)
        screen.go(path)
        return screen

    yield put_up
    for one in here:
        one.leave()
