"""Two PostgreSQL servers on loopback, one following the other, and a house on both of their addresses."""

from __future__ import annotations

import os
import pwd
import secrets
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil
import psycopg

from config.services.postgres import _SYSTEM_USER, binaries
from tests.world.copies import PATIENCE, Copy, own_folder
from tests.world.faults import on_small_disk
from tests.world.server import free_port

ROLES = ("meterhouse", "meterhouse_runtime", "meterhouse_sealer")


class Server:
    """A PostgreSQL of the trial, as its own user where root runs it."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.port = folder, free_port()
        self.user = pwd.getpwnam(_SYSTEM_USER).pw_uid if os.geteuid() == 0 else None

    def run(self, program: str, *arguments: str) -> None:
        line = [str(binaries() / program), *arguments]
        done = subprocess.run(line, check=False, cwd="/", user=self.user, capture_output=True, text=True)
        assert done.returncode == 0, f"{program}: {done.stderr}"

    def make(self) -> None:
        self.run("initdb", "-D", str(self.folder), "-U", "postgres", "--auth=trust", "--encoding=UTF8", "--locale=C")

    def follow(self, primary: Server) -> None:
        at = f"host=127.0.0.1 port={primary.port} user=postgres"
        self.run("pg_basebackup", "-D", str(self.folder), "-R", "-d", at, "--checkpoint=fast")

    def rewind(self, primary: Server) -> None:
        """What it wrote and nobody has is taken back, so that it can follow again."""
        at = f"host=127.0.0.1 port={primary.port} user=postgres dbname=postgres"
        self.run("pg_rewind", "-D", str(self.folder), "--source-server", at, "--write-recovery-conf")

    def start(self) -> None:
        settings = (f"-c port={self.port} -c listen_addresses=127.0.0.1 -c unix_socket_directories='' "
                    "-c max_connections=200 -c timezone=UTC")  # fmt: skip
        self.run(
            "pg_ctl", "-D", str(self.folder), "-w", "-t", "120", "-l", str(self.folder / "log"), "-o", settings, "start"
        )

    def kill(self) -> None:
        """All of it at once, as a machine that lost its power."""
        leader = int((self.folder / "postmaster.pid").read_text().split()[0])
        first = psutil.Process(leader)
        children = first.children()
        for each in (first, *children):
            with suppress(psutil.NoSuchProcess):
                each.kill()
        psutil.wait_procs([first, *children], PATIENCE)
        (self.folder / "postmaster.pid").unlink(missing_ok=True)

    def stop(self) -> None:
        if (self.folder / "postmaster.pid").exists():
            self.run("pg_ctl", "-D", str(self.folder), "-m", "immediate", "stop")

    def say(self, *statements: str, database: str = "postgres") -> None:
        with psycopg.connect(f"postgresql://postgres@127.0.0.1:{self.port}/{database}", autocommit=True) as line:
            for statement in statements:
                line.execute(statement)


class Pair:
    def __init__(self, data: Path) -> None:
        self.primary, self.standby = Server(data / "primary"), Server(data / "standby")
        if self.primary.user is not None:
            os.chown(data, self.primary.user, -1)
        self.password = secrets.token_hex(16)

    def start(self) -> None:
        self.primary.make()
        self.primary.start()
        self.primary.say(
            *(f"CREATE ROLE {role} LOGIN PASSWORD '{self.password}'" for role in ROLES),
            "CREATE DATABASE meterhouse OWNER meterhouse",
            "ALTER SYSTEM SET wal_keep_size = '512MB'",  # what is rewound reads back to where both were the same
            "SELECT pg_reload_conf()",
        )
        self.standby.follow(self.primary)
        self.standby.start()

    def keep_in_step(self, *, wanted: bool) -> None:
        names = "'*'" if wanted else "''"
        self.primary.say(f"ALTER SYSTEM SET synchronous_standby_names = {names}", "SELECT pg_reload_conf()")

    def promote(self) -> None:
        self.standby.say("SELECT pg_promote(true, 60)", "ALTER SYSTEM RESET synchronous_standby_names")
        self.standby.say("SELECT pg_reload_conf()")

    def fail_over(self, *, seconds: float) -> None:
        """The primary is gone at once; after so long its standby is promoted, and what was the primary is rewound and
        follows it, in step before anybody fails over again."""
        self.primary.kill()
        time.sleep(seconds)
        self.promote()
        self.primary, self.standby = self.standby, self.primary
        self.standby.rewind(self.primary)
        self.standby.start()
        self.keep_in_step(wanted=True)
        self.wait_in_step()

    def wait_in_step(self) -> None:
        deadline = time.monotonic() + PATIENCE
        at = f"postgresql://postgres@127.0.0.1:{self.primary.port}/postgres"
        with psycopg.connect(at, autocommit=True) as line:
            while not line.execute(
                "SELECT 1 FROM pg_stat_replication WHERE sync_state IN ('sync', 'quorum')"
            ).fetchone():
                if time.monotonic() > deadline:
                    raise TimeoutError("the standby did not follow")
                time.sleep(0.2)

    def url(self, role: str) -> str:
        at = ",".join(f"127.0.0.1:{each.port}" for each in (self.primary, self.standby))
        return f"postgresql://{role}:{self.password}@{at}/meterhouse?target_session_attrs=read-write"


@contextmanager
def house_on_a_pair(*, small_disk: bool = False) -> Iterator[tuple[Copy, Pair]]:
    data, servers = own_folder(), own_folder()
    small = small_disk and on_small_disk(data)
    pair = Pair(servers)
    copy = Copy(data, METERHOUSE_DEMO="1")
    try:
        pair.start()
        copy.env |= {
            "DATABASE_URL": pair.url("meterhouse_runtime"),
            "DATABASE_OWNER_URL": pair.url("meterhouse"),
            "DATABASE_SEALER_URL": pair.url("meterhouse_sealer"),
        }
        keys_made(copy)
        copy.start()
        yield copy, pair
    finally:
        if hasattr(copy, "process"):
            copy.process.kill()
            psutil.wait_procs(copy.processes(), PATIENCE)
        for server in (pair.primary, pair.standby):
            server.stop()
        if small:
            subprocess.run(["umount", "--lazy", str(data)], check=False)
        shutil.rmtree(data, ignore_errors=True)
        shutil.rmtree(servers, ignore_errors=True)


def keys_made(copy: Copy) -> None:
    line = [sys.executable, "-m", "config.keys", "make"]
    subprocess.run(line, check=True, cwd=copy.tree, env=copy.env, capture_output=True)
