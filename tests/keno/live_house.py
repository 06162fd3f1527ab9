"""A house whose parts a test starts, kills and starts again one by one: PostgreSQL, Redis, workers, beats, the web.

Real processes on durable services of their own, so that a crash harms no other test: the database begins as a copy of
the test's (a dump, so nothing here is about seals: ledger/README.md). What is on record is read with plain SQL; no code
of ours stands between a test and the rows.
"""

from __future__ import annotations

import http.client
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psycopg

from config.services import addresses
from config.services.postgres import Postgres, binaries
from config.services.redis import Redis
from kernel.environment import ROOT
from tests.plugins.database import ASIDE
from tests.world.copies import PATIENCE, own_folder
from tests.world.server import database_url, free_port


class LiveHouse:
    def __init__(self, token: str) -> None:
        self.data = own_folder()
        self.postgres, self.redis = Postgres(self.data), Redis(self.data)
        self.log = self.data / "programs.log"
        self.token, self.port = token, free_port()
        # One for all that is asked: until() asks twenty times a second, and a new one is dear.
        self._line: psycopg.Connection[Any] | None = None

    def start(self, *, workers: int, beats: int) -> None:
        self.postgres.start()
        self.redis.start()
        self._copy_the_database()
        # Everything else, keys of seeds and of tickets among it, is the test's own.
        services = {"DATABASE_URL": self.postgres.url, "REDIS_URL": self.redis.url}
        broker = {"CELERY_BROKER_URL": f"redis+socket://{self.redis.socket}?virtual_host=0"}
        self.programs = subprocess.Popen(
            [sys.executable, "-W", "ignore", "-m", "tests.keno.live_programs"],
            cwd=ROOT,
            env={**os.environ, **services, **broker},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.log.open("ab"),
            text=True,
        )
        wanted = [
            f"sealer {self.data}",
            *(f"worker w{n}" for n in range(workers)),
            *(f"beat b{n}" for n in range(beats)),
            f"web {self.port}",
        ]
        self.pids = [self._fork(program) for program in wanted]
        self.until(self._web_answers)

    def _copy_the_database(self) -> None:
        copy = self.data / "copy.sql"
        # Not the rows that tests/plugins/database.py keeps aside: they are the superuser's.
        what = ["--no-owner", "--exclude-schema", f"{ASIDE}*"]
        dump = [str(binaries() / "pg_dump"), *what, "--file", str(copy), database_url(addresses.OWNER)]
        subprocess.run(dump, check=True, capture_output=True)
        owner = addresses.embedded_database_url(self.data, addresses.OWNER)
        load = [str(binaries() / "psql"), "--quiet", "--set", "ON_ERROR_STOP=1", "--file", str(copy), owner]
        subprocess.run(load, check=True, capture_output=True)

    def _fork(self, program: str) -> int:
        assert self.programs.stdin is not None
        assert self.programs.stdout is not None
        self.programs.stdin.write(program + "\n")
        self.programs.stdin.flush()
        return int(self.programs.stdout.readline())

    def close(self) -> None:
        if hasattr(self, "programs"):
            self.programs.communicate(timeout=PATIENCE)  # the end of what it reads ends them all
        self._hang_up()
        self.redis.stop()
        self.postgres.stop()
        shutil.rmtree(self.data, ignore_errors=True)

    def crash_the_database(self) -> None:
        """``pg_ctl restart -m immediate``: no checkpoint, no goodbye; the log is replayed at the start."""
        assert self.postgres.pid is not None
        os.kill(self.postgres.pid, signal.SIGQUIT)
        self._hang_up()
        self.until(lambda: not self.postgres.running)
        self.postgres.start()

    def rows(self, query: str, *values: Any) -> list[Any]:
        """The first column, or whole rows where there are several."""
        if self._line is None:
            self._line = psycopg.connect(addresses.embedded_database_url(self.data, addresses.OWNER), autocommit=True)
        found = self._line.execute(query.encode(), values or None)
        return [] if found.description is None else [row[0] if len(row) == 1 else row for row in found.fetchall()]

    def _hang_up(self) -> None:
        if self._line is not None:
            self._line.close()
            self._line = None

    def pace(self, *, interval: float, draw_after: float, pace: float) -> None:
        """From the next game on, in seconds."""
        self.rows(
            "UPDATE keno_kenosettings SET interval = make_interval(secs => %s), draw_after = make_interval(secs => %s),"
            " pace = make_interval(secs => %s)",
            *(interval, draw_after, pace),
        )

    def until(self, come: Callable[[], Any]) -> Any:
        """What has come, once it has. Other processes do it: there is nothing to wait on but what they write."""
        deadline = time.monotonic() + PATIENCE
        while not (found := come()):
            assert time.monotonic() < deadline, f"it never came:\n{self.said()}"
            gone = [pid for pid in self.pids if not Path(f"/proc/{pid}/cmdline").read_bytes()]
            assert not gone, f"a program ended:\n{self.said()}"
            time.sleep(0.05)
        return found

    def said(self) -> str:
        return self.log.read_text(errors="replace")[-6_000:]

    def sell(self, key: str, **ticket: Any) -> dict[str, Any]:
        status, answer = self._call("POST", "/api/v1/keno/tickets", ticket, **{"Idempotency-Key": key})
        assert status == 201, answer
        return dict(answer)

    def sell_or_unavailable(self, key: str, **ticket: Any) -> dict[str, Any] | None:
        """None where the answer is to try again shortly; any other refusal is a fault."""
        status, answer = self._call("POST", "/api/v1/keno/tickets", ticket, **{"Idempotency-Key": key})
        assert status == 201 or answer["code"] == "unavailable", f"{answer}\n{self.said()}"
        return dict(answer) if status == 201 else None

    def _call(self, method: str, path: str, body: Any, **more: str) -> tuple[int, Any]:
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"} | more
            line.request(method, path, body=json.dumps(body), headers=headers)
            answer = line.getresponse()
            return answer.status, json.loads(answer.read())
        finally:
            line.close()

    def _web_answers(self) -> bool:
        try:
            return self._call("GET", "/api/v1/keno/games/current", None)[0] == 200
        except OSError:
            return False
