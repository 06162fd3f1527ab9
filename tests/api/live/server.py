"""A real server process on a real port, for tests that kill it."""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any
from urllib.parse import quote

from django.db import connection

ROOT = Path(__file__).resolve().parents[3]
PATIENCE = 60.0


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def database_url() -> str:
    """The test database of this very process."""
    at = connection.settings_dict
    host = quote(str(at["HOST"]), safe="")
    port = f":{at['PORT']}" if at["PORT"] else ""
    secret = f":{quote(at['PASSWORD'], safe='')}" if at["PASSWORD"] else ""
    return f"postgresql://{at['USER']}{secret}@{host}{port}/{at['NAME']}"


class Server:
    """granian with one worker, so that killing the worker kills the service."""

    def __init__(self, log: Path, *, app: str = "tests.api.live.app:application") -> None:
        self.port = free_port()
        self.log = log
        self.app = app

    def __enter__(self) -> Server:
        command = [sys.executable, "-m", "granian", "--interface", "wsgi", "--host", "127.0.0.1"]
        command += ["--port", str(self.port), "--workers", "1", "--blocking-threads", "8", "--no-log"]
        self.process = subprocess.Popen(
            [*command, self.app],
            cwd=ROOT,
            env={**os.environ, "DATABASE_URL": database_url()},
            stdout=self.log.open("ab"),
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                if self.send("GET", "/healthz")[0] == 200:
                    return self
            except OSError:
                pass
            if time.monotonic() > deadline or self.process.poll() is not None:
                self.__exit__()
                raise RuntimeError(f"the server did not start:\n{self.log.read_text()[-3000:]}")
            time.sleep(0.05)

    def __exit__(self, *_: Any) -> None:
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGTERM)
            try:
                self.process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                os.killpg(self.process.pid, signal.SIGKILL)
                self.process.wait()

    def send(self, method: str, path: str, body: Any = None, **headers: str) -> tuple[int, bytes, dict[str, str]]:
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            sent = {"Content-Type": "application/json"} | headers
            line.request(method, path, body=None if body is None else json.dumps(body), headers=sent)
            answer = line.getresponse()
            return answer.status, answer.read(), dict(answer.getheaders())
        finally:
            line.close()
