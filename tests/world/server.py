"""A real server process on a real port, on the test's own database: one for all tests of a process."""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import time
import uuid
from pathlib import Path
from typing import Any
from urllib.parse import quote

from django.db import connection

from config import separation
from config.services import addresses
from kernel import keys
from kernel.environment import data_folder
from tests.plugins.database import TESTER
from tests.world.served.forgetting import HEADER

ROOT = Path(__file__).resolve().parents[2]
PATIENCE_SECONDS = 60.0


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def database_url(role: str | None = addresses.RUNTIME) -> str:
    """The test database of this very process, as web and workers see it, or as another role; None: as the test does."""
    at = connection.settings_dict
    if role is not None and at["USER"] == TESTER:
        url = addresses.embedded_database_url(data_folder(), role)
        return url.removesuffix(addresses.POSTGRES_DATABASE) + str(at["NAME"])
    host = quote(str(at["HOST"]), safe="")
    port = f":{at['PORT']}" if at["PORT"] else ""
    secret = f":{quote(at['PASSWORD'], safe='')}" if at["PASSWORD"] else ""
    return f"postgresql://{at['USER']}{secret}@{host}{port}/{at['NAME']}"


class Server:
    """The running copy of this test process: the web server with one worker, whose end is the server's."""

    def __init__(self, log: Path) -> None:
        self.log = log
        self.process: subprocess.Popen[bytes] | None = None
        self.world = ""

    def begin(self) -> None:
        """For a new test, whose database is another one."""
        self.world = uuid.uuid4().hex
        self.start()

    def start(self) -> None:
        """Start it where it has never been, or was killed."""
        if self.process is not None and self.process.poll() is None:
            return
        self.port = free_port()
        # As the supervisor starts web: its own user where we are root, its own role, its own keys.
        identity = separation.identity(keys.WEB)
        self.process = subprocess.Popen(
            [sys.executable, "-m", "config.web", "tests.world.served.app:application", "--port", str(self.port)],
            cwd=ROOT,
            env={
                **keys.for_program(keys.WEB, os.environ),
                "DATABASE_URL": database_url(),
                "HOME": str(data_folder()),
                "METERHOUSE_SLOW_SECONDS": "2",
            },
            stdout=self.log.open("ab"),
            stderr=subprocess.STDOUT,
            start_new_session=True,
            user=identity.user if identity else None,
            group=identity.group if identity else None,
            extra_groups=identity.groups if identity else None,
            umask=separation.UMASK if identity else -1,
        )
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not self._answers():
            if time.monotonic() > deadline or self.process.poll() is not None:
                self.stop()
                raise RuntimeError(f"the server did not start:\n{self.log.read_text()[-3000:]}")
            time.sleep(0.05)

    def _answers(self) -> bool:
        try:
            return self.send("GET", "/healthz")[0] == 200
        except OSError:
            return False

    def start_again(self) -> None:
        """After a test has killed it."""
        assert self.process is not None
        self.process.wait(PATIENCE_SECONDS)
        self.start()

    def stop(self) -> None:
        if self.process is not None and self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGTERM)
            try:
                self.process.wait(PATIENCE_SECONDS)
            except subprocess.TimeoutExpired:
                os.killpg(self.process.pid, signal.SIGKILL)
                self.process.wait()

    def send(self, method: str, path: str, body: Any = None, **headers: str) -> tuple[int, bytes, dict[str, str]]:
        sent = {"Content-Type": "application/json"} | headers
        status, content, said = self.send_text(method, path, None if body is None else json.dumps(body), **sent)
        return status, content, dict(said)

    def send_text(
        self, method: str, path: str, body: str | None = None, **headers: str
    ) -> tuple[int, bytes, list[tuple[str, str]]]:
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE_SECONDS)
        try:
            line.request(method, path, body=body, headers={HEADER: self.world} | headers)
            answer = line.getresponse()
            return answer.status, answer.read(), answer.getheaders()
        finally:
            line.close()
