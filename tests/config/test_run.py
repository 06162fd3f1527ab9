"""``make run`` as a newcomer meets it: comes up, stops in order, survives being killed, says what is in its way."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import stat
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from config import separation
from config.supervisor import Supervisor
from config.terminal import Terminal
from kernel.environment import ROOT, Trouble
from tests.world.copies import PATIENCE, RUN, Copy, environment, own_folder, refused_start
from tests.world.server import free_port

MANAGE = [sys.executable, "manage.py"]
ASK = "from django.db import connection as c; k = c.cursor(); k.execute('SELECT 6 * 7'); print(k.fetchone()[0])"


@pytest.fixture(scope="module")
def copy() -> Iterator[Copy]:
    copy = Copy(own_folder())
    try:
        copy.start()
        yield copy
    finally:
        end(copy)


def end(copy: Copy) -> None:
    copy.process.kill()
    psutil.wait_procs(copy.processes(), PATIENCE)
    shutil.rmtree(copy.data, ignore_errors=True)


def test_first_start_serves_and_says_where(copy: Copy) -> None:
    assert copy.get("/healthz") == 200
    socket.create_connection(("127.0.0.1", copy.streams_port), timeout=30).close()
    assert f"http://127.0.0.1:{copy.port}/" in copy.said[-1]
    written = (copy.data / "log" / "house.log").read_text().splitlines()
    assert copy.said[-1] in [json.loads(line)["event"] for line in written]
    assert {"meterhouse", "prepare"} <= {json.loads(line)["program"] for line in written}


def test_a_witness_runs_beside_it_and_cosigns(copy: Copy) -> None:
    """As a process of its own, in a folder of its own, and as a user of its own where root has started it."""
    (process,) = copy.processes("-m witness")
    folder = copy.data / "witness"
    if os.geteuid() == 0:
        assert process.uids().real == folder.stat().st_uid != 0
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    url = (copy.data / "witness-address").read_text().strip()
    deadline = time.monotonic() + PATIENCE
    while "Heads it has cosigned</h2><div" not in (page := fetched(url).replace("\n", "")):
        assert time.monotonic() < deadline, page
        time.sleep(0.2)
    assert "same-machine" in page
    assert "It is working, and has no alarm." in page
    journal = (folder / "journal").read_text()
    for path in ("/about", "/keys", "/witness.pem", "/answers?from=1", "/nothing"):
        fetched(url + path)
    assert journal in (folder / "journal").read_text()


def fetched(url: str) -> str:
    try:
        with urllib.request.urlopen(url, timeout=30) as answer:
            return str(answer.read().decode())
    except urllib.error.HTTPError as error:
        with error:
            return str(error.read().decode())


def test_commands_use_the_running_copy(copy: Copy) -> None:
    postgres = copy.processes("bin/postgres")
    done = subprocess.run(
        [*MANAGE, "shell", "-v", "0", "-c", ASK], check=False, cwd=ROOT, env=copy.env, capture_output=True, text=True
    )
    assert (done.returncode, done.stdout.strip()) == (0, "42"), done
    assert postgres
    assert all(process.is_running() for process in postgres)


def test_what_is_kept_is_for_nobody_else(copy: Copy) -> None:
    """Keys, logs, exports, figures: files 0600, folders 0700. Where programs have users of their own (as root), they
    walk through the two folders that hold what is each one's, and share what their group is for."""
    names = {path.relative_to(copy.data).parts[0] for path in copy.data.rglob("*")}
    assert {"keys", "log", "metrics", "postgres", "redis", "lock"} <= names
    separated = separation.why_off() is None
    for path in (copy.data, *copy.data.rglob("*")):
        if path.is_relative_to(copy.data / "static"):
            continue  # for everybody
        with suppress(FileNotFoundError):  # PostgreSQL's come and go
            mode = path.lstat().st_mode
            walked = 0o001 if separated and path in (copy.data, copy.data / "keys") else 0
            closed_in = stat.S_ISSOCK(mode)
            assert closed_in or mode & (0o007 if separated else 0o077) == walked, path
            assert not path.is_relative_to(copy.data / "log") or not mode & 0o077, path


def test_what_is_in_the_way_is_said_in_a_sentence(copy: Copy, data: Path, exhaustive: bool) -> None:
    """Each of it, or the first two and every sixth: a start takes half a second. The second makes the keys."""
    other = environment(data, PORT=str(free_port()))
    cases = [
        (copy.env, f"is in use by another copy (make run, process {copy.process.pid})"),
        (other | {"PORT": str(copy.port)}, f"Port {copy.port} is taken by another program: choose another for the web"),
        (
            other | {"STREAMS_PORT": str(copy.port)},
            f"Port {copy.port} is taken by another program: choose another for the e",
        ),
        (other | {"PORT": "eight"}, "PORT must be a port number between 1 and 65535, not “eight”."),
        (other | {"METERHOUSE_DEMO_OPENS": "6 am"}, "METERHOUSE_DEMO_OPENS must be a time of day like 06:00, not"),
        (other | {"METERHOUSE_DEMO_DAYS": "31"}, "METERHOUSE_DEMO_DAYS must be a number of days between 0 and 30, not"),
        (
            other | {"METERHOUSE_DATA": "/dev/null/data"},
            "The data folder /dev/null/data cannot be written (Not a directory)",
        ),
        (
            other | {"DATABASE_URL": f"postgresql://u:secret@127.0.0.1:{free_port()}/x"},
            "does not answer: connection failed: connection to server at",
        ),
        (other | {"DATABASE_URL": f"postgresql://u:my/secret@home@127.0.0.1:{free_port()}/x"}, "DATABASE_URL ("),
        (other | {"DATABASE_URL": "postgresql://u:secret@127.0.0.1:port/x"}, "DATABASE_URL ("),
        (other | {"DATABASE_URL": "postgresql://u@127.0.0.1:1/x?password=secret"}, "DATABASE_URL ("),
        (other | {"REDIS_URL": f"redis://:secret@127.0.0.1:{free_port()}/0"}, "REDIS_URL"),
        (other | {"WITNESS_URL": "witness.example"}, "WITNESS_URL must read like http://witness.example.com:8600, not"),
        (other | {"BEACON_RULE": "drand-quicknet+30"}, "BEACON_RULE names a public beacon: set BEACON_URL to a relay"),
    ]
    for env, sentence in cases if exhaustive else [*cases[:2], *cases[2::6]]:
        said = refused_start(RUN, env)
        assert sentence in said
        assert "secret" not in said
    assert "cannot be written" in refused_start([*MANAGE, "migrate"], other | {"METERHOUSE_DATA": "/dev/null/data"})
    assert copy.get("/healthz") == 200


