"""What the house says goes out without holding anybody up, in lines that machines read, and is kept for nobody else."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from config import sinks
from config.sinks import Sink, rotate_in_place, to_file
from config.terminal import Terminal
from kernel import tracebacks
from kernel.environment import ROOT, Trouble

PATIENCE_SECONDS = 60.0


def read_lines(reading: int, count: int) -> list[str]:
    with os.fdopen(reading, encoding="utf-8") as stream:
        return [stream.readline().rstrip("\n") for _ in range(count)]


def test_lines_are_json_where_nobody_looks_and_say_whose_they_are() -> None:
    reading, writing = os.pipe()
    terminal = Terminal(writing)
    printing = 'print("plain"); print(\'{"event": "answered", "level": "info", "password": "(not logged)"}\')'
    program = subprocess.Popen([sys.executable, "-c", printing], stdout=subprocess.PIPE)
    assert program.stdout
    terminal.relay(program.stdout, by="web").join(PATIENCE_SECONDS)
    terminal.say("postgresql://meter:s3cr3t@db/house is away")
    plain, logged, own = (json.loads(line) for line in read_lines(reading, 3))
    program.wait()
    os.close(writing)
    assert (plain["program"], plain["event"]) == ("web", "plain")
    assert logged == {"program": "web", "event": "answered", "level": "info", "password": "(not logged)"}
    assert (own["program"], own["event"]) == ("meterhouse", "postgresql://meter:(not logged)@db/house is away")


def test_or_as_people_read_them_where_they_ask_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("METERHOUSE_LOG", "text")
    reading, writing = os.pipe()
    terminal = Terminal(writing)
    terminal.say("web is up.")
    line = {"event": "failed", "level": "error", "timestamp": "2026-11-17T10:11:12Z", "room": "keno"}
    printing = f"print({json.dumps(line | {'exception': 'Traceback:' + chr(10) + 'KeyError'})!r})"
    program = subprocess.Popen([sys.executable, "-c", printing], stdout=subprocess.PIPE)
    assert program.stdout
    terminal.relay(program.stdout, by="worker").join(PATIENCE_SECONDS)
    said = read_lines(reading, 4)
    program.wait()
    os.close(writing)
    assert said == [
        "meterhouse │ web is up.",
        "worker     │ 10:11:12 error: failed room=keno",
        "worker     │ Traceback:",
        "worker     │ KeyError",
    ]
    monkeypatch.setenv("METERHOUSE_LOG", "xml")
    with pytest.raises(Trouble, match="METERHOUSE_LOG must be text or json, not “xml”"):
        Terminal(writing)


def test_nobody_waits_for_who_does_not_read(tmp_path: Path) -> None:
    """A pipe that is full, as under a shell that was stopped: the house goes on talking, and keeps what it said."""
    reading, writing = os.pipe()
    terminal = Terminal(writing, log=tmp_path / "house.log")
    for number in range(sinks.WAITING_LIMIT + 5_000):
        terminal.say(f"line {number} " + "x" * 80)
    terminal.close(patience=0.1)
    stuck = json.loads((tmp_path / "house.log").read_text().splitlines()[-1])["event"]
    assert stuck.startswith("line ")
    with os.fdopen(reading, encoding="utf-8") as stream:  # now somebody does
        events: list[str] = []
        while not events or not events[-1].startswith(f"line {sinks.WAITING_LIMIT + 4_999} "):
            events.append(json.loads(stream.readline())["event"])
    (lost,) = [event for event in events if "are lost" in event]
    assert int(lost.split()[0]) == sinks.WAITING_LIMIT + 5_000 - (len(events) - 1)
    os.close(writing)


def test_a_disk_that_is_full_stops_nothing() -> None:
    def full(_: bytes) -> None:
        raise OSError(28, "No space left on device")

    sink = Sink(full, lost=str)
    sink.put("a")
    sink.close(patience=PATIENCE_SECONDS)
    sink.put("b")
    sink.close(patience=PATIENCE_SECONDS)


def test_files_are_ours_alone_and_come_to_an_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sinks, "FILE_BYTES_LIMIT", 100)
    write = to_file(tmp_path / "log" / "house.log")
    for number in range(20):
        write(f"{number:<60}\n".encode())
    found = sorted(path.name for path in (tmp_path / "log").iterdir())
    assert found == ["house.log", *(f"house.log.{number}" for number in range(1, 1 + sinks.FILES_KEPT))]
    kept = [(tmp_path / "log" / name).read_text().strip() for name in found]
    assert kept == ["19", "18", "17", "16", "15", "14"]
    for path in (tmp_path / "log").iterdir():
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE((tmp_path / "log").stat().st_mode) == 0o700

    other = tmp_path / "postgres.log"
    with other.open("ab") as appending:
        for number in (1, 2):
            appending.write(b"%d" % number * 150)
            appending.flush()
            rotate_in_place(other)
    assert other.read_bytes() == b""
    assert (tmp_path / "postgres.log.1").read_bytes() == b"2" * 150
    assert stat.S_IMODE((tmp_path / "postgres.log.1").stat().st_mode) == 0o600


def _deep(password: str, calls: int) -> None:
    if not calls:
        raise ValueError("x" * 100_000)
    _deep(password, calls - 1)


def _chained(links: int) -> None:
    try:
        _deep("s3cr3t", 200)
    except ValueError as error:
        for _ in range(links):
            later = RuntimeError("later")
            later.__cause__ = error
            error = later  # type: ignore[assignment]
        raise error from error.__cause__


def test_an_error_is_told_in_few_words_and_quickly() -> None:
    """Measured as CPU against Python's own way in the same run."""
    with pytest.raises(RuntimeError) as caught:
        _chained(50)
    said = tracebacks.told(caught.value)
    assert "s3cr3t" not in said
    assert 'File "tests/config/test_logs.py"' in said
    assert said.count("The error above led to this one") == tracebacks.CHAIN_LIMIT - 1
    with pytest.raises(ValueError, match="x") as once:
        _deep("s3cr3t", 200)
    said = tracebacks.told(once.value)
    assert len(said) < 4_000
    assert f"  … {202 - tracebacks.FRAMES_LIMIT} calls" in said
    assert said.endswith("… (99000 more characters)")
    begun = time.process_time()
    for _ in range(1_000):
        tracebacks.told(once.value)
    assert time.process_time() - begun < 2.0  # 43 ms on two cores; with its variables one took a second


AWAY = """
import django, structlog
django.setup()
from django.conf import settings
from django.db import connection
settings.DATABASES["default"]["OPTIONS"]["pool"]["timeout"] = 0.3
try:
    connection.cursor()
except Exception:
    structlog.get_logger("x").exception("away")
"""


def test_a_connection_that_fails_prints_no_password() -> None:
    away = "postgresql://meter:Sword%2Ffish-99@127.0.0.1:1/house"
    env = os.environ | {"DJANGO_SETTINGS_MODULE": "config.settings", "DATABASE_URL": away}
    done = subprocess.run([sys.executable, "-c", AWAY], check=False, cwd=ROOT, env=env, capture_output=True, text=True)
    lines = [json.loads(line) for line in done.stderr.splitlines()]
    assert any(line["event"] == "away" and "PoolTimeout" in line["exception"] for line in lines), done
    assert len(done.stderr) < 20_000
    for hidden in ("Sword/fish-99", "Sword%2Ffish-99"):
        assert hidden not in done.stdout + done.stderr
