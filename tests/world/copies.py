"""A real copy of the house for tests: ``python -m config.run`` on free ports in a folder of its own."""

from __future__ import annotations

import http.client
import json
import os
import queue
import signal
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import IO

import psutil

from config.services.embedded import MARK
from config.services.processes import spawn
from kernel.environment import ROOT
from tests.conftest import PREFIX
from tests.world.server import free_port

PATIENCE = 120  # what a busy machine may take; no test asserts it


def own_folder() -> Path:
    """Removed by a later run where this one is killed (tests/conftest.py)."""
    return Path(tempfile.mkdtemp(prefix=f"{PREFIX}{os.getpid()}-"))


def environment(data: Path, **more: str) -> dict[str, str]:
    """Ours, without what points elsewhere."""
    elsewhere = {"DATABASE_URL", "REDIS_URL", "CELERY_BROKER_URL", "WITNESS_URL", "STREAMS_PORT"}
    kept = {k: v for k, v in os.environ.items() if k not in elsewhere | {"PROMETHEUS_MULTIPROC_DIR", MARK}}
    # Without a past, for the sake of speed: tests/keno/test_simulate.py is about that.
    return kept | {"METERHOUSE_DATA": str(data), "METERHOUSE_DEMO_DAYS": "0"} | more


def refused_start(command: list[str], env: dict[str, str]) -> str:
    """The one sentence with which a start was refused."""
    done = subprocess.run(command, check=False, cwd=ROOT, env=env, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 1, done
    said = (done.stdout + done.stderr).strip()
    assert "Traceback" not in said
    assert len(said.splitlines()) == 1, said
    return said


RUN = [sys.executable, "-m", "config.run"]


class Copy:
    tree = ROOT  # whose code it runs: this, or another version's

    def __init__(self, data: Path, **more: str) -> None:
        self.data = data
        self.port, self.streams_port = free_port(), free_port()
        self.env = environment(data, PORT=str(self.port), STREAMS_PORT=str(self.streams_port)) | more
        self.said: list[str] = []

    def start(self) -> None:
        self.said = []
        self._lines: queue.Queue[str | None] = queue.Queue()
        self.process = spawn(RUN, output=subprocess.PIPE, environment=self.env, folder=self.tree)
        assert self.process.stdout is not None
        threading.Thread(target=self._read, args=[self.process.stdout, self._lines], daemon=True).start()
        self.wait_for("Meterhouse is ready")

    def wait_for(self, text: str) -> None:
        """Read what it says up to a line with this text."""
        while not self.said or text not in self.said[-1]:
            line = self._lines.get(timeout=PATIENCE)
            assert line is not None, f"it ended without “{text}”:\n" + "\n".join(self.said)
            self.said.append(line)

    def stop(self, with_signal: signal.Signals = signal.SIGINT) -> int:
        self.process.send_signal(with_signal)
        code = self.process.wait(PATIENCE)
        while (line := self._lines.get(timeout=PATIENCE)) is not None:
            self.said.append(line)
        return code

    def get(self, path: str) -> int:
        return self.read(path)[0]

    def read(self, path: str) -> tuple[int, bytes]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            connection.request("GET", path)
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()

    def processes(self, *names: str) -> list[psutil.Process]:
        """Everything that runs for this copy, or only what has one of these words in its command line."""
        found = []
        for process in psutil.process_iter():
            try:
                ours = process.environ().get(MARK) == str(self.data) or Path(process.cwd()).is_relative_to(self.data)
                line = " ".join(process.cmdline())
                if ours and process.status() != psutil.STATUS_ZOMBIE and (not names or any(n in line for n in names)):
                    found.append(process)
            except psutil.Error:
                continue
        return found

    @staticmethod
    def _read(stream: IO[bytes], lines: queue.Queue[str | None]) -> None:
        for line in stream:
            lines.put(json.loads(line)["event"])
        lines.put(None)