@pytest.mark.parametrize(
    "program",
    [
        "config.web",
        *(
            pytest.param(other, marks=pytest.mark.long)  # the supervisor does the same for each
            for other in ("celery -A config.celery --quiet worker", "bin/postgres", "-m witness")
        ),
    ],
)
def test_part_that_is_killed_starts_again(copy: Copy, program: str) -> None:
    (victim,) = (process for process in copy.processes(program) if process.ppid() == copy.process.pid)
    victim.kill()
    copy.wait_for("ended by itself (by SIGKILL)")
    copy.wait_for("is started again.")
    until = time.monotonic() + PATIENCE
    while not (found := [each for each in copy.processes(program) if each.ppid() == copy.process.pid]):
        assert time.monotonic() < until, "it did not come back"
        time.sleep(0.05)  # forked, and not itself yet
    assert [successor.pid for successor in found] != [victim.pid]


def answers(copy: Copy) -> bool:
    try:
        return copy.get("/healthz") == 200
    except OSError:
        return False


def stopped_in_order(copy: Copy, *, by: signal.Signals) -> None:
    assert copy.stop(by) == 0
    stopped = [line for line in copy.said if line.endswith("stopped.")]
    order = ["beat", "web", "streams", "worker", "sealer", "witness", "redis", "postgres"]
    assert stopped == [*(f"{part} stopped." for part in order), "Everything has stopped."]
    assert copy.processes() == []


@pytest.mark.long
def test_second_copy_beside_it_killed_started_again_and_stopped(copy: Copy) -> None:
    second = Copy(own_folder())
    try:
        second.start()
        assert second.get("/healthz") == 200
        parts = second.processes()
        second.process.kill()
        second.process.wait()
        assert not psutil.wait_procs(parts, PATIENCE)[1], "a killed supervisor takes everything along"
        second.start()
        stopped_in_order(second, by=signal.SIGINT)
        assert copy.processes() != []
    finally:
        end(second)


def test_stopped_in_order(copy: Copy) -> None:
    """The last that is done with the copy, once it has got over the parts that were killed."""
    deadline = time.monotonic() + PATIENCE
    while not answers(copy):
        assert time.monotonic() < deadline
        time.sleep(0.1)
    stopped_in_order(copy, by=signal.SIGTERM)


@pytest.mark.long
def test_commands_bring_their_own_services_where_nothing_runs(data: Path) -> None:
    env = environment(data)
    commands = [
        subprocess.Popen(asking, cwd=ROOT, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for asking in [[*MANAGE, "shell", "-v", "0", "-c", ASK]] * 2
    ]
    answers = [command.communicate(timeout=PATIENCE) for command in commands]
    assert [said.strip() for said, _ in answers] == ["42", "42"], answers
    assert [command.returncode for command in commands] == [0, 0]
    assert Copy(data).processes() == []


class Dying:
    """A part that ends as soon as it has started, and at times cannot even be started."""

    name, running, ended = "web", False, "with code 3"

    def __init__(self, supervisor: Supervisor, *, lives: int) -> None:
        self.supervisor, self.lives, self.starts = supervisor, lives, 0

    def start(self) -> None:
        self.starts += 1
        if self.starts == self.lives:
            self.supervisor.stopping.set()
        if self.starts == 3:
            raise Trouble("There is no room on the disk.")

    def stop(self) -> None: ...


def test_part_that_keeps_dying_stops_nothing_and_is_started_ever_more_slowly(tmp_path: Path) -> None:
    class Quick(Supervisor):
        FIRST_DELAY_SECONDS, LONGEST_DELAY_SECONDS = 0.01, 0.05

    terminal = Terminal(os.open(os.devnull, os.O_WRONLY), log=tmp_path / "house.log")
    supervisor = Quick(terminal)
    dying = Dying(supervisor, lives=7)
    supervisor.start(dying)
    supervisor.watch()
    assert dying.starts == 7
    terminal.close(patience=PATIENCE)
    said = [json.loads(line)["event"] for line in (tmp_path / "house.log").read_text().splitlines()]
    delays = [line.rsplit(" ", 2)[1] for line in said if "starts again in" in line]
    assert delays == ["0.01", "0.02", "0.04", "0.05", "0.05", "0.05"]
    assert "web cannot be started: There is no room on the disk." in said


def test_make_says_when_python_is_too_old(tmp_path: Path) -> None:
    for name in ("Makefile", "requirements.txt"):
        shutil.copy(ROOT / name, tmp_path)
    command = ["make", "-s", "run", "PYTHON=false"]
    done = subprocess.run(command, check=False, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode != 0
    assert "Meterhouse needs Python 3.11 or newer" in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / ".venv").exists()
