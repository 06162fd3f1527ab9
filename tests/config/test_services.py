"""The embedded PostgreSQL and Redis, as the tests themselves and everything else use them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import psutil
import psycopg
import pytest
import redis

from config.services import addresses
from config.services.postgres import Postgres
from config.services.redis import Redis
from kernel.environment import ROOT, Trouble

_STARTS_BOTH_AND_WAITS = """
import sys, signal
from pathlib import Path
from config.services.postgres import Postgres
from config.services.redis import Redis
services = Postgres(Path(sys.argv[1]), durable=False), Redis(Path(sys.argv[1]))
for service in services:
    service.start()
print(*(service.pid for service in services), flush=True)
signal.pause()
"""


def test_killed_owner_takes_both_along_and_the_next_start_finds_what_was_committed(data: Path) -> None:
    owner = subprocess.Popen(
        [sys.executable, "-c", _STARTS_BOTH_AND_WAITS, str(data)], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    assert owner.stdout is not None
    left = [psutil.Process(int(pid)) for pid in owner.stdout.readline().split()]
    with psycopg.connect(addresses.embedded_database_url(data, addresses.OWNER)) as connection:
        connection.execute("CREATE TABLE kept AS SELECT 7 AS figure")
    redis.Redis.from_url(addresses.embedded_redis_url(data)).set("kept", "7")
    owner.kill()
    owner.wait()

    # At once: they may still be on their way out.
    postgres, store = Postgres(data, durable=False), Redis(data)
    postgres.start()
    store.start()
    try:
        assert not any(process.is_running() and process.status() != psutil.STATUS_ZOMBIE for process in left)
        with psycopg.connect(addresses.embedded_database_url(data, addresses.OWNER)) as connection:
            assert connection.execute("SELECT figure FROM kept").fetchall() == [(7,)]
            # What an installation relies on, as our own role sees it.
            shown = {name: connection.execute(f"SHOW {name}").fetchone() for name in ("timezone", "data_checksums")}
            assert shown == {"timezone": ("UTC",), "data_checksums": ("on",)}
            assert connection.execute("SELECT rolsuper FROM pg_roles WHERE rolname = current_user").fetchone() == (
                False,
            )
        assert redis.Redis.from_url(store.url).get("kept") == b"7"
    finally:
        store.stop()
        postgres.stop()
    assert not postgres.running
    assert not store.running


def test_stale_pid_file_whose_number_belongs_to_somebody_else(data: Path) -> None:
    postgres = Postgres(data, durable=False)
    postgres.start()
    assert postgres.pid is not None
    os.kill(postgres.pid, signal.SIGQUIT)  # dies without tidying up
    psutil.wait_procs([psutil.Process(postgres.pid)], 10)
    stale = data / "postgres" / "postmaster.pid"
    stale.write_text(f"{os.getppid()}\n" + (stale.read_text().split("\n", 1)[1] if stale.exists() else ""))
    postgres.start()
    assert postgres.running
    postgres.stop()


def test_database_of_another_major_version_is_named(data: Path) -> None:
    folder = data / "postgres"
    folder.mkdir()
    (folder / "PG_VERSION").write_text("15\n")
    with pytest.raises(Trouble, match="made by PostgreSQL 15 and this is PostgreSQL 18"):
        Postgres(data).start()
    assert sorted(path.name for path in folder.iterdir()) == ["PG_VERSION"]


def test_two_data_folders_never_share_a_socket(tmp_path: Path) -> None:
    deep = [tmp_path / name / ("x" * 100) for name in ("a", "b")]
    first, second = (addresses.socket_folder(data) for data in deep)
    assert first != second
    assert len(str(first / ".s.PGSQL.5432")) < 100


def test_redis_starts_where_the_database_is_somebody_else_s(data: Path) -> None:
    """As root it has a user of its own, who comes to its socket through a folder that only PostgreSQL had opened."""
    redis = Redis(data, durable=False)
    redis.start()
    try:
        assert redis.answers()
    finally:
        redis.stop()
