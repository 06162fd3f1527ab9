"""``make run`` as a newcomer meets it: comes up, stops in order, survives being killed, says what is in its way."""

from __future__ import annotations

import io
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from config.environment import ROOT, Trouble
from config.supervisor import Program, Supervisor
from config.terminal import Terminal
from tests.config.copies import PATIENCE, RUN, Copy, environment, free_port, own_folder, refused

MANAGE = [sys.executable, "manage.py"]
ASK = "from django.db import connection as c; k = c.cursor(); k.execute('SELECT 6 * 7'); print(k.fetchone()[0])"


@pytest.fixture(scope="module")
def copy() -> Iterator[Copy]:
    copy = Copy(own_folder())
    try:
        copy.start()
        yield copy
        assert copy.stop(signal.SIGTERM) == 0
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
    assert all(" │ " in line for line in copy.said)
    assert not any("\x1b" in line for line in copy.said), "colours are for terminals"


def test_commands_use_the_running_copy(copy: Copy) -> None:
    postgres = copy.processes("bin/postgres")
    done = subprocess.run(
        [*MANAGE, "shell", "-v", "0", "-c", ASK], check=False, cwd=ROOT, env=copy.env, capture_output=True, text=True
    )
    assert (done.returncode, done.stdout.strip()) == (0, "42"), done
    assert postgres
    assert all(process.is_running() for process in postgres)


def test_what_is_in_the_way_is_said_in_a_sentence(copy: Copy, data: Path) -> None:
    other = environment(data, PORT=str(free_port()))
    cases = [
        (copy.env, f"is in use by another copy (make run, process {copy.process.pid})"),
        (other | {"PORT": str(copy.port)}, f"Port {copy.port} is taken by another program: choose another for the web"),
        (
            other | {"STREAMS_PORT": str(copy.port)},
            f"Port {copy.port} is taken by another program: choose another for the e",
        ),
        (other | {"PORT": "eight"}, "PORT must be a port number between 1 and 65535, not “eight”."),
        (other | {"METERHOUSE_DEMO_DAYS": "31"}, "METERHOUSE_DEMO_DAYS must be a number of days between 0 and 30, not"),
        (
            other | {"METERHOUSE_DATA": "/dev/null/data"},
            "The data folder /dev/null/data cannot be written (Not a directory)",
        ),
        (
            other | {"DATABASE_URL": f"postgresql://u:secret@127.0.0.1:{free_port()}/x"},
            "does not answer: connection failed: connection to server at",
        ),
        (other | {"REDIS_URL": f"redis://127.0.0.1:{free_port()}/0"}, "REDIS_URL"),
    ]
    for env, sentence in cases:
        said = refused(RUN, env)
        assert sentence in said
        assert "secret" not in said
    assert "cannot be written" in refused([*MANAGE, "migrate"], other | {"METERHOUSE_DATA": "/dev/null/data"})
    assert copy.get("/healthz") == 200


@pytest.mark.parametrize("program", ["granian", "celery -A config.celery --quiet worker", "bin/postgres"])
def test_part_that_is_killed_starts_again(copy: Copy, program: str) -> None:
    (victim,) = (process for process in copy.processes(program) if process.ppid() == copy.process.pid)
    victim.kill()
    copy.wait_for("ended by itself (by SIGKILL)")
    copy.wait_for("is started again.")
    (successor,) = (process for process in copy.processes(program) if process.ppid() == copy.process.pid)
    assert successor.pid != victim.pid


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
        assert second.stop(signal.SIGINT) == 0
        stopped = [line.split(" │ ")[1] for line in second.said if line.endswith("stopped.")]
        order = ["beat", "web", "streams", "worker", "redis", "postgres"]
        assert stopped == [*(f"{part} stopped." for part in order), "Everything has stopped."]
        assert second.processes() == []
        assert copy.processes() != []
    finally:
        end(second)


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


def test_part_that_keeps_dying_stops_the_house() -> None:
    class Impatient(Supervisor):
        OFTEN = 2

    terminal = Terminal(io.StringIO())
    supervisor = Impatient(terminal)
    command = [sys.executable, "-c", "raise SystemExit(3)"]
    supervisor.start(Program("web", command, environment=dict(os.environ), terminal=terminal, patience=1))
    with pytest.raises(Trouble, match=re.escape("web keeps ending by itself (last time with code 3)")):
        supervisor.watch()


def test_make_says_when_python_is_too_old(tmp_path: Path) -> None:
    for name in ("Makefile", "requirements.txt"):
        shutil.copy(ROOT / name, tmp_path)
    command = ["make", "-s", "run", "PYTHON=false"]
    done = subprocess.run(command, check=False, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode != 0
    assert "Meterhouse needs Python 3.11 or newer" in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / ".venv").exists()
